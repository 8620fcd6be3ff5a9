public import Clinical

/// Finds the best free places for one visit without moving anybody.
///
/// Every proposal can be booked as it is: the clinician works then, is free and keeps every break, a unit of each room
/// needed is free, cleaning included, and nothing lies in the past.
public struct SlotProposer: Sendable {
  public let rules: SchedulingRules

  public init(rules: SchedulingRules) {
    self.rules = rules
  }

  private struct Option {
    let candidate: RequestModel.Candidate
    let start: Int
    let units: [Int]
    let value: Int
    let overtime: Int
    let load: [LoadCost.Part]
    let meetsTarget: Bool
  }

  /// Up to `count` proposals, the best first; empty when there is no place in the days given.
  ///
  /// Red and orange cases get the earliest starts first; the others what is worth most first, starts within the target
  /// wait before those past it. Proposals for one clinician don't overlap, so that they are real alternatives. Equal ones stand in
  /// the order of time, then of the staff list.
  ///
  /// - Parameters:
  ///   - request: the visit.
  ///   - day: staff, rooms and bookings of the days to look at.
  ///   - now: the present; no proposal begins before.
  ///   - count: how many at most.
  ///   - quantile: of the predicted duration to reserve; nil for the practice's usual one, 0.7.
  /// - Returns: places that are free now, the best first.
  /// - Complexity: O(clinicians × free slots × breaks).
  public func proposals(
    for request: VisitRequest, on day: PracticeDay, now: Timestamp, count: Int = 5, quantile: Double? = nil
  ) -> [SlotProposal] {
    if day.hasSeveralPlaces { return atAllPlaces(request, day, now: now, count: count, quantile: quantile) }
    let board = DayBoard(day, now: now, slotMinutes: DayBuilder.slotMinutes)
    let reserved = min(0.99, max(0.01, quantile ?? rules.planQuantile))
    let model = RequestModel(
      Self.following(request, on: board), on: board, rules: rules, now: now, quantile: reserved)
    let options = self.options(model, on: board)
    return choose(options, model, count: count, on: board).map { option in
      proposal(option, model, timeZone: day.timeZone, on: board)
    }
  }

  /// The best of what each location has, by the same order.
  private func atAllPlaces(
    _ request: VisitRequest, _ day: PracticeDay, now: Timestamp, count: Int, quantile: Double?
  ) -> [SlotProposal] {
    let order = rules.weight(request.decidingUrgency).order
    let found = day.siteIDs(for: request).flatMap { id in
      proposals(for: request, on: day.at(id), now: now, count: count, quantile: quantile)
    }
    let ranked = found.enumerated().sorted { left, right in
      let (a, b) = (left.element, right.element)
      if order == .earliest, a.start != b.start { return a.start < b.start }
      if a.meetsTarget != b.meetsTarget { return a.meetsTarget ?? true }
      return a.score != b.score ? a.score > b.score : left.offset < right.offset
    }
    return ranked.prefix(max(0, count)).map(\.element)
  }

  /// A visit that comes after a booked one can't start before that is over.
  static func following(_ request: VisitRequest, on board: DayBoard) -> VisitRequest {
    guard let id = request.afterID, let first = board.bookings.first(where: { $0.appointment.id == id }) else {
      return request
    }
    var request = request
    let earliest = first.time.upperBound.adding(minutes: request.lagMinutes)
    request.earliestStart = max(request.earliestStart ?? earliest, earliest)
    return request
  }

  /// Every free place, in order of time and staff.
  private func options(_ model: RequestModel, on board: DayBoard) -> [Option] {
    let windows = model.starts(on: board.grid)
    let elsewhere = board.slots(ofPatient: model.request.patientID, but: model.request.id)
    var options: [Option] = []
    for candidate in model.candidates {
      let seat = board.seats[candidate.seat]
      let overtime = overtimeCost(seat, adding: candidate.slots)
      for stretch in seat.available where stretch.count >= candidate.slots {
        let fitting = stretch.lowerBound...(stretch.upperBound - candidate.slots)
        for window in windows where window.overlaps(fitting) {
          for start in window.clamped(to: fitting) {
            let slots = start..<(start + candidate.slots)
            guard start < candidate.endSlot, seat.isFree(slots), !elsewhere.contains(where: { $0.overlaps(slots) }),
              start + model.leading < board.grid.count,
              let units = board.freeUnits(of: model.resourceKinds, for: slots),
              board.leavesRoomForBreaks(candidate.seat, taking: slots)
            else { continue }
            let load = board.loadCost(
              candidate.seat, model.request.visitType,
              minutes: (candidate.slots - model.leading - model.trailing) * board.grid.slotMinutes,
              start: board.grid.start(of: start + model.leading), rules)
            let cost = overtime + load.reduce(0) { $0 + $1.amount }
            options.append(
              Option(
                candidate: candidate, start: start, units: units,
                value: model.base + candidate.bonus - model.timeCost(at: start) - cost, overtime: overtime, load: load,
                meetsTarget: model.target.map { board.grid.start(of: start + model.leading) <= $0 } ?? true))
          }
        }
      }
    }
    return options.sorted { ($0.start, $0.candidate.seat) < ($1.start, $1.candidate.seat) }
  }

  private func overtimeCost(_ seat: DayBoard.Seat, adding slots: Int) -> Int {
    let limits = [
      (rules.amount(.overtimeFirstCost), rules[.overtimeFirstShare]),
      (rules.amount(.overtimeSecondCost), rules[.overtimeSecondShare]),
    ]
    return limits.reduce(0) { sum, limit in
      let threshold = Int(Double(seat.workingSlots) * limit.1)
      return sum + limit.0 * (max(0, seat.load + slots - threshold) - max(0, seat.load - threshold))
    }
  }

  /// `options` come in order of time and staff, which settles what is equal otherwise.
  private func choose(_ options: [Option], _ model: RequestModel, count: Int, on board: DayBoard) -> [Option] {
    let ranked = options.enumerated().sorted { left, right in
      let (a, b) = (left.element, right.element)
      if model.weight.order == .earliest {
        // Options are in order of start already; within one start the better fit goes first.
        if a.start != b.start { return a.start < b.start }
      }
      if a.meetsTarget != b.meetsTarget { return a.meetsTarget }
      return a.value != b.value ? a.value > b.value : left.offset < right.offset
    }.map(\.element)
    var chosen: [Option] = []
    func add(_ option: Option) {
      let slots = option.start..<(option.start + option.candidate.slots)
      let overlaps = chosen.contains {
        $0.candidate.seat == option.candidate.seat && slots.overlaps($0.start..<($0.start + $0.candidate.slots))
      }
      if !overlaps { chosen.append(option) }
    }
    for option in ranked {
      if chosen.count >= count { break }
      add(option)
    }
    return Array(chosen.prefix(max(0, count)))
  }

  private func proposal(
    _ option: Option, _ model: RequestModel, timeZone: PracticeTimeZone, on board: DayBoard
  ) -> SlotProposal {
    let start = board.grid.start(of: option.start + model.leading)
    let visit = option.candidate.slots - model.leading - model.trailing
    let member = board.seats[option.candidate.seat].member
    var details = [points("placed, \(model.request.decidingUrgency?.rawValue ?? "planned") visit", model.base)]
    let skill = model.request.specialty.map { "fit for \($0.rawValue)" } ?? "fit for general practice"
    let fit = option.candidate.isPreferred ? "\(skill), knows the patient" : skill
    details.append(points("\(fit): \(member.name)", option.candidate.bonus))
    details += timeDetails(option.start, model, start: start)
    if option.overtime != 0 { details.append(points("\(member.name) works beyond the usual load", -option.overtime)) }
    details += option.load.map { points($0.description, -$0.amount) }
    let resources = option.units.map { board.units[$0].resource }
    if !resources.isEmpty {
      details.append(Explanation("in \(resources.map(\.name).joined(separator: ", "))", value: 0))
    }
    if model.leading + model.trailing > 0 {
      let road = (model.leading + model.trailing) * board.grid.slotMinutes
      details.append(Explanation("and \(road) minutes on the road", value: 0))
    }
    for kind in model.missingResources { details.append(Explanation("the practice lists no \(kind)", value: 0)) }
    return SlotProposal(
      clinicianID: member.id, resourceIDs: resources.map(\.id), start: start, locationID: board.here,
      minutes: visit * board.grid.slotMinutes, score: Double(option.value) / 100,
      meetsTarget: model.target == nil ? nil : option.meetsTarget,
      explanation: .sum(
        "\(member.name) at \(timeZone.clock(start)) on \(timeZone.date(of: start))", of: details))
  }

  private func timeDetails(_ slot: Int, _ model: RequestModel, start: Timestamp) -> [Explanation] {
    var details: [Explanation] = []
    if slot < model.p { details.append(points("before the time wished for", -model.e * (model.p - slot))) }
    if slot > model.p {
      let what = model.target == nil ? "after the time wished for" : "waiting"
      details.append(points(what, -model.l * (slot - model.p)))
    }
    if slot > model.q, model.l2 != 0 { details.append(points("past the target", -model.l2 * (slot - model.q))) }
    if let target = model.target {
      let minutes = model.weight.targetMinutes
      let late = start.minutes(since: target)
      details.append(
        start <= target
          ? Explanation("within the target of \(minutes) minutes", value: 0)
          : Explanation("the target of \(minutes) minutes can't be met here: \(max(1, late)) minutes late", value: 0))
    }
    return details
  }

  private func points(_ description: String, _ amount: Int) -> Explanation {
    Explanation(description, value: Double(amount) / 100)
  }
}
