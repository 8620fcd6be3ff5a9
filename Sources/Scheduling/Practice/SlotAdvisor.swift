public import Clinical

/// The cheapest ways around what forbids a slot.
public struct SlotAlternative: Hashable, Sendable {
  public enum Kind: String, Sendable {
    case otherTime = "another time"
    case otherClinician = "another clinician"
    /// Booked visits make room.
    case makeRoom = "others make room"
  }

  public let kind: Kind
  public let visit: PlannedVisit
  /// Bookings that would move.
  public let moves: [PlanChange]
  /// Points lost against the slot that was asked for, were it free.
  public let cost: Double
}

/// Finds what would have to change for a visit to be had where somebody wants it, or nearly there.
public struct SlotAdvisor: Sendable {
  public let rules: SchedulingRules

  public init(rules: SchedulingRules) {
    self.rules = rules
  }

  /// The ways around, the cheapest first; empty when there is none on the days given.
  ///
  /// - Parameters:
  ///   - visit: the slot that was asked for.
  ///   - request: what it is for.
  ///   - day: the days to look at.
  ///   - movable: ids of booked visits that may make room.
  ///   - details: what others need to know to take a booking over.
  ///   - now: nothing is put before.
  ///   - iterations: rounds of search for making room.
  /// - Returns: at most one alternative of each kind.
  /// - Throws: ``SchedulingError`` for values that can't be planned with.
  public func alternatives(
    to visit: PlannedVisit, for request: VisitRequest, on day: PracticeDay, movable: Set<String>,
    details: [VisitRequest] = [], now: Timestamp, iterations: Int = 2000
  ) throws(SchedulingError) -> [SlotAlternative] {
    let day = day.around(visit, request)
    var others = day
    others.appointments.removeAll { $0.id == request.id }
    var wish = request
    wish.requestedMinutes = visit.minutes
    wish.wishedStart = visit.start
    let board = DayBoard(others, now: now, slotMinutes: DayBuilder.slotMinutes)
    let model = RequestModel(wish, on: board, rules: rules, now: now, quantile: rules.planQuantile)
    // What the slot would be worth: the fit of its clinician, and no waiting beyond its own time.
    let there = board.grid.firstSlot(from: visit.start) - model.leading
    let fit = model.candidates.first { board.seats[$0.seat].member.id == visit.clinicianID }?.bonus ?? 0
    let worth = Double(model.base + fit - model.timeCost(at: there)) / 100
    var found: [SlotAlternative] = []
    let proposer = SlotProposer(rules: rules)
    let check = SlotCheck(rules: rules)
    func add(_ kind: SlotAlternative.Kind, _ request: VisitRequest) {
      // What is no way round: the slot itself, and whatever booking would refuse.
      let proposals = proposer.proposals(for: request, on: others, now: now, count: 20).filter { proposal in
        let other = PlannedVisit(
          clinicianID: proposal.clinicianID, resourceIDs: proposal.resourceIDs, start: proposal.start,
          minutes: proposal.minutes)
        return other != visit && check.verdict(on: other, for: wish, in: others, now: now).isFree
      }
      guard let best = proposals.max(by: { $0.score < $1.score }) else { return }
      found.append(
        SlotAlternative(
          kind: kind,
          visit: PlannedVisit(
            clinicianID: best.clinicianID, resourceIDs: best.resourceIDs, start: best.start, minutes: best.minutes),
          moves: [], cost: max(0, worth - best.score)))
    }
    let roles = rules.visits.need(request.visitType).roles
    // Somebody whose role forbids such a visit is no choice at any time.
    let isAllowed = day.staff.contains { $0.id == visit.clinicianID && roles.contains($0.role) }
    var same = wish
    same.clinicianIDs = [visit.clinicianID]
    if isAllowed { add(.otherTime, same) }
    var anybody = wish
    let slot = visit.start..<visit.start.adding(minutes: DayBuilder.slotMinutes)
    anybody.window = slot
    let rest = day.staff.filter { member in
      member.id != visit.clinicianID && roles.contains(member.role)
    }.map(\.id)
    anybody.clinicianIDs = rest
    add(.otherClinician, anybody)
    // Nobody can have it then: somebody else at the nearest time is left.
    if found.isEmpty {
      anybody.window = wish.window
      add(.otherClinician, anybody)
    }
    same.window = slot
    if isAllowed, visit.start >= now,
      let room = try makingRoom(same, on: others, movable: movable, details: details, now: now, iterations)
    {
      found.append(room)
    }
    return found.sorted { ($0.cost, $0.kind.rawValue) < ($1.cost, $1.kind.rawValue) }
  }

  private func makingRoom(
    _ request: VisitRequest, on day: PracticeDay, movable: Set<String>, details: [VisitRequest], now: Timestamp,
    _ iterations: Int
  ) throws(SchedulingError) -> SlotAlternative? {
    let proposal = try DayOptimizer(
      rules: rules, configuration: .init(seed: 1, iterationLimit: iterations, bound: .init(iterationLimit: 20))
    ).optimize(day, requests: [request] + details, movable: movable, now: now) { 0 }
    guard let placed = proposal.changes.first(where: { $0.kind == .place && $0.id == request.id }) else { return nil }
    let moves = proposal.changes.filter { $0.kind == .move }
    let cost = moves.reduce(0) { $0 - $1.gain + rules[.moveCost] }
    return SlotAlternative(kind: .makeRoom, visit: placed.after, moves: moves, cost: cost)
  }
}
