import Clinical
import FoundationEssentials
import Interchange
import Store

/// What became of a patient that was to be erased.
public struct EraseReport: Encodable, Sendable {
  /// Rows of a rejects file that are about the patient.
  public struct Rejects: Encodable, Sendable {
    public let file: String
    public let rows: Int
  }

  /// A copy of the practice file that was made before.
  public struct Copy: Encodable, Sendable {
    public let file: String
    /// Whether the patient is in it; nil where it can't be read.
    public let holds: Bool?
  }

  /// The patient's id.
  public let patient: String
  /// Of the owner who goes too.
  public let client: String?
  /// False for a dry run.
  public let erased: Bool
  /// How many records go, by kind.
  public let removed: [String: Int]
  public let rejects: [Rejects]
  /// Copies that hold the patient, or can't be read.
  public let copies: [Copy]
  /// Items of the inbox that may be about the patient or another, and stay.
  public let inbox: [String]
  /// Items of the inbox that go.
  public let inboxRemoved: [String]
  /// False while other programs that read the file keep what was erased in its write-ahead log.
  public let logIsClean: Bool

  private enum CodingKeys: String, CodingKey {
    case patient, client, erased, removed, rejects, copies, inbox
    case inboxRemoved = "inbox_removed"
    case logIsClean = "log_is_clean"
  }

  public var lines: [String] {
    let counts = removed.sorted { $0.key < $1.key }.filter { $0.value > 0 }.map { "\($0.value) \($0.key)" }
    var lines = [
      "\(patient) \(erased ? "is" : "would be") erased\(client.map { ", with the owner \($0)" } ?? ""): \(counts.joined(separator: ", "))"
    ]
    for reject in rejects {
      lines.append("\(reject.file): \(reject.rows) rejected rows \(erased ? "taken" : "would be taken") out")
    }
    for copy in copies {
      lines.append(
        "\(copy.file) \(copy.holds == nil ? "can't be read, and may hold" : "still holds") what \(erased ? "was" : "is to be") erased: delete it where it need not be kept"
      )
    }
    if !inboxRemoved.isEmpty {
      lines.append("of the inbox \(erased ? "went" : "would go"): \(inboxRemoved.joined(separator: ", "))")
    }
    if !inbox.isEmpty {
      lines.append(
        "in the inbox \(inbox.joined(separator: ", ")) may be about \(patient) or another patient, and \(erased ? "was" : "would be") left: see vetnet inbox show"
      )
    }
    if !logIsClean {
      lines.append(
        "another program reads the practice file: what was erased stays in its log until that ends and vetnet writes again"
      )
    }
    return lines
  }
}

// What is erased can't be brought back. It leaves tables, index, log and free pages, and rejects files beside the practice file;
// ids and moments stay, and the audit log, which holds no words.

extension Practice.Records {
  /// Erases a patient for good; `withClient` the owner too, of whom nothing else may be on file.
  ///
  /// - Throws: ``PracticeError``: `invalidArgument` for an empty reason or an owner who has other animals.
  func erasePatient(
    _ reference: String, reason: String, withClient: Bool, isDryRun: Bool, passage: Passage
  ) throws -> EraseReport {
    guard reason.contains(where: { !$0.isWhitespace }) else {
      throw PracticeError(.invalidArgument, "an erasure needs a reason", hint: "Give it with --reason.")
    }
    let patient = try stored(patient: reference)
    passage.touch(.patient, patient.value.id)
    let now = passage.now
    let client = try withClient ? clientToErase(of: patient) : nil
    let plan = try reporting { try connection.patients.erasure(of: patient.rowID, client: client) }
    let copies = try copies(holding: patient.rowID)
    let search = try reporting { try rejectsSearch(plan, patient.value) }
    var rejects: [EraseReport.Rejects] = []
    for file in rejectsFiles() {
      let rows = try rejectsReporting { try isDryRun ? search.count(in: file) : search.erase(in: file) }
      if rows > 0 { rejects.append(EraseReport.Rejects(file: file, rows: rows)) }
    }
    let clientID = plan.shown[.client]?.first
    func report(_ isClean: Bool) -> EraseReport {
      EraseReport(
        patient: patient.value.id, client: clientID, erased: !isDryRun,
        removed: Dictionary(plan.counts.map { ($0.kind, $0.count) }, uniquingKeysWith: { first, _ in first }),
        rejects: rejects, copies: copies, inbox: plan.sharedItems.map(InboxItem.id),
        inboxRemoved: plan.inboxItems.map(InboxItem.id), logIsClean: isClean)
    }
    if isDryRun { return report(true) }
    passage.details["client"] = clientID
    for (kind, count) in plan.counts where count > 0 { passage.details[kind] = String(count) }
    try writing {
      let subjects = plan.shown.flatMap { table, ids in ids.map { (kind: table.rawValue, id: $0) } }
      try connection.audit.withdrawEarlier(
        about: subjects,
        checkpoint: AuditEntry(
          .checkpoint, at: now, actor: passage.actor.name, role: passage.actor.role.rawValue,
          operation: ErasePatient.name), key: practice.secrets.auditKey)
      try connection.patients.erase(plan, at: now)
      if !plan.appointments.isEmpty {
        try practice.assessment.forgetDurations()
        try practice.assessment.keepDurations(at: now)
      }
    }
    return report(try reporting { try connection.finishErasure() })
  }

  /// The owner's row.
  private func clientToErase(of patient: Stored<Patient>) throws -> Int64 {
    try reporting {
      guard let client = try connection.patients.clientRow(of: patient.rowID) else {
        throw PracticeError(.notFound, "\(patient.value.id) has no owner with an entry of their own on file")
      }
      let others = try connection.patients.others(ofClient: client, than: patient.rowID)
      guard others.isEmpty else {
        let listed = others.prefix(5).joined(separator: ", ") + (others.count > 5 ? ", …" : "")
        throw PracticeError(
          .invalidArgument,
          "the owner of \(patient.value.id) has other animals on file (\(listed)); nothing was erased",
          hint: "Erase without --client, or erase these first.")
      }
      guard try !connection.patients.isOwnerInMerge(client: client, intoOtherThan: patient.rowID) else {
        throw PracticeError(
          .invalidArgument,
          "the owner of \(patient.value.id) is also that of a record that was merged into another; nothing was erased",
          hint: "Erase without --client, or take that merge back first: vetnet patient split")
      }
      return client
    }
  }

  /// Earlier copies of the file that this practice knows of, and those that lie beside it: as far as they are there and hold the
  /// patient.
  private func copies(holding patient: Int64) throws -> [EraseReport.Copy] {
    guard path != ":memory:", let origin = try reporting({ try connection.recordIDs.origin(.patient, patient) }) else {
      return []
    }
    let origins = [origin] + (try reporting { try connection.merges.origins(of: patient) })
    let folder = FilePath.folder(of: FilePath.absolute(path))
    let stem = FilePath.name(of: path) + ".before-restore-"
    let beside = Folder.names(in: folder)
      .filter { $0.hasPrefix(stem) && !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }.map { "\(folder)/\($0)" }
    let known = try reporting { try connection.backups.kept().map(\.file) }
    return Set(known + beside).sorted().compactMap { file in
      guard FileBytes.count(of: file) != nil else { return nil }
      // Of one that can't be read nothing is known; of the others it is enough that it is there under one of its ids.
      let answers = origins.map { BackupStore.holds(file, patient: $0.id, of: $0.source) }
      let holds = answers.contains(true) ? true : answers.contains(nil) ? nil : false
      return holds == false ? nil : EraseReport.Copy(file: file, holds: holds)
    }
  }

  /// What tells rejected rows about a patient: ids, the chip, and the name where nobody else has it.
  private func rejectsSearch(_ plan: Erasure, _ patient: Patient) throws -> RejectsSearch {
    var ids = Set(plan.shown.values.joined())
    for (table, rows) in [
      (RecordTable.patient, [plan.patientRow]), (.client, [plan.clientRow].compactMap(\.self)), (.note, plan.notes),
      (.appointment, plan.appointments), (.intake, plan.intakes),
    ] {
      for row in rows {
        if let id = try connection.recordIDs.origin(table, row)?.id { ids.insert(id) }
      }
    }
    if let chip = patient.microchip { ids.insert(chip) }
    let namesakes = try connection.patients.matching(patient.name)
    return RejectsSearch(ids: ids, names: namesakes.count == 1 ? [patient.name] : [])
  }

  /// Those that imports left beside the practice file; one that was named with `--rejects` is whoever's who named it.
  private func rejectsFiles() -> [String] {
    guard path != ":memory:" else { return [] }
    let folder = FilePath.folder(of: FilePath.absolute(path))
    let stem = FilePath.name(of: path) + "."
    return Folder.names(in: folder).filter { $0.hasPrefix(stem) && $0.hasSuffix(".rejects.jsonl") }.sorted()
      .map { "\(folder)/\($0)" }
  }

  private func rejectsReporting<Value>(_ work: () throws -> Value) throws -> Value {
    do {
      return try work()
    } catch let error as InterchangeError {
      throw PracticeError(.failed, "\(error.description); nothing was erased of the practice file")
    }
  }

  /// When a record was erased, in words; nil for an id that is not of an erased one.
  func erasure(of table: RecordTable, _ id: String, source: Int64? = nil) throws -> String? {
    try connection.erased.moment(table, id, source: source).map { "\(timeZone.date(of: $0))" }
  }
}

extension ImportKeeper {
  /// Refuses what was erased: the record itself, and whatever is about an erased patient.
  func refuseErased(_ row: Row, _ source: Int64) throws {
    guard try practice.connection.erased.isEmpty == false else { return }
    func refuse(_ field: String, _ table: RecordTable, _ id: String, _ words: String, among: Int64?) throws {
      // Another source's record of that id is another's.
      let isOnFile =
        try among.map { try practice.connection.imports.isOnFile(table, id: id, source: $0) }
        ?? !practice.connection.recordIDs.candidates(table, id).isEmpty
      guard !isOnFile, let day = try practice.records.erasure(of: table, id, source: among)
      else { return }
      throw RecordProblem(
        field: field, value: id, reason: "\(words) that was erased on \(day)",
        hint: "what was erased is not taken in again; who comes back gets a new id", isOfErased: true)
    }
    let id = row.record.id
    switch row.record {
    case .client: try refuse("id", .client, id, "is the id of a client", among: source)
    case .patient(let patient):
      try refuse("id", .patient, id, "is the id of a patient", among: source)
      if let owner = patient.ownerID { try refuse("owner_id", .client, owner, "names a client", among: source) }
    case .note(_, let reference):
      try refuse("id", .note, id, "is the id of a note", among: source)
      try refuse("patient_id", .patient, reference.idText, "names a patient", among: source)
    case .intake(_, let reference):
      try refuse("id", .intake, id, "is the id of an intake", among: source)
      if let reference { try refuse("patient_id", .patient, reference.idText, "names a patient", among: source) }
    case .appointment(_, let reference):
      try refuse("id", .appointment, id, "is the id of an appointment", among: source)
      if let reference { try refuse("patient_id", .patient, reference.idText, "names a patient", among: source) }
    case .calendarEntry(let entry):
      try refuse("UID", .appointment, entry.uid, "is the id of an appointment", among: source)
      if let patient = entry.appointment.patientID {
        try refuse("X-VETNET-PATIENT", .patient, patient, "names a patient", among: nil)
      }
    case .location, .staff, .resource: break
    }
  }
}

extension PatientReference {
  /// What is tried as an id.
  fileprivate var idText: String {
    switch self {
    case .id(let id), .nameOrID(let id), .both(let id, _): id
    }
  }
}
