public import Clinical
import Store

extension Practice {
  /// Does an operation: the only way to what a practice file holds.
  ///
  /// The actor's role has to permit it, else nothing is changed and the refusal is put on record. What changes something does so in
  /// one transaction with its entry in the audit log, or, where it says so, in steps with an entry each; what shows
  /// records is put on record before it is shown. Listeners hear of a change after it is committed.
  ///
  /// A reading is never refused because it can't be put on record, nor does long work fail because its end can't: ``DoorState/unrecorded``
  /// then says why.
  ///
  /// - Parameters:
  ///   - operation: what is to be done.
  ///   - actor: who wants it.
  ///   - now: the present moment, for the record as well.
  ///   - progress: called often in long work.
  ///   - message: called with lines for a person while the work goes on.
  /// - Returns: what the operation says it returns.
  /// - Throws: ``PracticeError`` with `notPermitted`, or as the operation says.
  /// - Complexity: the operation's; to put it on record takes the same time whatever the log's length.
  @discardableResult
  public func perform<Wanted: Operation>(
    _ operation: Wanted, by actor: Actor, at now: Timestamp, progress: @escaping (Progress) -> Void = { _ in },
    message: @escaping (String) -> Void = { _ in }
  ) throws -> Wanted.Outcome {
    try perform(operation, by: actor, at: now, progress: progress, message: message) { try $0() }
  }

  /// `within` is given the work of an operation, to do it within a transaction of its own.
  func perform<Wanted: Operation>(
    _ operation: Wanted, by actor: Actor, at now: Timestamp, progress: @escaping (Progress) -> Void,
    message: @escaping (String) -> Void, within: (() throws -> Wanted.Outcome) throws -> Wanted.Outcome
  ) throws -> Wanted.Outcome {
    precondition(door.passage == nil, "\(Wanted.name) within another operation")
    door.unrecorded = nil
    let isAdmitted = try admits(actor)
    let actor = isAdmitted ? try self.actor(actor, doing: operation) : actor
    let passage = Passage(operation, in: self, by: actor, at: now, progress: progress, message: message)
    guard isAdmitted, actor.role.may(Wanted.permission) else {
      // As they are on file: what somebody typed may be a name, or anything.
      let subjects = (try? operation.subjects.compactMap(onFile)) ?? []
      try? recordingAside { try passage.record(.refusal, in: $0, about: subjects) }
      throw isAdmitted
        ? .notPermitted(Wanted.name, Wanted.permission, to: actor)
        : PracticeError.notSignedIn(Wanted.name, Wanted.permission)
    }
    if let feature = Wanted.feature { try settings.require(feature) }
    if Wanted.isOfHub, !operation.changesNothing { try requireHub(Wanted.name) }
    door.passage = passage
    connection.beforeCommit = { [unowned passage] (changes) throws(StoreError) in try passage.beforeCommit(changes) }
    connection.afterCommit = { [unowned passage] in passage.afterCommit() }
    defer {
      door.passage = nil
      connection.beforeCommit = nil
      connection.afterCommit = nil
    }
    let changes = !Wanted.changes.isEmpty && !operation.changesNothing
    let isLong = changes && Wanted.conduct == .inSteps
    if isLong {
      // Asked before anything is written: a job in the middle of a batch holds the write lock, and would be met as a busy file.
      if let job = Wanted.job { try reporting { try connection.jobs.refuse(kind: job, at: now) } }
      do {
        try reporting { try passage.record(.begun, in: connection) }
      } catch let error as PracticeError {
        throw error.adding(
          Wanted.self == ImportRecords.self ? "nothing of this import is kept" : "nothing was begun")
      }
    }
    let outcome: Wanted.Outcome
    do {
      outcome = try within { try self.outcome(of: operation, passage) }
    } catch let error as PracticeError where error.code == .notPermitted {
      // Only on the way it showed where it would have led.
      try? recordingAside {
        try passage.record(.refusal, in: $0, about: (try? operation.subjects.compactMap(onFile)) ?? [])
      }
      throw error
    } catch let error as PracticeError where !error.candidates.isEmpty {
      // Whoever is asked which of several patients is meant sees them all.
      passage.touch(.patient, error.candidates.map(\.id))
      recordAside(.access, passage)
      throw error
    }
    if isLong {
      // What it did is done, and each step of it on record.
      recordAside(.ended, passage)
      passage.afterCommit()
    } else if changes, passage.entryCount == 0 {
      // It found that nothing was to be done.
      try reporting { try passage.record(.change, in: connection) }
      passage.afterCommit()
    } else if !changes, Wanted.showsRecords, !passage.isAboutNobody, !passage.isOnRecord {
      recordAside(.access, passage)
      if door.unrecorded == nil { markRecorded(operation, of: actor) }
    }
    return outcome
  }

  /// - Throws: ``PracticeError`` in a clone, for what would be another thing in each file.
  private func requireHub(_ name: String) throws {
    guard let own = try reporting({ () throws(StoreError) in try connection.operationLog.own() }), !own.isHub else {
      return
    }
    throw PracticeError(
      .failed, "'\(name)' is done at the hub of this practice; this file is its clone",
      hint: "Maybe see: vetnet sync --explain")
  }

  /// Puts on record what nothing has to be undone for if it can't be.
  private func recordAside(_ kind: AuditEntry.Kind, _ passage: Passage) {
    do {
      try recordingAside { try passage.record(kind, in: $0) }
    } catch {
      // Why, without what it means for a change: there is none.
      door.unrecorded = String(((error as? PracticeError)?.description ?? "\(error)").prefix { $0 != ";" })
    }
  }

  /// Whether an actor is who they say: in a practice with users one of them, as they are now and not when they signed in.
  func admits(_ actor: Actor) throws -> Bool {
    try reporting {
      guard try connection.users.hasAny() else { return true }
      guard let user = try connection.users.user(named: actor.name) else { return false }
      return !user.isDisabled && user.role == actor.role.rawValue
    }
  }

  /// Somebody as they are at the location that an operation is about, where that is another role than elsewhere.
  private func actor(_ actor: Actor, doing operation: some Operation) throws -> Actor {
    try reporting {
      guard let user = try connection.users.user(named: actor.name),
        try connection.users.hasLocationRoles(row: user.rowID)
      else { return actor }
      var place = operation.place.flatMap { try? workplace.location($0).rowID }
      if place == nil, let id = operation.subjects.first(where: { $0.kind == .appointment })?.id,
        let stored = try connection.appointments.appointments(id: id).first,
        let known = try workplace.locationID(of: stored)
      {
        place = try connection.recordIDs.row(.location, known)
      }
      guard let place, let word = try connection.users.role(row: user.rowID, at: place), let role = Role(rawValue: word)
      else { return actor }
      return Actor(name: actor.name, role: role)
    }
  }

  /// The record that is meant, by its id; nil where there is none.
  private func onFile(_ reference: RecordReference) throws -> RecordReference? {
    func shown(_ table: RecordTable) throws -> String? {
      guard let row = try connection.recordIDs.row(table, reference.id) else { return nil }
      return try connection.recordIDs.shown(table, row)
    }
    let id: String? =
      switch reference.kind {
      case .patient: try records.known(reference.id)
      case .note: try shown(.note)
      case .appointment: try shown(.appointment)
      case .imports: Int(reference.id).map(String.init)
      case .encounter: Encounter.isID(reference.id) ? reference.id : nil
      case .photo: Photo.row(reference.id).map(Photo.id)
      case .inbox: InboxItem.row(reference.id).map(InboxItem.id)
      default: nil
      }
    return id.map { RecordReference(reference.kind, $0) }
  }

  /// How long a reading waits for others to be put on record.
  static let recordMilliseconds: Int32 = 2000

  /// Gives `work` a connection that can write to the log, be this practice open for reading only; not for a backup that is looked at
  /// where it lies.
  func recordingAside(_ work: (Connection) throws -> Void) throws {
    guard !door.isStill else { return }
    try reporting {
      if connection.canWrite { return try work(connection) }
      if connection.recordsReadings, !connection.isInTransaction {
        try connection.recording(waitingMilliseconds: Self.recordMilliseconds) {
          try work(connection)
          door.shortenLog(of: connection)
        }
      } else {
        let log = try door.logConnection ?? Connection.openForRecord(path, waitingMilliseconds: Self.recordMilliseconds)
        door.logConnection = log
        try work(log)
      }
    }
  }

  /// The name under which what is done now is signed.
  var actorName: String { door.passage?.actor.name ?? People.userName }
}

extension PracticeError {
  static func notPermitted(_ operation: String, _ permission: Permission, to actor: Actor) -> Self {
    PracticeError(
      .notPermitted, "'\(operation)' is not permitted to the role \(actor.role.rawValue)",
      hint: "It needs the permission to \(permission.rawValue), and so the role \(roles(permission)).")
  }
}
