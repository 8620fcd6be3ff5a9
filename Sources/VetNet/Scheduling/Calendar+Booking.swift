public import Clinical
import Scheduling
import Store

// Booking, moving and cancelling one appointment.

/// An appointment as a change left it, and the plan's version since.
public struct BookChange: Sendable {
  public let appointment: Appointment
  /// What it was before; nil for one that is new.
  public let before: Appointment?
  /// Nil where nothing was written.
  public let version: Int64?
  /// Where time became free: who of the waiting list it fits, the best first.
  public var offers: [WaitingOffer] = []
  /// What the visit needs and the practice lists nothing for, such as "dental, theatre or room".
  public var missingResources: [String] = []
}

extension Practice.Calendar {
  /// Books an appointment, whoever else tries at the same moment: the file can't hold a double booking.
  ///
  /// - Returns: the appointment as it is on file, with its id.
  /// - Throws: ``PracticeError`` with `slotUnavailable`, naming everything that is in the way and slots that are left.
  package func book(_ booking: Booking, now: Timestamp, isDryRun: Bool = false) throws -> BookChange {
    let draft = try reading { try self.draft(of: booking, now: now) }
    let changed = try changingPlan(.book, now: now, isDryRun: isDryRun) { recorder -> (Appointment, Appointment?) in
      var appointment = draft.appointment
      var stored: StoredAppointment?
      if let id = booking.appointmentID {
        let found = try storedAppointment(id)
        guard found.version == draft.version else {
          throw PracticeError(
            .locked, "appointment '\(id)' was changed meanwhile", hint: "Maybe look again and repeat.")
        }
        try recorder.watch(found.rowID)
        stored = found
      } else {
        appointment.id = try connection.recordIDs.unused(.appointment)
      }
      try requireFree(&appointment, draft, now: now)
      let row: Int64
      let value: Appointment
      if let stored {
        let after = try connection.appointments.change(row: stored.rowID) { $0 = appointment }
        try practice.reception.expectAgain(after, now: now)
        (row, value) = (after.rowID, after.value)
      } else {
        let after = try connection.appointments.book(appointment)
        recorder.watch(new: after.rowID)
        (row, value) = (after.rowID, after.value)
      }
      if draft.options != (try connection.appointments.options(row: row)) {
        try connection.appointments.setOptions(draft.options, row: row)
      }
      return (value, stored?.value)
    }
    var result = BookChange(appointment: changed.value.0, before: changed.value.1, version: changed.version)
    let travels = draft.options.travelBefore + draft.options.travelAfter > 0
    if result.appointment.resourceIDs.isEmpty, !travels {
      result.missingResources = try reading {
        let known = Set(try connection.resources.list().map(\.value.kind))
        return try schedulingRules().visits.need(result.appointment.visitType).missing(among: known)
      }
    }
    return result
  }

  /// Moves a booked appointment, with the same checks as booking.
  ///
  /// - Parameters:
  ///   - id: the appointment.
  ///   - start: the new start; nil to keep the time.
  ///   - clinicianID: the new clinician; nil to keep the one it has.
  ///   - resourceIDs: the new rooms; nil to keep those it has where they are free, and to take others of the kind else.
  ///   - minutes: the new length; nil to keep it.
  ///   - revision: what the change is based on; nil for whatever it is now.
  ///   - now: the present moment.
  ///   - isDryRun: checks everything and writes nothing.
  /// - Returns: the appointment before and after.
  /// - Throws: ``PracticeError`` with `slotUnavailable` as for booking.
  package func move(
    appointment id: String, to start: Timestamp?, clinicianID: String?, resourceIDs: [String]?, minutes: Int?,
    expecting revision: Int64? = nil, now: Timestamp, isDryRun: Bool = false
  ) throws -> BookChange {
    let changed = try changingPlan(.move, now: now, isDryRun: isDryRun) { recorder -> (Appointment, Appointment) in
      let stored = try storedAppointment(id, expecting: revision)
      guard stored.value.status == .booked || stored.value.status == .arrived else {
        throw PracticeError(
          .failed, "appointment '\(id)' is \(stored.value.status.rawValue) and can't be moved",
          hint: stored.value.status == .requested ? "Maybe book it: vetnet schedule book --appointment \(id) …" : nil)
      }
      try recorder.watch(stored.rowID)
      let before = stored.value
      var after = before
      let staff = try practice.workplace.staffNames()
      if let clinicianID, staff[clinicianID] == nil { throw unknownClinician(clinicianID, staff) }
      if let start { after.start = start }
      // Who waits is not there on another day.
      if timeZone.date(of: after.start) != timeZone.date(of: before.start) { after.status = .booked }
      if let clinicianID { after.clinicianID = clinicianID }
      if let minutes { after.durationMinutes = minutes }
      if let resourceIDs { after.resourceIDs = resourceIDs }
      let options = try connection.appointments.options(row: stored.rowID)
      var draft = BookingDraft(appointment: after, version: stored.version, options: options)
      draft.namesRooms = resourceIDs != nil
      draft.keepsStart = after.start == before.start
      try requireFree(&after, draft, now: now)
      let moved = try connection.appointments.change(row: stored.rowID) { $0 = after }
      try practice.reception.expectAgain(moved, now: now)
      return (moved.value, before)
    }
    return BookChange(appointment: changed.value.0, before: changed.value.1, version: changed.version)
  }

  /// Cancels an appointment and frees its time, which is offered to those who wait.
  package func cancel(
    appointment id: String, expecting revision: Int64? = nil, now: Timestamp, isDryRun: Bool = false
  ) throws -> BookChange {
    let changed = try changingPlan(.cancel, now: now, isDryRun: isDryRun) { recorder -> (Appointment, Appointment) in
      let stored = try storedAppointment(id, expecting: revision)
      guard stored.value.status == .requested || stored.value.status == .booked || stored.value.status == .arrived
      else {
        throw PracticeError(
          .failed, "appointment '\(id)' is \(stored.value.status.rawValue) and can't be cancelled")
      }
      try recorder.watch(stored.rowID)
      return (try connection.appointments.cancel(row: stored.rowID).value, stored.value)
    }
    let (appointment, before) = changed.value
    var result = BookChange(appointment: appointment, before: before, version: changed.version)
    if before.status.occupiesTime { result.offers = try practice.reception.offers(forSlotOf: before, now: now) }
    return result
  }

  // MARK: - Checks

  /// What is to be booked, with its length predicted before anybody has to wait for a lock.
  struct BookingDraft: Sendable {
    var appointment: Appointment
    var version: Int64
    var options: AppointmentOptions
    /// Whether the rooms were named, or are whatever is free.
    var namesRooms = false
    /// Whether it stays at its time, which may then have begun.
    var keepsStart = false
  }

  private func draft(of booking: Booking, now: Timestamp) throws -> BookingDraft {
    var appointment: Appointment
    var version: Int64 = 0
    var options = AppointmentOptions()
    if let id = booking.appointmentID {
      let stored = try storedAppointment(id)
      guard stored.value.status == .requested || stored.value.status.occupiesTime else {
        throw PracticeError(.failed, "appointment '\(id)' is \(stored.value.status.rawValue) and can't be booked")
      }
      appointment = stored.value
      if let reference = booking.patient, try practice.records.patient(reference).id != appointment.patientID {
        throw PracticeError(
          .invalidArgument, "appointment '\(id)' is for \(appointment.patientID ?? "nobody"), not for '\(reference)'",
          hint: "Name the one or the other.")
      }
      version = stored.version
      options = try connection.appointments.options(row: stored.rowID)
    } else {
      guard let reference = booking.patient else {
        throw PracticeError(.invalidArgument, "say for whom: --patient or --appointment")
      }
      appointment = Appointment(
        id: "", patientID: try practice.records.patient(reference).id, start: booking.start, durationMinutes: 0)
    }
    if !(try connection.staff.list().contains { $0.value.id == booking.clinicianID }) {
      throw unknownClinician(booking.clinicianID, try practice.workplace.staffNames())
    }
    appointment.start = booking.start
    appointment.clinicianID = booking.clinicianID
    if let type = booking.visitType { appointment.visitType = type }
    if let reason = booking.reason { appointment.reason = reason }
    if let minutes = booking.minutes {
      appointment.durationMinutes = minutes
    } else if appointment.durationMinutes == 0 {
      appointment.durationMinutes = try predictedMinutes(for: appointment, now: now)
    }
    appointment.status = .booked
    appointment.resourceIDs = booking.resourceIDs
    let before = options
    booking.limits?.apply(to: &options)
    if let urgency = booking.urgency { options.urgency = try level(urgency, for: appointment, options, now: now) }
    booking.options?(&options)
    try requireSense(of: options, insteadOf: before, for: appointment)
    var draft = BookingDraft(appointment: appointment, version: version, options: options)
    draft.namesRooms = !booking.resourceIDs.isEmpty
    return draft
  }

  /// The level that a booking pins: who may settle a case says it; from others one counts only where it is more urgent than what
  /// was settled, or what the words come to.
  private func level(
    _ urgency: Urgency, for appointment: Appointment, _ options: AppointmentOptions, now: Timestamp
  ) throws -> Urgency? {
    guard let passage = practice.door.passage, !passage.actor.role.may(.settle) else { return urgency }
    if let settled = options.urgency { return max(urgency, settled) }
    guard let judged = try practice.assessment.judgedCase(of: appointment, now: now)?.urgency, judged >= urgency else {
      return urgency
    }
    return nil
  }

  /// Refuses a slot that can't be had, saying everything that is in the way; finds rooms where none were named.
  func requireFree(_ appointment: inout Appointment, _ draft: BookingDraft, now: Timestamp) throws {
    if let id = appointment.patientID, let died = try practice.records.stored(patient: id).value.deceasedAt {
      throw PracticeError(.slotUnavailable, "\(id) died on \(died)", hint: "Maybe another patient is meant.")
    }
    if draft.namesRooms { try requireResources(appointment.resourceIDs) }
    let day = try practiceDay(daysTouched(by: appointment, draft.options), with: draft.options.afterID)
    let rules = try schedulingRules()
    let request = plainRequest(for: appointment, draft.options, now: now)
    var rooms = appointment.resourceIDs
    func verdict(_ rooms: [String]) -> SlotVerdict {
      SlotCheck(rules: rules).verdict(
        on: PlannedVisit(
          clinicianID: appointment.clinicianID ?? "", resourceIDs: rooms, start: appointment.start,
          minutes: appointment.durationMinutes),
        for: request, in: day, now: draft.keepsStart ? min(now, appointment.start) : now)
    }
    var found = verdict(rooms)
    if !found.isFree, !draft.namesRooms, !rooms.isEmpty {
      // The rooms it had are taken then; others of their kind will do.
      rooms = []
      found = verdict(rooms)
    }
    guard found.isFree else {
      let slots = try freeSlots(near: appointment, request, now: now)
      throw PracticeError(
        .slotUnavailable, found.obstacles.map(\.description).joined(separator: "; "),
        hint: slots.isEmpty
          ? "Nothing is left in the week around it."
          : "Free: " + slots.map { "\(timeZone.describe($0.start)) with \($0.clinicianID)" }.joined(separator: ", ")
            + ".", freeSlots: slots)
    }
    if rooms.isEmpty, !draft.namesRooms, draft.options.travelBefore + draft.options.travelAfter == 0 {
      rooms = try freeResources(for: appointment, among: roomsInReach(of: appointment, request, in: day))
    }
    appointment.resourceIDs = rooms
  }

  /// The rooms of the location that an appointment is at; all in a practice that is one place.
  private func roomsInReach(
    of appointment: Appointment, _ request: VisitRequest, in day: PracticeDay
  ) throws -> [Stored<Resource>] {
    let rooms = try connection.resources.list()
    let visit = PlannedVisit(
      clinicianID: appointment.clinicianID ?? "", resourceIDs: [], start: appointment.start,
      minutes: appointment.durationMinutes)
    guard let here = day.siteID(for: visit, request) else { return rooms }
    let own = Set(day.at(here).resources.map(\.id))
    return rooms.filter { own.contains($0.value.id) }
  }

  /// The days that an appointment and the way to it touch.
  func daysTouched(by appointment: Appointment, _ options: AppointmentOptions) -> [CalendarDate] {
    let first = timeZone.date(of: appointment.start.adding(minutes: -options.travelBefore))
    let last = timeZone.date(of: appointment.end.adding(minutes: options.travelAfter))
    return (0...max(0, last.daysSince1970 - first.daysSince1970)).map { first.adding(days: $0) }
  }

  /// An appointment as a request, without assessing its case: what is asked of it by those who book it.
  func plainRequest(for appointment: Appointment, _ options: AppointmentOptions, now: Timestamp) -> VisitRequest {
    var request = VisitRequest(
      id: appointment.id, patientID: appointment.patientID, visitType: appointment.visitType,
      duration: PredictedDuration(p50: Double(max(5, appointment.durationMinutes)), sigma: 0.4),
      preferredClinicianID: appointment.clinicianID, wishedStart: appointment.start, receivedAt: now)
    request.requestedMinutes = max(1, appointment.durationMinutes)
    request.apply(options)
    request.clinicianIDs = nil
    return request
  }

  /// The slots nearest to one that is not to be had: with the same clinician, then with others; so many, where a number is named.
  func freeSlots(
    near appointment: Appointment, _ request: VisitRequest, most: Int? = nil, now: Timestamp
  ) throws -> [FreeSlot] {
    var request = request
    // Wishes for its own time, whatever the urgency: those nearest are what helps.
    request.urgency = nil
    request.receivedAt = now
    let first = timeZone.date(of: max(now, appointment.start))
    let day = try practiceDay((0..<7).map { first.adding(days: $0) })
    let rules = try schedulingRules()
    var others = day
    others.appointments.removeAll { $0.id == appointment.id }
    var same = request
    same.clinicianIDs = appointment.clinicianID.map { [$0] }
    let own = pipeline.plan(same, on: others, rules: rules, now: now, count: 2)
    let all = own + pipeline.plan(request, on: others, rules: rules, now: now, count: most ?? 3)
    var slots: [FreeSlot] = []
    for proposal in all {
      let slot = FreeSlot(
        start: proposal.start, local: timeZone.iso8601(proposal.start), minutes: proposal.minutes,
        clinicianID: proposal.clinicianID,
        resourceIDs: proposal.resourceIDs)
      if !slots.contains(where: { $0.start == slot.start && $0.clinicianID == slot.clinicianID }) { slots.append(slot) }
    }
    return Array(slots.prefix(most ?? slots.count))
  }

  /// One free resource of each kind that the visit needs.
  private func freeResources(for appointment: Appointment, among resources: [Stored<Resource>]) throws -> [String] {
    let need = try schedulingRules().visits.need(appointment.visitType)
    return try need.resourceKinds(among: Set(resources.map(\.value.kind))).map { kind in
      let ofKind = resources.filter { $0.value.kind == kind }
      for resource in ofKind
      where try connection.appointments.freeUnit(
        of: resource.rowID, at: appointment.start, minutes: appointment.durationMinutes) != nil
      {
        return resource.value.id
      }
      throw PracticeError(
        .slotUnavailable, "no \(kind) is free at \(timeZone.describe(appointment.start))",
        hint: "Maybe take another time.")
    }
  }
}
