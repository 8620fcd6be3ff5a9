public import Clinical

/// Finds places for a day's requests and better ones for what may move.
///
/// It proposes and changes nothing. Whatever comes out can be booked as a whole: no booked visit is dropped, none that is
/// pinned moves, and rooms are looked up one by one. A move is proposed only when it gains more than it costs.
public struct DayOptimizer: Sendable {
  public let rules: SchedulingRules
  public let configuration: Solver.Configuration

  public init(rules: SchedulingRules, configuration: Solver.Configuration = .init()) {
    self.rules = rules
    self.configuration = configuration
  }

  /// What could be better about the day.
  ///
  /// - Parameters:
  ///   - day: staff, rooms and bookings.
  ///   - requests: visits that want a place; one with the id of a movable booking tells who else could take that.
  ///   - movable: ids of booked visits that may be moved. Visits that have begun are never moved.
  ///   - now: nothing is placed before.
  ///   - isCancelled: asked every few dozen rounds; the best that was found is returned.
  ///   - elapsed: seconds since the caller began; see ``Solver/solve(_:startingFrom:isCancelled:elapsed:)``.
  /// - Returns: changes that can be made together; none when nothing is better.
  /// - Throws: ``SchedulingError`` for values that can't be planned with; conflicting bookings are not an error.
  public func optimize(
    _ day: PracticeDay, requests: [VisitRequest], movable: Set<String> = [], now: Timestamp,
    isCancelled: () -> Bool = { false }, elapsed: () -> Double
  ) throws(SchedulingError) -> DayProposal {
    if day.hasSeveralPlaces {
      return try optimizeEachPlace(day, requests: requests, movable: movable, now: now, elapsed: elapsed)
    }
    let assembly = try DayBuilder(rules: rules).assemble(day, requests: requests, movable: movable, now: now)
    let booked = assembly.result.booked
    var plan = try Solver(configuration: configuration)
      .solve(assembly.result.instance, startingFrom: booked, isCancelled: isCancelled, elapsed: elapsed)
    if plan.value < booked.value || !keepsBookings(plan, assembly) { plan = booked }
    plan = try respectingPreferences(plan, assembly, elapsed: elapsed)
    plan = undoMovesThatDoNotPay(plan, assembly)
    switch proposal(plan, assembly) {
    case .made(let proposal): return proposal
    case .noRoom(let id) where movable.contains(id):
      // That one would have to change rooms and can't: it stays, and the others are planned anew.
      return try optimize(
        day, requests: requests, movable: movable.subtracting([id]), now: now, isCancelled: isCancelled,
        elapsed: elapsed)
    case .noRoom, .notBetter: break
    }
    // Leave everybody where they are and only place the requests.
    if !assembly.movableJobs.isEmpty {
      return try optimize(
        day, requests: requests, movable: [], now: now, isCancelled: isCancelled, elapsed: elapsed)
    }
    guard case .made(let proposal) = proposal(booked, assembly) else {
      throw SchedulingError(
        .infeasible, field: "day", value: assembly.result.instance.name, problem: "can't be planned")
    }
    return proposal
  }

  /// One location after the other, each knowing what was planned for those before it: nobody is sent from one to another, and no
  /// animal is in two.
  private func optimizeEachPlace(
    _ day: PracticeDay, requests: [VisitRequest], movable: Set<String>, now: Timestamp, elapsed: () -> Double
  ) throws(SchedulingError) -> DayProposal {
    var day = day
    var parts: [DayProposal] = []
    var place: [String: String?] = [:]
    for appointment in day.appointments { place[appointment.id] = day.siteID(of: appointment) }
    var settings = configuration
    settings.timeLimit = configuration.timeLimit.map { $0 / Double(max(1, day.sites.count)) }
    for site in day.sites {
      let own = requests.filter { ($0.locationID ?? (place[$0.id] ?? nil) ?? day.mainSiteID) == site.id }
      let began = elapsed()
      let part = try DayOptimizer(rules: rules, configuration: settings).optimize(
        day.at(site.id), requests: own, movable: movable.filter { place[$0] == site.id }, now: now
      ) { elapsed() - began }
      day.apply(part.changes)
      parts.append(part)
    }
    return DayProposal(joining: parts)
  }

  private enum Outcome {
    case made(DayProposal)
    /// A moved visit finds no unit of a room.
    case noRoom(String)
    case notBetter
  }

  private func keepsBookings(_ plan: Plan, _ assembly: DayAssembly) -> Bool {
    assembly.movableJobs.allSatisfy { plan.jobs[$0] != nil }
  }

  /// Puts moved visits back, the least move first, wherever that costs the plan less than a move does.
  private func undoMovesThatDoNotPay(_ plan: Plan, _ assembly: DayAssembly) -> Plan {
    let instance = assembly.result.instance
    let validator = PlanValidator(instance: instance)
    var plan = plan
    var isSettled = false
    while !isSettled {
      isSettled = true
      for job in assembly.movableJobs where plan.jobs[job] != assembly.placements[job] {
        var restored = plan
        restored.jobs[job] = assembly.placements[job]
        guard let breaks = instance.breaks(around: restored.jobs) else { continue }
        restored.breaks = breaks
        let report = validator.report(on: restored)
        guard report.isFeasible, report.value + rules.amount(.moveCost) >= plan.value else { continue }
        restored.value = report.value
        restored.upperBound = plan.upperBound
        plan = restored
        isSettled = false
      }
    }
    return plan
  }

  /// The plan with rooms looked up; requests that get none lose their place, a moved visit that gets none fails it all.
  private func proposal(_ plan: Plan, _ assembly: DayAssembly) -> Outcome {
    var plan = plan
    let rooms: [Int: [Int]]
    switch assignRooms(&plan, assembly) {
    case .success(let assigned): rooms = assigned
    case .failure(let error): return .noRoom(error.id)
    }
    let instance = assembly.result.instance
    dropFollowersOfNobody(&plan, instance)
    guard let breaks = instance.breaks(around: plan.jobs) else { return .notBetter }
    plan.breaks = breaks
    let report = PlanValidator(instance: instance).report(on: plan)
    let booked = assembly.result.booked
    guard report.isFeasible, report.value >= booked.value else { return .notBetter }
    let before = ScoreAnalysis(booked, of: instance)
    let after = ScoreAnalysis(plan, of: instance)
    var changes: [PlanChange] = []
    for job in instance.jobs.indices where plan.jobs[job] != assembly.placements[job] {
      guard let placement = plan.jobs[job],
        let change = change(job, to: placement, rooms: rooms[job] ?? [], assembly, before, after)
      else { continue }
      changes.append(change)
    }
    let order: [PlanChange.Kind: Int] = [.move: 0, .place: 1]
    changes.sort {
      (order[$0.kind] ?? 0, $0.after.start, $0.id) < (order[$1.kind] ?? 0, $1.after.start, $1.id)
    }
    let kept = Double(assembly.keepWorth * assembly.movableJobs.count)
    let unplaced = assembly.modelOfJob.keys.sorted().compactMap { job in
      plan.jobs[job] == nil ? assembly.modelOfJob[job]?.request.id : nil
    }
    let proposal = DayProposal(
      changes: changes, unplaced: unplaced, before: (Double(booked.value) - kept) / 100,
      after: (Double(report.value) - kept) / 100,
      upperBound: (Double(max(plan.upperBound, report.value)) - kept) / 100, conflicts: assembly.result.conflicts,
      explanation: .sum(
        "value of the day", of: explanations(of: after, assembly)))
    return .made(proposal)
  }

  /// What has to follow a request that lost its place loses its own.
  private func dropFollowersOfNobody(_ plan: inout Plan, _ instance: Instance) {
    var isSettled = false
    while !isSettled {
      isSettled = true
      for (index, job) in instance.jobs.enumerated() where plan.jobs[index] != nil && job.pin == nil {
        if let after = job.after, plan.jobs[after.job] == nil, instance.jobs[after.job].pin == nil {
          plan.jobs[index] = nil
          isSettled = false
        }
      }
    }
  }

  /// The parts without what only keeps bookings from being dropped.
  private func explanations(of analysis: ScoreAnalysis, _ assembly: DayAssembly) -> [Explanation] {
    let movable = Set(assembly.movableJobs)
    var details: [Explanation] = []
    var subjects: [ScoreAnalysis.Subject] = []
    for part in analysis.parts where subjects.last != part.subject { subjects.append(part.subject) }
    for subject in subjects {
      let parts = analysis.parts(of: subject).filter { part in
        guard case .job(let job) = part.subject, movable.contains(job) else { return true }
        return part.constraint != .placed
      }
      guard let id = parts.first?.id else { continue }
      details.append(.sum(id, of: parts.map { ScoreAnalysis.explanation($0.constraint, $0.value) }))
    }
    return details
  }

  private struct NoRoom: Error {
    let id: String
  }

  /// Units for every visit that is new or moved, those that keep their rooms first, then in order of start.
  private func assignRooms(_ plan: inout Plan, _ assembly: DayAssembly) -> Result<[Int: [Int]], NoRoom> {
    let instance = assembly.result.instance
    var board = assembly.board
    var changed: [(job: Int, slots: Range<Int>)] = []
    for (job, placement) in plan.jobs.enumerated() where placement != assembly.placements[job] {
      guard let placement, let candidate = instance.jobs[job].candidate(placement.vet) else { continue }
      changed.append((job, placement.start..<(placement.start + candidate.slots)))
      if let number = assembly.bookingOfJob[job] { board.release(board.bookings[number]) }
    }
    var rooms: [Int: [Int]] = [:]
    func keepsRooms(_ job: Int) -> Bool {
      assembly.bookingOfJob[job].map { board.wish(of: board.bookings[$0].appointment.id)?.keepsRooms == true } ?? false
    }
    changed.sort { left, right in
      let (first, second) = (keepsRooms(left.job), keepsRooms(right.job))
      if first != second { return first }
      let (a, b) = (assembly.bookingOfJob[left.job] == nil, assembly.bookingOfJob[right.job] == nil)
      if a != b { return b }
      return (left.slots.lowerBound, left.job) < (right.slots.lowerBound, right.job)
    }
    for (job, slots) in changed {
      let booking = assembly.bookingOfJob[job].map { board.bookings[$0] }
      let kinds =
        booking.map { $0.units.map { board.units[$0].resource.kind } } ?? assembly.modelOfJob[job]?.resourceKinds ?? []
      let units = board.freeUnits(of: kinds, for: slots, preferring: booking?.units ?? [])
      guard let units, !keepsRooms(job) || Set(units) == Set(booking?.units ?? []) else {
        if let booking { return .failure(NoRoom(id: booking.appointment.id)) }
        plan.jobs[job] = nil
        continue
      }
      board.occupy(units: units, slots)
      rooms[job] = units
    }
    return .success(rooms)
  }

  private func change(
    _ job: Int, to placement: Placement, rooms: [Int], _ assembly: DayAssembly, _ before: ScoreAnalysis,
    _ after: ScoreAnalysis
  ) -> PlanChange? {
    let instance = assembly.result.instance
    guard let candidate = instance.jobs[job].candidate(placement.vet),
      let clinicianID = assembly.clinicianIDs[placement.vet]
    else { return nil }
    let grid = assembly.board.grid
    let booking = assembly.bookingOfJob[job].map { assembly.board.bookings[$0] }
    let model = assembly.modelOfJob[job]
    let leading = model?.leading ?? 0
    let visitSlots = candidate.slots - leading - (model?.trailing ?? 0)
    // Another clinician at the same time: the minutes past the slot stay as they are.
    let staying = booking.flatMap { assembly.placements[job]?.start == placement.start ? $0.appointment.start : nil }
    let visit = PlannedVisit(
      clinicianID: clinicianID, resourceIDs: rooms.map { assembly.board.units[$0].resource.id },
      start: staying ?? grid.start(of: placement.start + leading),
      minutes: booking?.appointment.durationMinutes ?? visitSlots * grid.slotMinutes)
    let old = booking.map { booking in
      PlannedVisit(
        clinicianID: booking.appointment.clinicianID ?? "", resourceIDs: booking.appointment.resourceIDs,
        start: booking.appointment.start, minutes: booking.appointment.durationMinutes)
    }
    let gain = before.explanation(
      of: .job(job), changedBy: after,
      old == nil ? "place for \(instance.jobs[job].id)" : "move of \(instance.jobs[job].id)")
    let missing = old == nil ? model?.missingResources ?? [] : []
    let explanation = Explanation(
      gain.description, value: gain.value, evidence: gain.evidence,
      details: gain.details + missing.map { Explanation("the practice lists no \($0)", value: 0) })
    let id = booking?.appointment.id ?? assembly.modelOfJob[job]?.request.id
    return id.map {
      PlanChange(
        kind: old == nil ? .place : .move, id: $0, before: old, after: visit, gain: explanation.value,
        explanation: explanation)
    }
  }
}
