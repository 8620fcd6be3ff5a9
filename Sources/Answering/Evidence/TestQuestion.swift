public import Clinical
import Extraction
import TextAnalysis

/// The words by which a question asks for a test, and by which a note tells of one. Data: `Models/briefing/test-words.tsv`.
public struct TestWords: Sendable {
  let asked: Set<String>
  /// Of ``asked`` those that make a picture of a part of the body.
  let imaging: Set<String>
  let told: Set<String>
  /// Phrases that ask whether something was taken out or off, and words that tell of it.
  let removalAsked: [[String]]
  let removalTold: Set<String>

  public init(table: DataTable) {
    let (removal, tests) = (table.rows.filter { $0["id"] == "removal" }, table.rows.filter { $0["id"] != "removal" })
    asked = Set(tests.flatMap { $0.list("asked") })
    imaging = Set(tests.filter { $0["id"] == "imaging" }.flatMap { $0.list("asked") })
    told = Set(tests.flatMap { $0.list("told") })
    removalAsked = removal.flatMap { $0.list("asked") }.map(WordPhrases.words(of:))
    removalTold = Set(removal.flatMap { $0.list("told") })
  }
}

extension TestWords: Packable {
  package func pack(into packer: inout Packer) {
    packer.add(set: asked)
    packer.add(set: imaging)
    packer.add(set: told)
    packer.add(list: removalAsked) { $0.add(texts: $1) }
    packer.add(set: removalTold)
  }

  package init(from unpacker: inout Unpacker) throws(PackingError) {
    asked = try unpacker.set()
    imaging = try unpacker.set()
    told = try unpacker.set()
    removalAsked = try unpacker.list { unpacker throws(PackingError) in try unpacker.texts() }
    removalTold = try unpacker.set()
  }
}

/// A question for a test of something, taken apart: in "FeLV test result" the test of FeLV. That a record names FeLV says
/// nothing of a test; a sentence must tell of it as tested.
struct TestQuestion {
  /// A sentence names a thing at least so closely.
  private static let sameThing = 0.75
  /// Of several words for one thing a sentence names this share, by their rarity.
  private static let namedShare = 0.6

  let question: Question
  private let groups: [Question.Group]

  init(_ question: Question, groups: [Question.Group]) {
    self.question = question
    self.groups = groups
  }

  /// Whether a word for a test stands in the question.
  var asksForTest: Bool { !question.words.isDisjoint(with: question.tests.asked) || question.kinds.contains(.lab) }

  /// Whether a sentence tells of what is asked about as tested; nil where no test of a thing is asked for.
  func isTested(by readings: [Reading], weights: [Double]) -> Bool? {
    // What is not back may stand under another name: "serology sent".
    guard !question.has(.waiting) else { return nil }
    if let image = groups.indices.first(where: isImage) {
      // A picture is a test by itself, of whatever part.
      let named = readings.filter { $0.match.own[image] >= Self.sameThing }
      if named.contains(where: { !$0.isHypothetical || $0.isDenial || $0.signs.contains(.refusal) }) { return true }
      // "Had an MRI?" One that was only talked of is an answer.
      return question.isYesOrNo && !named.isEmpty ? nil : false
    }
    let subjects = self.subjects
    let total = subjects.reduce(0) { $0 + weights[$1] }
    guard total > 0 else { return nil }
    return readings.contains { reading in
      let named = subjects.filter { reading.match.own[$0] >= Self.sameThing }
      guard named.reduce(0, { $0 + weights[$1] }) >= Self.namedShare * total else { return false }
      return (!reading.isHypothetical || reading.signs.contains(.refusal)) && tells(reading, of: named)
    }
  }

  private func isImage(_ index: Int) -> Bool {
    groups[index].force == .specific
      && !question.tests.imaging.isDisjoint(
        with: WordForm.words(of: groups[index].text))
  }

  /// The groups that say what is tested: behind "MDR1 gene test" MDR1 and gene, of "result of the Holter" the Holter.
  private var subjects: [Int] {
    let words = question.text.lowercased().split { $0.isWhitespace || "/,.?!;:()".contains($0) }
      .map { question.classes.word(String($0)) }
    let isAsked = { (word: ClassedWord) in question.tests.asked.contains(word.text) }
    var named: Set<String> = []
    for (index, word) in words.enumerated() where isAsked(word) {
      let before = words[..<index].reversed().prefix { !$0.isOne(of: .testBorders) }
      named.formUnion(before.map(\.text))
      if before.allSatisfy(isAsked), index + 1 < words.count, words[index + 1].isOne(of: .testlink) {
        let behind = words[(index + 2)...].drop { $0.isOne(of: .pointers) }
        named.formUnion(behind.prefix { !$0.isOne(of: .testBorders) }.map(\.text))
      }
    }
    named.subtract(question.tests.asked)
    return groups.indices.filter { index in
      let group = groups[index]
      guard group.force == .specific, !group.isName else { return false }
      return !named.isDisjoint(with: group.text.lowercased().split { $0.isWhitespace || $0 == "/" }.map(String.init))
    }
  }

  /// The sentence is of a laboratory's, has a result, or a word for a test.
  private func tells(_ reading: Reading, of named: [Int]) -> Bool {
    let unit = reading.match.unit
    if unit.note.kind == .lab || unit.facts.contains(where: { $0.kind == .pendingResult }) { return true }
    let parts = reading.match.parts.filter { named.contains($0.group) }
    let isMeasured = parts.contains { part in
      unit.facts.contains { $0.kind == .lab && $0.range.overlaps(part.range) }
        || (part.fact.map { $0.kind != .drug && $0.kind != .vaccination } ?? true
          && EvidenceRanking.hasNumber(in: unit, beside: part.range, question.classes))
    }
    return isMeasured || WordPhrases.words(of: unit.text.lowercased()).contains(where: question.tests.told.contains)
      || unit.text.contains("+ve") || unit.text.contains("-ve")
  }
}
