import Clinical
import TextAnalysis

/// How long it was between two events: both are shown, with the time between their days. What the record counts itself
/// ("21 months after the first") is shown too.
struct IntervalRule: AnswerRule {
  let name = "interval"

  func finding(for asked: AskedRecord) -> RuleFinding? {
    guard let interval = QuestionInterval(asked.question.text, classes: asked.question.classes) else { return nil }
    let finder = EventFinder(asked: asked)
    guard
      let (first, second) = Self.events(of: interval, finder.occasions)
        ?? Self.events(of: interval, finder.toldOccasions)
    else { return nil }
    var passages = [first.passage, second.passage]
    if let counted = Self.counted(near: second.passage.unit, asked) { passages.append((counted, counted.range)) }
    return RuleFinding(
      headline: "\(TimeBetween(first.date, second.date).text), from \(first.date) to \(second.date).",
      passages: passages, coverage: 1)
  }

  /// Words from "second" to what it numbers.
  private static let reach = 3

  /// Two occasions, the second on a later day.
  private static func events(
    of interval: QuestionInterval, _ occasions: (String) -> [Occasion]
  ) -> (Occasion, Occasion)? {
    let firsts = occasions(interval.events.first)
    if let ordinals = interval.ordinals {
      guard let first = occasion(ordinals.first, among: firsts), let second = occasion(ordinals.second, among: firsts),
        first.date < second.date
      else { return nil }
      return (first, second)
    }
    let seconds = occasions(interval.events.second)
    guard let first = firsts.first, let second = seconds.first(where: { $0.date > first.date }) else { return nil }
    return (first, second)
  }

  /// The one that its sentence numbers so, else by counting.
  private static func occasion(_ number: Int, among occasions: [Occasion]) -> Occasion? {
    let numbered = occasions.first { occasion in
      let unit = occasion.passage.unit
      let words = WordPhrases.words(in: unit.note.text, range: unit.range)
      guard let target = occasion.target, let place = words.firstIndex(where: { $0.range.overlaps(target) }) else {
        return false
      }
      return words[max(0, place - reach)...place].contains { Ordinal.value($0.text) == number }
    }
    return numbered ?? (occasions.indices.contains(number - 1) ? occasions[number - 1] : nil)
  }

  /// What the record itself says of the time between: a length of time "after" or "since", near what happened.
  private static func counted(near unit: EvidenceUnit, _ asked: AskedRecord) -> EvidenceUnit? {
    (unit.position...(unit.position + 2)).first { index in
      guard asked.units.indices.contains(index), asked.units[index].note.id == unit.note.id else { return false }
      return asked.reader.signs.signs(of: asked.units[index]).contains(.duration)
        && asked.question.classes.words(of: asked.units[index].text).has([.after, .since, .later, .between, .apart])
    }.map { asked.units[$0] }
  }
}

/// The time between two days, as people say it.
struct TimeBetween {
  let text: String

  /// In days up to two weeks, in weeks up to two months, then in months, and in years and months beyond one.
  init(_ first: CalendarDate, _ last: CalendarDate) {
    let days = last.daysSince1970 - first.daysSince1970
    let months = (last.year - first.year) * 12 + last.month - first.month - (last.day < first.day ? 1 : 0)
    func count(_ number: Int, _ unit: String) -> String { "\(number) \(unit)\(number == 1 ? "" : "s")" }
    switch days {
    case ..<14: text = count(days, "day")
    case ..<60: text = "\(count(days / 7, "week")) (\(days) days)"
    default:
      let long =
        months < 12
        ? ""
        : months % 12 == 0 ? count(months / 12, "year") : "\(count(months / 12, "year")) \(count(months % 12, "month"))"
      text = long.isEmpty ? "\(count(months, "month")) (\(days) days)" : "\(long) (\(months) months, \(days) days)"
    }
  }
}

/// Words that number the occasions of one thing.
enum Ordinal {
  private static let words = [
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
  ]

  /// "Third", "3rd": 3.
  static func value(_ word: String) -> Int? {
    if let place = words.firstIndex(of: word) { return place + 1 }
    let digits = word.prefix(while: \.isNumber)
    guard !digits.isEmpty, digits.count < 3, NumberWord.suffixes.contains(word.dropFirst(digits.count)) else {
      return nil
    }
    return Int(digits)
  }
}
