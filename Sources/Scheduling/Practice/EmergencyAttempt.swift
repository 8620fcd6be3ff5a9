import Clinical

/// One search for an emergency's place on a board.
struct EmergencyAttempt {
  /// A booking and where it goes.
  struct Move: Hashable {
    let booking: Int
    let seat: Int
    let slots: Range<Int>
    let units: [Int]
    /// In 1/100 point.
    let cost: Int
  }

  struct Found {
    let seat: Int
    let slots: Range<Int>
    let units: [Int]
    let moves: [Move]
    /// What the emergency itself earns, in 1/100 point.
    let worth: Int

    var value: Int { worth - moves.reduce(0) { $0 + $1.cost } }
  }

  private struct Option {
    let candidate: RequestModel.Candidate
    let slots: Range<Int>
    let conflicts: [Int]
    let worth: Int
    let bound: Int
  }

  let board: DayBoard
  let rules: SchedulingRules
  let request: VisitRequest
  let model: RequestModel
  let details: [String: VisitRequest]
  let now: Timestamp
  private let movable: Set<Int>
  private let all: Set<Int>

  init(
    board: DayBoard, rules: SchedulingRules, request: VisitRequest, details: [String: VisitRequest], now: Timestamp
  ) {
    self.board = board
    self.rules = rules
    self.request = request
    self.details = details
    self.now = now
    model = RequestModel(request, on: board, rules: rules, now: now, quantile: rules.planQuantile)
    all = Set(board.bookings.indices)
    movable = all.filter { number in
      let booking = board.bookings[number]
      let wish = board.wish(of: booking.appointment.id)
      return booking.isRegular && booking.appointment.status == .booked && booking.appointment.start > now
        && wish?.keepsEverything != true && (wish?.urgency ?? .blue) < .orange
    }
  }

  /// The last moment the model allows.
  var latest: Timestamp {
    board.grid.count == 0 ? now : board.grid.start(of: min(board.grid.count, max(0, model.latest ?? model.p)))
  }

  /// The best way found, or nil when none is in time.
  mutating func best(mostMoves: Int, isOver: () -> Bool) -> Found? {
    var best: Found?
    for option in options(mostMoves: mostMoves) {
      if let best, option.bound <= best.value { break }
      if let found = attempt(option, mostMoves: mostMoves, isOver: isOver), found.value > best?.value ?? .min {
        best = found
      }
      if isOver() { break }
    }
    return best
  }

  /// Every start with everybody who may take the case, by what it could be worth at most.
  private func options(mostMoves: Int) -> [Option] {
    let last = model.latest ?? board.grid.count
    var options: [Option] = []
    for candidate in model.candidates {
      let seat = board.seats[candidate.seat]
      for stretch in seat.available where stretch.count >= candidate.slots {
        let fitting = stretch.lowerBound...(stretch.upperBound - candidate.slots)
        for window in model.starts(on: board.grid) where window.overlaps(fitting) {
          for start in window.clamped(to: fitting)
          where start <= last && start < candidate.endSlot && start + model.leading < board.grid.count {
            let slots = start..<(start + candidate.slots)
            let conflicts = board.blockers(ofSeat: candidate.seat, slots, among: all)
            guard conflicts.count <= mostMoves, movable.isSuperset(of: conflicts) else { continue }
            let worth = model.base + candidate.bonus - model.timeCost(at: start)
            options.append(
              Option(
                candidate: candidate, slots: slots, conflicts: conflicts, worth: worth,
                bound: worth - conflicts.count * rules.amount(.moveCost)))
          }
        }
      }
    }
    return options.enumerated().sorted { ($1.element.bound, $0.offset) < ($0.element.bound, $1.offset) }.map(\.element)
  }

  private func attempt(_ option: Option, mostMoves: Int, isOver: () -> Bool) -> Found? {
    var board = board
    var leaving = option.conflicts
    var remaining = all
    func lift(_ numbers: [Int]) {
      for number in numbers {
        remaining.remove(number)
        board.lift(number, others: remaining)
      }
    }
    lift(leaving)
    let seat = option.candidate.seat
    var units: [Int]? = board.freeUnits(of: model.resourceKinds, for: option.slots)
    if units == nil {
      guard let more = roomLeavers(board, option.slots, remaining), leaving.count + more.count <= mostMoves else {
        return nil
      }
      lift(more)
      leaving += more
      units = board.freeUnits(of: model.resourceKinds, for: option.slots)
    }
    guard let units, board.leavesRoomForBreaks(seat, taking: option.slots) else { return nil }
    board.put(seat: seat, option.slots, units: units)
    // The longest first: it is the hardest to find a place for.
    let order = leaving.sorted { left, right in
      let (a, b) = (self.board.bookings[left].pieces[0].count, self.board.bookings[right].pieces[0].count)
      return (b, left) < (a, right)
    }
    guard let moves = settle(order[...], &board, &remaining, left: mostMoves - leaving.count, isOver: isOver) else {
      return nil
    }
    return Found(seat: seat, slots: option.slots, units: units, moves: moves, worth: option.worth)
  }

  /// For each kind of room without a free unit, the fewest that would have to leave one; nil when they may not.
  private func roomLeavers(_ board: DayBoard, _ slots: Range<Int>, _ remaining: Set<Int>) -> [Int]? {
    var leaving: Set<Int> = []
    for kind in model.resourceKinds where board.units.contains(where: { $0.resource.kind == kind }) {
      let choices = board.units.indices.filter { board.units[$0].resource.kind == kind }.map { unit in
        board.blockers(ofUnit: unit, slots, among: remaining.subtracting(leaving))
      }.filter { movable.isSuperset(of: $0) }
      guard let fewest = choices.min(by: { $0.count < $1.count }) else { return nil }
      leaving.formUnion(fewest)
    }
    return leaving.sorted()
  }

  /// Places for all that leave, one by one; where one finds none, one more booking may have to go for it.
  private func settle(
    _ leaving: ArraySlice<Int>, _ board: inout DayBoard, _ remaining: inout Set<Int>, left: Int,
    isOver: () -> Bool
  ) -> [Move]? {
    guard let number = leaving.first else { return [] }
    if let move = bestPlace(number, board) {
      board.put(seat: move.seat, move.slots, units: move.units)
      return settle(leaving.dropFirst(), &board, &remaining, left: left, isOver: isOver).map { [move] + $0 }
    }
    guard left > 0 else { return nil }
    // One more: whoever is in the way at the nearest start and can go elsewhere.
    for start in starts(number) {
      if isOver() { return nil }
      let booking = self.board.bookings[number]
      guard let seat = booking.seat else { return nil }
      let slots = start..<(start + booking.pieces[0].count)
      let blockers = board.blockers(ofSeat: seat, slots, among: remaining)
      guard blockers.count == 1, movable.contains(blockers[0]), isWithinHours(seat, slots) else { continue }
      var trial = board
      var rest = remaining
      rest.remove(blockers[0])
      trial.lift(blockers[0], others: rest)
      guard trial.seats[seat].isFree(slots), trial.leavesRoomForBreaks(seat, taking: slots),
        let units = freeUnits(for: number, slots, trial)
      else { continue }
      trial.put(seat: seat, slots, units: units)
      guard let onward = bestPlace(blockers[0], trial) else { continue }
      trial.put(seat: onward.seat, onward.slots, units: onward.units)
      let own = Move(
        booking: number, seat: seat, slots: slots, units: units, cost: cost(number, seat: seat, start: start))
      if let others = settle(leaving.dropFirst(), &trial, &rest, left: left - 1, isOver: isOver) {
        (board, remaining) = (trial, rest)
        return [own, onward] + others
      }
    }
    return nil
  }

  /// Starts for a booking that leaves, the nearest first.
  private func starts(_ number: Int) -> [Int] {
    let booking = board.bookings[number]
    let own = booking.pieces[0].lowerBound
    let window = board.moveWindow(
      own, board.wish(of: booking.appointment.id), rules, now: now, reach: Int(rules[.emergencyWindowMinutes]))
    let (first, last) = (window.lowerBound, max(window.lowerBound, window.upperBound))
    return (first...last).sorted { (abs($0 - own), $1) < (abs($1 - own), $0) }
  }

  /// The cheapest free place for a booking that leaves.
  private func bestPlace(_ number: Int, _ board: DayBoard) -> Move? {
    let booking = self.board.bookings[number]
    guard let own = booking.seat else { return nil }
    let length = booking.pieces[0].count
    let seats = [own] + others(number)
    var best: Move?
    for start in starts(number) {
      // Starts come nearest first: once even the own clinician's is dearer, the rest is too.
      if let best, cost(number, seat: own, start: start) >= best.cost { break }
      let slots = start..<(start + length)
      for seat in seats {
        let price = cost(number, seat: seat, start: start)
        if let best, price >= best.cost { continue }
        guard isWithinHours(seat, slots), board.seats[seat].isFree(slots), isPatientFree(number, slots),
          let units = freeUnits(for: number, slots, board), board.leavesRoomForBreaks(seat, taking: slots)
        else { continue }
        best = Move(booking: number, seat: seat, slots: slots, units: units, cost: price)
      }
    }
    return best
  }

  private func isPatientFree(_ number: Int, _ slots: Range<Int>) -> Bool {
    let own = board.bookings[number].appointment
    return !board.slots(ofPatient: own.patientID, but: own.id).contains { $0.overlaps(slots) }
  }

  private func isWithinHours(_ seat: Int, _ slots: Range<Int>) -> Bool {
    board.seats[seat].available.contains { $0.lowerBound <= slots.lowerBound && slots.upperBound <= $0.upperBound }
  }

  /// Clinicians who may take a booking over.
  private func others(_ number: Int) -> [Int] {
    let booking = board.bookings[number]
    guard let seat = booking.seat, board.wish(of: booking.appointment.id)?.keepsClinician != true,
      let request = details[booking.appointment.id]
    else { return [] }
    let need = rules.visits.need(request.visitType)
    let roles = need.roles
    let today = board.date(of: booking.appointment.start)
    let own = rules.match(board.seats[seat].member, request)
    return board.seats.indices.filter { other in
      other != seat && roles.contains(board.seats[other].member.role)
        && board.credentials.problem(board.seats[other].member, need, on: today) == nil
        && rules.match(board.seats[other].member, request) >= own - rules[.moveMatchTolerance] - 1e-9
    }
  }

  /// Free units of the kinds that a booking holds now, its own first; only its own where it is to keep them.
  private func freeUnits(for number: Int, _ slots: Range<Int>, _ board: DayBoard) -> [Int]? {
    let booking = self.board.bookings[number]
    let kinds = booking.units.map { board.units[$0].resource.kind }
    guard let units = board.freeUnits(of: kinds, for: slots, preferring: booking.units) else { return nil }
    let keeps = board.wish(of: booking.appointment.id)?.keepsRooms == true
    return keeps && Set(units) != Set(booking.units) ? nil : units
  }

  private func cost(_ number: Int, seat: Int, start: Int) -> Int {
    let booking = board.bookings[number]
    let shift = abs(start - booking.pieces[0].lowerBound)
    return rules.amount(.moveCost) + shift * rules.amount(.moveCostPerSlot)
      + (seat == booking.seat ? 0 : rules.amount(.otherClinicianCost))
  }
}
