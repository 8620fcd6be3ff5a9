import Clinical
import Glibc

/// Makes realistic instances of any size, the same for the same seed.
///
///     let instance = try InstanceGenerator(vets: 10, jobs: 60, days: 1).make(seed: 7)
///
/// Days and weeks as a referral practice has them: emergencies among booked visits, clinicians with different skills,
/// rooms and equipment with cleaning, visits in two parts, appointments already made. Durations are scaled so that all
/// visits together fill the share ``load`` of the clinicians' hours.
public struct InstanceGenerator: Hashable, Sendable {
  public let vets: Int
  public let jobs: Int
  public let days: Int
  /// Share of the clinicians' hours that the visits would fill, each at its average length.
  public let load: Double
  /// Share of the visits that are already booked with clinician and time.
  public let pinnedShare: Double

  static let slotMinutes = 5
  static let dayLength = 156
  static let openSlots = 144
  static let lastStart = 138
  private static let planQuantile = 0.7
  /// The 0.7 quantile of the standard normal distribution.
  private static let planDeviation = 0.524400512708041
  /// How much longer than at a perfect match a case takes at no match at all.
  private static let unfamiliarity = 0.2

  /// - Precondition: 1…500 vets, 0…20,000 jobs, 1…60 days, a load in 0.05…2.
  public init(vets: Int, jobs: Int, days: Int, load: Double = 0.85, pinnedShare: Double = 0.1) {
    precondition((1...500).contains(vets), "\(vets) vets")
    precondition((0...20_000).contains(jobs), "\(jobs) jobs")
    precondition((1...60).contains(days), "\(days) days")
    precondition((0.05...2).contains(load), "a load of \(load)")
    self.vets = vets
    self.jobs = jobs
    self.days = days
    self.load = load
    self.pinnedShare = pinnedShare
  }

  /// A visit before its length is known.
  struct Draft {
    var urgency: CaseMix.Urgency?
    var specialty: CaseMix.Specialty
    var complexity: Int
    var minutes: Double
    var sigma: Double
    var pools: [Int]
    /// The number of the visit that comes first.
    var after: Int?
    var candidates: [(vet: Int, match: Double)]
    var preferred: Int
  }

  /// - Throws: ``SchedulingError`` where the numbers leave the limits of an ``Instance``.
  public func make(seed: UInt64) throws(SchedulingError) -> Instance {
    var random = SplitMix64(seed: seed)
    let staff = makeStaff(&random)
    let drafts = makeDrafts(staff, &random)
    let available = staff.reduce(0) { $0 + $1.available.reduce(0) { $0 + $1.count } - $1.breaks.count * 6 }
    let demand = drafts.reduce(0.0) { $0 + meanSlots($1, staff) }
    let scale = demand > 0 ? load * Double(available) / demand : 1
    let vets = staff.map { vet in
      let own = vet.available.reduce(0) { $0 + $1.count }
      let threshold = Int(Double(own) * min(1, load))
      return Instance.Vet(
        id: vet.id, speed: vet.speed, skills: vet.skills, available: vet.available, breaks: vet.breaks, t1: threshold,
        t2: min(own, Int(Double(own) * load * 1.2)))
    }
    var made: [Instance.Job] = []
    for (number, draft) in drafts.enumerated() {
      made.append(job(draft, number: number, scale: scale, vets: vets, before: draft.after.map { made[$0] }, &random))
    }
    let open = try Instance(
      name: "practice-\(self.vets)x\(jobs)x\(days)-\(seed)", seed: Int(truncatingIfNeeded: seed & 0xFFFF_FFFF),
      slotMinutes: Self.slotMinutes, dayLength: Self.dayLength, openSlots: Self.openSlots, days: days,
      planQuantile: Self.planQuantile, balance: .init(c1: 60, c2: 120), pools: CaseMix.pools(vets: self.vets),
      vets: vets, jobs: made)
    return try pinning(open, &random)
  }

  private func meanSlots(_ draft: Draft, _ staff: [Instance.Vet]) -> Double {
    let factors = draft.candidates.map { staff[$0.vet].speed * (1 + Self.unfamiliarity * (1 - $0.match)) }
    let mean = factors.reduce(0, +) / Double(max(1, factors.count))
    return draft.minutes * exp(Self.planDeviation * draft.sigma) * mean / Double(Self.slotMinutes)
  }

  private func makeStaff(_ random: inout SplitMix64) -> [Instance.Vet] {
    let small = vets <= 12
    return (0..<vets).map { number in
      let primary = CaseMix.specialties[number % CaseMix.specialties.count].name
      var skills = ["general": random.rounded(0.5...0.95), "emergency": random.rounded(0.37...0.79)]
      let others = CaseMix.specialties.map(\.name).filter { $0 != "general" && $0 != "emergency" && $0 != primary }
      var left = (small ? 4 : 2) + random.below(2)
      for (index, name) in others.enumerated() where random.below(others.count - index) < left {
        skills[name] = random.rounded(0.44...0.76)
        left -= 1
      }
      skills[primary] = random.rounded(0.83...1)
      let shift = CaseMix.shifts[random.pick(CaseMix.shifts.map(\.share))].slots
      let off = days < 6 ? [] : random.few(1 + random.below(2), below: 6)
      var available: [Range<Int>] = []
      var breaks: [Instance.Break] = []
      for day in 0..<days where !off.contains(day % 7) && (days < 6 || day % 7 < 6) {
        let first = day * Self.dayLength + shift.lowerBound
        available.append(first..<(first + shift.count))
        if shift.count > 80 { breaks.append(.init(length: 6, start: (first + 36)...(first + 62))) }
      }
      return Instance.Vet(
        id: "V\(number + 1)", speed: random.rounded(0.88...1.13), skills: skills, available: available,
        breaks: breaks, t1: 0, t2: 0)
    }
  }

  private func makeDrafts(_ staff: [Instance.Vet], _ random: inout SplitMix64) -> [Draft] {
    let urgencyShares = CaseMix.urgencies.map { days == 1 ? $0.dayShare : $0.weekShare }
    var drafts: [Draft] = []
    while drafts.count < jobs {
      let chosen = random.pick(urgencyShares + [1 - urgencyShares.reduce(0, +)])
      let urgency = chosen < CaseMix.urgencies.count ? CaseMix.urgencies[chosen] : nil
      var specialty = CaseMix.specialties[
        random.pick(CaseMix.specialties.map { days == 1 ? $0.dayShare : $0.weekShare })]
      if chosen < 2, random.below(2) == 0, let emergency = CaseMix.specialties.last { specialty = emergency }
      if specialty.isMorningWork, drafts.count + 2 <= jobs, random.below(5) == 0, chosen >= 2,
        let imaging = CaseMix.specialties.first(where: { $0.name == "imaging" })
      {
        drafts.append(draft(imaging, urgency, staff, after: nil, &random))
        drafts.append(draft(specialty, urgency, staff, after: drafts.count - 1, &random))
      } else {
        drafts.append(draft(specialty, urgency, staff, after: nil, &random))
      }
    }
    return drafts
  }

  private func draft(
    _ specialty: CaseMix.Specialty, _ urgency: CaseMix.Urgency?, _ staff: [Instance.Vet], after: Int?,
    _ random: inout SplitMix64
  ) -> Draft {
    let complexity = 1 + random.pick(CaseMix.complexityShares)
    let growth = 1 + CaseMix.minutesPerLevel * Double(complexity - 1)
    let use = specialty.uses[random.pick(specialty.uses.map(\.share))]
    let least = CaseMix.leastMatch(complexity: complexity)
    var matches: [(vet: Int, match: Double)] = []
    for (number, vet) in staff.enumerated() {
      guard let skill = vet.skills[specialty.name] else { continue }
      matches.append((number, min(1, skill + random.rounded(-0.09...0.09)).hundredths))
    }
    var candidates = matches.filter { $0.match >= least }
    if candidates.isEmpty, let best = matches.max(by: { ($0.match, $1.vet) < ($1.match, $0.vet) }) {
      candidates = [best]
    }
    let isKnown = random.nextUnit() < 0.36 && !candidates.isEmpty
    return Draft(
      urgency: urgency, specialty: specialty, complexity: complexity,
      minutes: specialty.minutes * growth * (0.85 + 0.3 * random.nextUnit()), sigma: specialty.sigma,
      pools: use.pools, after: after, candidates: candidates,
      preferred: isKnown ? candidates[random.below(candidates.count)].vet : -1)
  }

  private func job(
    _ draft: Draft, number: Int, scale: Double, vets: [Instance.Vet], before: Instance.Job?, _ random: inout SplitMix64
  ) -> Instance.Job {
    let weight = draft.urgency?.weight ?? CaseMix.bookedWeight
    let minutes = draft.minutes * scale
    let reserved = minutes * exp(Self.planDeviation * draft.sigma)
    let candidates = draft.candidates.map { vet, match in
      let exact = reserved * vets[vet].speed * (1 + Self.unfamiliarity * (1 - match)) / Double(Self.slotMinutes)
      let known = vet == draft.preferred ? weight / 20 : 0
      return Instance.Candidate(
        vet: vet, match: match, slots: min(Self.openSlots, max(1, Int(exact.rounded(.up)))),
        bonus: Int((0.2 * Double(weight) * match).rounded()) + known)
    }
    let wait = before.map { ($0.candidates.map(\.slots).min() ?? 0) + 2 } ?? 0
    let time =
      draft.urgency.map { urgent($0, after: before, wait: wait, &random) }
      ?? booked(draft.specialty, after: before, &random)
    return Instance.Job(
      id: "A\(number + 1)", urgency: draft.urgency?.name ?? "book", specialty: draft.specialty.name,
      complexity: draft.complexity, p50: (minutes * 10).rounded() / 10, sigma: draft.sigma,
      patient: "P\((draft.after ?? number) + 1)", release: time.release, windows: time.windows, pools: draft.pools,
      base: weight * 3 / 4, p: time.p, q: time.q, e: time.e, l: time.l, l2: time.l2, preferredVet: draft.preferred,
      after: draft.after.map { .init(job: $0, lag: 2) }, candidates: candidates)
  }

  /// Books some visits: at a free start, with a clinician who can.
  private func pinning(_ instance: Instance, _ random: inout SplitMix64) throws(SchedulingError) -> Instance {
    let waiting = Set(instance.jobs.compactMap { $0.after?.job })
    let eligible = instance.jobs.indices.filter {
      let job = instance.jobs[$0]
      return job.urgency == "book" && job.after == nil && !waiting.contains($0) && !job.candidates.isEmpty
    }
    let count = Int((Double(jobs) * pinnedShare).rounded())
    let problem = SearchProblem(instance)
    var state = SearchState(problem)
    var pins: [Int: Placement] = [:]
    for position in random.few(min(count, eligible.count), below: eligible.count) {
      let index = eligible[position]
      let job = instance.jobs[index]
      let first = problem.candidateStart[index]
      let number = first + random.below(problem.candidateStart[index + 1] - first)
      let starts = job.windows.flatMap { Array($0) }
      for _ in 0..<8 {
        let start = starts[random.below(starts.count)]
        guard state.canPlace(index, candidate: number, start: start) else { continue }
        state.place(index, candidate: number, start: start)
        pins[index] = Placement(vet: problem.vet[number], start: start)
        break
      }
    }
    let jobs = instance.jobs.enumerated().map { $1.pinned(at: pins[$0]) }
    return try Instance(
      name: instance.name, seed: instance.seed, slotMinutes: instance.slotMinutes, dayLength: instance.dayLength,
      openSlots: instance.openSlots, days: instance.days, planQuantile: instance.planQuantile,
      balance: instance.balance, pools: instance.pools, vets: instance.vets, jobs: jobs)
  }
}

extension Instance.Job {
  /// The job with another pin, or none.
  func pinned(at pin: Placement?) -> Self {
    Self(
      id: id, urgency: urgency, specialty: specialty, complexity: complexity, p50: p50, sigma: sigma, patient: patient,
      release: release, windows: windows, pools: pools, base: base, p: p, q: q, e: e, l: l, l2: l2,
      preferredVet: preferredVet, after: after, pin: pin, candidates: candidates)
  }
}

extension Double {
  fileprivate var hundredths: Double { (self * 100).rounded() / 100 }
}

extension SplitMix64 {
  /// A number in the range, to two places.
  fileprivate mutating func rounded(_ range: ClosedRange<Double>) -> Double {
    (range.lowerBound + nextUnit() * (range.upperBound - range.lowerBound)).hundredths
  }

  /// An index, each as likely as its share of the sum.
  mutating func pick(_ shares: [Double]) -> Int {
    var rest = nextUnit() * shares.reduce(0, +)
    for (index, share) in shares.enumerated() {
      rest -= share
      if rest < 0 { return index }
    }
    return max(0, shares.count - 1)
  }

  /// `count` different numbers below a limit, in random order.
  fileprivate mutating func few(_ count: Int, below limit: Int) -> [Int] {
    var all = Array(0..<limit)
    for index in 0..<min(count, limit) { all.swapAt(index, index + below(limit - index)) }
    return Array(all.prefix(count))
  }
}
