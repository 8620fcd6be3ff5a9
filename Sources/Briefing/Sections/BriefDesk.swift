import Chart
import Clinical
import Extraction
import TextAnalysis

/// Collects the citations of a brief while its lines are made: a line whose words can't be cited is not made.
struct BriefDesk {
  let zone: PracticeTimeZone
  /// In time order.
  let outlines: [NoteOutline]
  private let places: [String: Int]
  private(set) var citations: [Citation] = []

  init(outlines: [NoteOutline], zone: PracticeTimeZone) {
    self.zone = zone
    self.outlines = outlines
    places = Dictionary(outlines.enumerated().map { ($1.note.id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// `2026-10-29`
  func date(_ note: ClinicalNote) -> CalendarDate { zone.date(of: note.recordedAt) }

  /// The sentence in which some bytes of a note stand.
  func sentence(_ item: RecordedFact) -> Range<Int> {
    places[item.note.id].flatMap { outlines[$0].sentence(at: item.fact.range.lowerBound) }
      .map { $0.range.lowerBound..<max($0.range.upperBound, item.fact.range.upperBound) } ?? item.fact.range
  }

  func sentence(before range: Range<Int>, of note: ClinicalNote) -> Range<Int>? {
    places[note.id].flatMap { outlines[$0].sentences.last { $0.range.upperBound <= range.lowerBound } }?.range
  }

  func sentence(after range: Range<Int>, of note: ClinicalNote) -> Range<Int>? {
    places[note.id].flatMap { outlines[$0].sentences.first { $0.range.lowerBound >= range.upperBound } }?.range
  }

  /// The words around a fact, at most `limit` bytes of them.
  func excerpt(around item: RecordedFact, limit: Int = 100) -> Excerpt? {
    Excerpt(item.note, sentence(item), focus: item.fact.range, limit: limit)
  }

  /// `NAME: “words of the note” (2026-10-29)`, citing those words.
  mutating func line(_ label: String, quoting excerpt: Excerpt?) -> Brief.Line? {
    guard let excerpt, let number = cite(excerpt.note, excerpt.range) else { return nil }
    let lead = label.isEmpty ? "" : "\(label): "
    return Brief.Line("\(lead)\(excerpt.quoted) (\(date(excerpt.note)))", citations: [number])
  }

  /// `HEADING: “some words” “more words”`: sentences of one note in one line, each cited; those quoted above are left out.
  mutating func line(_ heading: String, quotingAll excerpts: [Excerpt]) -> Brief.Line? {
    let fresh = excerpts.filter { !isQuoted($0) }
    let numbers = fresh.compactMap { cite($0.note, $0.range) }
    guard !numbers.isEmpty, numbers.count == fresh.count else { return nil }
    return Brief.Line("\(heading): \(fresh.map(\.quoted).joined(separator: " "))", citations: numbers)
  }

  /// `LABEL: “some words” (2024-05-09) but “other words” (2025-08-21)`: both sides of a disagreement, each cited.
  mutating func line(_ label: String, opposing excerpts: [Excerpt]) -> Brief.Line? {
    let numbers = excerpts.compactMap { cite($0.note, $0.range) }
    guard excerpts.count == 2, numbers.count == 2 else { return nil }
    let sides = excerpts.map { "\($0.quoted) (\(date($0.note)))" }
    return Brief.Line("\(label): \(sides.joined(separator: " but "))", citations: numbers)
  }

  mutating func line(_ text: String, _ items: [RecordedFact]) -> Brief.Line? {
    let numbers = items.compactMap { cite($0.note, $0.fact.range) }
    return numbers.count == items.count && !items.isEmpty ? Brief.Line(text, citations: numbers) : nil
  }

  mutating func line(_ text: String, _ note: ClinicalNote, _ range: Range<Int>) -> Brief.Line? {
    cite(note, range).map { Brief.Line(text, citations: [$0]) }
  }

  /// A line that rests on facts of notes and on other sources; nil when a fact can't be cited or nothing stands behind it.
  mutating func line(_ text: String, _ items: [RecordedFact], references: [SourceReference]) -> Brief.Line? {
    var numbers: [Int] = []
    for item in items {
      guard let number = cite(item.note, item.fact.range) else { return nil }
      if !numbers.contains(number) { numbers.append(number) }
    }
    var known: [SourceReference] = []
    for reference in references where !known.contains(reference) { known.append(reference) }
    return numbers.isEmpty && known.isEmpty ? nil : Brief.Line(text, citations: numbers, references: known)
  }

  /// A citation for a point of a chart.
  mutating func citation(of item: RecordedFact) -> Int? { cite(item.note, item.fact.range) }

  /// Whether words of the brief so far hold nearly all of these: nobody reads a sentence twice.
  func isQuoted(_ excerpt: Excerpt) -> Bool {
    citations.contains { citation in
      let shared = citation.range.clamped(to: excerpt.range).count
      return citation.noteID == excerpt.note.id && shared * 5 >= excerpt.range.count * 4
    }
  }

  private mutating func cite(_ note: ClinicalNote, _ range: Range<Int>) -> Int? {
    guard !range.isEmpty, let citation = Citation(note, range: range) else { return nil }
    if let known = citations.firstIndex(of: citation) { return known }
    citations.append(citation)
    return citations.count - 1
  }
}
