import Briefing
import Clinical
import FoundationEssentials

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
  let unsupportedSentences: Int

  init(_ answer: Answer, label: QuestionCase, drugs: Set<String>) {
    classHolds = answer.answerClass.rawValue == label.answerClass
    let cited = Set(answer.citations.map(\.noteID))
    let evidence = cited.intersection(label.evidence)
    citedNotes = cited.count
    citedEvidence = evidence.count
    citesEvidence = evidence.count >= (label.answerClass == "conflicting" ? min(2, label.evidence.count) : 1)
    saysNotRecorded = answer.answerClass == .notRecorded
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

/// Whether a sentence says no number, side or drug that what it cites doesn't.
enum SentenceSupport {
  private static let sides: Set<String> = ["left", "right", "both", "bilateral"]

  /// The date and the patient of a cited note are known from its entry and count as cited, and so does the number of citations.
  static func holds(_ sentence: CitedSentence, in citations: [Citation], drugs: Set<String>) -> Bool {
    let cited = sentence.citations.filter(citations.indices.contains).map { citations[$0] }
    guard !cited.isEmpty, cited.count == sentence.citations.count else { return false }
    let source = cited.map {
      "\($0.quote) \($0.noteID) \($0.patientID) \($0.author ?? "") \(PracticeTimeZone.utc.date(of: $0.recordedAt))"
    }.joined(separator: " ")
      .lowercased()
    let (known, said) = (words(source), words(sentence.text.lowercased()))
    for word in said where !known.contains(word) {
      if word.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }) {
        if word == String(cited.count) || number(word, standsIn: known) { continue }
        return false
      }
      if sides.contains(word) || drugs.contains(word) { return false }
    }
    return true
  }

  private static func number(_ word: String, standsIn known: Set<String>) -> Bool {
    guard let value = Double(word) else { return false }
    return known.contains { Double($0) == value }
  }

  /// Letters and digits in runs; a number keeps its decimal point and parts from its unit.
  static func words(_ text: String) -> Set<String> {
    var words: Set<String> = []
    var current: [UInt8] = []
    func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7a).contains(byte) || byte >= 0x80 }
    func flush() {
      while current.last == UInt8(ascii: ".") { current.removeLast() }
      if !current.isEmpty { words.insert(String(decoding: current, as: UTF8.self)) }
      current = []
    }
    for byte in text.utf8 {
      let isNumber = current.first.map(isDigit) ?? false
      if isDigit(byte) {
        if !isNumber { flush() }
        current.append(byte)
      } else if byte == UInt8(ascii: "."), isNumber {
        current.append(byte)
      } else if isLetter(byte) {
        if isNumber { flush() }
        current.append(byte)
      } else {
        flush()
      }
    }
    flush()
    return words
  }
}
