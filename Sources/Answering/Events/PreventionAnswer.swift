import Chart
import Clinical
import Extraction

/// Answers when a vaccine or parasite treatment was last given, on which days, and when it is due, from the facts that say so.
struct PreventionAnswer {
  let question: Question
  let naming: FactNaming
  let groups: PreventionGroups
  let chart: PatientChart
  let zone: PracticeTimeZone

  /// What is shown, in time order; nil where the question asks something else, or no fact answers it.
  func items(in record: PatientRecord, at now: Timestamp) -> [RecordedFact]? {
    guard !question.isYesOrNo, question.period == nil,
      question.roles.isDisjoint(with: [
        .why, .who, .advice, .permission, .side, .others, .trend, .comparison, .extreme, .amount, .frequency, .ever,
        .account, .change,
      ]), !question.has([.after, .before, .which, .what, .long, .dose, .jabdetail]),
      let topic = EventTopic(
        question, record, naming: naming, kinds: [.vaccination, .parasiteControl], groups: groups,
        passing: [.due, .last, .next, .jabdate])
    else { return nil }
    let items = topic.items(in: record)
    if asksForDue { return due(topic, at: now) }
    let given = items.filter(Self.isGiven)
    guard let latest = given.last else { return nil }
    if question.has(.alldates) { return Self.oncePerDay(given, zone) }
    guard question.asks(for: .last), !question.asks(for: .first) else { return nil }
    let day = latest.day(in: zone)
    return given.filter { $0.day(in: zone) == day && $0.note.id == latest.note.id }
  }

  private var asksForDue: Bool { question.asks(for: .next) || question.has(.due) }

  /// The last treatment, and what says when the next is due.
  private func due(_ topic: EventTopic, at now: Timestamp) -> [RecordedFact]? {
    let labels = Set(topic.names.map { groups.group(of: $0).label })
    let written = chart.prevention.dues(at: now, zone: zone).filter {
      $0.basis == .written && labels.contains($0.label)
    }
    guard let first = written.min(by: { $0.day < $1.day }) else { return nil }
    return [first.item]
  }

  /// Done that day: by what the note says was done, or, named alone, in a visit.
  private static func isGiven(_ item: RecordedFact) -> Bool {
    let action = item.fact.action
    if action == .given { return true }
    return action == nil && item.fact.assertion.temporality == .current && visits.contains(item.note.kind)
  }

  private static func oncePerDay(_ items: [RecordedFact], _ zone: PracticeTimeZone) -> [RecordedFact] {
    var days: Set<CalendarDate> = []
    return items.filter { days.insert($0.day(in: zone)).inserted }
  }

  private static let visits: Set<NoteKind> = [.consult, .nurse, .surgery]
}
