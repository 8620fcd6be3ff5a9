public import Clinical

/// Makes room for an urgent case at once, moving as few others as that takes.
///
/// Every start that the level allows is looked at with every clinician who may take the case: who would have to leave,
/// and where each of those could go, if need be by moving one more. Of all ways the one that is worth most wins: an
/// earlier start is worth what the model says waiting costs, and each move costs what the model says moving costs.
/// Visits that have begun, that are urgent themselves or that are to be kept as they are stay.
public struct EmergencyPlanner: Sendable {
  public let rules: SchedulingRules
  /// At most so many bookings are moved for one case.
  public var mostMoves = 3
  /// At most so many places are tried: counted, not timed, so that a busy machine finds the same plan.
  public var mostSteps = 1000

  public init(rules: SchedulingRules) {
    self.rules = rules
  }

  /// A place for the case.
  ///
  /// - Parameters:
  ///   - request: the case, with its urgency.
  ///   - day: staff, rooms and bookings of today.
  ///   - details: what other clinicians need to know to take a booking over, by appointment id; a booking without
  ///     them keeps its clinician.
  ///   - now: nobody and nothing is put before.
  /// - Returns: the plan, or nil when the case fits nowhere today even late.
  /// - Complexity: O(starts × clinicians × conflicts × places to go), a few milliseconds for a practice of ten.
  public func plan(
    _ request: VisitRequest, on day: PracticeDay, details: [String: VisitRequest] = [:], now: Timestamp
  ) -> EmergencyPlan? {
    if day.hasSeveralPlaces {
      // Where it is worth most; in time before late.
      var best: EmergencyPlan?
      for id in day.siteIDs(for: request) {
        guard let found = plan(request, on: day.at(id), details: details, now: now) else { continue }
        let isBetter = best.map { best in
          found.isInTime == best.isInTime ? found.explanation.value > best.explanation.value : found.isInTime
        }
        if isBetter ?? true { best = found }
      }
      return best
    }
    let board = DayBoard(day, now: now, slotMinutes: DayBuilder.slotMinutes)
    var attempt = EmergencyAttempt(board: board, rules: rules, request: request, details: details, now: now)
    var steps = 0
    let found = attempt.best(mostMoves: mostMoves) {
      steps += 1
      return steps >= mostSteps
    }
    if let found { return plan(found, attempt) }
    // Nothing in time: the first free place at all.
    let proposals = SlotProposer(rules: rules).proposals(for: request, on: day, now: now, count: 1)
    return proposals.first.map { late in
      EmergencyPlan(
        visit: PlannedVisit(
          clinicianID: late.clinicianID, resourceIDs: late.resourceIDs, start: late.start, minutes: late.minutes),
        moves: [], wait: max(0, late.start.minutes(since: now)), meetsTarget: late.meetsTarget ?? true,
        isInTime: late.start <= attempt.latest, explanation: late.explanation)
    }
  }

  private func plan(_ found: EmergencyAttempt.Found, _ attempt: EmergencyAttempt) -> EmergencyPlan {
    let (board, model, request) = (attempt.board, attempt.model, attempt.request)
    let start = board.grid.start(of: found.slots.lowerBound + model.leading)
    let member = board.seats[found.seat].member
    let units = found.units.map { board.units[$0].resource }
    let visit = PlannedVisit(
      clinicianID: member.id, resourceIDs: units.map(\.id), start: start,
      minutes: (found.slots.count - model.leading - model.trailing) * board.grid.slotMinutes)
    let moves = found.moves.map { change($0, board, because: request) }.sorted {
      ($0.before?.start ?? start, $0.id) < ($1.before?.start ?? start, $1.id)
    }
    let urgency = request.decidingUrgency?.rawValue ?? "planned"
    var details = [
      Explanation("\(urgency) visit with \(member.name)", value: Double(found.worth) / 100)
    ]
    details += moves.map { Explanation("moving \($0.id)", value: $0.gain) }
    return EmergencyPlan(
      visit: visit, moves: moves, wait: max(0, start.minutes(since: attempt.now)),
      meetsTarget: model.target.map { start <= $0 } ?? true, isInTime: true,
      explanation: .sum("room for \(request.id)", of: details))
  }

  private func change(_ move: EmergencyAttempt.Move, _ board: DayBoard, because request: VisitRequest) -> PlanChange {
    let booking = board.bookings[move.booking].appointment
    let grid = board.grid
    let old = board.bookings[move.booking].pieces.first?.lowerBound ?? move.slots.lowerBound
    let shift = move.slots.lowerBound - old
    let after = PlannedVisit(
      clinicianID: board.seats[move.seat].member.id, resourceIDs: move.units.map { board.units[$0].resource.id },
      start: shift == 0 ? booking.start : grid.start(of: move.slots.lowerBound), minutes: booking.durationMinutes)
    var parts = [Explanation("moved for a more urgent case", value: -rules[.moveCost])]
    if shift != 0 {
      let minutes = abs(shift) * grid.slotMinutes
      parts.append(
        Explanation(
          "\(minutes) minutes \(shift > 0 ? "later" : "earlier")",
          value: -rules[.moveCostPerSlot] * Double(abs(shift))))
    }
    if move.seat != board.bookings[move.booking].seat {
      parts.append(
        Explanation("with \(board.seats[move.seat].member.name) instead", value: -rules[.otherClinicianCost]))
    }
    let explanation = Explanation.sum("\(booking.id) makes room", of: parts)
    return PlanChange(
      kind: .move, id: booking.id,
      before: PlannedVisit(
        clinicianID: booking.clinicianID ?? "", resourceIDs: booking.resourceIDs, start: booking.start,
        minutes: booking.durationMinutes),
      after: after, gain: explanation.value, explanation: explanation)
  }
}
