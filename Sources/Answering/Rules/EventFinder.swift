import Chart
import Clinical
import Extraction

/// One time that something happened, with the sentence that tells of it.
struct Occasion {
  let date: CalendarDate
  let passage: RuleFinding.Passage
  /// The words that name it, in bytes of the note.
  var target: Range<Int>?
  /// Whether its sentence says that something came to an end.
  var isEnd = false
  /// Whether its sentence looks back at it, so that nothing says when it was.
  var isHistory = false

  /// Whether what a sentence of some day measures was measured after it: on the day itself if it stands behind it, but for a drug,
  /// which is given for what that visit found.
  func isBefore(_ unit: EvidenceUnit, of day: CalendarDate) -> Bool {
    if day != date { return day > date }
    let isDrug = passage.unit.facts.contains { fact in
      fact.kind == .drug && target.map { $0.overlaps(fact.range) } ?? true
    }
    return !isDrug && unit.position > passage.unit.position
  }
}

/// Finds when what some words name happened: by typed facts where they tell of it, else by the sentences that do.
struct EventFinder {
  let asked: AskedRecord

  /// Mentions of a sign or problem closer together than this are one episode, in days.
  static let episodeDays = 28
  /// An operation and the notes about the stay around it, in days.
  private static let stayDays = 2
  private static let changes: QuestionClassSet = [.dose, .up, .down, .rising, .falling, .changing]

  /// In time order, mentions of one occasion together.
  func occasions(of words: String) -> [Occasion] {
    let event = asked.reader.parse(words)
    let typed = self.typed(event)
    return typed.isEmpty ? told(event) : typed
  }

  /// What values are measured beside, in time order, each sentence by itself.
  ///
  /// Sentences come first where the event is told, for they tell of beginnings, ends and first times that no fact has; else
  /// operations, courses and problems by their facts.
  func anchors(of words: String, isTold: Bool) -> [Occasion] {
    let event = asked.reader.parse(words)
    let told = { tellings(event) }
    let typed = { self.typed(event, kinds: [.procedure, .vaccination, .drug, .problem]) }
    let first = isTold ? told() : typed()
    return inTime(of: event, first.isEmpty ? isTold ? typed() : told() : first)
  }

  /// Those of the time that the event's words name, where there are any.
  private func inTime(of event: Question, _ occasions: [Occasion]) -> [Occasion] {
    guard let period = event.period else { return occasions }
    let inside = occasions.filter { period.contains(asked.reader.zone.timestamp(of: $0.date)) }
    return inside.isEmpty ? occasions : inside
  }

  /// The same by sentences alone: facts tell of some occasions and not of others.
  func toldOccasions(of words: String) -> [Occasion] { told(asked.reader.parse(words)) }

  private func told(_ event: Question) -> [Occasion] {
    Self.apart(tellings(event) { $0.assertion.temporality != .historical }, days: Self.stayDays)
  }

  private func tellings(_ event: Question, where isTelling: (Reading) -> Bool = { _ in true }) -> [Occasion] {
    let finder = OccasionFinder(
      units: asked.units, signs: asked.reader.signs, classifier: asked.reader.classifier)
    return finder.tellings(of: event).filter(isTelling).map { reading in
      Occasion(
        date: asked.date(of: reading.match.unit.note), passage: (reading.match.unit, reading.match.unit.range),
        target: reading.match.target, isEnd: reading.signs.contains(.ending),
        isHistory: reading.assertion.temporality == .historical)
    }
  }

  /// What happened by the facts of the kind that the words name: operations where they are written up, courses where they begin.
  private func typed(
    _ event: Question, kinds: [FactKind] = [.procedure, .problem, .vaccination, .drug, .finding]
  ) -> [Occasion] {
    guard
      let topic = EventTopic(
        event, asked.record, naming: asked.reader.naming, kinds: kinds,
        groups: asked.reader.groups,
        passing: .happenings)
    else { return [] }
    if topic.kind == .drug {
      // Of the changes of a course its sentences tell.
      if event.has(Self.changes) { return [] }
      let courses = asked.chart.drugs.all.filter { topic.names.contains($0.drug) }
      return occasions(courses.compactMap { event.has(.stopping) ? $0.end : $0.begun }, days: 0)
    }
    var items = topic.items(in: asked.record).filter { $0.fact.assertion.temporality == .current }
    if topic.kind == .procedure {
      // Where operations are written up, other notes only speak of them.
      let surgeries = items.filter { $0.note.kind == .surgery }
      if !surgeries.isEmpty { items = surgeries }
    }
    return occasions(
      items, days: topic.kind == .problem || topic.kind == .finding ? Self.episodeDays : Self.stayDays)
  }

  func occasions(_ items: [RecordedFact], days: Int) -> [Occasion] {
    let told = items.compactMap { item in
      asked.passage(of: item).map {
        Occasion(date: item.day(in: asked.reader.zone), passage: $0, target: item.fact.range)
      }
    }
    return Self.apart(told.sorted { $0.date < $1.date }, days: days)
  }

  /// The first of each run of occasions that lie no further apart than so many days.
  static func apart(_ occasions: [Occasion], days: Int) -> [Occasion] {
    var kept: [Occasion] = []
    var last: CalendarDate?
    for occasion in occasions {
      if last.map({ occasion.date.daysSince1970 - $0.daysSince1970 > days }) ?? true { kept.append(occasion) }
      last = occasion.date
    }
    return kept
  }
}
