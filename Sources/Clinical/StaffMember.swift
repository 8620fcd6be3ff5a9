/// Somebody who works at the practice.
public struct StaffMember: Hashable, Sendable {
  public enum Role: String, CaseIterable, Codable, Sendable {
    case veterinarian, nurse, reception, administrator
  }

  /// A weekly stretch of work, in local wall-clock minutes past midnight.
  public struct WorkingHours: Hashable, Sendable {
    /// ISO 8601: 1 is Monday, 7 is Sunday.
    public var weekday: Int
    /// Half-open, within 0...1440.
    public var minutes: Range<Int>
    /// Where; nil for the practice's first location, or its only place.
    public var locationID: String?

    public init(weekday: Int, minutes: Range<Int>, locationID: String? = nil) {
      self.weekday = weekday
      self.minutes = minutes
      self.locationID = locationID
    }
  }

  /// A pause that floats: `minutes` long, beginning no earlier and ending no later than the window says.
  public struct Break: Hashable, Sendable {
    public var weekday: Int
    /// Local minutes past midnight between which the whole break lies.
    public var window: Range<Int>
    public var minutes: Int

    public init(weekday: Int, window: Range<Int>, minutes: Int) {
      self.weekday = weekday
      self.window = window
      self.minutes = minutes
    }
  }

  /// Days away, both ends included.
  public struct Leave: Hashable, Sendable {
    public var days: ClosedRange<CalendarDate>

    public init(days: ClosedRange<CalendarDate>) {
      self.days = days
    }
  }

  /// Something that somebody may do because they have shown that they can, such as `surgery` or `radiography`.
  public struct Credential: Hashable, Sendable {
    public var name: String
    /// The last day on which it holds; nil for as long as nobody says otherwise.
    public var expires: CalendarDate?

    public init(name: String, expires: CalendarDate? = nil) {
      self.name = name
      self.expires = expires
    }

    public func holds(on date: CalendarDate) -> Bool { expires.map { date <= $0 } ?? true }
  }

  /// How somebody would like their days to be; plans may go against it, at a cost.
  public struct LoadPreference: Hashable, Sendable {
    /// Visits of a type in a day, at most, by its name; `*` for visits of all types together.
    public var mostPerDay: [String: Int] = [:]
    /// Local minutes past midnight after which no long visit begins; nil for any time.
    public var latestLongStart: Int?
    /// Minutes from which on a visit is a long one.
    public var longMinutes = 60

    public init(mostPerDay: [String: Int] = [:], latestLongStart: Int? = nil, longMinutes: Int = 60) {
      self.mostPerDay = mostPerDay
      self.latestLongStart = latestLongStart
      self.longMinutes = longMinutes
    }

    /// Whether anything is preferred at all.
    public var isEmpty: Bool { mostPerDay.isEmpty && latestLongStart == nil }
  }

  public var id: String
  public var name: String
  public var role: Role
  /// Specialty to competence, 0...1.
  public var skills: [String: Double]
  public var workingHours: [WorkingHours]
  public var breaks: [Break]
  public var leave: [Leave]
  public var credentials: [Credential]
  public var load: LoadPreference

  public init(
    id: String, name: String, role: Role, skills: [String: Double] = [:], workingHours: [WorkingHours] = [],
    breaks: [Break] = [], leave: [Leave] = [], credentials: [Credential] = [], load: LoadPreference = LoadPreference()
  ) {
    self.id = id
    self.name = name
    self.role = role
    self.skills = skills
    self.workingHours = workingHours
    self.breaks = breaks
    self.leave = leave
    self.credentials = credentials
    self.load = load
  }

  public func isOnLeave(_ date: CalendarDate) -> Bool { leave.contains { $0.days.contains(date) } }
}

/// A room or a piece of equipment that appointments occupy, in `capacity` interchangeable units.
public struct Resource: Hashable, Sendable {
  public var id: String
  public var name: String
  /// `room`, `theatre`, `imaging`, or the practice's own word.
  public var kind: String
  public var capacity: Int
  /// Minutes the unit stays occupied after an appointment.
  public var cleaningMinutes: Int
  /// Where it is; nil for the practice's first location, or its only place.
  public var locationID: String?

  public init(
    id: String, name: String, kind: String, capacity: Int = 1, cleaningMinutes: Int = 0, locationID: String? = nil
  ) {
    self.id = id
    self.name = name
    self.kind = kind
    self.capacity = capacity
    self.cleaningMinutes = cleaningMinutes
    self.locationID = locationID
  }
}
