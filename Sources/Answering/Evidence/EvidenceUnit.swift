import Chart
package import Clinical
import Extraction
import TextAnalysis

/// One sentence of the record (or line of a table or list), ready to be compared with a question.
///
/// A class, though it never changes: matches, readings and passages hold the same sentence many times over, and a copy of what it
/// holds would count a dozen references.
package final class EvidenceUnit: Sendable {
  package let note: ClinicalNote
  package let range: Range<Int>
  let section: String
  /// Analysed tokens with ranges into the note.
  let tokens: [Token]
  let terms: Set<String>
  let facts: [Fact]
  /// Terms of the names of its facts, which may be written otherwise ("rads" is radiography), and of the heading above it.
  let factTerms: [String: Range<Int>]
  /// Where it stands in its note, 0 (first) … 1 (last).
  let place: Double
  /// Position among all units of the record.
  let position: Int
  /// The heading right above or before it, where it is the first of its section.
  let heading: Range<Int>?
  /// The earlier note in which the same words stand, where they were carried over.
  let copiedFrom: ClinicalNote?
  /// A question of the note itself with its answer: "Insured? No." Where the question ends, and what the answer is.
  let answer: (asked: Range<Int>, isYes: Bool)?
  /// Its note says that it belongs to another patient.
  let isOfOtherPatient: Bool
  /// What it tells was not borne (``ReactionLabel/reaction``), or else must not be given (``ReactionLabel/avoid``).
  let unborne: ReactionLabel?

  /// Whether it tells of either, a reaction or a ban.
  var isOfReaction: Bool { unborne != nil }

  package var text: String { note.text.slice(utf8: range).map(String.init) ?? "" }

  init(
    note: ClinicalNote, range: Range<Int>, section: String, tokens: [Token], terms: Set<String>, facts: [Fact],
    factTerms: [String: Range<Int>], place: Double, position: Int, heading: Range<Int>? = nil,
    copiedFrom: ClinicalNote? = nil, answer: (asked: Range<Int>, isYes: Bool)? = nil, isOfOtherPatient: Bool = false,
    unborne: ReactionLabel? = nil
  ) {
    self.note = note
    self.range = range
    self.section = section
    self.tokens = tokens
    self.terms = terms
    self.facts = facts
    self.factTerms = factTerms
    self.place = place
    self.position = position
    self.heading = heading
    self.copiedFrom = copiedFrom
    self.answer = answer
    self.isOfOtherPatient = isOfOtherPatient
    self.unborne = unborne
  }

  /// The same sentence elsewhere in the record.
  fileprivate func moved(to position: Int) -> EvidenceUnit {
    EvidenceUnit(
      note: note, range: range, section: section, tokens: tokens, terms: terms, facts: facts, factTerms: factTerms,
      place: place, position: position, heading: heading, copiedFrom: copiedFrom, answer: answer,
      isOfOtherPatient: isOfOtherPatient, unborne: unborne)
  }
}

/// Cuts notes into evidence units.
struct UnitBuilder: Sendable {
  /// Text that runs over more lines than this is a table or a list: each line is a unit.
  private static let proseLines = 2

  let sections: SectionSplitter
  let sentences: SentenceSplitter
  let analyzer: Analyzer
  let signs: SignReader

  /// The units of a patient's notes, in time order.
  ///
  /// - Complexity: linear in the length of the notes.
  func units(of record: PatientRecord) -> [EvidenceUnit] {
    var memory = CopiedText.Memory()
    let copied = record.notes.map { memory.read($0.text) }
    let notes = Concurrent.map(Array(record.notes.indices)) { place in
      self.units(of: record.notes[place], in: record, copied: copied[place])
    }
    return notes.joined().enumerated().map { position, unit in unit.moved(to: position) }
  }

  /// The units of one note, each as if it were the record's first.
  private func units(
    of note: ClinicalNote, in record: PatientRecord, copied: [(range: Range<Int>, source: Int)]
  ) -> [EvidenceUnit] {
    var units: [EvidenceUnit] = []
    let bytes = Array(note.text.utf8)
    // How treatments were borne is read from the chart.
    let all = record.facts[note.id] ?? []
    let facts = all.filter { $0.kind != .reaction }
    let unborne = all.filter { [.reaction, .allergy].contains($0.kind) && $0.assertion.polarity != .absent }
    let isOfOther = facts.contains { $0.kind == .notice && $0.name == "another patient" }
    for section in sections.sections(of: note.text) {
      let heading = HeadingWords(of: section, in: bytes)
      let headingTokens = heading.map { analyzer.tokens(in: note.text, range: $0.words) } ?? []
      let parts = sentences.sentences(in: note.text, range: section.body)
      for (place, (sentence, answer)) in AnsweredQuestion.joined(parts, in: note.text, signs: signs).enumerated() {
        for line in answer == nil ? Self.lines(sentence, bytes) : [sentence] {
          var range = line
          if place == 0, line.lowerBound == sentence.lowerBound, let heading, heading.isBeside(line, in: bytes) {
            range = heading.words.lowerBound..<line.upperBound
          }
          let tokens = analyzer.tokens(in: note.text, range: range)
          let here = facts.filter { range.overlaps($0.range) }
          var factTerms: [String: Range<Int>] = [:]
          for token in headingTokens where !range.contains(token.range.lowerBound) && factTerms[token.text] == nil {
            factTerms[token.text] = token.range
          }
          for fact in here {
            for term in analyzer.terms(in: fact.name) where factTerms[term] == nil { factTerms[term] = fact.range }
          }
          units.append(
            EvidenceUnit(
              note: note, range: range, section: section.kind, tokens: tokens, terms: Set(tokens.map(\.text)),
              facts: here, factTerms: factTerms, place: Double(range.lowerBound) / Double(max(1, bytes.count)),
              position: 0, heading: place == 0 ? heading?.words : nil,
              copiedFrom: copied.first { $0.range.overlaps(range) }.map { record.notes[$0.source] },
              answer: answer,
              isOfOtherPatient: isOfOther, unborne: Self.told(unborne, in: range)))
        }
      }
    }
    return units
  }

  private static func told(_ unborne: [Fact], in range: Range<Int>) -> ReactionLabel? {
    let labels = unborne.filter { $0.range.overlaps(range) }.map { $0.reaction?.label ?? .reaction }
    return labels.contains(.reaction) ? .reaction : labels.first
  }

  private static func lines(_ range: Range<Int>, _ bytes: [UInt8]) -> [Range<Int>] {
    let lines = bytes[range].split(whereSeparator: { $0 == 0x0A || $0 == 0x0D })
      .filter { line in line.contains { $0 > 0x20 } }
    guard lines.count > proseLines else { return [range] }
    return lines.map { line in
      let isSpace: (UInt8) -> Bool = { $0 <= 0x20 }
      let leading = line.prefix(while: isSpace).count
      let trailing = line.reversed().prefix(while: isSpace).count
      return (line.startIndex + leading)..<(line.endIndex - trailing)
    }
  }
}
