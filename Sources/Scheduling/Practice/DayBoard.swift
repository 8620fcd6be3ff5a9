import Clinical

/// Who and what is taken when, on the grid of the practice's days: what proposals and plans are checked against.
struct DayBoard {
  struct Seat {
    let member: StaffMember
    /// Working hours, leave taken out.
    let available: [Range<Int>]
    var breaks: [Instance.Break]
    var isBusy: [Bool]
    /// Slots of booked work.
    var load: Int

    func isFree(_ slots: Range<Int>) -> Bool { !slots.contains { isBusy[$0] } }

    var workingSlots: Int {
      max(0, available.reduce(0) { $0 + $1.count } - breaks.reduce(0) { $0 + $1.length })
    }
  }

  struct Unit {
    let resource: Resource
    /// Slots of cleaning, rounded up.
    let cleaning: Int
    var used: [Int]

    func isFree(_ slots: Range<Int>) -> Bool { !slots.contains { used[$0] >= resource.capacity } }
  }

  /// An appointment on the grid.
  struct Booking {
    let appointment: Appointment
    /// From its start to its end, or until now where it runs over.
    let time: Range<Timestamp>
    /// Nil where the clinician is unknown.
    let seat: Int?
    /// The slots touched, in runs; more than one only across closed hours.
    let pieces: [Range<Int>]
    /// The slots its clinician is busy, the way there and back included.
    let away: [Range<Int>]
    /// Whether it lies in its clinician's hours and nobody else does: then it can be a pinned job.
    let isRegular: Bool
    let units: [Int]
  }

  let grid: SlotGrid
  private(set) var seats: [Seat] = []
  private(set) var units: [Unit]
  private(set) var bookings: [Booking] = []
  private(set) var conflicts: [ScheduleConflict] = []
  private let timeZone: PracticeTimeZone
  private let dates: [CalendarDate]
  private let options: [String: AppointmentOptions]
  private let elsewhere: Set<String>
  let credentials: CredentialCheck
  /// The location that it is of; nil for the whole practice.
  let here: String?

  /// Takes in staff, rooms and bookings; a visit in progress lasts at least until `now`.
  init(_ day: PracticeDay, now: Timestamp, slotMinutes: Int) {
    timeZone = day.timeZone
    options = day.options
    elsewhere = day.elsewhere
    here = day.here
    credentials = CredentialCheck(kept: day.credentialsKept)
    let dates = Array(Set(day.dates)).sorted()
    self.dates = dates
    var seen: Set<String> = []
    let staff = day.staff.filter {
      ($0.role == .veterinarian || $0.role == .nurse) && seen.insert($0.id).inserted
    }
    let hours = staff.map { member in
      dates.flatMap { date in day.hours(of: member, on: date).map { (date: date, time: $0.time) } }
    }
    let cleaning = day.resources.map { Self.slots($0.cleaningMinutes, of: slotMinutes) }
    grid = SlotGrid(
      open: hours.joined().map(\.time), slotMinutes: slotMinutes, tail: min(Instance.tail, cleaning.max() ?? 0))
    // A unit may still be cleaned when the grid has ended.
    let width = grid.count + Instance.tail
    var known: Set<String> = []
    units = zip(day.resources, cleaning).filter { known.insert($0.0.id).inserted }.map {
      Unit(resource: $0, cleaning: min(Instance.tail, $1), used: [Int](repeating: 0, count: width))
    }
    for (member, hours) in zip(staff, hours) {
      let available = Self.joined(hours.flatMap { grid.within($0.time) })
      var seat = Seat(
        member: member, available: available, breaks: [], isBusy: [Bool](repeating: false, count: width), load: 0)
      for date in Set(hours.map(\.date)).sorted() { seat.breaks += breaks(of: seat, on: date) }
      seats.append(seat)
    }
    for appointment in day.appointments.filter(\.status.occupiesTime).sorted(by: {
      ($0.start, $0.id) < ($1.start, $1.id)
    }) {
      book(appointment, now: now)
    }
    for index in seats.indices { dropImpossibleBreaks(of: index) }
  }

  func date(of moment: Timestamp) -> CalendarDate { timeZone.date(of: moment) }

  func midnight(of date: CalendarDate) -> Timestamp { timeZone.timestamp(of: date) }

  func wish(of appointment: String) -> AppointmentOptions? { options[appointment] }

  /// A stretch of local time on each of the days.
  func daily(_ minutes: Range<Int>) -> [Range<Timestamp>] { dates.compactMap { timeZone.time(minutes, on: $0) } }

  static func slots(_ minutes: Int, of slotMinutes: Int) -> Int { (max(0, minutes) + slotMinutes - 1) / slotMinutes }

  /// Stretches in order, those that overlap or touch made one.
  private static func joined(_ stretches: [Range<Int>]) -> [Range<Int>] {
    var joined: [Range<Int>] = []
    for stretch in stretches.sorted(by: { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }) {
      if let last = joined.last, stretch.lowerBound <= last.upperBound {
        joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, stretch.upperBound)
      } else {
        joined.append(stretch)
      }
    }
    return joined
  }

  /// The day's breaks as far as they fall into working hours; somebody who isn't there needs none.
  private func breaks(of seat: Seat, on date: CalendarDate) -> [Instance.Break] {
    seat.member.breaks.filter { $0.weekday == date.weekday && $0.minutes > 0 }.compactMap { pause in
      guard let window = timeZone.time(pause.window, on: date) else { return nil }
      let length = Self.slots(pause.minutes, of: grid.slotMinutes)
      let chances = grid.within(window).flatMap { run in seat.available.map { $0.clamped(to: run) } }
      guard let chance = chances.max(by: { $0.count < $1.count }), chance.count >= length else { return nil }
      return Instance.Break(length: length, start: chance.lowerBound...(chance.upperBound - length))
    }
  }

  private mutating func book(_ appointment: Appointment, now: Timestamp) {
    let isElsewhere = elsewhere.contains(appointment.id)
    func report(_ kind: ScheduleConflict.Kind, _ subject: String) {
      if isElsewhere { return }
      conflicts.append(ScheduleConflict(kind: kind, appointmentID: appointment.id, subjectID: subject))
    }
    let end = appointment.status == .inProgress ? max(appointment.end, now) : appointment.end
    guard appointment.start < end else { return }
    let time = appointment.start..<end
    let pieces = grid.touched(by: time)
    let wish = options[appointment.id]
    let travels = (wish?.travelBefore ?? 0) + (wish?.travelAfter ?? 0) > 0
    // A call elsewhere takes the clinician's time on the road as well, and is nothing that a plan could move.
    let away =
      travels
      ? grid.touched(
        by: start(appointment, minus: wish?.travelBefore ?? 0)..<end.adding(minutes: wish?.travelAfter ?? 0)) : pieces
    let seat = appointment.clinicianID.flatMap { id in seats.firstIndex { $0.member.id == id } }
    if let id = appointment.clinicianID, seat == nil, !pieces.isEmpty { report(.unknownClinician, id) }
    var isRegular = false
    if let seat {
      let member = seats[seat].member
      let isInHours =
        pieces.count == 1 && covers(time, pieces[0])
        && seats[seat].available.contains {
          $0.lowerBound <= pieces[0].lowerBound && pieces[0].upperBound <= $0.upperBound
        }
      let isAlone = away.allSatisfy { seats[seat].isFree($0) }
      if !pieces.isEmpty, !isInHours { report(.outsideWorkingHours, member.id) }
      if !isAlone { report(.doubleBooked, member.id) }
      isRegular = isInHours && isAlone && !travels && !isElsewhere
      for piece in away {
        for slot in piece { seats[seat].isBusy[slot] = true }
        if !isElsewhere { seats[seat].load += piece.count }
      }
    }
    var taken: [Int] = []
    for id in appointment.resourceIDs {
      guard let unit = units.firstIndex(where: { $0.resource.id == id }) else {
        if !pieces.isEmpty { report(.unknownResource, id) }
        continue
      }
      if taken.contains(unit) { continue }
      let occupied = occupied(time, cleaning: units[unit].resource.cleaningMinutes)
      if occupied.contains(where: { !units[unit].isFree($0) }) { report(.resourceOverbooked, id) }
      for piece in occupied { for slot in piece { units[unit].used[slot] += 1 } }
      taken.append(unit)
    }
    bookings.append(
      Booking(
        appointment: appointment, time: time, seat: seat, pieces: pieces, away: away, isRegular: isRegular, units: taken
      ))
  }

  private func start(_ appointment: Appointment, minus minutes: Int) -> Timestamp {
    appointment.start.adding(minutes: -max(0, minutes))
  }

  /// Whether the slots hold all of the time: false when part of it falls into closed hours.
  private func covers(_ time: Range<Timestamp>, _ slots: Range<Int>) -> Bool {
    grid.start(of: slots.lowerBound) <= time.lowerBound
      && time.upperBound <= grid.start(of: slots.upperBound - 1).adding(minutes: grid.slotMinutes)
  }

  /// A break that the bookings leave no room for would forbid every plan: it is reported and let go.
  private mutating func dropImpossibleBreaks(of index: Int) {
    let seat = seats[index]
    var kept: [Instance.Break] = []
    for pause in seat.breaks {
      if BreakArrangement.arrange(kept + [pause], isFree: { seat.isFree($0) }) != nil {
        kept.append(pause)
      } else {
        conflicts.append(ScheduleConflict(kind: .noBreak, appointmentID: nil, subjectID: seat.member.id))
      }
    }
    seats[index].breaks = kept
  }

  /// When a patient is booked for something else.
  func slots(ofPatient id: String?, but appointment: String) -> [Range<Int>] {
    guard let id else { return [] }
    return bookings.filter { $0.appointment.patientID == id && $0.appointment.id != appointment }.flatMap(\.pieces)
  }

  /// Whether a visit there leaves room for all of the clinician's breaks.
  func leavesRoomForBreaks(_ seat: Int, taking slots: Range<Int>) -> Bool {
    let seat = seats[seat]
    for group in BreakArrangement.groups(seat.breaks) {
      let breaks = group.map { seat.breaks[$0] }
      guard breaks.contains(where: { $0.reach.overlaps(slots) }) else { continue }
      let fits = BreakArrangement.arrange(breaks) { seat.isFree($0) && !$0.overlaps(slots) }
      if fits == nil { return false }
    }
    return true
  }

  /// A free unit of each kind for a visit, cleaning included, the first in the practice's order; nil when one is missing.
  ///
  /// Kinds the practice doesn't list are not asked for.
  func freeUnits(of kinds: [String], for slots: Range<Int>, preferring preferred: [Int] = []) -> [Int]? {
    var chosen: [Int] = []
    for kind in kinds where units.contains(where: { $0.resource.kind == kind }) {
      let order = preferred + units.indices.filter { !preferred.contains($0) }
      let unit = order.first { index in
        units[index].resource.kind == kind && !chosen.contains(index)
          && units[index].isFree(slots.lowerBound..<(slots.upperBound + units[index].cleaning))
      }
      guard let unit else { return nil }
      chosen.append(unit)
    }
    return chosen
  }

  mutating func setBusy(_ seat: Int, _ slot: Int, _ isBusy: Bool) { seats[seat].isBusy[slot] = isBusy }

  mutating func occupy(units chosen: [Int], _ slots: Range<Int>) {
    for unit in chosen {
      for slot in slots.lowerBound..<(slots.upperBound + units[unit].cleaning) { units[unit].used[slot] += 1 }
    }
  }

  /// Gives back the rooms of a booking that moves away.
  mutating func release(_ booking: Booking) {
    for unit in booking.units {
      for piece in occupied(booking.time, cleaning: units[unit].resource.cleaningMinutes) {
        for slot in piece { units[unit].used[slot] -= 1 }
      }
    }
  }

  private func occupied(_ time: Range<Timestamp>, cleaning: Int) -> [Range<Int>] {
    grid.touched(by: time.lowerBound..<time.upperBound.adding(minutes: max(0, cleaning)))
  }
}

extension PracticeTimeZone {
  /// Local minutes past midnight as moments; nil when they are no stretch of a day.
  func time(_ minutes: Range<Int>, on date: CalendarDate) -> Range<Timestamp>? {
    guard minutes.lowerBound >= 0, minutes.upperBound <= 1440, !minutes.isEmpty else { return nil }
    let start = timestamp(of: date, minuteOfDay: minutes.lowerBound)
    let end = timestamp(of: date, minuteOfDay: minutes.upperBound)
    return start < end ? start..<end : nil
  }
}
