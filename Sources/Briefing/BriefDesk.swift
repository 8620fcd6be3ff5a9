import Clinical
import Extraction

/// Collects the citations of a brief while its lines are made: a line whose words can't be cited is not made.
struct BriefDesk {
  let zone: PracticeTimeZone
  private(set) var citations: [Citation] = []

  init(zone: PracticeTimeZone) {
    self.zone = zone
  }

  mutating func line(_ text: String, _ item: RecordedFact) -> Brief.Line? { line(text, [item]) }

  mutating func line(_ text: String, _ items: [RecordedFact]) -> Brief.Line? {
    let numbers = items.compactMap { cite($0.note, $0.fact.range) }
    return numbers.count == items.count ? Brief.Line(text, citations: numbers) : nil
  }

  mutating func line(_ text: String, _ note: ClinicalNote, _ range: Range<Int>) -> Brief.Line? {
    cite(note, range).map { Brief.Line(text, citations: [$0]) }
  }

  private mutating func cite(_ note: ClinicalNote, _ range: Range<Int>) -> Int? {
    guard let citation = Citation(note, range: range) else { return nil }
    if let known = citations.firstIndex(of: citation) { return known }
    citations.append(citation)
    return citations.count - 1
  }
}
