public import Clinical
import Extraction
import TextAnalysis

/// The words that frame a question, and those that ask for a kind of fact. Data: `Models/briefing/`.
public struct QuestionLexicon: Sendable {
  /// What a framing word asks for.
  package enum Role: String, CaseIterable, Sendable {
    case ignore, last, next, first, current, ever, count, trend, why, who, when, amount, side, advice, others
    /// How often; started or stopped; more or less than before; the most or the least.
    case frequency, change, comparison, extreme
    /// What came of something: a result, a level, details.
    case account
    /// All of something: "which surgeries".
    case list
    /// Whether something may be given: "ok to", "can I".
    case permission
    /// That something started, was put on, was diagnosed.
    case beginning
    /// A word that is part of the topic but says little of it.
    case weak
    /// A part of the body: says where, seldom what.
    case body
    /// A word of everyday speech, for which a note may well have another.
    case plain

    /// Words that ask for something and are looked for as well.
    var saysLittle: Bool { [.change, .comparison, .extreme, .beginning, .account].contains(self) }
  }

  struct Phrase: Sendable {
    let words: [String]
    let role: Role
  }

  struct Topic: Sendable {
    let id: String
    let cues: [[String]]
    let kind: FactKind
    /// The cues name one thing; other facts of the kind are not about it.
    let isNamed: Bool
  }

  /// Longest first, so that "how many times" is not read as "how many".
  let phrases: [Phrase]
  let topics: [Topic]
  /// Every word of a phrase or a topic's cue.
  let words: Set<String>
  let tests: TestWords
  let classes: QuestionClasses

  /// - Parameters:
  ///   - words: `question-words.tsv`.
  ///   - topics: `question-topics.tsv`.
  ///   - tests: words for tests.
  ///   - classes: the closed classes of words.
  /// - Throws: ``DataTableError`` for an unknown role or kind of fact.
  public init(
    words: DataTable, topics: DataTable, tests: TestWords, classes: QuestionClasses
  ) throws(DataTableError) {
    self.tests = tests
    self.classes = classes
    var phrases: [Phrase] = []
    for row in words.rows {
      guard let role = Role(rawValue: row["role"]) else { throw row.error("role", "is no role of a question word") }
      phrases.append(Phrase(words: Self.split(row["words"]), role: role))
    }
    self.phrases = phrases.sorted { $0.words.count > $1.words.count }
    var list: [Topic] = []
    for row in topics.rows {
      guard let kind = FactKind(rawValue: row["fact_kind"]) else { throw row.error("fact_kind", "is no kind of fact") }
      guard ["any", "named"].contains(row["breadth"]) else { throw row.error("breadth", "is neither any nor named") }
      list.append(
        Topic(
          id: row["id"], cues: row.list("cues").map(Self.split), kind: kind, isNamed: row["breadth"] == "named"))
    }
    self.topics = list
    self.words = Set(phrases.flatMap(\.words)).union(list.flatMap { $0.cues.flatMap { $0 } })
  }

  private static func split(_ text: String) -> [String] {
    text.utf8.split(separator: 0x20).flatMap { part in
      var word = String(decoding: part, as: UTF8.self)
      // Thousands are read at every start of the program, and most are plain words that stand for themselves.
      let isPlain = word.withUTF8 { letters in
        letters.allSatisfy { (0x61...0x7A).contains($0) } && !WordForm.mayReadOtherwise(letters)
      }
      return isPlain ? [word] : read(word)
    }
  }

  private static func read(_ word: String) -> [String] {
    let word = WordForm.withoutPossessive(word.lowercased())
    let letters = word.contains(where: WordForm.isApostrophe) ? word.filter { !WordForm.isApostrophe($0) } : word
    if case .denied(let verb, _)? = WordForm.read(letters) { return [verb, WordForm.not] }
    return [word]
  }
}

extension QuestionLexicon {
  package func pack(into packer: inout Packer) {
    packer.add(list: phrases) { packer, phrase in
      packer.add(texts: phrase.words)
      packer.add(UInt8(Role.allCases.firstIndex(of: phrase.role) ?? 0))
    }
    packer.add(list: topics) { packer, topic in
      packer.add(topic.id)
      packer.add(list: topic.cues) { $0.add(texts: $1) }
      topic.kind.pack(into: &packer)
      packer.add(topic.isNamed)
    }
    packer.add(set: words)
    tests.pack(into: &packer)
  }

  /// With the classes of words, which are packed by themselves.
  package init(from unpacker: inout Unpacker, classes: QuestionClasses) throws(PackingError) {
    self.classes = classes
    phrases = try unpacker.list { unpacker throws(PackingError) in
      let words = try unpacker.texts()
      let role = Int(try unpacker.value(UInt8.self))
      guard Role.allCases.indices.contains(role) else { throw PackingError() }
      return Phrase(words: words, role: Role.allCases[role])
    }
    topics = try unpacker.list { unpacker throws(PackingError) in
      Topic(
        id: try unpacker.text(),
        cues: try unpacker.list { unpacker throws(PackingError) in try unpacker.texts() }, kind: try unpacker.choice(),
        isNamed: try unpacker.flag())
    }
    words = try unpacker.set()
    tests = try TestWords(from: &unpacker)
  }
}
