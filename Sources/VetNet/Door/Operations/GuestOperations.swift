import Answering
public import Clinical

/// A question with the passages that bear on it, for a guest: a program that the practice chose. Nil where several patients may be meant.
public struct GatherPassages: Operation {
  public static let name = "record.passages"
  public static let feature: Feature? = .reader
  public static let permission = Permission.readRecord
  public static let reads: Set<RecordKind> = [.patient, .note]

  public var question: String
  public var patient: String?
  public var askedAt: Timestamp

  public init(question: String, patient: String? = nil, askedAt: Timestamp) {
    self.question = question
    self.patient = patient
    self.askedAt = askedAt
  }

  public var subjects: [RecordReference] { patient.map { [RecordReference(.patient, $0)] } ?? [] }

  public func run(_ passage: Passage) throws -> GuestQuestion? {
    try passage.practice.answers.guestQuestion(question, patient: patient, askedAt: askedAt)
  }
}

/// What of a guest's reply the record holds.
public struct CheckGuest: Operation {
  public static let name = "record.check-guest"
  public static let feature: Feature? = .reader
  public static let permission = Permission.readRecord
  public static let reads: Set<RecordKind> = [.patient, .note]

  public var question: GuestQuestion
  public var reply: GuestReply

  public init(question: GuestQuestion, reply: GuestReply) {
    self.question = question
    self.reply = reply
  }

  public func run(_ passage: Passage) throws -> GuestAnswer {
    let found = try passage.practice.answers.judged(reply, to: question)
    passage.touch(.patient, found.answer.citations.map(\.patientID))
    passage.details["sentences"] = String(found.answer.sentences.count)
    passage.details["dropped"] = String(found.droppedCount)
    return found
  }
}
