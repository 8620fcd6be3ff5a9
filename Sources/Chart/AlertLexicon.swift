public import Clinical
package import Extraction
package import TextAnalysis

/// The phrases that make an alert. Data: `Models/briefing/alerts.tsv`.
///
/// Columns: `id`; `label`; `phrases`, matched word by word; `except`, phrases that make the same sentence mean something else;
/// `asserted`, `no` where the phrases are themselves a ban ("no penicillins") and must not be read as a denial; `days`, how
/// long the words hold, empty for always; `count`, how many sentences are shown.
public struct AlertLexicon: Sendable {
  package struct Alert: Sendable {
    let id: String
    package let label: String
    let phrases: WordPhrases
    let exceptions: WordPhrases
    let mustBeAsserted: Bool
    /// Nil when the words hold for good.
    let days: Int?
    let count: Int
  }

  package struct Found {
    package let alert: Alert
    package let note: ClinicalNote
    package let sentence: Range<Int>
    /// The phrase.
    package let focus: Range<Int>
  }

  /// The row for allergies and bans, whose exceptions hold for extracted allergies too.
  static let reactionID = "reaction"

  let alerts: [Alert]

  /// - Parameters:
  ///   - table: `alerts.tsv`.
  ///   - classes: `word-classes.tsv`, whose classes phrases may name (``WordPhrases``).
  /// - Throws: ``DataTableError`` for a row without phrases, and for `days` or `count` that are no numbers.
  public init(table: DataTable, classes: DataTable) throws(DataTableError) {
    let slots = WordPhrases.slots(of: classes)
    var alerts: [Alert] = []
    for row in table.rows {
      guard !row.list("phrases").isEmpty else { throw row.error("phrases", "is empty") }
      let days = row["days"].isEmpty ? nil : Int(try row.number("days"))
      let count = row["count"].isEmpty ? 1 : Int(try row.number("count"))
      alerts.append(
        Alert(
          id: row["id"], label: row["label"], phrases: WordPhrases(row, "phrases", slots: slots),
          exceptions: WordPhrases(row, "except", slots: slots), mustBeAsserted: row["asserted"] != "no",
          days: days, count: count))
    }
    self.alerts = alerts
  }

  /// The latest sentences of each alert that say it of the patient, in the table's order.
  ///
  /// - Complexity: linear in the length of the notes.
  package func found(in outlines: [NoteOutline], by classifier: AssertionClassifier, at now: Timestamp) -> [Found] {
    var found = [[Found]](repeating: [], count: alerts.count)
    for outline in outlines.reversed() {
      var context: AssertionContext?
      for sentence in outline.sentences {
        let words = WordPhrases.words(in: outline.note.text, range: sentence.range)
        for (index, alert) in alerts.enumerated() where found[index].count < alert.count {
          if let days = alert.days, outline.note.recordedAt < now.adding(days: -days) { continue }
          guard let focus = alert.phrases.first(in: words), alert.exceptions.first(in: words) == nil else { continue }
          let read = context ?? classifier.context(of: outline.note.text)
          context = read
          let assertion = classifier.assertion(of: focus, in: read)
          guard alert.mustBeAsserted ? assertion.isActiveOrPast : assertion.experiencer == .patient else { continue }
          found[index].append(Found(alert: alert, note: outline.note, sentence: sentence.range, focus: focus))
        }
      }
    }
    return found.flatMap { $0 }
  }

  /// The words of a sentence that tell of a reaction or forbid a drug.
  package func reaction(in text: String, range: Range<Int>) -> Range<Int>? {
    guard let alert = alerts.first(where: { $0.id == Self.reactionID }) else { return nil }
    let words = WordPhrases.words(in: text, range: range)
    guard let focus = alert.phrases.first(in: words), alert.exceptions.first(in: words) == nil else { return nil }
    return focus
  }

  /// Whether the sentence around an extracted allergy makes it something else, such as a culture's sensitivity.
  package func isException(_ sentence: Range<Int>, of note: ClinicalNote) -> Bool {
    let words = WordPhrases.words(in: note.text, range: sentence)
    return alerts.contains { $0.id == Self.reactionID && $0.exceptions.first(in: words) != nil }
  }
}

extension AlertLexicon {
  /// Without the slots, which other tables have too.
  package func pack(into packer: inout Packer) {
    packer.add(list: alerts) { packer, alert in
      packer.add(alert.id)
      packer.add(alert.label)
      alert.phrases.pack(into: &packer)
      alert.exceptions.pack(into: &packer)
      packer.add(alert.mustBeAsserted)
      packer.add(Int64(alert.days ?? .min))
      packer.add(Int64(alert.count))
    }
  }

  package init(from unpacker: inout Unpacker, slots: PhraseSlots) throws(PackingError) {
    alerts = try unpacker.list { unpacker throws(PackingError) in
      let (id, label) = (try unpacker.text(), try unpacker.text())
      let phrases = try WordPhrases(from: &unpacker, slots: slots)
      let exceptions = try WordPhrases(from: &unpacker, slots: slots)
      let mustBeAsserted = try unpacker.flag()
      let days = Int(try unpacker.value(Int64.self))
      return Alert(
        id: id, label: label, phrases: phrases, exceptions: exceptions, mustBeAsserted: mustBeAsserted,
        days: days == .min ? nil : days, count: Int(try unpacker.value(Int64.self)))
    }
  }
}
