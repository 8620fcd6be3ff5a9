import Clinical

/// Taking bookings off the board and putting visits on it, to see what would happen.
extension DayBoard {
  /// The starts that a booked visit may move to, its own among them: the owner is told in time, and comes when they can.
  /// `reach` is in minutes, either way.
  func moveWindow(
    _ start: Int, _ wish: AppointmentOptions?, _ rules: SchedulingRules, now: Timestamp, reach: Int
  ) -> ClosedRange<Int> {
    if wish?.keepsTime == true { return start...start }
    let reach = Self.slots(reach, of: grid.slotMinutes)
    let stretch = grid.stretches.last { $0.firstSlot <= start }
    let noticed = grid.firstSlot(from: now.adding(minutes: Int(rules[.noticeMinutes])))
    var lowest = min(start, max(noticed, start - reach, stretch?.firstSlot ?? 0))
    var highest = max(start, min(start + reach, (stretch.map { $0.firstSlot + $0.slots } ?? grid.count) - 1))
    if let window = wish?.window {
      lowest = min(start, max(lowest, grid.firstSlot(from: window.lowerBound)))
      highest = max(start, min(highest, grid.firstSlot(from: window.upperBound) - 1))
    }
    return lowest...highest
  }

  /// Takes a booking off the board: its clinician and rooms are free unless others have them too.
  mutating func lift(_ number: Int, others: Set<Int>) {
    let booking = bookings[number]
    release(booking)
    guard let seat = booking.seat else { return }
    for piece in booking.away {
      for slot in piece {
        let isTaken = others.contains { other in
          other != number && bookings[other].seat == seat && bookings[other].away.contains { $0.contains(slot) }
        }
        setBusy(seat, slot, isTaken)
      }
    }
  }

  /// Puts a visit on the board.
  mutating func put(seat: Int, _ slots: Range<Int>, units: [Int]) {
    for slot in slots { setBusy(seat, slot, true) }
    occupy(units: units, slots)
  }

  /// The bookings that are in the way of a visit of a clinician.
  func blockers(ofSeat seat: Int, _ slots: Range<Int>, among: Set<Int>) -> [Int] {
    among.filter { number in
      bookings[number].seat == seat && bookings[number].away.contains { $0.overlaps(slots) }
    }.sorted()
  }

  /// The fewest bookings that have to leave a room for a visit to fit in, cleaning included.
  ///
  /// Slot by slot, as long as one too many is in the room, the one that stays longest goes: no other choice needs fewer.
  func blockers(ofUnit unit: Int, _ slots: Range<Int>, among: Set<Int>) -> [Int] {
    let capacity = units[unit].resource.capacity
    let wanted = slots.lowerBound..<(slots.upperBound + units[unit].cleaning)
    var held = among.filter { bookings[$0].units.contains(unit) }.map { (number: $0, slots: occupation($0, of: unit)) }
    held = held.filter { booking in booking.slots.contains { $0.overlaps(wanted) } }
    held.sort { ($0.slots.last?.upperBound ?? 0, $0.number) < ($1.slots.last?.upperBound ?? 0, $1.number) }
    var leaving: [Int] = []
    for slot in wanted {
      while held.count(where: { $0.slots.contains { $0.contains(slot) } }) >= max(1, capacity) {
        guard let last = held.lastIndex(where: { $0.slots.contains { $0.contains(slot) } }) else { break }
        leaving.append(held.remove(at: last).number)
      }
    }
    return leaving.sorted()
  }

  /// The slots a booking has of a room, cleaning included.
  private func occupation(_ number: Int, of unit: Int) -> [Range<Int>] {
    let time = bookings[number].time
    return grid.touched(
      by: time.lowerBound..<time.upperBound.adding(minutes: max(0, units[unit].resource.cleaningMinutes)))
  }
}
