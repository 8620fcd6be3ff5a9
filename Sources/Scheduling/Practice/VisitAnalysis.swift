public import Clinical

/// Why a visit stands where it stands: what each rule of the model adds or takes, with the facts behind it.
public struct VisitAnalysis: Sendable {
  public let rules: SchedulingRules

  public init(rules: SchedulingRules) {
    self.rules = rules
  }

  /// The value of a visit, rule by rule, in points; facts that no rule weighs have the value 0.
  ///
  /// - Parameters:
  ///   - visit: where it stands or would stand.
  ///   - request: what it is for.
  ///   - day: the day around it; the visit's own appointment is left out of account.
  ///   - now: the present moment.
  ///   - risk: its delays and overruns, where they were simulated.
  /// - Returns: the parts, whose sum is the value of the visit there; its clinician must be on the staff.
  public func explanation(
    of visit: PlannedVisit, for request: VisitRequest, on day: PracticeDay, now: Timestamp, risk: DayRisk.Visit? = nil
  ) -> Explanation {
    let day = day.around(visit, request)
    var others = day
    others.appointments.removeAll { $0.id == request.id }
    // A visit that was heard of yesterday is judged as of then: nothing about it lies in the past.
    let moment = min(now, visit.start, request.receivedAt)
    let board = DayBoard(others, now: moment, slotMinutes: DayBuilder.slotMinutes)
    let model = RequestModel(request, on: board, rules: rules, now: moment, quantile: rules.planQuantile)
    guard let seat = board.seats.firstIndex(where: { $0.member.id == visit.clinicianID }) else {
      return .sum("\(request.id): not with anybody on the staff", of: [])
    }
    let member = board.seats[seat].member
    let zone = day.timeZone
    let worth = model.weight.points * 100
    var parts = [points("placed, a \(request.decidingUrgency?.rawValue ?? "planned") visit", model.base)]
    parts.append(skill(of: member, model, board, worth))
    parts.append(continuity(member, request, worth))
    parts.append(waiting(visit, request, model, zone))
    parts.append(window(visit, request, zone))
    if let order = order(visit, request, day) { parts.append(order) }
    parts.append(workload(seat, visit, board))
    parts += board.loadCost(seat, request.visitType, minutes: visit.minutes, start: visit.start, rules).map {
      points("preferences: \($0.description)", -$0.amount)
    }
    let asked = board.credentials.asked(rules.visits.need(request.visitType))
    if !asked.isEmpty {
      let problem = board.credentials.problem(
        member, rules.visits.need(request.visitType), on: zone.date(of: visit.start))
      parts.append(points("credentials: \(problem ?? "holds \(asked.joined(separator: ", "))")", 0))
    }
    parts += gaps(seat, visit, board, zone)
    for kind in model.missingResources { parts.append(points("rooms: the practice lists no \(kind)", 0)) }
    if let risk { parts.append(overrun(risk, visit, request)) }
    return .sum(
      "\(member.name) at \(zone.clock(visit.start)) on \(zone.date(of: visit.start)), \(visit.minutes) minutes",
      of: parts)
  }

  private func points(_ description: String, _ amount: Int, _ details: [Explanation] = []) -> Explanation {
    Explanation(description, value: Double(amount) / 100, details: details)
  }

  private func skill(
    of member: StaffMember, _ model: RequestModel, _ board: DayBoard, _ worth: Double
  ) -> Explanation {
    let specialty = model.request.specialty ?? .generalPractice
    let match = rules.match(member, model.request)
    let fits = board.seats.filter { rules.visits.need(model.request.visitType).roles.contains($0.member.role) }
      .map { ($0.member, rules.match($0.member, model.request)) }
      .sorted { ($1.1, $0.0.id) < ($0.1, $1.0.id) }
    let best = fits.first.map { "; the best match is \($0.0.name) with \(percent($0.1))" } ?? ""
    return points(
      "skill: \(percent(match)) match for \(specialty.rawValue)\(fits.first?.0.id == member.id ? ", the best there is" : best)",
      Int((worth * rules[.matchShare] * match).rounded()))
  }

  private func continuity(_ member: StaffMember, _ request: VisitRequest, _ worth: Double) -> Explanation {
    guard let known = request.preferredClinicianID else {
      return points("continuity: nobody on the staff has seen the patient before", 0)
    }
    return known == member.id
      ? points("continuity: knows the patient", Int((worth * rules[.continuityShare]).rounded()))
      : points("continuity: \(known) knows the patient, not \(member.id)", 0)
  }

  private func waiting(
    _ visit: PlannedVisit, _ request: VisitRequest, _ model: RequestModel, _ zone: PracticeTimeZone
  ) -> Explanation {
    if let urgency = request.decidingUrgency {
      let waited = visit.start.minutes(since: request.receivedAt)
      let slot = DayBoard.slots(max(0, waited), of: DayBuilder.slotMinutes)
      let target = DayBoard.slots(model.weight.targetMinutes, of: DayBuilder.slotMinutes)
      let cost = model.l * slot + model.l2 * max(0, slot - target)
      let verdict = waited <= model.weight.targetMinutes ? "within" : "past"
      return points(
        "waiting: \(max(0, waited)) minutes since \(zone.clock(request.receivedAt)), \(verdict) the target of \(model.weight.targetMinutes) for \(urgency.rawValue)",
        -cost)
    }
    guard let wished = request.wishedStart, wished != visit.start else {
      return points("waiting: it stands at the time asked for", 0)
    }
    let away = abs(visit.start.minutes(since: wished))
    return points(
      "waiting: \(away) minutes \(visit.start > wished ? "after" : "before") the time wished for, \(zone.date(of: wished)) \(zone.clock(wished))",
      -model.e * (away / DayBuilder.slotMinutes))
  }

  private func window(_ visit: PlannedVisit, _ request: VisitRequest, _ zone: PracticeTimeZone) -> Explanation {
    guard let window = request.window else { return points("owner's window: none was named", 0) }
    let text = "\(zone.describe(window.lowerBound)) to \(zone.describe(window.upperBound))"
    return points(
      window.contains(visit.start)
        ? "owner's window: kept, \(text)" : "owner's window: broken, the owner can come \(text)", 0)
  }

  /// Nil where nothing has to come first.
  private func order(_ visit: PlannedVisit, _ request: VisitRequest, _ day: PracticeDay) -> Explanation? {
    guard let id = request.afterID, let first = day.appointments.first(where: { $0.id == id }) else { return nil }
    let broken = SlotCheck.brokenLimits(of: visit, for: request, after: first, in: day.timeZone).first {
      $0.kind == .tooEarly
    }
    return points(broken.map { "order: broken, \($0.description)" } ?? "order: kept, it comes after \(id)", 0)
  }

  private func workload(_ number: Int, _ visit: PlannedVisit, _ board: DayBoard) -> Explanation {
    let seat = board.seats[number]
    let own = DayBoard.slots(visit.minutes, of: DayBuilder.slotMinutes)
    let limits = [
      (rules.amount(.overtimeFirstCost), rules[.overtimeFirstShare]),
      (rules.amount(.overtimeSecondCost), rules[.overtimeSecondShare]),
    ]
    let cost = limits.reduce(0) { sum, limit in
      let threshold = Int(Double(seat.workingSlots) * limit.1)
      return sum + limit.0 * (max(0, seat.load + own - threshold) - max(0, seat.load - threshold))
    }
    let share = seat.workingSlots > 0 ? Double(seat.load + own) / Double(seat.workingSlots) : 1
    return points(
      "workload: \(seat.member.name) is booked for \(percent(share)) of the working time, this visit included", -cost)
  }

  /// The free time before and after, which nobody is charged for but everybody asks about.
  private func gaps(
    _ number: Int, _ visit: PlannedVisit, _ board: DayBoard, _ zone: PracticeTimeZone
  ) -> [Explanation] {
    let own = board.bookings.filter {
      $0.seat == number && zone.date(of: $0.time.lowerBound) == zone.date(of: visit.start)
    }
    let end = visit.start.adding(minutes: visit.minutes)
    let before = own.map(\.time.upperBound).filter { $0 <= visit.start }.max()
    let after = own.map(\.time.lowerBound).filter { $0 >= end }.min()
    let words = [
      before.map { "\(visit.start.minutes(since: $0)) minutes free before" },
      after.map { "\($0.minutes(since: end)) minutes free after" },
    ].compactMap { $0 }
    return [points("idle gaps: \(words.isEmpty ? "the only visit of the day" : words.joined(separator: ", "))", 0)]
  }

  private func overrun(_ risk: DayRisk.Visit, _ visit: PlannedVisit, _ request: VisitRequest) -> Explanation {
    points(
      "overrun risk: \(percent(risk.overrun)) to take longer than \(visit.minutes) minutes (median \(Int(request.duration.p50.rounded()))); begins \(Int(risk.meanDelay.rounded())) minutes late on average, 95 % of days within \(Int(risk.p95Delay.rounded()))",
      0)
  }

  private func percent(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }
}
