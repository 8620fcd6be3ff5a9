import Chart
import Clinical
import Extraction

/// Answers whether a vaccination or parasite treatment holds or is due ("is her booster overdue?", "jabs up to date?"): what was
/// last given, the date that a note names for the next, and what a note says against it.
struct PreventionStateAnswer {
  struct Outcome {
    let answerClass: Answer.Class
    /// In time order.
    let items: [RecordedFact]
  }

  let question: Question
  let naming: FactNaming
  let groups: PreventionGroups
  let chart: PatientChart
  let zone: PracticeTimeZone

  /// Nil where the question asks something else, or no fact answers it.
  func outcome(in record: PatientRecord, at now: Timestamp) -> Outcome? {
    guard let wish = Wish(question), question.periods.isEmpty,
      question.roles.isDisjoint(with: [.why, .who, .advice, .permission, .side, .others, .trend, .extreme, .ever]),
      let topic = EventTopic(
        question, record, naming: naming, kinds: [.vaccination, .parasiteControl], groups: groups,

        passing: [.due, .lapsed, .covered, .to, .duestate])
    else { return nil }
    let labels = Set(topic.names.map { groups.group(of: $0).label })
    let states = chart.prevention.dues(at: now, zone: zone).filter { labels.contains($0.label) }
    guard let first = states.min(by: { $0.day < $1.day }) else { return nil }
    // "Boosters lapsed": the last word, whatever it says.
    let latest = record.recordedFacts([topic.kind]).last {
      $0.fact.assertion.experiencer == .patient && $0.note.recordedAt > first.item.note.recordedAt
        && (labels.contains(groups.group(of: $0.fact.name).label) || groups.group(of: $0.fact.name).isGeneral)
    }
    let hasLapsed = latest.map { item in
      item.fact.hasAction(in: [.declined, .overdue]) || item.fact.assertion.polarity == .absent
    }
    let isPast = first.day < zone.date(of: now) || hasLapsed == true
    let items = [first.given, first.item, latest].compactMap { $0 }
    var shown: [RecordedFact] = []
    for item in items.sorted(by: { $0.note.recordedAt < $1.note.recordedAt })
    where !shown.contains(where: { $0.note.id == item.note.id && $0.fact.range == item.fact.range }) {
      shown.append(item)
    }
    return Outcome(answerClass: wish.isMet(isPast: isPast) ? .found : .negative, items: shown)
  }

  /// What a yes would mean.
  private enum Wish {
    case holding, overdue, either

    init?(_ question: Question) {
      let text = question.text.lowercased()
      let asksHolding =
        text.contains("up to date") || text.contains("up-to-date")
        || question.has(.covered)
      let asksDue = question.has([.due, .lapsed])
      guard !question.has(.interrogatives.union([.last, .next, .list])), asksHolding || asksDue else { return nil }
      self = asksHolding && asksDue ? .either : asksHolding ? .holding : .overdue
    }

    func isMet(isPast: Bool) -> Bool {
      switch self {
      case .holding: !isPast
      case .overdue: isPast
      case .either: true
      }
    }
  }
}
