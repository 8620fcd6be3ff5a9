import Answering
import Clinical
import FoundationEssentials
import VetNet

/// A question about a patient's record with what a right answer says and rests on.
public struct QuestionCase: Sendable, Decodable {
  public var id: String
  /// Nil for a question to the whole practice.
  public var patientID: String?
  /// ISO 8601; later notes do not exist yet.
  public var askedAt: String
  public var question: String
  public var answerClass: String
  /// Of each group one variant must stand in the answer.
  public var mustContain: [[String]]
  public var mustNotContain: [String]
  /// Note ids.
  public var evidence: [String]
  public var type: String?

  private enum CodingKeys: String, CodingKey {
    case id, question, evidence, type
    case patientID = "patient_id"
    case askedAt = "asked_at"
    case answerClass = "answer_class"
    case mustContain = "must_contain"
    case mustNotContain = "must_not_contain"
  }

  /// Whether it is about a reaction, or an allergy, that is on record.
  var hasReaction: Bool {
    ["found", "conflicting"].contains(answerClass) && Self.reactions.contains(type ?? "")
  }

  private static let reactions: Set<String> = ["reaction", "allergy", "allergy/reaction"]

  static let classes: Set<String> = ["found", "not_recorded", "negative", "conflicting", "ambiguous_patient"]

  /// Reads `questions.jsonl`.
  ///
  /// - Throws: ``EvaluationError`` naming file, line and field.
  static func read(_ path: String) throws(EvaluationError) -> [QuestionCase] {
    var cases: [QuestionCase] = []
    var ids: Set<String> = []
    for (line, item) in try LabelledFile.rows(path, as: QuestionCase.self, expected: "a question with its labels") {
      func fail(_ problem: String) -> EvaluationError { EvaluationError(file: path, line: line, problem: problem) }
      guard ids.insert(item.id).inserted else { throw fail("the id '\(item.id)' stands there twice") }
      guard classes.contains(item.answerClass) else {
        throw fail("the answer class '\(item.answerClass)' is not known")
      }
      guard !item.mustContain.contains(where: { $0.isEmpty || $0.contains("") }) else {
        throw fail("'must_contain' has an empty group or variant")
      }
      cases.append(item)
    }
    guard !cases.isEmpty else { throw EvaluationError(file: path, line: nil, problem: "has no cases") }
    return cases
  }
}

/// How an answer compares with its labels.
struct AnswerJudgement: Sendable {
  let classHolds: Bool
  let answerHolds: Bool
  /// Distinct notes that the answer cites, and how many of them are evidence.
  let citedNotes: Int
  let citedEvidence: Int
  /// Whether an evidence note is cited; two of them where notes disagree.
  let citesEvidence: Bool
  let saysNotRecorded: Bool
  /// Whether "no" or silence is said over a reaction that is on record.
  let missesReaction: Bool
  let unsupportedSentences: Int

  init(_ answer: Answer, label: QuestionCase, drugs: Set<String>) {
    classHolds = answer.answerClass.rawValue == label.answerClass
    let cited = Set(answer.citations.map(\.noteID))
    let evidence = cited.intersection(label.evidence)
    citedNotes = cited.count
    citedEvidence = evidence.count
    citesEvidence = evidence.count >= (label.answerClass == "conflicting" ? min(2, label.evidence.count) : 1)
    saysNotRecorded = answer.answerClass == .notRecorded
    missesReaction = label.hasReaction && [.notRecorded, .negative].contains(answer.answerClass)
    let text = ([answer.text] + answer.sentences.map(\.text)).joined(separator: "\n").lowercased()
    let required = label.mustContain.allSatisfy { group in group.contains { Self.stands($0, in: text) } }
    let forbidden = label.mustNotContain.contains { Self.stands($0, in: text) }
    let rests = !label.mustContain.isEmpty || label.evidence.isEmpty || citesEvidence
    answerHolds = classHolds && required && !forbidden && rests
    unsupportedSentences = answer.sentences.count { !SentenceSupport.holds($0, in: answer.citations, drugs: drugs) }
  }

  /// Whether a variant stands in a text, ignoring case. Where the variant begins or ends in a digit, no other digit may touch it.
  static func stands(_ variant: String, in lowercased: String) -> Bool {
    let (text, words) = (Array(lowercased.utf8), Array(variant.lowercased().utf8))
    guard let first = words.first, let last = words.last, words.count <= text.count else { return false }
    func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    for start in 0...(text.count - words.count) where text[start] == first {
      let end = start + words.count
      guard text[start..<end].elementsEqual(words) else { continue }
      if isDigit(first), start > 0, isDigit(text[start - 1]) { continue }
      if isDigit(last), end < text.count, isDigit(text[end]) { continue }
      return true
    }
    return false
  }
}
