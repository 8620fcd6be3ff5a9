import Clinical

/// Plans that respect how people would like their days to be: what goes against that has a price, which the search can't see, as it
/// depends on what else is planned. So a plan is searched for again with what went against it made dearer or forbidden, and the
/// better of the two counts.
extension DayOptimizer {
  /// In how many rounds a better plan is looked for.
  private static let rounds = 3

  /// A visit of a plan that goes against its clinician's preferences.
  private struct Offence {
    let job: Int
    let vet: Int
    let isLate: Bool
    let amount: Int
  }

  func respectingPreferences(
    _ plan: Plan, _ assembly: DayAssembly, elapsed: () -> Double
  ) throws(SchedulingError) -> Plan {
    guard assembly.board.seats.contains(where: { !$0.member.load.isEmpty }), !assembly.modelOfJob.isEmpty else {
      return plan
    }
    let original = assembly.result.instance
    let booked = assembly.result.booked
    var best = plan
    var offences = self.offences(of: plan, assembly)
    var worth = plan.value - offences.reduce(0) { $0 + $1.amount }
    var jobs = original.jobs
    for _ in 0..<Self.rounds where !offences.isEmpty {
      for offence in offences {
        jobs[offence.job] = jobs[offence.job].avoiding(
          offence.vet, by: offence.amount, isLate: offence.isLate, at: best.jobs[offence.job]?.start)
      }
      let changed = try Instance(
        name: original.name, slotMinutes: original.slotMinutes, dayLength: original.dayLength,
        openSlots: original.openSlots, days: original.days, planQuantile: original.planQuantile,
        balance: original.balance, pools: original.pools, vets: original.vets, jobs: jobs)
      var other = try Solver(configuration: configuration).solve(changed, startingFrom: booked, elapsed: elapsed)
      let report = PlanValidator(instance: original).report(on: other)
      guard report.isFeasible, assembly.movableJobs.allSatisfy({ other.jobs[$0] != nil }) else { break }
      other.value = report.value
      other.upperBound = best.upperBound
      let found = self.offences(of: other, assembly)
      let value = other.value - found.reduce(0) { $0 + $1.amount }
      guard value > worth else { break }
      (best, offences, worth) = (other, found, value)
    }
    return best
  }

  /// Requests that a plan places against preferences, the last visits of a day being those beyond the number.
  private func offences(of plan: Plan, _ assembly: DayAssembly) -> [Offence] {
    let board = assembly.board
    let cost = LoadCost(rules: rules)
    var types: [Int: [CalendarDate: [VisitType?]]] = [:]
    var found: [Offence] = []
    let order = plan.jobs.indices.compactMap { job in plan.jobs[job].map { (job: job, place: $0) } }
      .sorted { ($0.place.start, $0.job) < ($1.place.start, $1.job) }
    for (job, place) in order where place.vet < board.seats.count {
      let start = board.grid.start(of: place.start)
      let date = board.date(of: start)
      let model = assembly.modelOfJob[job]
      let type =
        model.map { $0.request.visitType } ?? assembly.bookingOfJob[job].map {
          board.bookings[$0].appointment.visitType
        } ?? nil
      if let model, let candidate = model.candidates.first(where: { $0.seat == place.vet }) {
        let minutes = (candidate.slots - model.leading - model.trailing) * board.grid.slotMinutes
        let parts = cost.parts(
          board.seats[place.vet].member, type: type, minutes: minutes,
          minuteOfDay: start.minutes(since: board.midnight(of: date)), beside: types[place.vet]?[date] ?? [])
        for part in parts {
          found.append(Offence(job: job, vet: place.vet, isLate: part.isLate, amount: part.amount))
        }
      }
      types[place.vet, default: [:]][date, default: []].append(type)
    }
    return found
  }
}

extension Instance.Job {
  /// The job with a vet worth less for it, or, where it began too late, not then any more.
  fileprivate func avoiding(_ vet: Int, by amount: Int, isLate: Bool, at start: Int?) -> Self {
    let dearer = candidates.map { candidate in
      candidate.vet == vet && !isLate
        ? Instance.Candidate(
          vet: vet, match: candidate.match, slots: candidate.slots, bonus: max(0, candidate.bonus - amount)) : candidate
    }
    var left = windows
    if isLate, let start {
      left = windows.compactMap { window in
        window.lowerBound < start ? window.lowerBound...min(window.upperBound, start - 1) : nil
      }
    }
    return Self(
      id: id, urgency: urgency, specialty: specialty, complexity: complexity, p50: p50, sigma: sigma, patient: patient,
      release: release, windows: left.isEmpty ? windows : left, pools: pools, base: base, p: p, q: q, e: e, l: l,
      l2: l2,
      preferredVet: preferredVet, after: after, pin: pin, candidates: dearer)
  }
}
