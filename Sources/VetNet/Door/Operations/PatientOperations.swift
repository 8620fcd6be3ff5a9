public import Clinical

/// The patients that some words may mean: by id, microchip, name or owner. On record are those who are shown.
public struct FindPatients: Operation {
  public static let name = "patient.find"
  public static let permission = Permission.readRegister
  public static let reads: Set<RecordKind> = [.patient, .client]

  public var words: String
  /// As many are looked for, at most; nil for all.
  public var most: Int?
  /// Which of those that are found are shown, by their places; nil for all.
  public var shown: Range<Int>?

  public init(words: String, most: Int? = nil, shown: Range<Int>? = nil) {
    self.words = words
    self.most = most
    self.shown = shown
  }

  public func run(_ passage: Passage) throws -> [Patient] {
    let found = try passage.practice.records.findPatients(words, most: most)
    passage.touch(.patient, found[(shown ?? found.indices).clamped(to: found.indices)].map(\.id))
    return found
  }
}

/// The one patient that some words mean.
///
/// - Throws: ``PracticeError`` with `ambiguousPatient` and the candidates when they fit several, which is never guessed,
///   and `notFound` when they fit none.
public struct IdentifyPatient: Operation {
  public static let name = "patient.identify"
  public static let permission = Permission.readRegister
  public static let reads: Set<RecordKind> = [.patient]

  public var reference: String

  public init(reference: String) {
    self.reference = reference
  }

  public var subjects: [RecordReference] { [RecordReference(.patient, reference)] }

  public func run(_ passage: Passage) throws -> Patient {
    let found = try passage.practice.records.patient(reference)
    passage.touch(.patient, found.id)
    return found
  }
}

/// The patient that a question names without being asked about anybody in particular; nil for none or several.
public struct PatientInQuestion: Operation {
  public static let name = "patient.named"
  public static let permission = Permission.readRegister
  public static let reads: Set<RecordKind> = [.patient]

  public var question: String

  public init(question: String) {
    self.question = question
  }

  public func run(_ passage: Passage) throws -> Patient? {
    let found = try passage.practice.answers.patientNamed(in: question)
    passage.touch(.patient, found?.id)
    passage.isAboutNobody = found == nil
    return found
  }
}

/// A patient with owner, notes counted, and what is booked.
public struct ShowPatient: RepeatableReading {
  public static let name = "patient.show"
  public static let permission = Permission.readRegister
  public static let reads: Set<RecordKind> = [.patient, .client, .appointment]

  public var reference: String

  public init(reference: String) {
    self.reference = reference
  }

  public var subjects: [RecordReference] { [RecordReference(.patient, reference)] }

  public func run(_ passage: Passage) throws -> PatientOverview {
    let overview = try passage.practice.records.overview(of: reference, now: passage.now)
    passage.touch(.patient, overview.patient.id)
    return overview
  }
}

/// A patient's notes and appointments in time order, within two days if they are given, both included.
public struct ListTimeline: RepeatableReading {
  public static let name = "patient.timeline"
  public static let permission = Permission.readRecord
  public static let reads: Set<RecordKind> = [.patient, .note, .appointment]

  public var reference: String
  public var since: CalendarDate?
  public var until: CalendarDate?

  public init(reference: String, since: CalendarDate? = nil, until: CalendarDate? = nil) {
    self.reference = reference
    self.since = since
    self.until = until
  }

  public var subjects: [RecordReference] { [RecordReference(.patient, reference)] }

  public func run(_ passage: Passage) throws -> [TimelineEntry] {
    passage.touch(.patient, try passage.practice.records.patient(reference).id)
    return try passage.practice.records.timeline(of: reference, since: since, until: until)
  }
}

/// What the record of a patient says of problems, drugs, prevention and how treatments were borne.
public struct ChartPatient: RepeatableReading {
  public static let name = "patient.chart"
  public static let permission = Permission.readRecord
  public static let reads: Set<RecordKind> = [.patient, .note]

  public var reference: String

  public init(reference: String) {
    self.reference = reference
  }

  public var subjects: [RecordReference] { [RecordReference(.patient, reference)] }

  public func run(_ passage: Passage) throws -> ChartedPatient {
    let charted = try passage.practice.briefs.chart(of: reference, now: passage.now)
    passage.touch(.patient, charted.patient.id)
    return charted
  }
}

/// Puts a new patient on file, and the owner where the practice does not know the owner yet.
public struct AddPatient: Operation {
  public static let name = "patient.add"
  public static let permission = Permission.writeRegister
  public static let reads: Set<RecordKind> = [.patient, .client]
  public static let changes: Set<RecordKind> = [.client, .patient]

  public var patient: NewPatient
  public var isDryRun: Bool

  public init(patient: NewPatient, isDryRun: Bool = false) {
    self.patient = patient
    self.isDryRun = isDryRun
  }

  public var changesNothing: Bool { isDryRun }

  public func run(_ passage: Passage) throws -> Patient {
    try passage.practice.records.addPatient(patient, isDryRun: isDryRun)
  }
}
