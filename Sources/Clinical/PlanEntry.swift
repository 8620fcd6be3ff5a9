/// What an appointment was at one moment, as far as the plan is concerned.
public struct PlanState: Hashable, Sendable {
  public let status: Appointment.Status
  public let start: Timestamp
  public let minutes: Int
  public let clinicianID: String?
  public let resourceIDs: [String]
  public let visitType: VisitType?

  public init(_ appointment: Appointment) {
    self.init(
      status: appointment.status, start: appointment.start, minutes: appointment.durationMinutes,
      clinicianID: appointment.clinicianID, resourceIDs: appointment.resourceIDs, visitType: appointment.visitType)
  }

  public init(
    status: Appointment.Status, start: Timestamp, minutes: Int, clinicianID: String?, resourceIDs: [String],
    visitType: VisitType?
  ) {
    self.status = status
    self.start = start
    self.minutes = minutes
    self.clinicianID = clinicianID
    self.resourceIDs = resourceIDs
    self.visitType = visitType
  }
}

/// A change that was made to the plan.
public struct PlanEntry: Hashable, Sendable {
  public enum Kind: String, CaseIterable, Sendable { case book, move, cancel, optimize, emergency, undo, redo }

  /// One appointment before and after.
  public struct Row: Hashable, Sendable {
    /// Where it lies in the practice file.
    public let rowID: Int64
    public let appointmentID: String
    /// Nil where the change made the appointment.
    public let before: PlanState?
    public let after: PlanState

    public init(rowID: Int64, appointmentID: String, before: PlanState?, after: PlanState) {
      self.rowID = rowID
      self.appointmentID = appointmentID
      self.before = before
      self.after = after
    }
  }

  /// The plan's version once the change was made.
  public let version: Int64
  public let at: Timestamp
  public let kind: Kind
  /// The version of the change that this one takes back or makes again.
  public let reverts: Int64?
  /// In the order of the appointments' rows.
  public let rows: [Row]

  public init(version: Int64, at: Timestamp, kind: Kind, reverts: Int64?, rows: [Row]) {
    self.version = version
    self.at = at
    self.kind = kind
    self.reverts = reverts
    self.rows = rows
  }
}
