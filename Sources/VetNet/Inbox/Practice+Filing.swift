import Clinical
import Store

// Filing what waits in the inbox: it becomes a record of the patient whom somebody named. Each decision can be taken back, the last
// one first, as long as nobody has changed since what came of it.

extension Practice {
  /// Files an item to a patient: a letter or note becomes a note, an intake an intake; an event's appointment gets its patient. The
  /// date is the note's; nil for the item's own, else the moment it came in.
  func fileInboxItem(
    _ id: String, to patientID: String, date: Timestamp?, now: Timestamp, isDryRun: Bool
  ) throws -> InboxItem {
    var makesNote = false
    try dryRunning(isDryRun) {
      let row = try storedItem(id)
      guard row.standing.state != InboxItem.State.filed.rawValue else {
        throw PracticeError(
          .invalidArgument, "\(InboxItem.id(row.rowID)) is filed already; nothing was written",
          hint: "To file it elsewhere, take that back first (Undo, or vetnet inbox undo \(InboxItem.id(row.rowID))).")
      }
      let content = try inboxItem(id).content
      let patient = try stored(patient: patientID)
      let filed: InboxRow.Filed
      switch content.kind {
      case .letter, .note:
        filed = try fileAsNote(content, row.rowID, patient, date, now: now)
        makesNote = true
      case .intake: filed = try fileAsIntake(content, row.rowID, patient)
      case .event: filed = try fileAppointment(row, patient)
      }
      try connection.inbox.decide(
        row: row.rowID, InboxItem.State.filed.rawValue, filed: filed, reason: nil, at: now, actor: actorName)
    }
    if makesNote, !isDryRun {
      try index(after: "\(id) is filed", hint: "Run vetnet reindex; don't file it again.", now: now)
    }
    return try inboxItem(id)
  }

  private func fileAsNote(
    _ content: IncomingItem, _ row: Int64, _ patient: Stored<Patient>, _ date: Timestamp?, now: Timestamp
  ) throws -> InboxRow.Filed {
    if let date { try requirePast(date, now: now) }
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
    _ content: IncomingItem, _ row: Int64, _ patient: Stored<Patient>
  ) throws -> InboxRow.Filed {
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

  /// Rejects an item, or puts it off.
  func setInboxItemAside(
    _ id: String, _ state: InboxItem.State, reason: String?, now: Timestamp, isDryRun: Bool
  ) throws -> InboxItem {
    if state == .rejected, reason?.contains(where: { !$0.isWhitespace }) != true {
      throw PracticeError(.invalidArgument, "a rejection needs a reason", hint: "Give it with --reason.")
    }
    try dryRunning(isDryRun) {
      let row = try storedItem(id)
      guard row.standing.state != InboxItem.State.filed.rawValue else {
        throw PracticeError(
          .invalidArgument, "\(InboxItem.id(row.rowID)) is filed; nothing was written",
          hint: "Take that back first (Undo, or vetnet inbox undo \(InboxItem.id(row.rowID))).")
      }
      guard row.standing.state != state.rawValue else {
        throw PracticeError(
          .invalidArgument, "\(InboxItem.id(row.rowID)) is \(state == .later ? "put off" : "rejected") already")
      }
      try connection.inbox.decide(row: row.rowID, state.rawValue, reason: reason, at: now, actor: actorName)
    }
    return try inboxItem(id)
  }

  /// Rejects several items, or puts them off, all or none; those that stand so already stay as they are.
  func setInboxItemsAside(
    _ ids: [String], _ state: InboxItem.State, reason: String?, now: Timestamp
  ) throws -> [InboxItem] {
    guard (1...SetSeveralAside.most).contains(ids.count) else {
      throw PracticeError(.invalidArgument, "1 to \(SetSeveralAside.most) items are set aside at once")
    }
    return try writing {
      var changed: Set<Int64> = []
      return try ids.compactMap { id in
        let row = try storedItem(id)
        guard changed.insert(row.rowID).inserted, row.standing.state != state.rawValue else { return nil }
        return try setInboxItemAside(id, state, reason: reason, now: now, isDryRun: false)
      }
    }
  }

  /// Takes the last decision that stands back, about one item or about any.
  ///
  /// - Throws: ``PracticeError`` for what was changed since it was filed, which goes nowhere unasked.
  func undoInbox(_ id: String?, now: Timestamp, isDryRun: Bool) throws -> InboxItem {
    var undone: Int64 = 0
    try dryRunning(isDryRun) {
      let item = try id.map { try storedItem($0).rowID }
      guard let decision = try connection.inbox.lastDecision(item: item),
        let row = try connection.inbox.item(row: decision.item)
      else { throw PracticeError(.notFound, "there is no decision of the inbox to take back") }
      undone = decision.item
      if let filed = row.standing.filed { try takeBack(filed, of: row) }
      try connection.inbox.undo(decision, at: now, actor: actorName)
    }
    return try inboxItem(InboxItem.id(undone))
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
      try connection.intakes.delete(row: filed.row)
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
