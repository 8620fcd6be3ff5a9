public import Clinical

/// Turns a practice's day, its bookings and its open requests into an ``Instance``.
public struct DayBuilder: Sendable {
  /// What a job of the instance stands for.
  public enum Source: Hashable, Sendable {
    case appointment(String)
    case request(String)
    /// Part of a booking that can't be a visit of its clinician, and holds rooms all the same.
    case occupation(String)
  }

  public struct Result: Sendable {
    public let instance: Instance
    public let grid: SlotGrid
    /// Vet number to staff id; nil for those that only hold rooms.
    public let clinicianIDs: [String?]
    /// Job number to what it stands for.
    public let sources: [Source]
    public let conflicts: [ScheduleConflict]
    /// The plan as it is booked, requests without a place.
    public let booked: Plan

    /// The moment a job begins where a plan puts it.
    public func start(of placement: Placement) -> Timestamp { grid.start(of: placement.start) }
  }

  /// A slot of the plan, in minutes; the practice file's occupied slots are of the same length.
  public static let slotMinutes = 5

  public let rules: SchedulingRules

  public init(rules: SchedulingRules) {
    self.rules = rules
  }

  /// The day as an instance, and the way back from slots to moments.
  ///
  /// - Parameters:
  ///   - day: staff, rooms and bookings.
  ///   - requests: visits that want a place; of two with one id the first counts.
  ///   - movable: ids of booked visits that may be moved; others, and what has begun, is pinned.
  ///   - now: nothing is placed before.
  /// - Returns: the instance with what its numbers stand for, and the plan as booked.
  /// - Throws: ``SchedulingError`` when a value can't be expressed, such as a negative capacity. Conflicts among the
  ///   bookings are not errors.
  public func build(
    _ day: PracticeDay, requests: [VisitRequest], movable: Set<String> = [], now: Timestamp
  ) throws(SchedulingError) -> Result {
    try assemble(day, requests: requests, movable: movable, now: now).result
  }

  /// The same with the board it was made from.
  func assemble(
    _ day: PracticeDay, requests: [VisitRequest], movable: Set<String>, now: Timestamp
  ) throws(SchedulingError) -> DayAssembly {
    let board = DayBoard(day, now: now, slotMinutes: Self.slotMinutes)
    var assembly = DayAssembly(board: board, rules: rules, now: now)
    var seen: Set<String> = []
    let open = requests.filter { request in
      seen.insert(request.id).inserted && !board.bookings.contains { $0.appointment.id == request.id }
    }
    let details = Dictionary(requests.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    assembly.addBookings(movable: movable, details: details)
    assembly.addRequests(open)
    assembly.addOrder()
    try assembly.finish(name: day.dates.min().map { "\($0)" } ?? "no day", days: max(1, Set(day.dates).count))
    return assembly
  }
}
