import Chart
import Clinical
import Extraction
import TextAnalysis

/// Answers how often something happened by the occasions on which facts tell of it, each cited; what one note carries over from
/// another, and the days of one episode, count once.
struct TallyAnswer {
  let question: Question
  let naming: FactNaming
  let groups: PreventionGroups
  let zone: PracticeTimeZone

  /// Mentions of a sign or problem closer together than this are one episode, in days.
  private static let episodeDays = 28
  /// An operation and the notes about the stay around it, in days.
  private static let procedureDays = 2
  private static let longest = 12

  /// The first mention of each occasion, in time order; nil where no number of occasions is asked for, or no fact tells.
  func occasions(in record: PatientRecord) -> [RecordedFact]? {
    guard question.asks(for: .count), question.words.isDisjoint(with: CountAnswer.amounts),
      question.roles.isDisjoint(with: [.why, .who, .others, .frequency, .comparison, .extreme]),
      let topic = EventTopic(
        question, record, naming: naming, kinds: [.problem, .finding, .procedure], groups: groups,
        passing: Self.counters)
    else { return nil }
    var items = topic.items(in: record).filter { item in
      item.fact.assertion.temporality == .current
        && (question.period.map { $0.contains(zone.timestamp(of: item.day(in: zone))) } ?? true)
    }
    if topic.kind == .procedure {
      // Where operations are written up, other notes only speak of them.
      let surgeries = items.filter { $0.note.kind == .surgery }
      if !surgeries.isEmpty { items = surgeries }
    }
    let apart = topic.kind == .procedure ? Self.procedureDays : Self.episodeDays
    var occasions: [RecordedFact] = []
    var last: CalendarDate?
    for item in items.sorted(by: { $0.day(in: zone) < $1.day(in: zone) }) {
      let day = item.day(in: zone)
      if last.map({ day.daysSince1970 - $0.daysSince1970 > apart }) ?? true { occasions.append(item) }
      last = day
    }
    return occasions.isEmpty || occasions.count > Self.longest ? nil : occasions
  }

  /// "Recorded on three occasions.": in words, as a sentence has no number that its quotes have not.
  static func head(_ count: Int) -> String {
    count == 1 ? "Recorded once." : "Recorded on \(NumberWord.all[count - 1]) occasions."
  }

  private static let counters: Set<String> = [
    "times", "time", "bout", "bouts", "episode", "episodes", "occasion", "occasions", "attack", "attacks", "event",
    "events", "many", "number", "total", "far", "separate",
  ]
}
