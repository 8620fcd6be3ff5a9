import Clinical
import Interchange
import Testing

/// Records of every kind with whatever a keyboard gives.
struct RecordMaker {
  var generator: SplitMix64

  mutating func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
  mutating func maybe<Value>(_ make: (inout RecordMaker) -> Value) -> Value? { int(0...2) == 0 ? nil : make(&self) }

  /// No white space around it, which names and ids lose.
  mutating func word() -> String {
    let pool = ["a", "B", "é", "🐕", "\"", "\\", "/", "7", "-", "x y", "日本", ",", "'"]
    return (0...int(0...6)).map { _ in pool[int(0...pool.count - 1)] }.joined()
  }

  mutating func prose() -> String {
    let pool = ["S: ", "\n", "\r\n", "\t", "\u{1}", "\u{7F}", "°C", "\"no\"", "\\n", "🐈‍⬛", " ", "{}", "\u{2028}"]
    return "x" + (0...int(0...30)).map { _ in pool[int(0...pool.count - 1)] }.joined()
  }

  mutating func timestamp() -> Timestamp { Timestamp(seconds: Int64(int(-1_000_000_000...4_000_000_000))) }
  mutating func day() -> CalendarDate { CalendarDate(daysSince1970: int(-20_000...40_000)) }
  mutating func number() -> Double { int(0...1) == 0 ? Double(int(0...90)) : Double(int(1...1_000_000)) / 997 }
  mutating func minutes() -> Range<Int> {
    let start = int(0...1400)
    return start..<int(start + 1...1440)
  }
  mutating func reference() -> PatientReference { int(0...1) == 0 ? .id(word()) : .nameOrID(word()) }

  mutating func record(_ kind: ImportKind) -> ImportRecord {
    switch kind {
    case .clients:
      return .client(
        Client(
          id: word(), name: word(),
          phones: (0..<int(0...3)).map { _ in ClientPhone(word(), label: maybe { $0.word() }) },
          email: maybe { $0.word() },
          address: maybe { $0.word() }))
    case .patients:
      return .patient(
        Patient(
          id: word(), name: word(), species: Species.allCases[int(0...Species.allCases.count - 1)],
          breed: maybe { $0.word() },
          sex: Sex.allCases[int(0...Sex.allCases.count - 1)], dateOfBirth: maybe { $0.day() },
          deceasedAt: maybe { $0.day() }, weightKilograms: maybe { $0.number() }, ownerID: maybe { $0.word() },
          ownerName: maybe { $0.word() }, microchip: maybe { $0.word() }))
    case .staff:
      let from = day()
      let window = minutes()
      return .staff(
        StaffMember(
          id: word(), name: word(), role: StaffMember.Role.allCases[int(0...3)],
          skills: ["cardiology": Double(int(0...100)) / 100],
          workingHours: (0..<int(0...3)).map { _ in .init(weekday: int(1...7), minutes: minutes()) },
          breaks: [.init(weekday: int(1...7), window: window, minutes: int(1...window.count))],
          leave: [.init(days: from...from.adding(days: int(0...20)))]))
    case .locations:
      return .location(
        Location(
          id: word(), name: word(), address: maybe { $0.word() }, region: maybe { $0.word() },
          hours: (0..<int(0...3)).map { _ in .init(weekday: int(1...7), minutes: minutes()) },
          closures: (0..<int(0...2)).map { _ in
            let first = day()
            return .init(
              days: first...first.adding(days: int(0...9)), isOpen: int(0...1) == 0, reason: maybe { $0.word() })
          }))
    case .resources:
      return .resource(
        Resource(
          id: word(), name: word(), kind: word(), capacity: int(1...9), cleaningMinutes: int(0...60),
          locationID: maybe { $0.word() }))
    case .notes:
      let patient = reference()
      return .note(
        ClinicalNote(
          id: word(), patientID: patient.text, recordedAt: timestamp(), author: maybe { $0.word() },
          kind: NoteKind.allCases[int(0...NoteKind.allCases.count - 1)], text: prose()), of: patient)
    case .intakes:
      let patient = maybe { $0.reference() }
      return .intake(
        Intake(
          id: word(), patientID: patient?.text, receivedAt: maybe { $0.timestamp() }, channel: maybe { $0.word() },
          species: maybe { $0.int(0...1) == 0 ? .cat : .other }, breed: maybe { $0.word() }, age: maybe { $0.word() },
          sex: Sex.allCases[int(0...Sex.allCases.count - 1)], weightKilograms: maybe { $0.number() }, text: prose()),
        of: patient)
    case .appointments:
      let patient = maybe { $0.reference() }
      return .appointment(
        Appointment(
          id: word(), patientID: patient?.text, clinicianID: maybe { $0.word() },
          resourceIDs: (0..<int(0...3)).map { _ in word() }, start: timestamp(), durationMinutes: int(1...500),
          actualMinutes: maybe { $0.number() },
          visitType: maybe { $0.int(0...1) == 0 ? .recheck : .puppyOrKittenVisit },
          reason: maybe { $0.word() },
          status: Appointment.Status.allCases[int(0...Appointment.Status.allCases.count - 1)]), of: patient)
    }
  }
}

@Suite struct RoundTripTests {
  @Test(arguments: ImportKind.allCases)
  func `what is written is read back as equal values`(kind: ImportKind) throws {
    var maker = RecordMaker(generator: SplitMix64(seed: 42))
    for zone in ["Europe/London", "America/St_Johns", "UTC"] {
      let records = (0..<200).map { _ in maker.record(kind) }
      let writer = JSONLinesWriter(timeZone: try #require(PracticeTimeZone(identifier: zone)))
      let text = Array(records.map { writer.line(for: $0) }.joined(separator: [0x0A]))
      let result = try ImportResult("\(kind.rawValue).jsonl", text, options: try importOptions(zone: "Asia/Kolkata"))
      #expect(result.rejects == [])
      #expect(result.problems == [])
      #expect(result.records == records)
    }
  }
}
