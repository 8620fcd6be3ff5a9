public import Clinical
package import Extraction
package import TextAnalysis

/// States that can't be left again, or are said to have been never, and what speaks against them: an animal that is neutered and
/// later in season. Data: `Models/briefing/question-opposites.tsv`, columns `cues` (words of a question about it), `lasting`,
/// `contrary`, `unless` (words beside which the state is only talked about), `days` (how long before the state is told the
/// contrary still speaks against it; empty where what was so before is none: he was entire until he was castrated), `subject`
/// (`named` where the phrases themselves say of whom they are). Phrases may name classes of `Models/extraction/word-classes.tsv`
/// (``WordPhrases``).
public struct StateOpposites: Sendable {
  private struct Row: Sendable {
    let id: String
    let cues: WordPhrases
    let lasting: WordPhrases
    let contrary: WordPhrases
    /// Beside these the state is only talked about.
    let unless: WordPhrases
    let daysBefore: Int?
    /// The phrases themselves say of whom they are ("bit the nurse").
    let namesSubject: Bool
  }

  /// A sentence of a note.
  package struct Place {
    package let note: ClinicalNote
    package let range: Range<Int>

    package init(note: ClinicalNote, range: Range<Int>) {
      self.note = note
      self.range = range
    }
  }

  /// The row that briefs warn about.
  package static let neutered = "neutered"

  private let rows: [Row]

  /// - Parameters:
  ///   - table: `question-opposites.tsv`.
  ///   - classes: `word-classes.tsv`.
  public init(table: DataTable, classes: DataTable) {
    let slots = WordPhrases.slots(of: classes)
    rows = table.rows.map { row in
      func phrases(_ column: String) -> WordPhrases { WordPhrases(row, column, slots: slots) }
      return Row(
        id: row["id"], cues: phrases("cues"), lasting: phrases("lasting"), contrary: phrases("contrary"),
        unless: phrases("unless"), daysBefore: Int(row["days"]), namesSubject: row["subject"] == "named")
    }
  }

  /// A sentence that asserts the state and one that speaks against it, in time order; nil when the question is about no such
  /// state, or nothing speaks against it.
  ///
  /// - Parameters:
  ///   - asked: the words of the question.
  ///   - places: the sentences of the record, in time order.
  ///   - classifier: tells what is asserted.
  /// - Returns: the indices of both sentences.
  /// - Complexity: linear in the record.
  package func contradiction(
    askedIn asked: [Token], in places: [Place], classifier: AssertionClassifier
  ) -> (Int, Int)? {
    for row in rows where row.cues.first(in: asked) != nil {
      if let two = Self.contradiction(row, places, classifier) { return two }
    }
    return nil
  }

  /// The same of one row, whatever is asked.
  ///
  /// - Parameters:
  ///   - id: the row's.
  ///   - places: the sentences of the record, in time order.
  ///   - classifier: tells what is asserted.
  /// - Returns: the indices of both sentences.
  package func contradiction(of id: String, in places: [Place], classifier: AssertionClassifier) -> (Int, Int)? {
    rows.first { $0.id == id }.flatMap { Self.contradiction($0, places, classifier) }
  }

  private static func contradiction(
    _ row: Row, _ places: [Place], _ classifier: AssertionClassifier
  ) -> (Int, Int)? {
    var asserted: Int?
    var contrary: Int?
    for (index, place) in places.enumerated() {
      let words = WordPhrases.words(in: place.note.text, range: place.range)
      if let range = row.contrary.first(in: words) {
        guard row.daysBefore == nil || row.unless.first(in: words) == nil else { continue }
        let assertion = classifier.assertion(of: range, in: place.note.text)
        let counts =
          assertion.polarity == .present && (row.namesSubject || assertion.experiencer == .patient)
          && (assertion.temporality == .current || (row.daysBefore != nil && assertion.temporality == .historical))
        if counts, asserted != nil || row.daysBefore != nil { contrary = index }
      } else if row.unless.first(in: words) == nil, let range = row.lasting.first(in: words) {
        let assertion = classifier.assertion(of: range, in: place.note.text)
        guard assertion.polarity == .present, row.namesSubject || assertion.experiencer == .patient,
          assertion.temporality != .hypothetical
        else { continue }
        if asserted == nil { asserted = index }
        if let contrary, let days = row.daysBefore, places[contrary].note.id != place.note.id,
          place.note.recordedAt <= places[contrary].note.recordedAt.adding(days: days),
          !isOperated(after: contrary, through: index, places)
        {
          return (contrary, index)
        }
      }
    }
    guard let asserted, let contrary, asserted < contrary, places[asserted].note.id != places[contrary].note.id else {
      return nil
    }
    return (asserted, contrary)
  }

  /// Whether an operation between the two may have brought the state about.
  private static func isOperated(after first: Int, through last: Int, _ places: [Place]) -> Bool {
    places[first...last].contains { $0.note.kind == .surgery && $0.note.id != places[first].note.id }
  }
}

extension StateOpposites {
  /// Without the slots, which other tables have too.
  package func pack(into packer: inout Packer) {
    packer.add(list: rows) { packer, row in
      packer.add(row.id)
      for phrases in [row.cues, row.lasting, row.contrary, row.unless] { phrases.pack(into: &packer) }
      packer.add(Int64(row.daysBefore ?? .min))
      packer.add(row.namesSubject)
    }
  }

  package init(from unpacker: inout Unpacker, slots: PhraseSlots) throws(PackingError) {
    rows = try unpacker.list { unpacker throws(PackingError) in
      func phrases(_ unpacker: inout Unpacker) throws(PackingError) -> WordPhrases {
        try WordPhrases(from: &unpacker, slots: slots)
      }
      let id = try unpacker.text()
      let (cues, lasting) = (try phrases(&unpacker), try phrases(&unpacker))
      let (contrary, unless) = (try phrases(&unpacker), try phrases(&unpacker))
      let days = Int(try unpacker.value(Int64.self))
      return Row(
        id: id, cues: cues, lasting: lasting, contrary: contrary, unless: unless, daysBefore: days == .min ? nil : days,
        namesSubject: try unpacker.flag())
    }
  }
}
