import Clinical
import Store

// Filing what waits in the inbox: it becomes a record of the patient whom somebody named. Each decision can be taken back, the last
// one first, as long as nobody has changed since what came of it.

extension Practice.Inbox {
  /// Files an item to a patient: a letter or note becomes a note, an intake an intake; an event's appointment gets its patient. The
  /// date is the note's; nil for the item's own, else the moment it came in. `seen` is the revision of the item that whoever files it
  /// looked at; nil for whatever it is now.
  func fileInboxItem(
    _ id: String, to patientID: String, date: Timestamp?, seen: Int? = nil, now: Timestamp, isDryRun: Bool
  ) throws -> InboxItem {
    var makesNote = false
    try dryRunning(isDryRun) {
      makesNote = try file(id, to: patientID, date: date, seen: seen, now: now) { _ in }.makesNote
    }
    try indexFiled(makesNote && !isDryRun, id, now: now)
    return try inboxItem(id)
  }

  /// Files several items, each to its patient, all or none; they are taken back as one.
  func fileInboxItems(_ pairs: [FileSeveral.Pair], now: Timestamp) throws -> [InboxItem] {
    try requireCount(pairs.count)
    var makesNotes = false
    try writing {
      var first: Int64?
      for pair in pairs {
        let filed = try file(
          pair.id, to: practice.records.patient(pair.patient).id, date: nil, seen: pair.seen, now: now
        ) {
          $0.batch = first
        }
        makesNotes = makesNotes || filed.makesNote
        if first == nil {
          first = filed.decision
          try connection.inbox.beginBatch(with: filed.decision)
        }
      }
    }
    try indexFiled(makesNotes, "\(pairs.count) items", now: now)
    return try pairs.map { try inboxItem($0.id) }
  }

  /// Files an item and books a visit of its patient in one step, at the level that the item has.
  func bookInboxItem(
    _ id: String, for patientID: String, _ booking: Booking, seen: Int?, now: Timestamp, isDryRun: Bool
  ) throws -> InboxItem {
    var makesNote = false
    try dryRunning(isDryRun) {
      let row = try storedItem(id)
      guard row.origin.kind != IncomingItem.Kind.event.rawValue else {
        throw PracticeError(
          .invalidArgument, "\(InboxItem.id(row.rowID)) stands in the book already",
          hint: "File it: its appointment gets its patient.")
      }
      try requireAsSeen(row, seen)
      var booking = booking
      booking.patient = patientID
      booking.appointmentID = nil
      if booking.urgency == nil { booking.urgency = row.standing.urgency.flatMap(Urgency.init) }
      if booking.reason == nil { booking.reason = String(row.content.text.prefix(Self.longestReason)) }
      let visit = try practice.calendar.storedAppointment(practice.calendar.book(booking, now: now).appointment.id)
      makesNote = try file(id, to: patientID, date: nil, seen: seen, now: now) {
        $0.booked = visit.rowID
        $0.bookedVersion = visit.version
      }.makesNote
    }
    try indexFiled(makesNote && !isDryRun, id, now: now)
    return try inboxItem(id)
  }

  /// Of a message's text, what a visit is booked with.
  private static let longestReason = 2000

  private func indexFiled(_ makesNotes: Bool, _ what: String, now: Timestamp) throws {
    guard makesNotes else { return }
    try practice.index.indexNewNotes(
      after: "\(what) is filed", hint: "Run vetnet reindex; don't file it again.", now: now)
  }

  /// Within a transaction: files an item, as the decision that `decide` completes.
  private func file(
    _ id: String, to patientID: String, date: Timestamp?, seen: Int?, now: Timestamp,
    _ complete: (inout InboxRow.Deed) -> Void
  ) throws -> (decision: Int64, makesNote: Bool) {
    let row = try storedItem(id)
    try requireAsSeen(row, seen)
    let content = try inboxItem(id).content
    let patient = try practice.records.stored(patient: patientID)
    var deed = InboxRow.Deed(InboxItem.State.filed.rawValue)
    switch content.kind {
    case .letter, .note: deed.filed = try fileAsNote(content, row.rowID, patient, date, now: now)
    case .intake: deed.filed = try fileAsIntake(content, row, patient)
    case .event: deed.filed = try fileAppointment(row, patient)
    }
    complete(&deed)
    let decision = try connection.inbox.decide(row: row.rowID, deed, at: now, actor: practice.actorName)
    return (decision, content.kind == .letter || content.kind == .note)
  }

  /// Refuses an act on an item of which somebody has decided since it was looked at, or that is filed: says who did, and when.
  func requireAsSeen(_ row: InboxRow, _ seen: Int?) throws {
    let isFiled = row.standing.state == InboxItem.State.filed.rawValue
    guard isFiled || (seen ?? row.standing.revision) != row.standing.revision else { return }
    let name = InboxItem.id(row.rowID)
    let last = try connection.inbox.decisions(item: row.rowID).max {
      ($0.undone?.at ?? $0.at, $0.rowID) < ($1.undone?.at ?? $1.at, $1.rowID)
    }
    let by =
      last.map { ", by \($0.undone?.actor ?? $0.actor), \(timeZone.describe($0.undone?.at ?? $0.at))" } ?? ""
    if isFiled {
      throw PracticeError(
        seen == nil ? .invalidArgument : .changedMeanwhile, "\(name) is filed already\(by); nothing was written",
        hint: "To file it elsewhere, take that back first (Undo, or vetnet inbox undo \(name)).")
    }
    let what =
      switch InboxItem.State(rawValue: row.standing.state) {
      case .rejected: "was rejected"
      case .later: "was put off"
      case .asked: "was asked about"
      case .waiting, .filed, nil: "waits again"
      }
    throw PracticeError(
      .changedMeanwhile, "\(name) \(what) meanwhile\(by); nothing was written", hint: "Look at it again, and repeat.")
  }

  private func fileAsNote(
    _ content: IncomingItem, _ row: Int64, _ patient: Stored<Patient>, _ date: Timestamp?, now: Timestamp
  ) throws -> InboxRow.Filed {
    if let date { try practice.records.requirePast(date, now: now) }
    guard content.text.contains(where: { !$0.isWhitespace }) else {
      throw PracticeError(
        .invalidArgument, "\(InboxItem.id(row)) has no text that could become a note; nothing was written",
        hint: "See it (vetnet inbox show \(InboxItem.id(row)) --save FILE) and write a note: vetnet note add")
    }
    let note = ClinicalNote(
      id: try filedID(.note, row), patientID: patient.value.id,
      recordedAt: date ?? content.details.datedAt ?? content.origin.receivedAt, author: content.details.author,
      kind: content.details.noteKind ?? (content.kind == .letter ? .referral : .consult), text: content.text)
    let kept = try connection.notes.upsert(note, source: connection.sources.local())
    return InboxRow.Filed(patient: patient.rowID, table: .note, row: kept.rowID)
  }

  private func fileAsIntake(
    _ content: IncomingItem, _ item: InboxRow, _ patient: Stored<Patient>
  ) throws -> InboxRow.Filed {
    let row = item.rowID
    if let known = item.standing.intake {
      // It is on file, and gets its patient.
      guard let intake = try connection.intakes.intake(row: known) else {
        throw PracticeError(.notFound, "the intake of \(InboxItem.id(row)) is not on file any more")
      }
      if let other = intake.value.patientID, other != patient.value.id {
        throw PracticeError(
          .changedMeanwhile, "the intake of \(InboxItem.id(row)) has the patient \(other); nothing was written")
      }
      try connection.intakes.setPatient(patient.rowID, row: known)
      return InboxRow.Filed(patient: patient.rowID, table: .intake, row: known)
    }
    let kept = try connection.intakes.upsert(
      intake(of: content, id: try filedID(.intake, row), patient: patient.value.id), source: connection.sources.local())
    return InboxRow.Filed(patient: patient.rowID, table: .intake, row: kept.rowID)
  }

  /// The item's own id, by which it is filed again after an undo, which takes the record away; one that is there is another's.
  private func filedID(_ table: RecordTable, _ row: Int64) throws -> String {
    let own = InboxItem.id(row)
    let isFree = try connection.recordIDs.candidates(table, own).isEmpty && connection.erased.moment(table, own) == nil
    return try isFree ? own : connection.recordIDs.unused(table)
  }

  private func fileAppointment(_ row: InboxRow, _ patient: Stored<Patient>) throws -> InboxRow.Filed {
    guard let appointment = row.standing.appointment,
      let known = try connection.appointments.appointment(row: appointment)
    else {
      throw PracticeError(.notFound, "the appointment of \(InboxItem.id(row.rowID)) is not in the book any more")
    }
    if let other = known.value.patientID, other != patient.value.id {
      throw PracticeError(
        .invalidArgument, "the appointment of \(InboxItem.id(row.rowID)) has the patient \(other); nothing was written")
    }
    try connection.appointments.setPatient(patient.rowID, row: appointment)
    return InboxRow.Filed(patient: patient.rowID, table: .appointment, row: appointment)
  }

  /// Rejects an item, puts it off until a time or for good, or asks its sender back.
  func setInboxItemAside(
    _ id: String, _ deed: InboxRow.Deed, seen: Int? = nil, now: Timestamp, isDryRun: Bool
  ) throws -> InboxItem {
    try requireSense(of: deed, now: now)
    try dryRunning(isDryRun) { _ = try setAside(id, deed, seen: seen, now: now) }
    return try inboxItem(id)
  }

  /// Within a transaction.
  private func setAside(_ id: String, _ deed: InboxRow.Deed, seen: Int?, now: Timestamp) throws -> Int64 {
    let row = try storedItem(id)
    let state = InboxItem.State(rawValue: deed.state)
    guard row.standing.state != InboxItem.State.filed.rawValue || seen != nil else {
      throw PracticeError(
        .invalidArgument, "\(InboxItem.id(row.rowID)) is filed; nothing was written",
        hint: "Take that back first (Undo, or vetnet inbox undo \(InboxItem.id(row.rowID))).")
    }
    try requireAsSeen(row, seen)
    guard row.standing.state != deed.state || deed.until != nil || state == .asked else {
      throw PracticeError(
        .invalidArgument, "\(InboxItem.id(row.rowID)) is \(state == .later ? "put off" : "rejected") already")
    }
    return try connection.inbox.decide(row: row.rowID, deed, at: now, actor: practice.actorName)
  }

  private func requireSense(of deed: InboxRow.Deed, now: Timestamp) throws {
    func says(_ text: String?) -> Bool { text?.contains { !$0.isWhitespace } == true }
    if deed.state == InboxItem.State.rejected.rawValue, !says(deed.reason) {
      throw PracticeError(.invalidArgument, "a rejection needs a reason", hint: "Give it with --reason.")
    }
    if deed.state == InboxItem.State.asked.rawValue, !says(deed.asked) {
      throw PracticeError(
        .invalidArgument, "asking back needs the words that are asked", hint: "Give them with --text.")
    }
    if let until = deed.until, until <= now {
      throw PracticeError(
        .invalidArgument, "\(timeZone.describe(until)) has passed: nothing can be put off until then",
        hint: "Name a time to come.")
    }
  }

  private func requireCount(_ count: Int) throws {
    guard (1...SetSeveralAside.most).contains(count) else {
      throw PracticeError(.invalidArgument, "1 to \(SetSeveralAside.most) items are decided at once")
    }
  }

  /// Rejects several items, or puts them off, all or none; those that stand so already stay as they are. They are taken back as one.
  func setInboxItemsAside(_ ids: [String], _ deed: InboxRow.Deed, now: Timestamp) throws -> [InboxItem] {
    try requireCount(ids.count)
    try requireSense(of: deed, now: now)
    return try writing {
      var changed: Set<Int64> = []
      var first: Int64?
      return try ids.compactMap { id in
        let row = try storedItem(id)
        guard changed.insert(row.rowID).inserted, row.standing.state != deed.state || deed.until != nil else {
          return nil
        }
        var deed = deed
        deed.batch = first
        let decision = try setAside(id, deed, seen: nil, now: now)
        if first == nil {
          first = decision
          try connection.inbox.beginBatch(with: decision)
        }
        return try inboxItem(id)
      }
    }
  }

  /// Asks the sender of an item back: it waits for the answer, until a time that its level tells.
  func askBack(
    _ id: String, _ text: String, until: Timestamp?, seen: Int?, now: Timestamp, isDryRun: Bool
  ) throws -> InboxItem {
    let urgency = try storedItem(id).standing.urgency.flatMap(Urgency.init)
    var deed = InboxRow.Deed(InboxItem.State.asked.rawValue)
    deed.asked = text
    deed.until = until ?? now.adding(minutes: Self.minutesForAnswer(urgency))
    return try setInboxItemAside(id, deed, seen: seen, now: now, isDryRun: isDryRun)
  }

  /// How long an answer is waited for: while an urgent case waits, somebody rings instead.
  static func minutesForAnswer(_ urgency: Urgency?) -> Int {
    switch urgency {
    case .red: 10
    case .orange: 30
    case .yellow: 240
    case .green, .blue, nil: 2 * 24 * 60
    }
  }

  /// Takes the last decision that stands back, about one item or about any; `seen` as for filing.
  ///
  /// - Throws: ``PracticeError`` for what was changed since it was filed, which goes nowhere unasked.
  func undoInbox(_ id: String?, seen: Int? = nil, now: Timestamp, isDryRun: Bool) throws -> InboxItem {
    var undone: Int64 = 0
    try dryRunning(isDryRun) {
      let item = try id.map { try storedItem($0).rowID }
      guard let decision = try connection.inbox.lastDecision(item: item) else {
        throw PracticeError(.notFound, "there is no decision of the inbox to take back")
      }
      undone = decision.item
      try undo(decision, seen: seen, now: now)
    }
    return try inboxItem(InboxItem.id(undone))
  }

  /// Takes back what was decided as one, all of it or nothing.
  func undoInbox(batch: Int64, now: Timestamp) throws -> [InboxItem] {
    try writing {
      let decisions = try connection.inbox.standing(batch: batch)
      guard !decisions.isEmpty else {
        throw PracticeError(.notFound, "there is no such decision of the inbox to take back")
      }
      for decision in decisions {
        guard try connection.inbox.lastDecision(item: decision.item)?.rowID == decision.rowID else {
          throw PracticeError(
            .changedMeanwhile,
            "\(InboxItem.id(decision.item)) was decided anew since; nothing was taken back",
            hint: "Take each back by itself.")
        }
        try undo(decision, seen: nil, now: now)
      }
      return try decisions.map { try inboxItem(InboxItem.id($0.item)) }
    }
  }

  /// Within a transaction.
  private func undo(_ decision: InboxRow.Decision, seen: Int?, now: Timestamp) throws {
    guard let row = try connection.inbox.item(row: decision.item, at: queueMoment) else { return }
    if let seen, seen != row.standing.revision {
      throw PracticeError(
        .changedMeanwhile,
        "of \(InboxItem.id(row.rowID)) \(decision.actor) decided since, \(timeZone.describe(decision.at)); nothing was taken back",
        hint: "Look at it again.")
    }
    if let filed = row.standing.filed { try takeBack(filed, of: row) }
    if let visit = decision.booked { try takeBack(visit: visit, version: decision.bookedVersion, now: now) }
    try connection.inbox.undo(decision, at: now, actor: practice.actorName)
  }

  /// Cancels the visit that was booked with a decision, unless it is off the book already.
  private func takeBack(visit row: Int64, version: Int64?, now: Timestamp) throws {
    guard let visit = try connection.appointments.appointment(row: row), visit.value.status.occupiesTime else { return }
    guard visit.version == version, visit.value.status == .booked else {
      throw PracticeError(
        .changedMeanwhile, "the visit \(visit.value.id) was changed since it was booked; nothing was taken back",
        hint: "Cancel it (vetnet schedule cancel \(visit.value.id)), and take this back then.")
    }
    _ = try practice.calendar.cancel(appointment: visit.value.id, now: now)
  }

  private func takeBack(_ filed: InboxRow.Filed, of row: InboxRow) throws {
    func refuse(_ what: String, _ hint: String) -> PracticeError {
      PracticeError(
        .changedMeanwhile, "\(what) was changed since it was filed; nothing was taken back", hint: hint)
    }
    switch filed.table {
    case .note:
      guard let note = try connection.notes.note(row: filed.row) else { return }
      guard note.value.text == row.content.text, note.patientRowID == filed.patient,
        try connection.notes.versions(row: filed.row).isEmpty, try connection.notes.retraction(row: filed.row) == nil
      else {
        throw refuse("note \(note.value.id)", "Retract it (vetnet note retract), or move it (vetnet note move).")
      }
      try connection.notes.delete(row: filed.row)
    case .intake:
      guard let intake = try connection.intakes.intake(row: filed.row) else { return }
      guard intake.value.text == row.content.text, intake.patientRowID == filed.patient else {
        throw refuse("intake \(intake.value.id)", "It stays with its patient.")
      }
      if row.standing.intake == filed.row {
        try connection.intakes.setPatient(nil, row: filed.row)
      } else {
        try connection.intakes.delete(row: filed.row)
      }
    case .appointment:
      guard let appointment = try connection.appointments.appointment(row: filed.row) else { return }
      guard appointment.patientRowID == filed.patient else {
        throw refuse("appointment \(appointment.value.id)", "It stays with its patient.")
      }
      try connection.appointments.setPatient(nil, row: filed.row)
    case .client, .patient, .location, .staff, .resource: break
    }
  }

  /// Does `work` in one transaction; takes it back where it was only tried.
  func dryRunning(_ isDryRun: Bool, _ work: () throws -> Void) throws {
    struct DryRunIsOver: Error {}
    do {
      try writing {
        try work()
        if isDryRun { throw DryRunIsOver() }
      }
    } catch is DryRunIsOver {}
  }
}
