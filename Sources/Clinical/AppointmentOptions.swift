/// What limits where an appointment may stand, beside its clinician's hours and everybody else's appointments.
public struct AppointmentOptions: Hashable, Sendable {
  /// A new plan leaves its time alone.
  public var keepsTime = false
  /// A new plan leaves its clinician alone.
  public var keepsClinician = false
  /// A new plan leaves its rooms alone.
  public var keepsRooms = false
  /// When the owner can come: starts from the lower bound up to, and not at, the upper.
  public var window: Range<Timestamp>?
  /// The appointment that has to be over first, such as the consultation before the scan.
  public var afterID: String?
  /// Minutes between that one's end and the start.
  public var lagMinutes = 0
  /// Minutes on the road before a call at a farm or a house; the clinician's time as well.
  public var travelBefore = 0
  /// Minutes on the road afterwards.
  public var travelAfter = 0
  /// As triaged; nil where nobody has.
  public var urgency: Urgency?
  /// When the case was heard of, for the time it has waited.
  public var receivedAt: Timestamp?
  /// Where it is to be; nil for where its clinician and rooms are.
  public var locationID: String?

  public init() {}

  /// Whether there is anything to remember.
  public var isEmpty: Bool { self == Self() }

  /// Whether a new plan has to leave the appointment where it is in every respect.
  public var keepsEverything: Bool { keepsTime && keepsClinician && keepsRooms }
}
