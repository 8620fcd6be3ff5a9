package import Clinical
import Glibc
package import Scheduling
import Store

// Better plans for a day or a week.

extension Practice.Calendar {
  /// How often a plan is computed anew because the book changed meanwhile.
  static let planAttempts = 5

  /// Improves some days: places what is asked for, and moves booked visits where that gains more than it costs.
  ///
  /// The search holds no lock. What it found is written in one transaction, and only if nothing that it depends on has
  /// changed meanwhile; else it is computed anew from what is on file then.
  ///
  /// - Parameters:
  ///   - dates: the days, planned together.
  ///   - locationID: only at this location; nil for all, one after the other.
  ///   - limits: how long and how.
  ///   - now: the present moment; what has begun stays.
  ///   - isDryRun: shows the changes and writes nothing.
  ///   - meanwhile: called between planning and writing; for tests.
  /// - Returns: the plan, and whether it was written.
  /// - Throws: ``PracticeError`` with `locked` when the book changes each time.
  package func optimize(
    _ dates: [CalendarDate], locationID: String? = nil, limits: SearchLimits, now: Timestamp, isDryRun: Bool,
    meanwhile: () throws -> Void = {}
  ) throws -> DayPlan {
    do {
      for attempt in 1...Self.planAttempts {
        let material = try reading { try self.material(dates, locationID, now: now) }
        let began = Self.monotonicSeconds()
        let proposal = try DayOptimizer(rules: schedulingRules(), configuration: limits.configuration).optimize(
          material.day, requests: material.requests, movable: material.movable, now: now,
          isCancelled: { practice.door.stopSignal() != nil }
        ) { Self.monotonicSeconds() - began }
        if let signal = practice.door.stopSignal() {
          throw PracticeError(
            .stopped(signal: signal), "stopped by \(signal == SIGTERM ? "SIGTERM" : "Ctrl-C"); the plan is as it was",
            hint: "Maybe give it less time: --time-limit SECONDS.")
        }
        try meanwhile()
        var isWritten = false
        if !isDryRun, !proposal.changes.isEmpty {
          let written = try changingPlan(.optimize, now: now, isDryRun: false) { recorder -> Bool in
            guard try connection.plan.revision() == material.revision else { return false }
            try apply(proposal, recorder: recorder)
            return true
          }
          guard written.value else { continue }
          isWritten = true
        }
        return DayPlan(
          dates: dates, proposal: proposal, appointments: material.known, patients: material.patients,
          isWritten: isWritten, attempts: attempt, version: try planVersion())
      }
    } catch let error as SchedulingError {
      throw PracticeError(.failed, "\(error)")
    }
    throw PracticeError(
      .locked, "the book changed \(Self.planAttempts) times while the plan was computed", hint: "Maybe try again.")
  }

  private struct Material {
    let revision: Int64
    let day: PracticeDay
    let requests: [VisitRequest]
    let movable: Set<String>
    let known: [String: Appointment]
    let patients: [String: Patient]
  }

  private func material(_ dates: [CalendarDate], _ locationID: String?, now: Timestamp) throws -> Material {
    let revision = try connection.plan.revision()
    let whole = try practiceDay(dates)
    let day = locationID.map { whole.at($0) } ?? whole
    let open = try dates.flatMap { try openRequests(on: $0) }.map(\.value).filter { appointment in
      try appointment.patientID.flatMap { try practice.records.registered($0) }?.deceasedAt == nil
    }
    let movable = day.appointments.filter { appointment in
      appointment.status == .booked && appointment.start > now
        && (day.options[appointment.id]?.urgency ?? .blue) < .orange
    }
    // Who else could take a booking is known only when its case is.
    var requests = try (open + movable).map { try visitRequest(.appointment($0.id), now: now) }
    if !whole.sites.isEmpty {
      let placed = Dictionary(
        movable.map { ($0.id, whole.siteID(of: $0)) }, uniquingKeysWith: { first, _ in first })
      for index in requests.indices where requests[index].locationID == nil {
        let request = requests[index]
        requests[index].locationID =
          try placed[request.id] ?? practice.workplace.usualLocationID(of: request.patientID, before: now)
          ?? whole.sites.first?.id
      }
      requests.removeAll { locationID != nil && $0.locationID != locationID }
    }
    let known = (day.appointments + open).reduce(into: [String: Appointment]()) { $0[$1.id] = $1 }
    var patients: [String: Patient] = [:]
    for id in Set(known.values.compactMap(\.patientID)).sorted() { patients[id] = try practice.records.registered(id) }
    return Material(
      revision: revision, day: day, requests: requests, movable: Set(movable.map(\.id)), known: known,
      patients: patients)
  }

  /// All changes or none.
  private func apply(_ proposal: DayProposal, recorder: PlanRecorder) throws {
    let states = try proposal.changes.map { change in
      let stored = try storedAppointment(change.id)
      return (
        row: stored.rowID,
        state: PlanState(
          status: .booked, start: change.after.start, minutes: change.after.minutes,
          clinicianID: change.after.clinicianID, resourceIDs: change.after.resourceIDs,
          visitType: stored.value.visitType)
      )
    }
    try apply(states, recorder: recorder)
  }

  /// What reserving more or less of the predicted time would buy on a day: its visits planned afresh each time.
  package func reserveTradeOff(
    on date: CalendarDate, now: Timestamp, quantiles: [Double], seed: UInt64 = 1
  ) throws -> (current: Double, table: ReserveTradeOff) {
    try reading {
      let day = try practiceDay([date])
      let requests = try day.appointments.filter { $0.status.occupiesTime || $0.status == .requested }.map {
        try visitRequest(.appointment($0.id), now: now)
      }
      do {
        let rules = try schedulingRules()
        return (
          rules.planQuantile,
          try ReserveTradeOff(requests, on: day, rules: rules, quantiles: quantiles, seed: seed)
        )
      } catch let error as SchedulingError {
        throw PracticeError(.failed, "\(error)")
      }
    }
  }

  /// Makes a quantile the one that the practice's plans reserve.
  ///
  /// - Throws: ``PracticeError`` for one that lies not between 0.05 and 0.99.
  package func setPlanQuantile(_ quantile: Double) throws {
    guard quantile >= 0.05, quantile <= 0.99 else {
      throw PracticeError(.invalidArgument, "a share of \(quantile) can't be reserved", hint: "Give 0.05 to 0.99.")
    }
    try writing { try connection.settings.set(Setting.planQuantile, to: String(quantile)) }
  }
}
