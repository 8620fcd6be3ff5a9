public import Clinical

/// Who and what of a practice is free on a day for a visit of some length, and what keeps the others.
public struct FreeTime: Sendable {
  /// What keeps somebody or something from a visit at a moment.
  public enum Obstacle: Hashable, Sendable {
    case onLeave
    case notWorking
    /// Until when.
    case booked(Timestamp)
    /// Free, but not for the whole visit: until when.
    case tooShort(Timestamp)
    /// Their break would have no room.
    case needsBreak
    /// Has passed.
    case past
  }

  public struct Line: Sendable {
    public let id: String
    public let name: String
    /// A member of staff's role, or a room's kind.
    public let kind: String
    /// Stretches within which a visit can begin and end, in order.
    public let stretches: [Range<Timestamp>]
    /// At the moment that was asked about, nil where a visit can begin then; for a whole day, why somebody isn't there.
    public let obstacle: Obstacle?
    /// From the moment asked about on, until when it stays free; nil where it isn't.
    public let freeUntil: Timestamp?
  }

  /// Veterinarians and nurses, in the practice's order.
  public let people: [Line]
  public let rooms: [Line]

  /// Computes both for a day.
  ///
  /// Breaks count as taken only where a visit would leave them no room; rooms are cleaned after a visit.
  ///
  /// - Parameters:
  ///   - day: one day of the practice.
  ///   - open: opening hours to keep to; nil for whenever anybody works.
  ///   - moment: when the visit would begin; nil for any time of the day.
  ///   - minutes: its length, at least 1.
  ///   - now: nothing begins before.
  public init(
    _ day: PracticeDay, open: [Range<Timestamp>]?, at moment: Timestamp?, minutes: Int, now: Timestamp
  ) {
    precondition(minutes > 0, "a visit of \(minutes) minutes")
    let board = DayBoard(day, now: now, slotMinutes: DayBuilder.slotMinutes)
    let length = DayBoard.slots(minutes, of: DayBuilder.slotMinutes)
    let first = board.grid.firstSlot(from: now)
    let windows = open.map { $0.flatMap { board.grid.within($0) } }
    func isOpen(_ slots: Range<Int>) -> Bool {
      windows?.contains { $0.lowerBound <= slots.lowerBound && slots.upperBound <= $0.upperBound } ?? true
    }
    let visit = moment.map { $0..<$0.adding(minutes: minutes) }
    people = board.seats.enumerated().map { index, seat in
      let starts = seat.available.flatMap { stretch in
        (max(first, stretch.lowerBound)..<max(first, stretch.lowerBound, stretch.upperBound - length + 1)).filter {
          let slots = $0..<($0 + length)
          return isOpen(slots) && seat.isFree(slots) && board.leavesRoomForBreaks(index, taking: slots)
        }
      }
      let member = seat.member
      func obstacle(_ visit: Range<Timestamp>) -> Obstacle? {
        if visit.lowerBound < now { return .past }
        if member.isOnLeave(day.timeZone.date(of: visit.lowerBound)) { return .onLeave }
        guard SlotCheck.works(member, during: visit, in: day) else { return .notWorking }
        let slots = board.grid.touched(by: visit)
        if let booked = Self.booked(slots, by: { seat.isFree($0..<($0 + 1)) }, visit, board) { return booked }
        return slots.allSatisfy { board.leavesRoomForBreaks(index, taking: $0) } ? nil : .needsBreak
      }
      let absence: Obstacle? =
        seat.available.isEmpty ? (day.dates.allSatisfy(member.isOnLeave) ? .onLeave : .notWorking) : nil
      return Self.line(
        member.id, member.name, member.role.rawValue, starts, length, board, visit: visit, absence: absence,
        obstacle: obstacle)
    }
    let width = board.grid.count
    rooms = board.units.map { unit in
      let starts = (first..<max(first, width - length + 1)).filter {
        let slots = $0..<($0 + length)
        return isOpen(slots) && Self.isStretch(slots, board.grid)
          && unit.isFree(slots.lowerBound..<min(width, slots.upperBound + unit.cleaning))
      }
      func obstacle(_ visit: Range<Timestamp>) -> Obstacle? {
        if visit.lowerBound < now { return .past }
        let slots = board.grid.touched(
          by: visit.lowerBound..<visit.upperBound.adding(minutes: unit.resource.cleaningMinutes))
        guard !slots.isEmpty else { return .notWorking }
        return Self.booked(slots, by: { unit.isFree($0..<($0 + 1)) }, visit, board)
      }
      return Self.line(
        unit.resource.id, unit.resource.name, unit.resource.kind, starts, length, board, visit: visit,
        absence: nil, obstacle: obstacle)
    }
  }

  /// Whether slots follow one another without closed hours between them.
  private static func isStretch(_ slots: Range<Int>, _ grid: SlotGrid) -> Bool {
    grid.stretches.contains { $0.firstSlot <= slots.lowerBound && slots.upperBound <= $0.firstSlot + $0.slots }
  }

  /// What is booked in the way of a visit: until when it lasts, or from when it begins.
  private static func booked(
    _ slots: [Range<Int>], by isFree: (Int) -> Bool, _ visit: Range<Timestamp>, _ board: DayBoard
  ) -> Obstacle? {
    let all = slots.flatMap { Array($0) }
    guard let taken = all.first(where: { !isFree($0) }) else { return nil }
    if taken != all.first { return .tooShort(board.grid.start(of: taken)) }
    var end = taken
    while end < board.grid.count, !isFree(end) { end += 1 }
    return .booked(board.grid.start(of: end - 1).adding(minutes: board.grid.slotMinutes))
  }

  private static func line(
    _ id: String, _ name: String, _ kind: String, _ starts: [Int], _ length: Int, _ board: DayBoard,
    visit: Range<Timestamp>?, absence: Obstacle?, obstacle: (Range<Timestamp>) -> Obstacle?
  ) -> Line {
    var runs: [Range<Int>] = []
    for start in starts {
      if let last = runs.last, start <= last.upperBound, Self.isStretch(last.lowerBound..<start + length, board.grid) {
        runs[runs.count - 1] = last.lowerBound..<(start + length)
      } else {
        runs.append(start..<(start + length))
      }
    }
    let stretches = runs.map {
      board.grid.start(
        of: $0.lowerBound)..<board.grid.start(of: $0.upperBound - 1).adding(
          minutes: board.grid.slotMinutes)
    }
    let found = visit.map(obstacle) ?? absence
    let until = visit.flatMap { visit in
      found == nil ? stretches.first { $0.contains(visit.lowerBound) }?.upperBound ?? visit.upperBound : nil
    }
    return Line(id: id, name: name, kind: kind, stretches: stretches, obstacle: found, freeUntil: until)
  }
}
