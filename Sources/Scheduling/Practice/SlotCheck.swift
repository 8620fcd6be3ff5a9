public import Clinical

/// Says whether a visit can stand where somebody wants it: what booking, moving and explaining have in common.
///
///     let verdict = SlotCheck(rules: rules).verdict(on: visit, for: request, in: day, now: now)
///     verdict.isFree  // or verdict.obstacles says why not
public struct SlotCheck: Sendable {
  public let rules: SchedulingRules

  public init(rules: SchedulingRules) {
    self.rules = rules
  }

  /// Everything that forbids the visit, not only the first thing found.
  ///
  /// - Parameters:
  ///   - visit: who, when and for how long; no rooms for one of each kind that the visit type needs.
  ///   - request: what it is for: patient, visit type, owner's window, order and travel.
  ///   - day: the days around it; the request's own appointment is left out of account.
  ///   - now: nothing can be booked before.
  /// - Returns: the obstacles, and the smallest set of appointments in the way.
  public func verdict(
    on visit: PlannedVisit, for request: VisitRequest, in day: PracticeDay, now: Timestamp
  ) -> SlotVerdict {
    if day.hasSeveralPlaces, let id = day.siteID(for: visit, request) {
      return verdict(on: visit, for: request, in: day.at(id, keeping: visit.clinicianID), of: day, now: now)
    }
    return verdict(on: visit, for: request, in: day, of: day, now: now)
  }

  /// What speaks against a visit that stands in the book, whatever else is booked: its location is closed, its clinician isn't
  /// there, or may not do it.
  public func misfits(of visit: PlannedVisit, for request: VisitRequest, in whole: PracticeDay) -> [SlotObstacle] {
    var day = whole
    if whole.hasSeveralPlaces, let id = whole.siteID(for: visit, request) {
      day = whole.at(id, keeping: visit.clinicianID)
    }
    let end = visit.start.adding(minutes: max(1, visit.minutes))
    let placing = placeObstacles(visit, day, whole)
    return placing
      + ownObstacles(visit, visit.start..<end, request, day).filter { $0.kind != .notWorking || placing.isEmpty }
  }

  /// `whole` is the day before it was taken at one location.
  private func verdict(
    on visit: PlannedVisit, for request: VisitRequest, in day: PracticeDay, of whole: PracticeDay, now: Timestamp
  ) -> SlotVerdict {
    var others = day
    others.appointments.removeAll { $0.id == request.id }
    let board = DayBoard(others, now: now, slotMinutes: DayBuilder.slotMinutes)
    let end = visit.start.adding(minutes: visit.minutes)
    let away = visit.start.adding(minutes: -request.travelBefore)..<end.adding(minutes: request.travelAfter)
    var found: [SlotObstacle] = []
    if visit.start < now {
      found.append(.init(kind: .past, subjectID: "", description: "\(day.timeZone.describe(visit.start)) has passed"))
    }
    let placing = placeObstacles(visit, day, whole)
    found += placing
    found += ownObstacles(visit, away, request, others).filter { $0.kind != .notWorking || placing.isEmpty }
    found += Self.brokenLimits(
      of: visit, for: request, after: request.afterID.flatMap { id in others.appointments.first { $0.id == id } },
      in: day.timeZone)
    let slots = board.grid.touched(by: visit.start..<max(end, visit.start.adding(minutes: 1)))
    let busy = board.grid.touched(by: away)
    let (taken, conflicts) = boardObstacles(visit, request, board, slots: slots, busy: busy, zone: day.timeZone)
    found += taken
    let rank = Dictionary(
      SlotObstacle.Kind.allCases.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first })
    let ordered = found.enumerated().sorted {
      (rank[$0.element.kind] ?? 0, $0.offset) < (rank[$1.element.kind] ?? 0, $1.offset)
    }
    return SlotVerdict(obstacles: ordered.map(\.element), conflicts: conflicts)
  }

  /// What the location says: a day off, a room that is somewhere else, a clinician who works elsewhere then.
  private func placeObstacles(_ visit: PlannedVisit, _ day: PracticeDay, _ whole: PracticeDay) -> [SlotObstacle] {
    guard let here = day.here, let site = day.site(here) else { return [] }
    let date = day.timeZone.date(of: visit.start)
    var found: [SlotObstacle] = []
    if let reason = site.closed[date] {
      found.append(.init(kind: .closed, subjectID: here, description: "\(here) is closed on \(date): \(reason)"))
    }
    for room in whole.resources where visit.resourceIDs.contains(room.id) {
      let there = room.locationID ?? whole.mainSiteID ?? here
      if there != here {
        found.append(
          .init(kind: .elsewhere, subjectID: room.id, description: "\(room.id) is at \(there), not at \(here)"))
      }
    }
    if let there = whole.siteID(of: visit.clinicianID, at: visit.start), there != here {
      found.append(
        .init(
          kind: .elsewhere, subjectID: visit.clinicianID,
          description: "\(visit.clinicianID) works at \(there) then, not at \(here)"))
    }
    return found
  }

  /// What the clinician's contract says.
  private func ownObstacles(
    _ visit: PlannedVisit, _ away: Range<Timestamp>, _ request: VisitRequest, _ day: PracticeDay
  ) -> [SlotObstacle] {
    guard let member = day.staff.first(where: { $0.id == visit.clinicianID }) else {
      return [
        .init(
          kind: .unknownClinician, subjectID: visit.clinicianID,
          description: "there is no staff member '\(visit.clinicianID)'")
      ]
    }
    var found: [SlotObstacle] = []
    let roles = rules.visits.need(request.visitType).roles
    if !roles.contains(member.role) {
      let wanted = roles.map(\.rawValue).sorted().joined(separator: " or ")
      found.append(
        .init(
          kind: .wrongRole, subjectID: member.id,
          description: "\(member.id) is \(member.role.rawValue); such a visit needs a \(wanted)"))
    }
    let date = day.timeZone.date(of: visit.start)
    let check = CredentialCheck(kept: day.credentialsKept)
    if let problem = check.problem(member, rules.visits.need(request.visitType), on: date) {
      found.append(.init(kind: .uncredentialed, subjectID: member.id, description: problem))
    }
    if member.isOnLeave(date) {
      found.append(.init(kind: .onLeave, subjectID: member.id, description: "\(member.id) is on leave on \(date)"))
    } else if !Self.works(member, during: away, in: day) {
      found.append(
        .init(
          kind: .notWorking, subjectID: member.id,
          description:
            "\(member.id) does not work at \(day.timeZone.describe(away.lowerBound)) for \(away.upperBound.minutes(since: away.lowerBound)) minutes"
        ))
    }
    return found
  }

  /// Whether somebody's hours hold all of a stretch of time; hours that touch count as one.
  static func works(_ member: StaffMember, during time: Range<Timestamp>, in day: PracticeDay) -> Bool {
    let first = day.timeZone.date(of: time.lowerBound)
    let hours = [first.adding(days: -1), first, first.adding(days: 1)].flatMap { date in
      day.hours(of: member, on: date).map(\.time)
    }
    var reached = time.lowerBound
    for stretch in hours.sorted(by: { $0.lowerBound < $1.lowerBound }) where stretch.lowerBound <= reached {
      reached = max(reached, stretch.upperBound)
    }
    let begins = hours.contains { $0.contains(time.lowerBound) }
    return begins && reached >= time.upperBound
  }

  /// What the owner and other visits of the patient say about the time.
  ///
  /// - Parameters:
  ///   - visit: where it stands or would stand.
  ///   - request: whose window and order count.
  ///   - first: the appointment that has to be over first; nil for none.
  ///   - zone: for the words.
  /// - Returns: what is broken: one obstacle for the window, one for the order.
  public static func brokenLimits(
    of visit: PlannedVisit, for request: VisitRequest, after first: Appointment?, in zone: PracticeTimeZone
  ) -> [SlotObstacle] {
    var found: [SlotObstacle] = []
    if let window = request.window, !window.contains(visit.start) {
      found.append(
        .init(
          kind: .ownerAway, subjectID: request.patientID ?? "",
          description:
            "the owner can come from \(zone.describe(window.lowerBound)) to \(zone.describe(window.upperBound))"))
    }
    if let first {
      let earliest = first.end.adding(minutes: request.lagMinutes)
      if visit.start < earliest, first.status != .cancelled, first.status != .noShow {
        found.append(
          .init(
            kind: .tooEarly, subjectID: first.id,
            description: "it comes after \(first.id), and not before \(zone.describe(earliest))"))
      }
    }
    return found
  }

  private func boardObstacles(
    _ visit: PlannedVisit, _ request: VisitRequest, _ board: DayBoard, slots: [Range<Int>], busy: [Range<Int>],
    zone: PracticeTimeZone
  ) -> (obstacles: [SlotObstacle], conflicts: [String]) {
    var found: [SlotObstacle] = []
    var conflicts: Set<Int> = []
    let all = Set(board.bookings.indices)
    func ids(_ numbers: some Sequence<Int>) -> [String] { numbers.map { board.bookings[$0].appointment.id } }
    func clocks(_ numbers: [Int]) -> String {
      numbers.map { "\(board.bookings[$0].appointment.id) at \(zone.clock(board.bookings[$0].time.lowerBound))" }
        .joined(separator: ", ")
    }
    let seat = board.seats.firstIndex { $0.member.id == visit.clinicianID }
    if let seat {
      let taken = Set(busy.flatMap { board.blockers(ofSeat: seat, $0, among: all) }).sorted()
      if !taken.isEmpty {
        conflicts.formUnion(taken)
        found.append(
          .init(
            kind: .clinicianTaken, subjectID: visit.clinicianID, appointmentIDs: ids(taken),
            description: "\(visit.clinicianID) has \(clocks(taken))"))
      }
    }
    let patients = all.filter { number in
      let booking = board.bookings[number]
      return booking.appointment.patientID == request.patientID && request.patientID != nil
        && booking.time.overlaps(visit.start..<visit.start.adding(minutes: max(1, visit.minutes)))
    }.sorted()
    if !patients.isEmpty {
      conflicts.formUnion(patients)
      found.append(
        .init(
          kind: .patientElsewhere, subjectID: request.patientID ?? "", appointmentIDs: ids(patients),
          description: "\(request.patientID ?? "") is booked then already: \(clocks(patients))"))
    }
    for room in roomBlockers(visit, request, board, slots: slots, gone: conflicts) {
      conflicts.formUnion(room.blockers)
      let who = room.blockers.isEmpty ? "and no unit of it" : clocks(room.blockers)
      found.append(
        .init(
          kind: .roomTaken, subjectID: room.name, appointmentIDs: ids(room.blockers),
          description: "no \(room.name) is free: \(who)"))
    }
    if let seat, let squeezed = breakBlockers(seat, busy, board, gone: conflicts) {
      conflicts.formUnion(squeezed)
      found.append(
        .init(
          kind: .noBreak, subjectID: visit.clinicianID, appointmentIDs: ids(squeezed),
          description: squeezed.isEmpty
            ? "\(visit.clinicianID) would have no break"
            : "\(visit.clinicianID) would have no break beside \(clocks(squeezed))"))
    }
    if conflicts.count > 1, let fewer = fewest(beating: conflicts, visit, request, board, slots: slots, busy: busy) {
      conflicts = fewer
    }
    let order = conflicts.sorted {
      let (a, b) = (board.bookings[$0], board.bookings[$1])
      return (a.time.lowerBound, a.appointment.id) < (b.time.lowerBound, b.appointment.id)
    }
    return (found, ids(order))
  }

  /// A smaller set whose leaving lets the visit in, where one booking clears two obstacles at once; nil when there is none.
  ///
  /// Tries every set smaller than the one found, of at most three bookings beside those that are in the clinician's and
  /// the patient's way and have to leave anyway.
  private func fewest(
    beating found: Set<Int>, _ visit: PlannedVisit, _ request: VisitRequest, _ board: DayBoard, slots: [Range<Int>],
    busy: [Range<Int>]
  ) -> Set<Int>? {
    guard let seat = board.seats.firstIndex(where: { $0.member.id == visit.clinicianID }) else { return nil }
    let all = Set(board.bookings.indices)
    let end = visit.start.adding(minutes: max(1, visit.minutes))
    let forced = all.filter { number in
      let booking = board.bookings[number]
      let isOwn = booking.seat == seat && booking.away.contains { piece in busy.contains { $0.overlaps(piece) } }
      let isPatient = request.patientID != nil && booking.appointment.patientID == request.patientID
      return isOwn || (isPatient && booking.time.overlaps(visit.start..<end))
    }
    let spare = found.count - forced.count - 1
    guard spare >= 0 else { return nil }
    let others = all.subtracting(forced).filter { number in
      let booking = board.bookings[number]
      let isNear = booking.pieces.contains { piece in
        slots.contains { ($0.lowerBound - Instance.tail..<$0.upperBound + Instance.tail).overlaps(piece) }
      }
      return booking.seat == seat || (!booking.units.isEmpty && isNear)
    }.sorted()
    func lets(_ leaving: Set<Int>) -> Bool {
      roomBlockers(visit, request, board, slots: slots, gone: leaving, mustStay: true).isEmpty
        && breakBlockers(seat, busy, board, gone: leaving, looks: false) == nil
    }
    func search(_ chosen: Set<Int>, from index: Int, left: Int) -> Set<Int>? {
      if left == 0 { return lets(chosen) ? chosen : nil }
      for next in index..<max(index, others.count) {
        if let found = search(chosen.union([others[next]]), from: next + 1, left: left - 1) { return found }
      }
      return nil
    }
    for size in 0...min(3, spare) {
      if let found = search(forced, from: 0, left: size) { return found }
    }
    return nil
  }

  private struct RoomTrouble {
    let name: String
    let blockers: [Int]
  }

  /// Rooms that are taken, each with the fewest bookings that would have to leave beside those that leave anyway.
  private func roomBlockers(
    _ visit: PlannedVisit, _ request: VisitRequest, _ board: DayBoard, slots: [Range<Int>], gone: Set<Int>,
    mustStay: Bool = false
  ) -> [RoomTrouble] {
    let isAway = request.travelBefore + request.travelAfter > 0
    let all = Set(board.bookings.indices)
    func trouble(_ name: String, _ choices: [Int]) -> RoomTrouble? {
      let counted = mustStay ? all.subtracting(gone) : all
      let options = choices.map { unit in
        Set(slots.flatMap { board.blockers(ofUnit: unit, $0, among: counted) }).sorted()
      }
      // As it is, and then with those gone who leave anyway.
      if options.contains(where: \.isEmpty) || options.isEmpty { return nil }
      let rest = choices.map { unit in
        Set(slots.flatMap { board.blockers(ofUnit: unit, $0, among: all.subtracting(gone)) }).sorted()
      }
      guard let fewest = rest.min(by: { $0.count < $1.count }) else { return nil }
      let index = rest.firstIndex(of: fewest) ?? 0
      return RoomTrouble(name: name, blockers: fewest.isEmpty ? options[index] : fewest)
    }
    if !visit.resourceIDs.isEmpty {
      return visit.resourceIDs.compactMap { id in
        trouble(id, board.units.indices.filter { board.units[$0].resource.id == id })
      }
    }
    if isAway { return [] }
    let kinds = rules.visits.need(request.visitType).resourceKinds(among: Set(board.units.map(\.resource.kind)))
    return kinds.compactMap { kind in
      trouble(kind, board.units.indices.filter { board.units[$0].resource.kind == kind })
    }
  }

  /// Nil when the clinician keeps every break; else the one or two bookings, beside those that leave anyway, whose
  /// leaving would make room, and none where that would not do.
  ///
  /// With `looks` false it only says whether the breaks are kept.
  private func breakBlockers(
    _ seat: Int, _ busy: [Range<Int>], _ board: DayBoard, gone: Set<Int>, looks: Bool = true
  ) -> [Int]? {
    let all = Set(board.bookings.indices)
    func keepsBreaks(_ leaving: Set<Int>, taking: [Range<Int>]) -> Bool {
      var board = board
      let rest = all.subtracting(leaving)
      for number in leaving.sorted() { board.lift(number, others: rest) }
      return BreakArrangement.arrange(board.seats[seat].breaks) { slots in
        board.seats[seat].isFree(slots) && !taking.contains { $0.overlaps(slots) }
      } != nil
    }
    if keepsBreaks(gone, taking: busy) { return nil }
    guard looks else { return [] }
    let own = all.filter { board.bookings[$0].seat == seat && !gone.contains($0) }.sorted()
    for one in own where keepsBreaks(gone.union([one]), taking: busy) { return [one] }
    for (index, one) in own.enumerated() {
      for other in own[(index + 1)...] where keepsBreaks(gone.union([one, other]), taking: busy) {
        return [one, other]
      }
    }
    return []
  }
}
