public import Clinical

/// A change of an appointment's wishes and limits; what is nil stays as it is.
public struct LimitsEdit: Hashable, Codable, Sendable {
  /// A new value, or none.
  public enum Edit<Value: Hashable & Codable & Sendable>: Hashable, Codable, Sendable {
    case set(Value)
    case clear

    var value: Value? { if case .set(let value) = self { value } else { nil } }
  }

  public var keepsTime: Bool?
  public var keepsClinician: Bool?
  public var keepsRooms: Bool?
  public var window: Edit<Range<Timestamp>>?
  public var afterID: Edit<String>?
  public var lagMinutes: Int?
  public var travelBefore: Int?
  public var travelAfter: Int?
  /// Where it is to be, by id.
  public var locationID: Edit<String>?

  public init() {}

  /// Whether it changes nothing.
  public var isEmpty: Bool { self == Self() }

  func apply(to options: inout AppointmentOptions) {
    if let keepsTime { options.keepsTime = keepsTime }
    if let keepsClinician { options.keepsClinician = keepsClinician }
    if let keepsRooms { options.keepsRooms = keepsRooms }
    if let window { options.window = window.value }
    if let afterID {
      options.afterID = afterID.value
      if afterID == .clear { options.lagMinutes = 0 }
    }
    if let lagMinutes { options.lagMinutes = lagMinutes }
    if let travelBefore { options.travelBefore = travelBefore }
    if let travelAfter { options.travelAfter = travelAfter }
    if let locationID { options.locationID = locationID.value }
  }
}
