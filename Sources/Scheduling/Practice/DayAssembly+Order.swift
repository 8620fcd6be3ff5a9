import Clinical

/// What comes before what.
extension DayAssembly {
  /// Puts the jobs of one patient, and what has to follow something else, one after the other.
  mutating func addOrder() {
    let wanted = board.bookings.compactMap { booking -> (id: String, first: String)? in
      board.wish(of: booking.appointment.id)?.afterID.map { (booking.appointment.id, $0) }
    }
    var jobOf: [String: Int] = [:]
    for (job, source) in sources.enumerated() {
      switch source {
      case .appointment(let id), .request(let id): jobOf[id] = job
      case .occupation: break
      }
    }
    for (id, first) in wanted {
      guard let job = jobOf[id], let before = jobOf[first] else { continue }
      let lag = DayBoard.slots(board.wish(of: id)?.lagMinutes ?? 0, of: board.grid.slotMinutes)
      link(job, after: before, lag: lag)
    }
    for (job, model) in modelOfJob.sorted(by: { $0.key < $1.key }) {
      guard let first = model.request.afterID, let before = jobOf[first] else { continue }
      link(job, after: before, lag: DayBoard.slots(model.request.lagMinutes, of: board.grid.slotMinutes))
    }
    orderPatients()
  }

  /// An animal is in one place at a time: its bookings in their order, then what is asked for.
  private mutating func orderPatients() {
    func day(_ slot: Int) -> Int { board.grid.stretches.lastIndex { $0.firstSlot <= slot } ?? 0 }
    let own = jobs.indices.filter { !jobs[$0].patient.isEmpty }
    for (_, group) in Dictionary(grouping: own, by: { jobs[$0].patient }).sorted(by: { $0.key < $1.key })
    where group.count > 1 {
      let order = group.sorted { left, right in
        let (a, b) = (placements[left], placements[right])
        if (a == nil) != (b == nil) { return a != nil }
        return (a?.start ?? jobs[left].p, left) < (b?.start ?? jobs[right].p, right)
      }
      for (first, second) in zip(order, order.dropFirst()) {
        // An unplaced request never stands in a booking's way; and one on another day is in nobody's.
        if placements[second] != nil, placements[first] == nil { continue }
        let (a, b) = (placements[first]?.start ?? jobs[first].p, placements[second]?.start ?? jobs[second].p)
        guard placements[second] == nil || day(a) == day(b), jobs[second].after == nil else { continue }
        if placements[second] == nil, day(a) != day(b) { continue }
        link(second, after: first, lag: 0)
      }
    }
  }

  /// Makes a job follow another where that can be: what is pinned stays, and what holds now keeps holding.
  private mutating func link(_ job: Int, after before: Int, lag: Int) {
    guard job != before, jobs[job].after == nil else { return }
    var current: Int? = before
    while let next = current {
      if next == job { return }
      current = jobs[next].after?.job
    }
    let length = jobs[before].candidates.map(\.slots).max() ?? 0
    if let here = placements[job] {
      // As it is booked it must hold, or the order was given up by hand.
      guard let there = placements[before], there.start + length + lag <= here.start else { return }
      if jobs[job].pin != nil {
        guard jobs[before].pin == nil else { return }
        jobs[before] = jobs[before].ending(by: here.start - lag - length)
        return
      }
    }
    jobs[job] = jobs[job].replacing(after: .init(job: before, lag: lag))
  }
}

extension Instance.Job {
  func withBase(_ base: Int) -> Self { replacing(base: base) }

  /// The same with nothing later than a start.
  func ending(by latest: Int) -> Self {
    replacing(
      windows: windows.compactMap { window in
        window.lowerBound <= latest ? window.lowerBound...min(window.upperBound, latest) : nil
      })
  }

  func replacing(
    base: Int? = nil, windows: [ClosedRange<Int>]? = nil, after: Instance.Predecessor? = nil
  ) -> Self {
    let (newBase, newWindows, newAfter) = (base ?? self.base, windows ?? self.windows, after ?? self.after)
    return Self(
      id: id, urgency: urgency, specialty: specialty, complexity: complexity, p50: p50, sigma: sigma, patient: patient,
      release: release, windows: newWindows, pools: pools, base: newBase, p: p, q: q, e: e, l: l, l2: l2,
      preferredVet: preferredVet, after: newAfter, pin: pin, candidates: candidates)
  }
}
