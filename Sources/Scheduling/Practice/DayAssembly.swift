import Clinical

/// An instance in the making: pools from resources, vets from staff, jobs from bookings and requests.
struct DayAssembly {
  let board: DayBoard
  let rules: SchedulingRules
  let now: Timestamp
  /// Kinds in order; the pool of a kind has its place's number.
  let kinds: [String]
  private let pools: [Instance.Pool]
  private var vets: [Instance.Vet] = []
  private(set) var clinicianIDs: [String?] = []
  var jobs: [Instance.Job] = []
  private(set) var sources: [DayBuilder.Source] = []
  /// Where each job stands now.
  private(set) var placements: [Placement?] = []
  /// Job number to the booking it stands for.
  private(set) var bookingOfJob: [Int: Int] = [:]
  private(set) var modelOfJob: [Int: RequestModel] = [:]
  private var used: [[Int: Int]]
  /// Added to the worth of every movable booking, so that none is ever dropped for something else.
  private(set) var keepWorth = 0
  private(set) var movableJobs: [Int] = []
  private var built: DayBuilder.Result?

  init(board: DayBoard, rules: SchedulingRules, now: Timestamp) {
    self.board = board
    self.rules = rules
    self.now = now
    let usable = board.units.filter { $0.resource.capacity > 0 }
    kinds = Set(usable.map(\.resource.kind)).sorted()
    pools = kinds.map { kind in
      let units = usable.filter { $0.resource.kind == kind }
      return Instance.Pool(
        id: kind, capacity: units.reduce(0) { $0 + $1.resource.capacity }, cleaning: units.map(\.cleaning).max() ?? 0)
    }
    used = pools.map { _ in [:] }
    for seat in board.seats {
      let slots = seat.workingSlots
      vets.append(
        Instance.Vet(
          id: seat.member.id, skills: seat.member.skills, available: Self.open(seat, on: board), breaks: seat.breaks,
          t1: Int(Double(slots) * rules[.overtimeFirstShare]), t2: Int(Double(slots) * rules[.overtimeSecondShare])))
      clinicianIDs.append(seat.member.id)
    }
  }

  var result: DayBuilder.Result {
    guard let built else { preconditionFailure("finish(name:days:) comes before result") }
    return built
  }

  /// Working hours without the slots that irregular bookings take: only regular ones are jobs of the vet.
  private static func open(_ seat: DayBoard.Seat, on board: DayBoard) -> [Range<Int>] {
    var isRegular = Set<Int>()
    for booking in board.bookings where booking.isRegular {
      if let number = booking.seat, board.seats[number].member.id == seat.member.id {
        for piece in booking.pieces { isRegular.formUnion(piece) }
      }
    }
    var open: [Range<Int>] = []
    for stretch in seat.available {
      var start: Int?
      for slot in stretch {
        if !seat.isBusy[slot] || isRegular.contains(slot) {
          if start == nil { start = slot }
        } else if let first = start {
          open.append(first..<slot)
          start = nil
        }
      }
      if let first = start { open.append(first..<stretch.upperBound) }
    }
    return open
  }

  /// Pinned and movable jobs, in order of start.
  mutating func addBookings(movable: Set<String>, details: [String: VisitRequest]) {
    for (number, booking) in board.bookings.enumerated() {
      let appointment = booking.appointment
      guard booking.isRegular, let seat = booking.seat, let slots = booking.pieces.first else {
        for (part, piece) in booking.pieces.enumerated() where !booking.units.isEmpty {
          addOccupation(of: booking, piece, part: part)
        }
        continue
      }
      let pools = free(pools(of: booking), for: slots)
      let placement = Placement(vet: seat, start: slots.lowerBound)
      let mayMove =
        movable.contains(appointment.id) && appointment.status == .booked && appointment.start >= now
        && board.wish(of: appointment.id)?.keepsEverything != true
      bookingOfJob[jobs.count] = number
      if mayMove {
        movableJobs.append(jobs.count)
        jobs.append(movableJob(booking, at: placement, slots: slots.count, pools: pools, details[appointment.id]))
      } else {
        jobs.append(
          Instance.Job(
            id: "appointment \(appointment.id)", urgency: "book", patient: appointment.patientID ?? "",
            windows: [slots.lowerBound...slots.lowerBound], pools: pools, base: 0, p: slots.lowerBound,
            q: slots.lowerBound, e: 0, l: 0, l2: 0, pin: placement,
            candidates: [.init(vet: seat, match: 1, slots: slots.count, bonus: 0)]))
      }
      sources.append(.appointment(appointment.id))
      placements.append(placement)
    }
  }

  /// A booked visit that may move: best where it is, dearer the further away, with another clinician dearer still, and
  /// with one who fits it less dearer by that.
  private func movableJob(
    _ booking: DayBoard.Booking, at placement: Placement, slots: Int, pools: [Int], _ details: VisitRequest?
  ) -> Instance.Job {
    let wish = board.wish(of: booking.appointment.id)
    let loyalty = rules.amount(.otherClinicianCost)
    var candidates = [Instance.Candidate(vet: placement.vet, match: 1, slots: slots, bonus: loyalty)]
    if let details, wish?.keepsClinician != true {
      // It has its place: how urgent it was does not make a better match worth a move.
      var settled = details
      settled.urgency = nil
      let model = RequestModel(settled, on: board, rules: rules, now: now, quantile: rules.planQuantile)
      let own = rules.match(board.seats[placement.vet].member, details)
      let worth = model.weight.points * 100 * rules[.matchShare]
      candidates[0] = .init(
        vet: placement.vet, match: own, slots: slots, bonus: loyalty + Int((worth * own).rounded()))
      let least = own - rules[.moveMatchTolerance] - 1e-9
      for other in model.candidates
      where other.seat != placement.vet && other.match >= least && other.endSlot >= board.grid.count {
        candidates.append(
          .init(vet: other.seat, match: other.match, slots: slots, bonus: Int((worth * other.match).rounded())))
      }
    }
    return Instance.Job(
      id: "appointment \(booking.appointment.id)", urgency: "book", patient: booking.appointment.patientID ?? "",
      windows: [
        board.moveWindow(placement.start, wish, rules, now: now, reach: Int(rules[.moveWindowMinutes]))
      ], pools: pools, base: 0, p: placement.start, q: placement.start,
      e: rules.amount(.moveCostPerSlot), l: rules.amount(.moveCostPerSlot), l2: 0, preferredVet: placement.vet,
      candidates: candidates)
  }

  /// Rooms that an irregular booking holds, on a vet of its own who does nothing else.
  private mutating func addOccupation(of booking: DayBoard.Booking, _ slots: Range<Int>, part: Int) {
    let pools = free(pools(of: booking), for: slots)
    guard !pools.isEmpty else { return }
    let id = "occupation \(booking.appointment.id) \(part)"
    let placement = Placement(vet: vets.count, start: slots.lowerBound)
    vets.append(Instance.Vet(id: id, available: [slots], t1: slots.count, t2: slots.count))
    clinicianIDs.append(nil)
    jobs.append(
      Instance.Job(
        id: id, urgency: "book", windows: [slots.lowerBound...slots.lowerBound], pools: pools, base: 0,
        p: slots.lowerBound, q: slots.lowerBound, e: 0, l: 0, l2: 0, pin: placement,
        candidates: [.init(vet: placement.vet, match: 1, slots: slots.count, bonus: 0)]))
    sources.append(.occupation(booking.appointment.id))
    placements.append(placement)
  }

  private func pools(of booking: DayBoard.Booking) -> [Int] {
    Set(booking.units.compactMap { kinds.firstIndex(of: board.units[$0].resource.kind) }).sorted()
  }

  /// Those of the pools that have a unit left, which is then taken: an overbooked room must not make every plan fail.
  private mutating func free(_ wanted: [Int], for slots: Range<Int>) -> [Int] {
    wanted.filter { pool in
      let occupied = slots.lowerBound..<(slots.upperBound + pools[pool].cleaning)
      guard !occupied.contains(where: { used[pool][$0, default: 0] >= pools[pool].capacity }) else { return false }
      for slot in occupied { used[pool][slot, default: 0] += 1 }
      return true
    }
  }

  mutating func addRequests(_ requests: [VisitRequest]) {
    for request in requests {
      let model = RequestModel(
        SlotProposer.following(request, on: board), on: board, rules: rules, now: now, quantile: rules.planQuantile)
      var windows = model.starts(on: board.grid)
      if let latest = model.latest {
        windows = windows.compactMap { $0.lowerBound <= latest ? $0.lowerBound...min(latest, $0.upperBound) : nil }
      }
      modelOfJob[jobs.count] = model
      jobs.append(
        Instance.Job(
          id: "request \(request.id)", urgency: request.decidingUrgency?.rawValue ?? "book",
          specialty: request.specialty?.rawValue ?? "", p50: request.duration.p50, sigma: request.duration.sigma,
          patient: request.patientID ?? "", release: min(model.firstStart, board.grid.count), windows: windows,
          pools: model.resourceKinds.compactMap { kinds.firstIndex(of: $0) }, base: model.base, p: model.p, q: model.q,
          e: model.e, l: model.l, l2: model.l2,
          preferredVet: model.candidates.first { $0.isPreferred }?.seat ?? -1,
          // Somebody whose credential ends within the days that are planned is planned for none of them.
          candidates: model.candidates.filter { $0.endSlot >= board.grid.count }.map {
            .init(vet: $0.seat, match: $0.match, slots: $0.slots, bonus: $0.bonus)
          }))
      sources.append(.request(request.id))
      placements.append(nil)
    }
  }

  /// Makes the instance, with movable bookings worth more than everything that could be gained by dropping one.
  mutating func finish(name: String, days: Int) throws(SchedulingError) {
    let slots = max(1, board.grid.count)
    let gains = jobs.map { $0.base + ($0.candidates.map(\.bonus).max() ?? 0) }.reduce(0, +)
    let overtime = (rules.amount(.overtimeFirstCost) + rules.amount(.overtimeSecondCost)) * slots * vets.count
    let moves = movableJobs.count * rules.amount(.moveCostPerSlot) * slots
    keepWorth = movableJobs.isEmpty ? 0 : 1 + gains + overtime + moves
    for index in movableJobs { jobs[index] = jobs[index].withBase(keepWorth) }
    let dayLength = (slots + days - 1) / days
    let instance = try Instance(
      name: name, slotMinutes: board.grid.slotMinutes, dayLength: dayLength, openSlots: dayLength, days: days,
      planQuantile: rules.planQuantile,
      balance: .init(c1: rules.amount(.overtimeFirstCost), c2: rules.amount(.overtimeSecondCost)), pools: pools,
      vets: vets, jobs: jobs)
    guard let breaks = instance.breaks(around: placements) else {
      throw SchedulingError(.infeasible, field: "breaks", value: name, problem: "the bookings leave no room")
    }
    var booked = Plan(value: 0, upperBound: 0, jobs: placements, breaks: breaks, seconds: 0)
    booked.value = PlanValidator(instance: instance).report(on: booked).value
    built = DayBuilder.Result(
      instance: instance, grid: board.grid, clinicianIDs: clinicianIDs, sources: sources, conflicts: board.conflicts,
      booked: booked)
  }
}

extension Instance {
  /// Starts for all breaks around jobs that are placed so; nil when there is no room for one.
  func breaks(around jobs: [Placement?]) -> [Placement]? {
    var busy = vets.map { _ in Set<Int>() }
    for (job, placement) in zip(self.jobs, jobs) {
      guard let placement = job.pin ?? placement, let candidate = job.candidate(placement.vet) else { continue }
      busy[placement.vet].formUnion(placement.start..<(placement.start + candidate.slots))
    }
    var placed: [Placement] = []
    for (number, vet) in vets.enumerated() {
      let taken = busy[number]
      guard let starts = BreakArrangement.arrange(vet.breaks, isFree: { !$0.contains { taken.contains($0) } }) else {
        return nil
      }
      placed += starts.map { Placement(vet: number, start: $0) }
    }
    return placed
  }
}
