import Chart
import Clinical

/// Questions for events: when, how often, since when, by whom, and all that happened over a time.
extension Answerer {
  /// What facts say of events; nil when a question is for none, or no fact tells.
  func answerByEvents(
    _ composer: AnswerComposer, _ question: Question, _ record: PatientRecord, _ chart: PatientChart,
    _ finder: EvidenceFinder, askedAt: Timestamp
  ) -> Answer? {
    let naming = FactNaming(analyzer: analyzer)
    if let unit = PeopleAnswer(question: question, naming: naming, groups: tables.prevention).unit(
      in: record, units: finder.units)
    {
      return composer.answer(at: [unit])
    }
    let given = PreventionAnswer(
      question: question, naming: naming, groups: tables.prevention, chart: chart, zone: composer.zone)
    if let items = given.items(in: record, at: askedAt) { return composer.answer(telling: items, finder: finder) }
    let state = PreventionStateAnswer(
      question: question, naming: naming, groups: tables.prevention, chart: chart, zone: composer.zone)
    if let outcome = state.outcome(in: record, at: askedAt) {
      return composer.answer(outcome.answerClass, telling: outcome.items, finder: finder)
    }
    return CourseAnswer(question: question, naming: naming, groups: tables.prevention, chart: chart)
      .items(in: record).map { composer.answer(telling: $0, finder: finder) }
  }

  /// Who saw a patient last: a question that names nothing to look for.
  func answerByAuthor(_ question: Question, _ record: PatientRecord, zone: PracticeTimeZone) -> Answer? {
    guard question.asks(for: .who) else { return nil }
    let people = PeopleAnswer(question: question, naming: FactNaming(analyzer: analyzer), groups: tables.prevention)
    return people.unit(in: record, units: builder.units(of: record)).map { unit in
      AnswerComposer(question: question, zone: zone, patients: [:], limits: model.limits).answer(at: [unit])
    }
  }

  /// How an animal lives and with whom, asked in words that frame other questions ("any other pets at home?"); nil where no
  /// such thing is asked, or the record has no word of it.
  func answerByState(_ question: Question, _ record: PatientRecord, zone: PracticeTimeZone) -> Answer? {
    let units = builder.units(of: record)
    let composer = AnswerComposer(question: question, zone: zone, patients: [:], limits: model.limits)
    if let two = tables.opposites.contradiction(question, in: units, classifier: classifier) {
      return composer.answer(disagreeing: two)
    }
    let attribute = AttributeAnswer(question: question, table: tables.attributes, classifier: classifier)
    guard let outcome = attribute.outcome(among: units, groups: [], ranked: []), !outcome.units.isEmpty else {
      return nil
    }
    return composer.answer(outcome.answerClass, stating: outcome.units)
  }

  /// What happened over a time, a line a visit; nil when a question asks for no such account.
  func answerByTimeline(
    _ text: String, _ record: PatientRecord, names: [String], askedAt: Timestamp, zone: PracticeTimeZone
  ) -> Answer? {
    let parse = { (text: String) in parser.parse(text, names: names, askedAt: askedAt, zone: zone) }
    let whole = parse(text)
    func isTopic(_ words: String) -> Bool { parse(words).groups.contains { !$0.isOrdinary && $0.force == .specific } }
    guard
      let question = TimelineQuestion(
        text, namesPeriod: whole.period != nil, classes: parser.classes, isTopic: isTopic)
    else { return nil }
    let units = builder.units(of: record)
    var begin: Timestamp?
    var topical: Set<Int>?
    switch question.scope {
    case .all: break
    case .since(let event):
      let occasions = OccasionFinder(units: units, signs: signs, classifier: classifier)
      guard let last = occasions.tellings(of: parse(event)).last else { return nil }
      begin = last.match.unit.note.recordedAt
    case .about(let topic):
      let finder = EvidenceFinder(question: parse(topic), units: units)
      let named = finder.matches().filter { match in
        finder.groups.indices.contains { finder.groups[$0].force == .specific && match.own[$0] >= Self.topicCloseness }
      }
      guard !named.isEmpty else { return nil }
      topical = Set(named.map(\.unit.position))
    }
    let timeline = TimelineAnswer(question: question, period: whole.period, units: units)
    guard let passages = timeline.passages(from: begin, topical: topical) else { return nil }
    return AnswerComposer(question: whole, zone: zone, patients: [:], limits: model.limits).answer(at: passages)
  }

  /// A sentence is of a topic when it means it so closely.
  private static let topicCloseness = 0.75
}
