/// A visit: asked for, booked, under way or over.
public struct Appointment: Hashable, Sendable {
  public enum Status: String, CaseIterable, Codable, Sendable {
    case requested, booked, arrived
    case inProgress = "in_progress"
    case done, cancelled
    case noShow = "no_show"

    /// Whether an appointment in this state keeps its clinician and rooms from others.
    public var occupiesTime: Bool {
      switch self {
      case .booked, .arrived, .inProgress: true
      case .requested, .done, .cancelled, .noShow: false
      }
    }
  }

  public var id: String
  public var patientID: String?
  public var clinicianID: String?
  public var resourceIDs: [String]
  public var start: Timestamp
  /// As planned, in minutes; to the minute, whatever grid the schedule uses.
  public var durationMinutes: Int
  /// As it turned out, in minutes.
  public var actualMinutes: Double?
  public var visitType: VisitType?
  public var reason: String?
  public var status: Status

  public init(
    id: String, patientID: String? = nil, clinicianID: String? = nil, resourceIDs: [String] = [], start: Timestamp,
    durationMinutes: Int, actualMinutes: Double? = nil, visitType: VisitType? = nil, reason: String? = nil,
    status: Status = .booked
  ) {
    self.id = id
    self.patientID = patientID
    self.clinicianID = clinicianID
    self.resourceIDs = resourceIDs
    self.start = start
    self.durationMinutes = durationMinutes
    self.actualMinutes = actualMinutes
    self.visitType = visitType
    self.reason = reason
    self.status = status
  }

  /// The moment after the planned duration, cleaning not included.
  public var end: Timestamp { start.adding(minutes: durationMinutes) }
}
