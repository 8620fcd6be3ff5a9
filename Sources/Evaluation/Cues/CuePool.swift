import Clinical
import Extraction
import FoundationEssentials

/// Texts that cues are tried on: labelled sentences, and whatever else is at hand.
struct CuePool {
  struct Entry {
    let text: String
    /// UTF-8 bytes of what is asked about first.
    var targets: [Range<Int>] = []
    /// What the first targets are labelled with; empty where nobody labelled them.
    var labels: [Assertion] = []
    /// The row of which the text is an example.
    var row: Int?
    var isQuestion = false
  }

  private(set) var entries: [Entry] = []
  private var placeOfText: [String: Int] = [:]

  /// Adds a file: labelled sentences or records as JSON Lines, or plain text with a sentence a line.
  ///
  /// - Throws: ``EvaluationError`` naming the file and line.
  mutating func add(_ path: String) throws(EvaluationError) {
    if !path.hasSuffix(".jsonl") { return try addLines(path) }
    if (try? LabelledFile.rows(path, as: AssertionCase.self, expected: "")) != nil {
      let suite = try AssertionSuite([path])
      for (item, target) in zip(suite.cases, suite.targets) {
        let place = place(of: item.text)
        entries[place].targets.append(target)
        entries[place].labels.append(
          Assertion(polarity: item.polarity, temporality: item.temporality, experiencer: item.experiencer))
      }
      return
    }
    for (_, record) in try LabelledFile.rows(path, as: Record.self, expected: "a record with a text") {
      for text in record.texts { _ = place(of: text) }
      if let question = record.question { entries[place(of: question)].isQuestion = true }
    }
  }

  /// Adds an example of a row; its target stands in [brackets].
  mutating func add(example: String, ofRow row: Int) {
    let (text, targets) = Self.unmarked(example)
    entries.append(Entry(text: text, targets: targets, row: row))
  }

  /// A sentence without the brackets around its targets, and where they stand.
  private static func unmarked(_ marked: some StringProtocol) -> (text: String, targets: [Range<Int>]) {
    var text: [UInt8] = []
    var targets: [Range<Int>] = []
    var start: Int?
    for byte in marked.utf8 {
      switch byte {
      case UInt8(ascii: "["): start = text.count
      case UInt8(ascii: "]"):
        if let start, start < text.count { targets.append(start..<text.count) }
        start = nil
      default: text.append(byte)
      }
    }
    return (String(decoding: text, as: UTF8.self), targets)
  }

  private mutating func addLines(_ path: String) throws(EvaluationError) {
    guard let data = try? Data(contentsOf: URL(filePath: path)), let all = String(validating: data, as: UTF8.self)
    else { throw EvaluationError(file: path, line: nil, problem: "can't be read as UTF-8") }
    for line in all.split(whereSeparator: \.isNewline) where line.contains(" ") {
      let (text, targets) = Self.unmarked(line)
      let place = place(of: text)
      // Labels belong to the targets before them.
      if entries[place].labels.isEmpty { entries[place].targets += targets }
    }
  }

  private mutating func place(of text: String) -> Int {
    if let known = placeOfText[text] { return known }
    placeOfText[text] = entries.count
    entries.append(Entry(text: text))
    return entries.count - 1
  }

  /// A line with a text of its own, a question, or texts of a history.
  private struct Record: Decodable {
    struct Earlier: Decodable { let text: String? }
    let text: String?
    let question: String?
    let answer: String?
    let history: [Earlier]?

    var texts: [String] { [text, answer].compactMap { $0 } + (history ?? []).compactMap(\.text) }
  }
}
