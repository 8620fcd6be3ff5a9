public import Clinical
import Store

// Who is where in the practice: expected, waiting, with a vet, paying, gone.

/// A day's visits by how far they have got.
public struct DayFlow: Sendable {
  public struct Entry: Sendable {
    public let visit: DaySchedule.Entry
    public let course: VisitCourse
    /// Minutes waited, by the moment the flow was asked for; nil where nobody told that they came.
    public let waitedMinutes: Int?

    /// Minutes that the level allows somebody who has come; nil for a visit without a level.
    public var targetMinutes: Int? { visit.urgency?.targetMinutes }

    /// Whether who waits has waited longer than the level allows.
    public var isOverdue: Bool {
      guard course.stage == .arrived, let waitedMinutes, let targetMinutes else { return false }
      return waitedMinutes > targetMinutes
    }
  }

  public let date: CalendarDate
  /// Red and orange first, then who has waited longest, or is due soonest.
  public let entries: [Entry]

  public func entries(at stage: VisitStage) -> [Entry] { entries.filter { $0.course.stage == stage } }
}

/// A visit that somebody moved on, or back.
public struct StageChange: Sendable {
  public let appointment: Appointment
  public let before: VisitStage
  public let course: VisitCourse
  /// Grows with each change of the appointment.
  public let revision: Int64
}

extension Practice.Reception {
  /// Who is where on a day.
  package func flow(on date: CalendarDate, locationID: String?, now: Timestamp) throws -> DayFlow {
    let day = try schedule(on: date, clinicianID: nil, locationID: locationID, now: now)
    return try reading {
      let told = Dictionary(
        try connection.visitSteps.told(ofVisitsIn: timeZone.interval(of: date)).map { ($0.appointmentRow, $0.steps) },
        uniquingKeysWith: { first, _ in first })
      let entries = try day.entries.compactMap { visit -> DayFlow.Entry? in
        let steps = try connection.appointments.appointments(id: visit.appointment.id).first.flatMap { told[$0.rowID] }
        guard let course = VisitCourse(steps ?? [], status: visit.appointment.status) else { return nil }
        return DayFlow.Entry(visit: visit, course: course, waitedMinutes: course.waitingMinutes(now: now, in: timeZone))
      }
      return DayFlow(date: date, entries: entries.sorted { Self.comesFirst($0, $1) })
    }
  }

  /// Red and orange before all; of the others who came first, and of those still expected who is due first.
  private static func comesFirst(_ one: DayFlow.Entry, _ other: DayFlow.Entry) -> Bool {
    func key(_ entry: DayFlow.Entry) -> (Int, Int64, Int64, String) {
      let level = entry.visit.urgency.map { $0 >= .orange ? -$0.rank : 0 } ?? 0
      let came = entry.course.moment(of: .arrived) ?? entry.visit.appointment.start
      return (level, came.seconds, entry.visit.appointment.start.seconds, entry.visit.appointment.id)
    }
    return key(one) < key(other)
  }

  /// Says how far a visit has got, or that it hasn't got so far yet.
  ///
  /// A visit that is over takes as its actual length the minutes between the vet's beginning and end, where both were told.
  ///
  /// - Parameters:
  ///   - id: the appointment.
  ///   - stage: where it is now.
  ///   - revision: what the change is based on; nil for whatever it is now.
  ///   - actor: who says so.
  ///   - now: when.
  /// - Returns: where it was, and its way through the practice since.
  /// - Throws: ``PracticeError`` with `failed` for what isn't in the book or is on a day to come, with `changedMeanwhile`.
  func advance(
    _ id: String, to stage: VisitStage, expecting revision: Int64?, actor: String, now: Timestamp
  ) throws -> StageChange {
    try writing {
      let stored = try practice.calendar.storedAppointment(id, expecting: revision)
      let before = stored.value
      let steps = try connection.visitSteps.steps(of: stored.rowID)
      guard let course = VisitCourse(steps, status: before.status) else {
        throw PracticeError(
          .failed, "appointment '\(id)' is \(before.status.rawValue): nobody is expected for it",
          hint: before.status == .requested ? "Maybe book it: vetnet schedule book --appointment \(id) …" : nil)
      }
      guard course.stage != stage else {
        return StageChange(appointment: before, before: stage, course: course, revision: stored.version)
      }
      let day = timeZone.date(of: before.start)
      // Whoever was said to have come to a time that is elsewhere by now is expected there.
      guard day <= timeZone.date(of: now) || stage == .expected else {
        throw PracticeError(
          .failed, "appointment '\(id)' is on \(day), which is still to come",
          hint: "Maybe move it to today: vetnet schedule move \(id) --at TIME")
      }
      let step = VisitStep(stage, at: now, actor: actor)
      let after = VisitCourse(steps + [step], at: stage)
      let recorder = PlanRecorder(connection: connection)
      try recorder.watch(stored.rowID)
      // Whoever has come is there, be their time another's as well.
      let changed = try connection.appointments.change(row: stored.rowID, listsConflict: true) {
        $0.status = stage.status
        // Its own measurement goes with the words it came from; what an import said of it stays.
        if let minutes = after.consultMinutes {
          $0.actualMinutes = Double(minutes)
        } else if course.consultMinutes != nil {
          $0.actualMinutes = nil
        }
      }
      try connection.visitSteps.append(step, to: stored.rowID)
      try practice.calendar.requireRole(of: recorder.changes())
      // What had no time because somebody was in the way may have it now.
      _ = try connection.appointments.retryConflicts()
      return StageChange(
        appointment: changed.value, before: course.stage, course: after, revision: changed.version)
    }
  }

  /// A visit that is to come again: what was said of how far it had got is of the time that it had before.
  func expectAgain(_ visit: StoredAppointment, now: Timestamp) throws {
    guard visit.value.status == .booked, let last = try connection.visitSteps.steps(of: visit.rowID).last,
      last.stage != .expected
    else { return }
    try connection.visitSteps.append(VisitStep(.expected, at: now, actor: practice.actorName), to: visit.rowID)
  }
}
