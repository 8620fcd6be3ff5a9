/// A place where a practice sees animals: with hours, days off and rooms of its own. A practice that has listed none is one place.
public struct Location: Hashable, Sendable {
  /// Days on which a location is closed, or open although its region has a public holiday.
  public struct Closure: Hashable, Sendable {
    public var days: ClosedRange<CalendarDate>
    /// Whether it is open then, whatever public holiday it is.
    public var isOpen: Bool
    /// Such as "stocktaking"; nil where nobody said why.
    public var reason: String?

    public init(days: ClosedRange<CalendarDate>, isOpen: Bool = false, reason: String? = nil) {
      self.days = days
      self.isOpen = isOpen
      self.reason = reason
    }
  }

  public var id: String
  public var name: String
  public var address: String?
  /// Whose public holidays close it, as `Models/scheduling/public-holidays.tsv` names regions; nil for none.
  public var region: String?
  /// When it is open; none for whenever somebody works.
  public var hours: [StaffMember.WorkingHours]
  public var closures: [Closure]

  public init(
    id: String, name: String, address: String? = nil, region: String? = nil, hours: [StaffMember.WorkingHours] = [],
    closures: [Closure] = []
  ) {
    self.id = id
    self.name = name
    self.address = address
    self.region = region
    self.hours = hours
    self.closures = closures
  }
}
