/// What an appointment was at one moment, as far as the plan is concerned.
public struct PlanState: Hashable, Sendable {
  public let status: Appointment.Status
  public let start: Timestamp
  public let minutes: Int
  public let clinicianID: String?
  public let resourceIDs: [String]
  public let visitType: VisitType?
  /// Wishes and limits; nil where they were not recorded, or are to stay as they are.
  public let options: AppointmentOptions?

  public init(_ appointment: Appointment, options: AppointmentOptions? = nil) {
    self.init(
      status: appointment.status, start: appointment.start, minutes: appointment.durationMinutes,
      clinicianID: appointment.clinicianID, resourceIDs: appointment.resourceIDs, visitType: appointment.visitType,
      options: options)
  }

  public init(
    status: Appointment.Status, start: Timestamp, minutes: Int, clinicianID: String?, resourceIDs: [String],
    visitType: VisitType?, options: AppointmentOptions? = nil
  ) {
    self.status = status
    self.start = start
    self.minutes = minutes
    self.clinicianID = clinicianID
    self.resourceIDs = resourceIDs
    self.visitType = visitType
    self.options = options
  }

  /// When it ends, and the clinician is free again but for the way back.
  public var end: Timestamp { start.adding(minutes: minutes) }

  /// Whether both stand at the same time, with the same clinician, in the same rooms.
  public func hasSamePlace(as other: PlanState) -> Bool {
    (status, start, minutes, clinicianID, resourceIDs)
      == (other.status, other.start, other.minutes, other.clinicianID, other.resourceIDs)
  }
}

/// A change that was made to the plan.
public struct PlanEntry: Hashable, Sendable {
  public enum Kind: String, CaseIterable, Sendable { case book, move, cancel, optimize, emergency, set, undo, redo }

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
