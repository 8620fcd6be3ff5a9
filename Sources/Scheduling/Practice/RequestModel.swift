import Clinical

/// A request in the solver's terms: what it earns, what waiting costs, who can take it, from when to when.
struct RequestModel {
  struct Candidate {
    let seat: Int
    let match: Double
    let slots: Int
    let bonus: Int
    let isPreferred: Bool
    /// They may take no such visit from this slot on; beyond the last slot where nothing ends.
    let endSlot: Int
  }

  let request: VisitRequest
  let weight: SchedulingRules.Weight
  let base: Int
  let p: Int
  let q: Int
  let e: Int
  let l: Int
  let l2: Int
  /// The last start the model allows an urgent case; nil for a planned visit.
  let latest: Int?
  /// The first slot nobody has to travel back in time for.
  let firstStart: Int
  /// The moment the target wait is over; nil for a planned visit.
  let target: Timestamp?
  let candidates: [Candidate]
  /// Kinds of room and equipment; none for a visit elsewhere.
  let resourceKinds: [String]
  /// What it needs and the practice lists nothing for.
  let missingResources: [String]
  /// Slots on the road before the visit; a place in the plan begins with them.
  let leading: Int
  /// Slots on the road after it.
  let trailing: Int
  /// When a visit of this kind starts at all, where only some times of day will do.
  private let allowed: [Range<Timestamp>]?

  init(_ request: VisitRequest, on board: DayBoard, rules: SchedulingRules, now: Timestamp, quantile: Double) {
    let grid = board.grid
    let urgency = request.decidingUrgency
    let weight = rules.weight(urgency)
    self.request = request
    self.weight = weight
    let worth = weight.points * 100
    base = Int((worth * rules[.baseShare]).rounded())
    firstStart = grid.firstSlot(from: max(now, request.receivedAt, request.earliestStart ?? now))
    leading = DayBoard.slots(request.travelBefore, of: grid.slotMinutes)
    trailing = DayBoard.slots(request.travelAfter, of: grid.slotMinutes)
    let road = leading
    if urgency != nil {
      let toTarget = DayBoard.slots(weight.targetMinutes, of: grid.slotMinutes)
      let toLatest = max(toTarget, DayBoard.slots(weight.latestMinutes, of: grid.slotMinutes))
      // Waiting that has already happened is nobody's choice any more: time counts from now.
      p = firstStart
      q = max(p, grid.firstSlot(from: request.receivedAt) + toTarget)
      e = 0
      let first = toTarget > 0 ? Int((worth * weight.targetCostShare / Double(toTarget)).rounded()) : 0
      l = first
      let further = worth * weight.latestCostShare - Double(first * toLatest)
      l2 = toLatest > toTarget ? max(0, Int((further / Double(toLatest - toTarget)).rounded())) : 0
      latest = p + toLatest
      target = request.receivedAt.adding(minutes: weight.targetMinutes)
    } else {
      p = max(firstStart, request.wishedStart.map { grid.firstSlot(from: $0) - road } ?? firstStart)
      q = p
      e = Int((worth * weight.shiftCostShare * Double(grid.slotMinutes) / 60).rounded())
      l = e
      l2 = 0
      latest = nil
      target = nil
    }
    let need = rules.visits.need(request.visitType)
    let known = Set(board.units.map(\.resource.kind))
    let isAway = request.travelBefore + request.travelAfter > 0
    resourceKinds = isAway ? [] : need.resourceKinds(among: known)
    missingResources = isAway ? [] : need.missing(among: known)
    allowed = urgency == nil ? need.startMinutes.map { board.daily($0) } : nil
    candidates = Self.candidates(request, need: need, on: board, rules: rules, weight: weight, quantile: quantile)
  }

  private static func candidates(
    _ request: VisitRequest, need: VisitResources.Need, on board: DayBoard, rules: SchedulingRules,
    weight: SchedulingRules.Weight, quantile: Double
  ) -> [Candidate] {
    let worth = weight.points * 100
    let all = board.seats.indices.compactMap { index -> Candidate? in
      let member = board.seats[index].member
      // Who is booked at a location and doesn't work there can't be what comes nearest.
      if board.here != nil, board.seats[index].available.isEmpty { return nil }
      if let named = request.clinicianIDs {
        guard named.contains(member.id) else { return nil }
      } else if !need.roles.contains(member.role) {
        return nil
      }
      var endSlot = board.grid.count
      switch board.credentials.validity(of: member, for: need) {
      case .always: break
      case .never: return nil
      case .until(let last):
        endSlot = min(endSlot, board.grid.firstSlot(from: board.midnight(of: last.adding(days: 1))))
        guard endSlot > 0 else { return nil }
      }
      let match = rules.match(member, request)
      let factor = (request.durationFactors[member.id] ?? 1) * (1 + rules[.slowdown] * (1 - match))
      // What somebody asked for is theirs to decide; only a prediction depends on who does it.
      let predicted = request.duration.minutes(at: quantile) * max(0.1, factor)
      let minutes = min(100_000, request.requestedMinutes.map { Double(max(1, $0)) } ?? predicted)
      let visit = max(1, Int((minutes / Double(board.grid.slotMinutes) - 1e-9).rounded(.up)))
      let slots =
        visit + DayBoard.slots(request.travelBefore, of: board.grid.slotMinutes)
        + DayBoard.slots(request.travelAfter, of: board.grid.slotMinutes)
      guard slots <= board.grid.count else { return nil }
      let isPreferred = member.id == request.preferredClinicianID
      let share = rules[.matchShare] * match + (isPreferred ? rules[.continuityShare] : 0)
      return Candidate(
        seat: index, match: match, slots: slots, bonus: Int((worth * share).rounded()), isPreferred: isPreferred,
        endSlot: endSlot)
    }
    if request.clinicianIDs != nil { return all }
    let fitting = all.filter { $0.match >= weight.minimumMatch || $0.isPreferred }
    if !fitting.isEmpty { return fitting }
    // Nobody fits: those who come nearest are better than nobody.
    let best = all.map(\.match).max() ?? 0
    return all.filter { $0.match >= best - 1e-9 }
  }

  /// The starts the owner can come for and the kind of visit allows, none in the past.
  func starts(on grid: SlotGrid) -> [ClosedRange<Int>] {
    guard grid.count > 0, firstStart < grid.count else { return [] }
    var runs = grid.stretches.compactMap { stretch -> Range<Int>? in
      let lower = max(firstStart, stretch.firstSlot)
      let upper = stretch.firstSlot + stretch.slots
      return lower < upper ? lower..<upper : nil
    }
    // A start that lies in the window is enough; the visit may last beyond it.
    if let window = request.window { runs = Self.clamped(runs, to: [window], leading: leading, on: grid) }
    if let allowed { runs = Self.clamped(runs, to: allowed, leading: leading, on: grid) }
    return runs.map { $0.lowerBound...($0.upperBound - 1) }
  }

  private static func clamped(
    _ runs: [Range<Int>], to windows: [Range<Timestamp>], leading: Int, on grid: SlotGrid
  ) -> [Range<Int>] {
    runs.flatMap { run in
      windows.compactMap { window -> Range<Int>? in
        let lower = max(run.lowerBound, grid.firstSlot(from: window.lowerBound) - leading)
        let upper = min(run.upperBound, grid.firstSlot(from: window.upperBound) - leading)
        return lower < upper ? lower..<upper : nil
      }
    }
  }

  func timeCost(at start: Int) -> Int {
    e * max(0, p - start) + l * max(0, start - p) + l2 * max(0, start - q)
  }
}
