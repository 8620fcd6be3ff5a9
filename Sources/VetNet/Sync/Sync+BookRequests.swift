import Clinical
import Store
import Sync

// What devices ask of the book, judged by whoever owns it: the hub.

extension Practice.Sync {
  /// Judges what a device said of an appointment, and writes what comes of it.
  ///
  /// What is granted stands as it was said; where any of it isn't, all fields that were named are said again by the hub.
  func judge(_ operation: RecordOperation, fold: RecordFold, row: Int64?, now: Timestamp) throws -> Verdict {
    let (wish, limits) = try connection.replicated.appointment(operation.record, with: operation.fields)
    guard let row, let stored = try connection.appointments.appointment(row: row) else {
      return try judgeNew(operation, wish, limits, now: now)
    }
    var verdict = Verdict()
    var granted = operation.fields
    func refuse(_ fields: Set<String>, _ reason: String?, field: String, kept: SyncConflict.Kept = .ours) {
      for name in fields { granted[name] = nil }
      verdict.outcome = .setAside
      verdict.restated = Set(operation.fields.keys)
      verdict.conflicts.append(
        ConflictNote(
          record: operation.record, field: field, kept: kept, reason: reason, ours: fold.fields[field]?.operation,
          theirs: operation))
    }
    if operation.fields["status"] != nil, wish.status != stored.value.status,
      practice.merging.rules.rule(of: operation.kind).rule(of: "status") == .onlyForward,
      let reason = Self.obstacle(from: stored.value.status, to: wish.status)
    {
      refuse(["status", "actual_minutes"], reason, field: "status")
    }
    let moved = Self.bookFields.filter { operation.fields[$0] != nil }
    let isOvertaken = moved.contains { field in
      fold.fields[field].map { !operation.knew(of: $0.operation) && $0.content != operation.fields[field] } ?? false
    }
    if !moved.isEmpty, !stored.value.status.canMove, wish.status == stored.value.status {
      refuse(moved, "it is \(stored.value.status.rawValue) by now", field: "slot")
    } else if isOvertaken {
      refuse(moved, "it was moved at the hub or by another device meanwhile, and that stands", field: "slot")
    }
    for field in ["reason", "visit_type", "patient_id", "actual_minutes"] where granted[field] != nil {
      guard let held = fold.fields[field], held.content != operation.fields[field],
        !operation.knew(of: held.operation)
      else { continue }
      let isLater = held.operation.stamp < operation.stamp
      if isLater {
        verdict.conflicts.append(
          ConflictNote(
            record: operation.record, field: field, kept: .theirs, ours: held.operation, theirs: operation))
      } else {
        refuse([field], nil, field: field)
      }
    }
    let place = try place(operation, granted, stored: stored, moved: moved, limits: limits, now: now)
    if let obstacle = place.obstacle { refuse(moved.union(["status"]), obstacle, field: "slot") }
    if let rooms = place.rooms { granted["resource_ids"] = rooms }
    try connection.replicated.write(granted, to: operation.record, by: author(of: operation))
    if verdict.outcome == .taken { try follow(operation, operation.fields) }
    return verdict
  }

  /// One that the hub has not heard of: confirmed where its time is free, else it waits.
  private func judgeNew(
    _ operation: RecordOperation, _ wish: Appointment, _ limits: AppointmentOptions, now: Timestamp
  ) throws -> Verdict {
    var verdict = Verdict()
    var fields = operation.fields
    if wish.status == .booked {
      var appointment = wish
      appointment.id = ""
      do {
        try practice.calendar.requireFree(&appointment, bookingDraft(appointment, limits), now: now)
        if appointment.resourceIDs != wish.resourceIDs {
          fields["resource_ids"] = try roomNames(appointment.resourceIDs)
        }
      } catch let error as PracticeError where error.code == .slotUnavailable {
        fields["status"] = .text(Appointment.Status.requested.rawValue)
        verdict = .setAside(operation, nil)
        verdict.conflicts = [
          ConflictNote(
            record: operation.record, field: "slot", kept: .waiting,
            reason: try words(for: error, appointment, limits, now: now), theirs: operation)
        ]
      }
    }
    try connection.replicated.write(fields, to: operation.record, by: author(of: operation))
    if verdict.outcome == .taken { try follow(operation, operation.fields) }
    return verdict
  }

  /// Looks whether an appointment on file can have the time that it is to have, and in which rooms.
  ///
  /// - Returns: other rooms than were asked for, where those are taken; or what is in the way, with the nearest free times.
  private func place(
    _ operation: RecordOperation, _ granted: [String: FieldContent], stored: StoredAppointment, moved: Set<String>,
    limits: AppointmentOptions, now: Timestamp
  ) throws -> (rooms: FieldContent?, obstacle: String?) {
    let (wish, _) = try connection.replicated.appointment(operation.record, with: granted)
    // Who has come is there, be their time another's as well.
    guard wish.status.occupiesTime else { return (nil, nil) }
    let isMoved = moved.contains { granted[$0] != nil }
    guard isMoved || wish.status == .booked && !stored.value.status.occupiesTime else {
      return (nil, nil)
    }
    var appointment = wish
    do {
      try practice.calendar.requireFree(&appointment, bookingDraft(appointment, limits), now: now)
      return (appointment.resourceIDs == wish.resourceIDs ? nil : try roomNames(appointment.resourceIDs), nil)
    } catch let error as PracticeError where error.code == .slotUnavailable {
      return (nil, try words(for: error, appointment, limits, now: now))
    }
  }

  /// A place that was free when it was asked for is looked at as if it were then.
  private func bookingDraft(_ appointment: Appointment, _ limits: AppointmentOptions) -> Practice.Calendar.BookingDraft
  {
    var draft = Practice.Calendar.BookingDraft(appointment: appointment, version: 0, options: limits)
    draft.keepsStart = true
    return draft
  }

  private func roomNames(_ ids: [String]) throws -> FieldContent {
    .list(
      try ids.compactMap { id in
        guard let row = try connection.recordIDs.row(.resource, id),
          let origin = try connection.recordIDs.origin(.resource, row)
        else { return nil }
        return .list([.text(origin.source), .text(origin.id)])
      })
  }

  /// Why a time can't be had, with the five nearest that can.
  private func words(
    for error: PracticeError, _ appointment: Appointment, _ limits: AppointmentOptions, now: Timestamp
  ) throws -> String {
    // Nothing is proposed for one that died, or that nobody has time for.
    let free =
      error.freeSlots.isEmpty
      ? []
      : try practice.calendar.freeSlots(
        near: appointment, practice.calendar.plainRequest(for: appointment, limits, now: now), most: 5, now: now)
    let slots = free.map { "\(timeZone.describe($0.start)) with \($0.clinicianID)" }
    return slots.isEmpty
      ? "\(error.description); nothing is left in the week around it"
      : "\(error.description); free: \(slots.joined(separator: ", "))"
  }

  /// Why a status can't become another by a sync; nil where it goes forward.
  static func obstacle(from old: Appointment.Status, to new: Appointment.Status) -> String? {
    if new.isCalledOff { return old.hasBegun || old.isCalledOff ? "it is \(old.rawValue) by now" : nil }
    if old.isCalledOff { return "it is \(old.rawValue) by now" }
    return old.rank < new.rank ? nil : "it is \(old.rawValue) by now, and a sync takes nothing back"
  }
}

extension Appointment.Status {
  /// How far a visit has got.
  fileprivate var rank: Int {
    switch self {
    case .requested: 0
    case .booked: 1
    case .arrived: 2
    case .inProgress: 3
    case .done: 4
    case .cancelled, .noShow: 5
    }
  }

  fileprivate var canMove: Bool { self == .requested || self == .booked || self == .arrived }

  fileprivate var isCalledOff: Bool { self == .cancelled || self == .noShow }

  /// Whether the vet has seen the animal.
  fileprivate var hasBegun: Bool { self == .inProgress || self == .done }
}
