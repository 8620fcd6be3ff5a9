import Clinical

/// Makes a small-animal practice's busy day: staff with skills and lunch breaks, rooms, and a book that is nearly full.
public struct BusyDay: Sendable {
  public let vets: Int
  /// Share of the clinicians' working minutes that is asked for.
  public let load: Double
  /// Red and orange cases a day, on average, for each clinician.
  public let emergenciesPerVet: Double

  /// - Precondition: 1…60 vets, a load in 0.05…1.5.
  public init(vets: Int = 10, load: Double = 0.75, emergenciesPerVet: Double = 1) {
    precondition((1...60).contains(vets), "\(vets) vets")
    precondition((0.05...1.5).contains(load), "a load of \(load)")
    self.vets = vets
    self.load = load
    self.emergenciesPerVet = emergenciesPerVet
  }

  /// A day with its book, and the cases that will come in, in order of arrival.
  public struct Day: Sendable {
    public var day: PracticeDay
    public let emergencies: [VisitRequest]
    /// What each booking is for, by id.
    public let details: [String: VisitRequest]
  }

  private static let kinds: [(type: VisitType, share: Double, minutes: Double, specialty: Specialty?)] = [
    (.standardConsult, 0.3, 18, nil), (.vaccination, 0.14, 13, nil), (.recheck, 0.16, 13, nil),
    (.multiProblemOrSenior, 0.1, 28, .internalMedicine), (.dermatologyWorkUp, 0.07, 32, .dermatology),
    (.orthopaedicWorkUp, 0.06, 35, .orthopaedics), (.surgery, 0.06, 65, .softTissueSurgery),
    (.dental, 0.05, 55, .dentistry),
    (.imaging, 0.06, 28, .imaging),
  ]

  private static let date = CalendarDate(daysSince1970: 20_787)

  /// - Parameters:
  ///   - rules: worth and costs, for the book.
  ///   - seed: the same seed makes the same day on every machine.
  /// - Returns: the day, booked.
  /// - Throws: ``SchedulingError`` when the day can't be planned.
  public func make(rules: SchedulingRules, seed: UInt64) throws(SchedulingError) -> Day {
    var random = SplitMix64(seed: seed)
    var day = PracticeDay(
      dates: [Self.date], timeZone: .utc, staff: staff(&random), resources: rooms(), appointments: [])
    let open = PracticeTimeZone.utc.timestamp(of: Self.date, minuteOfDay: 0)
    var asked = load * Double(vets) * 525
    var wishes: [VisitRequest] = []
    while asked > 0 {
      let wish = self.wish("booked-\(wishes.count + 1)", open, &random)
      asked -= wish.duration.minutes(at: rules.planQuantile)
      wishes.append(wish)
    }
    let plan = try DayOptimizer(
      rules: rules, configuration: .init(seed: seed, iterationLimit: 2000, bound: .init(iterationLimit: 20))
    ).optimize(day, requests: wishes, now: open) { 0 }
    let byID = Dictionary(wishes.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    day.appointments = plan.changes.map { change in
      Appointment(
        id: change.id, patientID: byID[change.id]?.patientID, clinicianID: change.after.clinicianID,
        resourceIDs: change.after.resourceIDs, start: change.after.start, durationMinutes: change.after.minutes,
        visitType: byID[change.id]?.visitType)
    }
    return Day(day: day, emergencies: emergencies(open, &random), details: byID)
  }

  private func staff(_ random: inout SplitMix64) -> [StaffMember] {
    (0..<vets).map { number in
      var skills = [Specialty.generalPractice.rawValue: 0.6 + 0.35 * random.nextUnit()]
      skills[Specialty.emergency.rawValue] = 0.4 + 0.5 * random.nextUnit()
      for kind in Self.kinds {
        if let specialty = kind.specialty { skills[specialty.rawValue] = 0.2 + 0.75 * random.nextUnit() }
      }
      return StaffMember(
        id: "vet-\(number + 1)", name: "Vet \(number + 1)", role: .veterinarian, skills: skills,
        workingHours: [.init(weekday: Self.date.weekday, minutes: 510..<1080)],
        breaks: [.init(weekday: Self.date.weekday, window: 720..<870, minutes: 45)])
    }
  }

  private func rooms() -> [Resource] {
    // A consulting room each: what is scarce is people.
    let rooms = vets
    let others = max(1, vets / 6)
    return (1...rooms).map { Resource(id: "room-\($0)", name: "Room \($0)", kind: "room", cleaningMinutes: 5) }
      + ["theatre", "dental", "imaging"].flatMap { kind in
        (1...others).map { Resource(id: "\(kind)-\($0)", name: "\(kind) \($0)", kind: kind, cleaningMinutes: 10) }
      }
  }

  private func wish(_ id: String, _ open: Timestamp, _ random: inout SplitMix64) -> VisitRequest {
    let kind = Self.kinds[random.pick(Self.kinds.map(\.share))]
    let minute = 510 + 5 * Int(random.nextUnit() * 110)
    return VisitRequest(
      id: id, patientID: "patient of \(id)", visitType: kind.type, specialty: kind.specialty,
      duration: PredictedDuration(p50: kind.minutes, sigma: 0.35), wishedStart: open.adding(minutes: minute),
      receivedAt: open)
  }

  private func emergencies(_ open: Timestamp, _ random: inout SplitMix64) -> [VisitRequest] {
    var minute = 510.0
    var cases: [VisitRequest] = []
    let gap = 510 / max(0.01, emergenciesPerVet * Double(vets))
    while true {
      minute += gap * -Self.logarithm(1 - random.nextUnit())
      if minute > 1020 { return cases }
      let isRed = random.nextUnit() < 0.2
      let id = "emergency-\(cases.count + 1)"
      cases.append(
        VisitRequest(
          id: id, patientID: "patient of \(id)", urgency: isRed ? .red : .orange, visitType: .emergency,
          specialty: .emergency, duration: PredictedDuration(p50: isRed ? 35 : 25, sigma: 0.4),
          receivedAt: open.adding(minutes: Int(minute))))
    }
  }
}
