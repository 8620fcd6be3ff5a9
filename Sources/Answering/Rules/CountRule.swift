import Chart
import Clinical
import Extraction
import TextAnalysis

/// How often something happened: the occasions on which typed facts tell of it, each cited. Where the record counts itself ("third
/// burr", "nine seizures in total"), that count goes on from there.
struct CountRule: AnswerRule {
  let name = "count"

  /// An operation and the notes about the stay around it, in days.
  private static let stayDays = 2
  private static let longest = 12

  func finding(for asked: AskedRecord) -> RuleFinding? {
    let question = asked.question
    guard question.asks(for: .count), !question.has([.timeunit, .amountunit]),
      question.roles.isDisjoint(with: [.why, .who, .others, .frequency, .comparison, .extreme])
    else { return nil }
    let occasions = Self.occasions(asked)
    let stated = question.period == nil ? Self.stated(asked) : nil
    let following = stated.map { stated in
      occasions.filter { $0.date.daysSince1970 - stated.occasion.date.daysSince1970 > EventFinder.episodeDays }
    }
    let total = max(occasions.count, (stated?.number ?? 0) + (following?.count ?? 0))
    guard total > 0, occasions.count <= Self.longest else { return nil }
    var told = occasions
    if let stated, total > occasions.count, !told.contains(where: { $0.date == stated.occasion.date }) {
      told.append(stated.occasion)
    }
    return RuleFinding(
      headline: Self.headline(total, told.sorted { $0.date < $1.date }.map(\.date)),
      passages: told.sorted { $0.date < $1.date }.map(\.passage), coverage: 1)
  }

  /// `3 on record (three): 2019-04-10, 2019-06-22, 2021-11-30.`
  private static func headline(_ total: Int, _ dates: [CalendarDate]) -> String {
    let word = NumberWord.all.indices.contains(total - 1) ? " (\(NumberWord.all[total - 1]))" : ""
    return "\(total) on record\(word): \(dates.map(\.description).joined(separator: ", "))."
  }

  /// By the facts of what is asked about; none where it names something that no fact of these kinds tells of.
  private static func occasions(_ asked: AskedRecord) -> [Occasion] {
    let zone = asked.reader.zone
    guard
      let topic = EventTopic(
        asked.question, asked.record, naming: asked.reader.naming, kinds: [.problem, .finding, .procedure],
        groups: asked.reader.groups, passing: [.bout, .counter])
    else { return [] }
    var items = topic.items(in: asked.record).filter { item in
      item.fact.assertion.temporality == .current
        && (asked.question.period.map { $0.contains(zone.timestamp(of: item.day(in: zone))) } ?? true)
    }
    if topic.kind == .procedure {
      // Where operations are written up, other notes only speak of them.
      let surgeries = items.filter { $0.note.kind == .surgery }
      if !surgeries.isEmpty { items = surgeries }
    }
    return EventFinder(asked: asked)
      .occasions(items, days: topic.kind == .procedure ? stayDays : EventFinder.episodeDays)
  }

  // MARK: - What the record counts

  /// The latest sentence that numbers what is asked about, with its number.
  private static func stated(_ asked: AskedRecord) -> (number: Int, occasion: Occasion)? {
    let finder = OccasionFinder(
      units: asked.units, signs: asked.reader.signs, classifier: asked.reader.classifier)
    for reading in finder.tellings(of: asked.question).reversed() {
      let unit = reading.match.unit
      guard
        let number = [number(in: reading, asked.question.classes), goingOn(behind: unit, asked)].compactMap({ $0 })
          .max()
      else { continue }
      return (number, Occasion(date: asked.date(of: unit.note), passage: (unit, unit.range)))
    }
    return nil
  }

  /// "Second block", "no 3", "third ever", "twice"; a total with a number. The highest of them.
  private static func number(in reading: Reading, _ classes: QuestionClasses) -> Int? {
    let words = classes.words(in: reading.match.unit)
    guard
      let place = words.lastIndex(where: { word in reading.match.parts.contains { $0.range.overlaps(word.range) } })
    else { return nil }
    let near = Array(words[max(0, place - reach)..<min(words.count, place + reach)])
    return near.indices.compactMap { index -> Int? in
      if let ordinal = Ordinal.value(near[index].text), ordinal > 1 { return ordinal }
      if near[index].isOne(of: .twice) { return 2 }
      if near[index].isOne(of: .thrice) { return 3 }
      guard near[index].isOne(of: .numbering) else { return nil }
      return [index - 1, index + 1].lazy.filter(near.indices.contains).compactMap { count(near[$0].text) }.first
    }.max()
  }

  /// "2nd seizure at six. 3rd an hour later": the number at the head of the next sentence.
  private static func goingOn(behind unit: EvidenceUnit, _ asked: AskedRecord) -> Int? {
    let next = unit.position + 1
    guard asked.units.indices.contains(next), asked.units[next].note.id == unit.note.id else { return nil }
    return WordForm.words(of: asked.units[next].text).first.flatMap(Ordinal.value)
  }

  private static let reach = 4

  private static func count(_ word: String) -> Int? { NumberWord.value(word) ?? (word.count < 3 ? Int(word) : nil) }
}
