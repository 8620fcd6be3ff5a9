package import Clinical

/// Reads texts by some of the cues of `assertion-rules.tsv` only, to tell what each of them decides.
///
/// Each cue is a rule of its own here, so that one can be left out alone. Cues may be added that stand for several others; the
/// readings then say whether they do.
package struct CueTrial: Sendable {
  /// A cue and the row it stands in, counted from 0.
  package struct Cue: Hashable, Sendable {
    package let row: Int
    package let words: String

    package init(row: Int, words: String) {
      self.row = row
      self.words = words
    }
  }

  /// What is said of one target.
  package struct Reading: Hashable, Sendable {
    package let polarity: Polarity
    package let temporality: Temporality
    package let experiencer: Experiencer
    /// Which of the rules that readers of facts ask for by name decided, as bits; see ``CueTrial/named``.
    package let named: UInt16
  }

  /// A text with the targets that are asked about, and where its cues stand.
  package struct Passage: Sendable {
    /// Places in ``CueTrial/cues``, each once, in their order.
    package let cues: [Int]
    fileprivate let context: AssertionContext
    fileprivate let matches: [[PhraseMatcher.Match]]
    fileprivate let targets: [Range<Int>]
    /// The row of which it is an example.
    fileprivate let row: Int?
  }

  /// The first letters of the rules that readers of facts ask for by name.
  private static let named = ["declined", "negative-for", "confirmed", "replacing", "if", "prevent"]

  package let cues: [Cue]
  private let classifier: AssertionClassifier
  private let ids: [String]

  /// - Parameters:
  ///   - table: `assertion-rules.tsv`; its cues are not used.
  ///   - cues: what to read by.
  ///   - wordClasses: the classes that the cues name.
  ///   - notation: what a cue stands for that is written as several.
  /// - Throws: ``DataTableError`` naming the row and the cue that can't be read.
  package init(
    table: DataTable, cues: [Cue], wordClasses: WordClasses, notation: PhraseNotation
  ) throws(DataTableError) {
    var ofRow: [AssertionRule] = []
    for row in table.rows { ofRow.append(try AssertionRule(row: row, classes: wordClasses)) }
    var matcher = AssertionClassifier.matcher
    for (place, cue) in cues.enumerated() {
      let phrases = notation.phrases(of: cue.words) ?? []
      guard !phrases.isEmpty, phrases.allSatisfy({ matcher.add($0, payload: place, classes: wordClasses) }) else {
        throw table.rows[cue.row].error("cue", "has '\(cue.words)', which can't be read")
      }
    }
    self.cues = cues
    ids = table.rows.map { $0["id"] }
    let ids = ids
    classifier = AssertionClassifier(
      rules: cues.map { ofRow[$0.row] }, ids: cues.map { ids[$0.row] }, matcher: matcher, wordClasses: wordClasses,
      version: table.metadata["version"])
  }

  /// - Parameters:
  ///   - text: a note or a sentence.
  ///   - targets: UTF-8 bytes of what is asked about.
  ///   - row: the row of which it is an example; whether that row decides is then part of the readings.
  ///   - isOpen: whether every word of a class that findings, drugs or procedures come from is asked about too.
  /// - Returns: the text as it is read again and again.
  package func passage(_ text: String, targets: [Range<Int>], row: Int? = nil, isOpen: Bool = true) -> Passage {
    let context = classifier.context(of: text)
    let words = context.text.words
    var asked = targets.map { context.text.wordRange(of: $0) }
    if isOpen {
      let classes = Self.things
      for index in words.indices where !words[index].classes.isDisjoint(with: classes) {
        if !asked.contains(index..<(index + 1)) { asked.append(index..<(index + 1)) }
      }
    }
    let matches = words.indices.map { classifier.matcher.matches(at: $0, in: context.text) }
    return Passage(
      cues: Set(matches.joined().map(\.payload)).sorted(), context: context, matches: matches, targets: asked, row: row)
  }

  /// What notes name: findings, diseases, drugs, procedures, events.
  private static var things: WordClassSet {
    .finding.union(.disease).union(.adjective).union(.drug).union(.procedure).union(.event).union(.vaccine)
      .union(.lasting)
  }

  /// What is said of each target of a passage, the marked ones first.
  ///
  /// - Parameters:
  ///   - passage: as ``passage(_:targets:row:isOpen:)`` made it.
  ///   - active: for each cue whether it counts.
  /// - Returns: as many as there are targets.
  package func readings(of passage: Passage, active: [Bool]) -> [Reading] {
    let context = AssertionContext(passage.context, rules: classifier.rules) { index in
      passage.matches[index].filter { active[$0.payload] }
    }
    return passage.targets.map { target in
      let assertion = classifier.assertion(ofWords: target, in: context)
      var named: UInt16 = 0
      for cue in assertion.cues {
        for (bit, name) in Self.named.enumerated() where cue.rule == name || bit == 0 && cue.rule.hasPrefix(name) {
          named |= 1 << UInt16(bit)
        }
        if let row = passage.row, cue.rule == ids[row] { named |= 1 << 15 }
      }
      return Reading(
        polarity: assertion.polarity, temporality: assertion.temporality, experiencer: assertion.experiencer,
        named: named)
    }
  }
}
