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

    public init(weekday: Int, minutes: Range<Int>) {
      self.weekday = weekday
      self.minutes = minutes
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

  public var id: String
  public var name: String
  public var role: Role
  /// Specialty to competence, 0...1.
  public var skills: [String: Double]
  public var workingHours: [WorkingHours]
  public var breaks: [Break]
  public var leave: [Leave]

  public init(
    id: String, name: String, role: Role, skills: [String: Double] = [:], workingHours: [WorkingHours] = [],
    breaks: [Break] = [], leave: [Leave] = []
  ) {
    self.id = id
    self.name = name
    self.role = role
    self.skills = skills
    self.workingHours = workingHours
    self.breaks = breaks
    self.leave = leave
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

  public init(id: String, name: String, kind: String, capacity: Int = 1, cleaningMinutes: Int = 0) {
    self.id = id
    self.name = name
    self.kind = kind
    self.capacity = capacity
    self.cleaningMinutes = cleaningMinutes
  }
}
