public import Clinical
import Store

/// A change that was taken back or made again.
public struct PlanRevert: Sendable {
  /// The change meant.
  public let entry: PlanEntry
  /// The appointments as they are now.
  public let appointments: [Appointment]
  /// The plan's version since; nil after a dry run.
  public let version: Int64?
}

/// What differs between two versions of the plan.
public struct PlanDifference: Sendable {
  public struct Row: Sendable {
    public let appointmentID: String
    public let patient: Patient?
    /// Nil where it was not there yet.
    public let before: PlanState?
    public let after: PlanState

    /// booked, cancelled (or another word for what no longer stands), moved or changed
    public var kind: String {
      guard let before else { return after.status.occupiesTime ? "booked" : after.status.rawValue }
      if before.status.occupiesTime != after.status.occupiesTime {
        return after.status.occupiesTime ? "booked" : after.status.rawValue
      }
      if before.status != after.status { return after.status == .cancelled ? after.status.rawValue : "changed" }
      return before.hasSamePlace(as: after) ? "changed" : "moved"
    }
  }

  public let from: Int64
  public let to: Int64
  /// In order of the time after, then of id.
  public let rows: [Row]
}

extension Practice.Calendar {
  /// The plan's version: it grows with every change.
  package func planVersion() throws -> Int64 { try reading { try connection.plan.version() } }

  /// The latest changes of the plan, the newest first.
  package func planLog(limit: Int) throws -> [PlanEntry] {
    try reading {
      let version = try connection.plan.version()
      return try connection.plan.entries(after: max(0, version - Int64(limit))).reversed()
    }
  }

  /// Takes the latest change of the plan back that is in force, whoever made it and whenever.
  ///
  /// - Throws: ``PracticeError`` with `slotUnavailable` when time that it gave up was taken since, an appointment was
  ///   changed since, or a visit has begun meanwhile; with `failed` when there is nothing to undo.
  package func undo(now: Timestamp, isDryRun: Bool = false) throws -> PlanRevert {
    try revert(.undo, now: now, isDryRun: isDryRun)
  }

  /// Makes the change again that was taken back last, unless the plan was changed since.
  ///
  /// - Throws: as ``undo(now:isDryRun:)``.
  package func redo(now: Timestamp, isDryRun: Bool = false) throws -> PlanRevert {
    try revert(.redo, now: now, isDryRun: isDryRun)
  }

  private func revert(_ kind: PlanEntry.Kind, now: Timestamp, isDryRun: Bool) throws -> PlanRevert {
    var target: PlanEntry?
    let version = try reading { () throws -> Int64? in
      let stacks = PlanStacks(try connection.plan.outline())
      return kind == .undo ? stacks.done.last : stacks.undone.last
    }
    guard let version else {
      throw PracticeError(
        .failed, kind == .undo ? "there is nothing to undo" : "there is nothing to redo",
        hint: "Maybe look at: vetnet schedule log")
    }
    let changed = try changingPlan(kind, now: now, reverts: version, isDryRun: isDryRun) { recorder -> [Appointment] in
      let stacks = PlanStacks(try connection.plan.outline())
      guard let entry = try connection.plan.entry(version: version),
        (kind == .undo ? stacks.done.last : stacks.undone.last) == version
      else { throw PracticeError(.locked, "the plan was changed meanwhile", hint: "Maybe look again and repeat.") }
      target = entry
      let states = try entry.rows.map { (row: $0.rowID, state: try state(for: $0, kind, now: now)) }
      do {
        try apply(states, recorder: recorder)
      } catch let taken as SlotTaken {
        let moment = timeZone.describe(TimeSlots.start(of: taken.slot))
        throw PracticeError(
          .slotUnavailable,
          "can't \(kind.rawValue): the slot at \(moment) was taken since\(taken.appointmentID.map { " by \($0)" } ?? "")",
          hint: "Maybe move that one first: vetnet schedule move \(taken.appointmentID ?? "ID") --at TIME")
      }
      return try entry.rows.compactMap { try connection.appointments.appointment(row: $0.rowID)?.value }
    }
    guard let target else { throw PracticeError(.failed, "plan change \(version) is gone") }
    return PlanRevert(entry: target, appointments: changed.value, version: changed.version)
  }

  /// What an appointment is to become, provided it is what the change left.
  private func state(for row: PlanEntry.Row, _ kind: PlanEntry.Kind, now: Timestamp) throws -> PlanState {
    guard let stored = try connection.appointments.appointment(row: row.rowID) else {
      throw PracticeError(.slotUnavailable, "can't \(kind.rawValue): \(row.appointmentID) is gone")
    }
    let gone = row.after.with(status: .cancelled)
    let (expected, wanted) = kind == .undo ? (row.after, row.before ?? gone) : (row.before ?? gone, row.after)
    let options = try expected.options.map { _ in try connection.appointments.options(row: row.rowID) }
    guard PlanState(stored.value, options: options) == expected else {
      throw PracticeError(
        .slotUnavailable, "can't \(kind.rawValue): \(row.appointmentID) was changed since",
        hint: "Maybe compare: vetnet schedule diff")
    }
    try requireAhead(expected, wanted, row.appointmentID, kind, now: now)
    if wanted.status.occupiesTime, wanted.start < now, wanted.start != expected.start || !expected.status.occupiesTime {
      throw PracticeError(
        .slotUnavailable,
        "can't \(kind.rawValue): \(timeZone.describe(wanted.start)), where \(row.appointmentID) would go, has passed")
    }
    return wanted
  }

  /// What has happened can't be taken back: refuses to touch a visit that is over, and to take one from its time that
  /// has begun.
  private func requireAhead(
    _ state: PlanState, _ wanted: PlanState, _ id: String, _ kind: PlanEntry.Kind, now: Timestamp
  ) throws {
    guard state.status.occupiesTime, state.start < now else { return }
    let stays = wanted.status.occupiesTime && wanted.start == state.start && wanted.clinicianID == state.clinicianID
    guard state.end <= now || !stays else { return }
    let verb = state.end <= now ? "has passed" : "has begun"
    throw PracticeError(
      .slotUnavailable, "can't \(kind.rawValue): \(id), which stands at \(timeZone.describe(state.start)), \(verb)",
      hint: "Maybe change single appointments: vetnet schedule move ID, or cancel ID.")
  }

  /// Who moved between two versions of the plan: from when to when, with whom and where.
  ///
  /// - Parameters:
  ///   - first: the older version; nil for the one before the latest change.
  ///   - last: the newer version; nil for the latest.
  /// - Returns: the appointments that differ, as VetNet's own changes left them.
  /// - Throws: ``PracticeError`` for versions that the plan never had.
  package func planDifference(from first: Int64?, to last: Int64?) throws -> PlanDifference {
    try reading {
      let latest = try connection.plan.version()
      let to = last ?? latest
      let from = first ?? max(0, to - 1)
      guard (0...latest).contains(from), (0...latest).contains(to), from <= to else {
        throw PracticeError(
          .invalidArgument, "the plan has the versions 0 to \(latest), and \(from) to \(to) is not among them",
          hint: "The older one comes first.")
      }
      var before: [Int64: PlanState?] = [:]
      var rows: [Int64: (id: String, after: PlanState)] = [:]
      for entry in try connection.plan.entries(after: from, through: to) {
        for row in entry.rows {
          if before[row.rowID] == nil { before[row.rowID] = .some(row.before) }
          rows[row.rowID] = (row.appointmentID, row.after)
        }
      }
      let changed = try rows.compactMap { row, value -> PlanDifference.Row? in
        let old = before[row] ?? nil
        if old == value.after { return nil }
        let patientID = try connection.appointments.appointment(row: row)?.value.patientID
        return PlanDifference.Row(
          appointmentID: value.id, patient: try patientID.flatMap { try practice.records.registered($0) }, before: old,
          after: value.after)
      }
      return PlanDifference(
        from: from, to: to,
        rows: changed.sorted { ($0.after.start, $0.appointmentID) < ($1.after.start, $1.appointmentID) })
    }
  }
}

/// Which changes are in force, and which were taken back and can be made again.
struct PlanStacks {
  private(set) var done: [Int64] = []
  private(set) var undone: [Int64] = []

  init(_ outline: [(version: Int64, kind: PlanEntry.Kind, reverts: Int64?)]) {
    for entry in outline {
      switch entry.kind {
      case .undo:
        done.removeAll { $0 == entry.reverts }
        if let reverted = entry.reverts { undone.append(reverted) }
      case .redo:
        undone.removeAll { $0 == entry.reverts }
        if let reverted = entry.reverts { done.append(reverted) }
      case .book, .move, .cancel, .optimize, .emergency, .set:
        done.append(entry.version)
        undone = []
      }
    }
  }
}

extension PlanState {
  /// The same with another status.
  func with(status: Appointment.Status) -> PlanState {
    PlanState(
      status: status, start: start, minutes: minutes, clinicianID: clinicianID, resourceIDs: resourceIDs,
      visitType: visitType, options: options)
  }
}
