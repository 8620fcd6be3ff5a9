import Chart
import Clinical
import Extraction

/// What one patient's facts say to a condition.
struct RegisterVerdict {
  /// The weaker comes later on a list.
  enum Standing: Int, Comparable {
    case holds, suspected
    /// Found once and not found later, of what an animal has for life.
    case disputed
    /// Long not mentioned, and never ended.
    case unconfirmed
    /// The same of what may have passed by itself: listed where nobody fits better.
    case earlier
    /// Nothing says that it was done.
    case unrecorded

    static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
  }

  let standing: Standing
  /// What the sentence begins with; empty where the quote says all.
  var remark = ""
  /// The newest fact that says so; nil where it is silence.
  let item: FactReference?
  /// What an earlier note says to the contrary.
  var contrary: FactReference?

  init(standing: Standing, remark: String = "", item: FactReference?) {
    self.standing = standing
    self.remark = remark
    self.item = item
  }

  init(standing: Standing, remark: String = "", item: RecordedFact?, contrary: RecordedFact? = nil) {
    self.init(standing: standing, remark: remark, item: item.map(FactReference.init))
    self.contrary = contrary.map(FactReference.init)
  }
}

/// Judges patients' facts as briefs do: by the latest word on each thing, never by a word alone.
struct RegisterJudge {
  let state: RegisterQuestion.State
  let period: Range<Timestamp>?
  let groups: PreventionGroups
  let analyzer: @Sendable (String) -> [String]
  let now: Timestamp
  let zone: PracticeTimeZone

  /// Days ahead that "due" speaks of.
  private static let soonDays = 31

  /// Nil where the patient doesn't fit, or where the record, which has the condition's facts at least, leaves it open.
  func verdict(_ condition: RegisterQuestion.Condition, _ record: PatientRecord) -> RegisterVerdict? {
    let items = record.recordedFacts([condition.kind]).filter {
      condition.names.contains($0.fact.name) && $0.fact.assertion.experiencer == .patient
    }
    switch condition.kind {
    case .problem: return problem(items, isNegated: condition.isNegated)
    case .drug: return drug(items, isNegated: condition.isNegated)
    case .vaccination, .parasiteControl: return prevention(items, record, condition)
    case .procedure: return procedure(items, isNegated: condition.isNegated)
    case .allergy: return allergy(items, condition)
    default: return condition.isNegated ? denied(items) : finding(items)
    }
  }

  /// Said of the patient, and not as advice.
  private func told(_ items: [RecordedFact]) -> [RecordedFact] {
    items.filter { item in
      item.fact.assertion.temporality != .hypothetical
        && (period.map { $0.contains(zone.timestamp(of: item.day(in: zone))) } ?? true)
    }
  }

  private func everSaid(_ items: [RecordedFact]) -> RegisterVerdict? {
    let told = told(items)
    if let last = told.last(where: { $0.fact.assertion.polarity == .present }) {
      return RegisterVerdict(standing: .holds, item: last)
    }
    guard let last = told.last(where: { $0.fact.assertion.polarity == .uncertain }),
      told.last?.fact.assertion.polarity != .absent
    else { return nil }
    return RegisterVerdict(standing: .suspected, remark: "suspected", item: last)
  }

  /// By the chart: as of now, or, where it is asked what was ever so, by the words in the period.
  private func problem(_ items: [RecordedFact], isNegated: Bool) -> RegisterVerdict? {
    let told = ProblemCourses(told(items))
    if isNegated {
      return told.all.first.flatMap { $0.isDenied ? RegisterVerdict(standing: .holds, item: $0.latest) : nil }
    }
    if state == .ever { return everTold(told) }
    let courses = ProblemCourses(items)
    if let course = courses.active(at: now).first { return RegisterVerdict(standing: .holds, item: course.latest) }
    if let course = courses.suspected(at: now).first {
      return RegisterVerdict(standing: .suspected, remark: "suspected", item: course.latest)
    }
    // "FIV POSITIVE" and, a year on, "FIV negative".
    if let course = told.all.first(where: { $0.contradicted != nil }) {
      return RegisterVerdict(
        standing: .disputed, remark: "disputed", item: course.latest, contrary: course.contradicted)
    }
    // Nobody has said that it is over, and nobody has spoken of it for long.
    let open = courses.earlier(at: now).first { $0.state != .resolved }
    return open.map { RegisterVerdict(standing: .earlier, remark: "not mentioned since", item: $0.latest) }
  }

  private func everTold(_ courses: ProblemCourses) -> RegisterVerdict? {
    let found = courses.all.compactMap(\.found)
    if let last = found.max(by: { $0.note.recordedAt < $1.note.recordedAt }) {
      return RegisterVerdict(standing: .holds, item: last)
    }
    return courses.all.first { $0.state == .suspected }.map {
      RegisterVerdict(standing: .suspected, remark: "suspected", item: $0.latest)
    }
  }

  /// A sign by the latest word on it.
  private func finding(_ items: [RecordedFact]) -> RegisterVerdict? {
    if state == .ever { return everSaid(items) }
    guard let last = told(items).last, last.fact.assertion.temporality == .current else { return nil }
    switch last.fact.assertion.polarity {
    case .present: return RegisterVerdict(standing: .holds, item: last)
    case .uncertain: return RegisterVerdict(standing: .suspected, remark: "suspected", item: last)
    case .absent: return nil
    }
  }

  /// Whom the latest word says not to have it.
  private func denied(_ items: [RecordedFact]) -> RegisterVerdict? {
    guard let last = told(items).last, last.fact.assertion.polarity == .absent else { return nil }
    return RegisterVerdict(standing: .holds, item: last)
  }

  /// Whether an animal is on one of the drugs of a condition, by the state of their courses.
  func onDrug(_ condition: RegisterQuestion.Condition, _ courses: [DrugCourseState]) -> RegisterVerdict? {
    let asked = courses.filter { condition.names.contains($0.drug) }.sorted(by: DrugCourseState.isBefore)
    if let current = asked.first(where: { $0.isCurrent(at: now) }) {
      return RegisterVerdict(standing: .holds, item: current.latest)
    }
    return asked.first { $0.isUnconfirmed(at: now) }.map {
      RegisterVerdict(standing: .unconfirmed, remark: "not mentioned since", item: $0.latest)
    }
  }

  /// Whether it was ever on a drug, or is not on it now.
  private func drug(_ items: [RecordedFact], isNegated: Bool) -> RegisterVerdict? {
    if state == .ever {
      let given = told(items).last {
        $0.fact.assertion.polarity == .present && !$0.fact.hasAction(in: Self.refusals)
      }
      if isNegated { return given == nil ? RegisterVerdict(standing: .unrecorded, item: items.last) : nil }
      return given.map { RegisterVerdict(standing: .holds, item: $0) }
    }
    guard DrugCourses(items).current(at: now).isEmpty else { return nil }
    return RegisterVerdict(standing: .unrecorded, item: items.last)
  }

  private func procedure(_ items: [RecordedFact], isNegated: Bool) -> RegisterVerdict? {
    let done = told(items).last { $0.fact.assertion.polarity == .present }
    if isNegated { return done == nil ? RegisterVerdict(standing: .unrecorded, item: items.last) : nil }
    return done.map { RegisterVerdict(standing: .holds, item: $0) }
  }

  private func prevention(
    _ items: [RecordedFact], _ record: PatientRecord, _ condition: RegisterQuestion.Condition
  ) -> RegisterVerdict? {
    let today = zone.date(of: now)
    let dues = PreventionCourses(items, groups: groups).dues(at: now, zone: zone)
      .filter { groups.suits($0.label, record.patient.species) }.sorted { $0.day < $1.day }
    if state == .overdue || state == .due {
      let soon = state == .due ? Self.soonDays : 0
      guard let first = dues.first, let remark = first.state(on: today, soon: soon), first.day < today || soon > 0
      else {
        return nil
      }
      return RegisterVerdict(standing: .holds, remark: "\(first.label) \(remark)", item: first.item)
    }
    let given = told(items).last { item in
      item.fact.assertion.polarity == .present && !item.fact.hasAction(in: Self.notGiven)
    }
    guard condition.isNegated else { return given.map { RegisterVerdict(standing: .holds, item: $0) } }
    guard let given else {
      let declined = items.last { $0.fact.action == .declined }
      return RegisterVerdict(
        standing: declined == nil ? .unrecorded : .holds, remark: declined == nil ? "" : "declined", item: declined)
    }
    // Had once, but no longer covered by it.
    guard period == nil, let lapsed = dues.first(where: { $0.day < today && $0.given != nil }),
      let remark = lapsed.state(on: today, soon: 0)
    else { return nil }
    return RegisterVerdict(standing: .unconfirmed, remark: "had it, \(remark)", item: lapsed.given ?? given)
  }

  /// A reaction is never outlived; a test of a germ's sensitivity is none.
  private func allergy(_ items: [RecordedFact], _ condition: RegisterQuestion.Condition) -> RegisterVerdict? {
    let reactions = items.filter { item in
      guard item.fact.assertion.polarity != .absent, item.fact.assertion.temporality != .hypothetical else {
        return false
      }
      let said = Set(analyzer(item.fact.name) + analyzer(item.fact.allergy?.subject ?? ""))
      return condition.substances.isEmpty
        || condition.substances.contains { Set($0).isSubset(of: said) }
    }
    guard let last = reactions.last(where: { $0.fact.assertion.polarity == .present }) ?? reactions.last else {
      return nil
    }
    return last.fact.assertion.polarity == .present
      ? RegisterVerdict(standing: .holds, item: last)
      : RegisterVerdict(standing: .suspected, remark: "suspected", item: last)
  }

  private static let refusals: [TreatmentAction] = [.declined, .notGiven]
  private static let notGiven: [TreatmentAction] = [.declined, .notGiven, .due, .overdue]
}
