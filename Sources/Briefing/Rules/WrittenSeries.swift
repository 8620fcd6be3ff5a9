import Clinical
import Extraction
import TextAnalysis

/// Numbers that sentences give for what no table of tests or vital signs knows: the size of a lump, the beats of a Holter.
///
/// Of each sentence that names all that is asked for, the number right behind the name or before it; one a note, and only those with
/// the unit that most of them have.
struct WrittenSeries {
  struct Value {
    let number: Double
    let unit: String
    let date: CalendarDate
    let passage: RuleFinding.Passage

    var told: String { "\(MeasureAnswer.Value.text(number, unit)) on \(date)" }
  }

  let values: [Value]
  let named: [Range<Int>]

  /// A sentence names a thing at least so closely.
  private static let naming = 0.75
  /// Words from the name to its number: behind it, before it.
  private static let reach = (behind: 3, before: 2)

  /// Nil where fewer than two notes give such a number.
  init?(_ asked: AskedRecord, outside circumstances: [Range<Int>]) {
    let finder = asked.ranking.finder
    let things = finder.groups.indices.filter { index in
      let group = finder.groups[index]
      return group.force == .specific && !group.isName && !circumstances.contains { $0.overlaps(group.range) }
    }
    guard !things.isEmpty else { return nil }
    var byNote: [String: Value] = [:]
    for reading in asked.ranking.readings where reading.isAboutPatient && !reading.isHypothetical && !reading.isDenial {
      let unit = reading.match.unit
      guard things.allSatisfy({ reading.match.own[$0] >= Self.naming }), byNote[unit.note.id] == nil,
        let (number, measure) = Self.number(beside: reading)
      else { continue }
      byNote[unit.note.id] = Value(
        number: number, unit: measure, date: asked.date(of: unit.note), passage: (unit, unit.range))
    }
    let byUnit = Dictionary(grouping: byNote.values, by: \.unit)
    guard let main = byUnit.max(by: { ($0.value.count, $1.key) < ($1.value.count, $0.key) })?.value, main.count > 1
    else { return nil }
    values = main.sorted { ($0.date, $0.passage.unit.position) < ($1.date, $1.passage.unit.position) }
    named = things.map { finder.groups[$0].range }
  }

  private static func number(beside reading: Reading) -> (Double, String)? {
    let unit = reading.match.unit
    let words = WordPhrases.words(in: unit.note.text, range: unit.range)
    guard let target = reading.match.target, let first = words.firstIndex(where: { $0.range.overlaps(target) }),
      let last = words.lastIndex(where: { $0.range.overlaps(target) })
    else { return nil }
    let behind = (last + 1)..<max(last + 1, min(words.count, last + 1 + reach.behind))
    let before = max(0, first - reach.before)..<first
    // The nearest, of equals that behind: "412 complexes in 24 hours", "nadir 6.3".
    let places = (Array(behind) + before).sorted { one, other in
      func distance(_ place: Int) -> Int { place > last ? place - last : first - place }
      return (distance(one), -one) < (distance(other), -other)
    }
    return places.lazy.compactMap { index -> (Double, String)? in
      // The 2 of "2 units" is what is asked about; a length of time is no size.
      if reading.match.parts.contains(where: { $0.range.overlaps(words[index].range) }) { return nil }
      if words.indices.contains(index + 1), PeriodParser.days(of: words[index + 1].text) != nil { return nil }
      return amount(words, index, in: unit.note.text)
    }.first
  }

  /// "2,310", "6mm", "22 mm": a number, and the unit where letters stand right behind it.
  private static func amount(_ words: [Token], _ index: Int, in text: String) -> (Double, String)? {
    guard let written = text.slice(utf8: words[index].range).map(String.init), written.first?.isNumber == true else {
      return nil
    }
    let digits = written.prefix { $0.isNumber || $0 == "." || $0 == "," }
    let rest = written.dropFirst(digits.count)
    guard let number = Double(digits.filter { $0 != "," }), rest.allSatisfy({ $0.isLetter || $0 == "%" }) else {
      return nil
    }
    let next = words.indices.contains(index + 1) ? words[index + 1].text : ""
    let unit = rest.isEmpty ? (units.contains(next) ? next : "") : rest.lowercased()
    return (number, unit)
  }

  private static let units: Set = ["mm", "cm", "ml", "mmhg", "kg", "g", "%"]
}
