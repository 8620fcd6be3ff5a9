import Clinical
import FoundationEssentials
import Store

/// One operation on its way through the door: who does it and when, and what it has to say for the record. Only the door makes one.
public final class Passage {
  let practice: Practice
  let actor: Actor
  let now: Timestamp
  let progress: (Progress) -> Void
  let message: (String) -> Void
  /// For the audit log: ids, counts, coded values and digests.
  var details: [String: String] = [:]
  /// Whether it turned out to be about nobody on file.
  var isAboutNobody = false
  /// Whether the very same is on record already, of this second.
  var isOnRecord = false

  private let name: String
  private let version: Int
  private let conduct: Conduct
  private let isDeed: Bool
  /// Whether what it commits goes on record; not while the door itself writes.
  private var isChanging: Bool
  private(set) var seen: [RecordReference] = []
  private var known: Set<RecordReference> = []
  /// Entries of the open transaction, told to others when it is committed.
  private var uncommitted: [PracticeChange] = []
  private(set) var entryCount = 0

  init<Wanted: Operation>(
    _ operation: Wanted, in practice: Practice, by actor: Actor, at now: Timestamp,
    progress: @escaping (Progress) -> Void, message: @escaping (String) -> Void
  ) {
    self.practice = practice
    self.actor = actor
    self.now = now
    self.progress = progress
    self.message = message
    name = Wanted.name
    version = Wanted.version
    conduct = Wanted.conduct
    isDeed = Wanted.isDeed
    isChanging = !Wanted.changes.isEmpty && !operation.changesNothing
  }

  /// Says which records were shown, or touched beside those that were changed.
  func touch(_ kind: RecordKind, _ ids: some Sequence<String>) {
    touch(ids.map { RecordReference(kind, $0) })
  }

  func touch(_ records: [RecordReference]) {
    for reference in records where known.insert(reference).inserted { seen.append(reference) }
  }

  func touch(_ kind: RecordKind, _ id: String?) { touch(kind, [id].compactMap(\.self)) }

  /// A text that must not stand in the log: enough to prove later that it was this one.
  static func digest(_ text: String) -> String { ContentHash(of: Array(text.utf8)).hexadecimal }

  // MARK: For the door

  /// Before each commit: an entry for what was changed, in the same transaction.
  func beforeCommit(_ changes: [RecordChange]) throws(StoreError) -> Bool {
    guard isChanging else { return false }
    uncommitted = []
    let isFirst = entryCount == 0 && conduct == .atOnce
    guard isFirst || !changes.isEmpty else { return false }
    try append(isFirst ? .change : .step, changes)
    return isDeed
  }

  func afterCommit() {
    practice.secrets.auditKey?.settle()
    for change in uncommitted { practice.changes.announce(change) }
    uncommitted = []
  }

  /// Writes one entry that is no change of a record, in a transaction of its own.
  func record(_ kind: AuditEntry.Kind, in connection: Connection, about subjects: [RecordReference] = []) throws {
    let wasChanging = isChanging
    isChanging = false
    defer { isChanging = wasChanging }
    for subject in subjects { touch(subject.kind, subject.id) }
    try connection.transaction { () throws(StoreError) in
      uncommitted = []
      try append(kind, [], in: connection)
    }
    practice.secrets.auditKey?.settle()
  }

  private func append(
    _ kind: AuditEntry.Kind, _ changes: [RecordChange], in other: Connection? = nil
  ) throws(StoreError) {
    let connection = other ?? practice.connection
    var subjects = changes.map { change in
      AuditEntry.Subject(kind: change.table.rawValue, id: change.id, before: change.before, after: change.after)
    }
    var named = Set(subjects.map { "\($0.kind) \($0.id)" })
    // Whose records they are; a step is about those of its own.
    var patients: [RecordReference] = []
    for change in changes {
      if let patient = try connection.audit.patient(of: change) { patients.append(RecordReference(.patient, patient)) }
    }
    for reference in seen + patients where named.insert("\(reference.kind.rawValue) \(reference.id)").inserted {
      subjects.append(.init(kind: reference.kind.rawValue, id: reference.id))
    }
    let place = try connection.audit.append(
      AuditEntry(
        kind, at: now, actor: actor.name, role: actor.role.rawValue, operation: name, version: version,
        details: encodedDetails, subjects: subjects), key: practice.secrets.auditKey)
    entryCount += 1
    guard kind == .change || kind == .step || kind == .ended else { return }
    uncommitted.append(PracticeChange(operation: name, about: subjects, sequence: place.sequence))
  }

  private var encodedDetails: String? {
    guard !details.isEmpty else { return nil }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(details)).map { String(decoding: $0, as: UTF8.self) }
  }
}
