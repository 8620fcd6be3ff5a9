import Clinical
import Extraction
import TextAnalysis

/// One sentence of the record (or table, or list item), ready to be compared with a question.
struct EvidenceUnit {
  let note: ClinicalNote
  let range: Range<Int>
  let section: String
  /// Analysed tokens with ranges into the note.
  let tokens: [Token]
  let terms: Set<String>
  let facts: [Fact]
  /// Position among all units of the record.
  let position: Int

  var text: String { note.text.slice(utf8: range).map(String.init) ?? "" }
}

/// Cuts notes into evidence units.
struct UnitBuilder: Sendable {
  let sections: SectionSplitter
  let sentences: SentenceSplitter
  let analyzer: Analyzer

  /// The units of a patient's notes, in time order.
  ///
  /// - Complexity: linear in the length of the notes.
  func units(of record: PatientRecord) -> [EvidenceUnit] {
    var units: [EvidenceUnit] = []
    for note in record.notes {
      let facts = record.facts[note.id] ?? []
      for section in sections.sections(of: note.text) {
        for range in sentences.sentences(in: note.text, range: section.body) {
          let tokens = analyzer.tokens(in: note.text, range: range)
          units.append(
            EvidenceUnit(
              note: note, range: range, section: section.kind, tokens: tokens, terms: Set(tokens.map(\.text)),
              facts: facts.filter { range.overlaps($0.range) }, position: units.count))
        }
      }
    }
    return units
  }
}
