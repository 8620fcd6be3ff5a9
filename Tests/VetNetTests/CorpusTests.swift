import Clinical
import Foundation
import Interchange
import Testing
import VetNetTestSupport

/// The sample practice, judged as data: ids, references, dates and wording.
struct CorpusTests {
  static let zone = PracticeTimeZone(identifier: "Europe/London") ?? .utc

  /// Every record of `Corpus/`, and whatever was wrong with a row.
  struct Corpus: Sendable {
    var records: [ImportRecord] = []
    var complaints: [String] = []

    init() throws {
      let vocabulary = try ImportVocabulary(
        headers: modelTable("import/header-aliases.tsv"), values: modelTable("import/value-aliases.tsv"))
      let reader = try ImportReader(
        [projectDirectory + "/Corpus"], options: ImportOptions(timeZone: CorpusTests.zone, vocabulary: vocabulary))
      while let event = try reader.next() {
        switch event {
        case .record(let record, _, _, _): records.append(record)
        case .reject(let reject), .amendment(_, _, _, let reject): complaints.append("\(reject)")
        case .problem(let problem): if problem.isFailure { complaints.append("\(problem)") }
        }
      }
    }

    var notes: [ClinicalNote] { records.compactMap { if case .note(let note, _) = $0 { note } else { nil } } }
    var patients: [Patient] { records.compactMap { if case .patient(let patient) = $0 { patient } else { nil } } }
    var appointments: [Appointment] {
      records.compactMap { if case .appointment(let appointment, _) = $0 { appointment } else { nil } }
    }
    func ids(_ kind: ImportKind) -> [String] { records.filter { $0.kind == kind }.map(\.id) }
  }

  private static let shared = Result { try Corpus() }

  let corpus: Corpus

  init() throws {
    corpus = try Self.shared.get()
  }

  @Test func `every row can be imported`() {
    #expect(corpus.complaints == [])
  }

  @Test func `the practice has the size that it is meant to have`() {
    #expect(corpus.patients.count >= 60)
    #expect(Set(corpus.patients.map(\.species)).count >= 8)
    #expect(corpus.ids(.clients).count >= 45)
    #expect(corpus.notes.count >= 500)
    #expect(Set(corpus.notes.compactMap(\.author)).count >= 8)
    #expect(corpus.ids(.staff).count >= 8)
    #expect(corpus.ids(.intakes).count >= 60)
    #expect(corpus.appointments.filter { $0.actualMinutes != nil }.count >= 600)
  }

  @Test(arguments: ImportKind.allCases)
  func `no id stands twice`(kind: ImportKind) {
    let ids = corpus.ids(kind)
    #expect(Set(ids).count == ids.count)
  }

  @Test func `every reference leads somewhere`() {
    let patients = Set(corpus.ids(.patients)), clients = Set(corpus.ids(.clients)), staff = Set(corpus.ids(.staff))
    let resources = Set(corpus.ids(.resources))
    for record in corpus.records {
      if let reference = record.patientReference { #expect(patients.contains(reference.text), "\(record.id)") }
    }
    for patient in corpus.patients { #expect(patient.ownerID.map(clients.contains) ?? true, "\(patient.id)") }
    for appointment in corpus.appointments {
      #expect(appointment.clinicianID.map(staff.contains) ?? true, "\(appointment.id)")
      #expect(resources.isSuperset(of: appointment.resourceIDs), "\(appointment.id)")
    }
  }

  @Test func `nobody is seen before birth, nor treated long after death`() {
    let patients = Dictionary(corpus.patients.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    for note in corpus.notes {
      guard let patient = patients[note.patientID] else { continue }
      let day = Self.zone.date(of: note.recordedAt)
      if let born = patient.dateOfBirth { #expect(day >= born, "\(note.id)") }
      // After a death there are letters and calls, no examinations.
      if let died = patient.deceasedAt, day > died {
        #expect([.phone, .intake, .lab, .referral].contains(note.kind), "\(note.id)")
      }
    }
    for appointment in corpus.appointments {
      guard let died = appointment.patientID.flatMap({ patients[$0]?.deceasedAt }) else { continue }
      #expect(Self.zone.date(of: appointment.start) <= died, "\(appointment.id)")
    }
  }

  @Test func `the record spans six years and the diary two weeks ahead`() throws {
    let days = corpus.notes.map { Self.zone.date(of: $0.recordedAt) }
    let first = try #require(days.min()), last = try #require(days.max())
    #expect(last.daysSince1970 - first.daysSince1970 >= 6 * 365)
    let booked = corpus.appointments.filter { $0.status == .booked }.map { Self.zone.date(of: $0.start) }
    #expect(Set(booked).count >= 10)
    #expect(booked.allSatisfy { $0 > last })
  }

  @Test func `actual minutes are plausible`() {
    for appointment in corpus.appointments {
      guard let minutes = appointment.actualMinutes else { continue }
      #expect((2...400).contains(minutes), "\(appointment.id)")
      #expect(appointment.status == .done, "\(appointment.id)")
    }
  }

  /// - Returns: the share of the notes of which more than half of the five-word sequences stand in one other note.
  static func shareOfRepetitiveNotes(_ texts: [String]) -> Double {
    let shingles = texts.map { text -> Set<String> in
      let words = text.lowercased().split { !$0.isLetter && !$0.isNumber }
      guard words.count >= 5 else { return [] }
      return Set((0...(words.count - 5)).map { words[$0..<($0 + 5)].joined(separator: " ") })
    }
    // Where each sequence stands, so that a note is compared with those that have something of it and not with all.
    var places: [String: [Int]] = [:]
    for (index, own) in shingles.enumerated() {
      for shingle in own { places[shingle, default: []].append(index) }
    }
    let repetitive = shingles.indices.filter { index in
      var shared: [Int: Int] = [:]
      for shingle in shingles[index] {
        for other in places[shingle] ?? [] where other != index { shared[other, default: 0] += 1 }
      }
      return shared.values.contains { $0 * 2 > shingles[index].count }
    }
    return Double(repetitive.count) / Double(max(1, texts.count))
  }

  @Test func `notes are written, not filled in`() {
    #expect(Self.shareOfRepetitiveNotes(corpus.notes.map(\.text)) < 0.03)
  }

  @Test func `the measure of repetition finds a template`() {
    let templated = (1...10).map {
      "Weight \($0) kg. Heart and lungs normal today. Vaccinated as planned, no reaction seen."
    }
    #expect(Self.shareOfRepetitiveNotes(templated) == 1)
  }
}
