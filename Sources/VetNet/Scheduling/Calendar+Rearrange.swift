public import Clinical
public import Scheduling
import Store

/// Where one appointment is to stand.
public struct PlacedVisit: Hashable, Sendable, Codable {
  public var appointmentID: String
  public var start: Timestamp
  public var minutes: Int
  public var clinicianID: String
  public var resourceIDs: [String]

  public init(appointmentID: String, start: Timestamp, minutes: Int, clinicianID: String, resourceIDs: [String]) {
    self.appointmentID = appointmentID
    self.start = start
    self.minutes = minutes
    self.clinicianID = clinicianID
    self.resourceIDs = resourceIDs
  }

  public init(_ id: String, at visit: PlannedVisit) {
    self.init(
      appointmentID: id, start: visit.start, minutes: visit.minutes, clinicianID: visit.clinicianID,
      resourceIDs: visit.resourceIDs)
  }
}

/// Several appointments that were given their places as one change of the plan.
public struct Rearrangement: Sendable {
  public let changes: [BookChange]
  /// The plan's version after it; nil where nothing was written.
  public let version: Int64?
}

extension Practice.Calendar {
  /// Gives appointments the places of a proposal, all or none, as one change that one undo takes back. Each place is checked
  /// as a move to it would be, with the others where they are going.
  ///
  /// - Parameters:
  ///   - visits: who goes where; booked appointments and requests.
  ///   - version: of the plan that the proposal was made from; nil for whatever it is now.
  ///   - now: the present moment.
  ///   - isDryRun: whether it is taken back again.
  /// - Returns: each appointment as it was and is.
  /// - Throws: ``PracticeError`` with `changedMeanwhile` where the plan is another by now, and as for a move.
  package func rearrange(
    _ visits: [PlacedVisit], expecting version: Int64?, now: Timestamp, isDryRun: Bool = false
  ) throws -> Rearrangement {
    guard !visits.isEmpty, Set(visits.map(\.appointmentID)).count == visits.count else {
      throw PracticeError(.invalidArgument, "a proposal names each appointment once, and at least one")
    }
    let kind = visits.count == 1 ? PlanEntry.Kind.move : .optimize
    let changed = try changingPlan(kind, now: now, isDryRun: isDryRun) { recorder -> [BookChange] in
      if let version, try connection.plan.version() != version {
        throw PracticeError(
          .changedMeanwhile, "the plan was changed since this was proposed", hint: "Look at it again, then decide.")
      }
      let staff = try practice.workplace.staffNames()
      let before = try visits.map { visit in
        let stored = try storedAppointment(visit.appointmentID)
        guard stored.value.status == .booked || stored.value.status == .requested else {
          throw PracticeError(
            .failed, "appointment '\(visit.appointmentID)' is \(stored.value.status.rawValue) and can't be moved")
        }
        if staff[visit.clinicianID] == nil { throw unknownClinician(visit.clinicianID, staff) }
        return stored
      }
      // First everything that moves gives its time up, then each takes its new one.
      for stored in before {
        try recorder.watch(stored.rowID)
        if stored.value.status.occupiesTime {
          try connection.appointments.change(row: stored.rowID) { $0.status = .requested }
        }
      }
      return try zip(visits, before).map { visit, stored in
        var after = stored.value
        after.status = .booked
        after.start = visit.start
        after.durationMinutes = visit.minutes
        after.clinicianID = visit.clinicianID
        after.resourceIDs = visit.resourceIDs
        var draft = BookingDraft(
          appointment: after, version: stored.version,
          options: try connection.appointments.options(row: stored.rowID))
        draft.namesRooms = !visit.resourceIDs.isEmpty
        draft.keepsStart = stored.value.status == .booked && after.start == stored.value.start
        try requireFree(&after, draft, now: now)
        let value = try connection.appointments.change(row: stored.rowID) { $0 = after }.value
        return BookChange(appointment: value, before: stored.value, version: nil)
      }
    }
    return Rearrangement(changes: changed.value, version: changed.version)
  }
}
