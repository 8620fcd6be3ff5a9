public import Answering
public import Briefing
public import Clinical

/// Answers a question from the record as it was at a moment.
public struct Ask: Operation {
  public static let name = "record.ask"
  public static let permission = Permission.readRecord
  public static let reads: Set<RecordKind> = [.patient, .note, .appointment]

  public var question: String
  public var patient: String?
  public var askedAt: Timestamp

  public init(question: String, patient: String? = nil, askedAt: Timestamp) {
    self.question = question
    self.patient = patient
    self.askedAt = askedAt
  }

  public var subjects: [RecordReference] { patient.map { [RecordReference(.patient, $0)] } ?? [] }

  public func run(_ passage: Passage) throws -> Answer {
    let practice = passage.practice
    if let language = try practice.models.languageGuess().foreignLanguage(of: question) {
      // Who is asked about is looked up all the same: a mistyped patient is an error in every language.
      passage.touch(.patient, try patient.map { try practice.records.patient($0).id })
      return Answer.notUnderstood(language)
    }
    let answer = try practice.answers.ask(question, patient: patient, askedAt: askedAt)
    passage.touch(.patient, answer.citations.map(\.patientID))
    passage.touch(.patient, answer.candidates.map(\.id))
    return answer
  }
}

/// The passages of the record that resemble a text or a note, best first, one a note.
public struct FindSimilar: Operation {
  public static let name = "record.similar"
  public static let permission = Permission.readRecord
  public static let reads: Set<RecordKind> = [.patient, .note]

  public var query: SimilarQuery
  public var filter: CaseFilter

  public init(query: SimilarQuery, filter: CaseFilter) {
    self.query = query
    self.filter = filter
  }

  public func run(_ passage: Passage) throws -> [SimilarCase] {
    let cases = try passage.practice.index.similar(to: query, filter: filter)
    passage.touch(.patient, cases.map(\.patient.id))
    return cases
  }
}

/// The appointments of a day that ask for a brief, in their order, and those that get none, each with why: what ``BriefDay`` gives
/// before any brief is made.
public struct ListBriefed: Operation {
  public static let name = "brief.list"
  public static let permission = Permission.readRecord
  public static let reads: Set<RecordKind> = [.appointment, .patient]

  public var date: CalendarDate
  public var clinicianID: String?

  public init(date: CalendarDate, clinicianID: String? = nil) {
    self.date = date
    self.clinicianID = clinicianID
  }

  public func run(_ passage: Passage) throws -> BriefedDay {
    let day = try passage.practice.briefs.briefed(on: date, clinicianID: clinicianID)
    passage.touch(.patient, day.visits.map(\.patient.id))
    return day
  }
}

/// The briefs of a day's appointments, in their order, and the appointments that get none, each with why.
public struct BriefDay: Operation {
  public static let name = "brief.day"
  public static let permission = Permission.readRecord
  public static let reads: Set<RecordKind> = [.appointment, .patient, .note]

  public var date: CalendarDate
  public var clinicianID: String?
  /// Only at this location, by id; nil for all.
  public var locationID: String?

  public init(date: CalendarDate, clinicianID: String? = nil, locationID: String? = nil) {
    self.date = date
    self.clinicianID = clinicianID
    self.locationID = locationID
  }

  public var place: String? { locationID }

  public func run(_ passage: Passage) throws -> DayBriefs {
    let day = try passage.practice.briefs.briefs(
      on: date, clinicianID: clinicianID, locationID: locationID, now: passage.now)
    passage.touch(.patient, day.briefs.map(\.patient.id))
    return day
  }
}

/// The brief for one appointment.
public struct BriefAppointment: Operation {
  public static let name = "brief.appointment"
  public static let permission = Permission.readRecord
  public static let reads: Set<RecordKind> = [.appointment, .patient, .note]

  public var id: String

  public init(id: String) {
    self.id = id
  }

  public var subjects: [RecordReference] { [RecordReference(.appointment, id)] }

  public func run(_ passage: Passage) throws -> Brief {
    let brief = try passage.practice.briefs.brief(forAppointment: id, now: passage.now)
    passage.touch(.patient, brief.patient.id)
    return brief
  }
}

/// The brief for a patient, with the next appointment if there is one.
public struct BriefPatient: RepeatableReading {
  public static let name = "brief.patient"
  public static let permission = Permission.readRecord
  public static let reads: Set<RecordKind> = [.appointment, .patient, .note]

  public var reference: String

  public init(reference: String) {
    self.reference = reference
  }

  public var subjects: [RecordReference] { [RecordReference(.patient, reference)] }

  public func run(_ passage: Passage) throws -> Brief {
    let brief = try passage.practice.briefs.brief(forPatient: reference, now: passage.now)
    passage.touch(.patient, brief.patient.id)
    return brief
  }
}
