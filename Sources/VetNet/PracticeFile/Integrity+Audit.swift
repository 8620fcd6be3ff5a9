import Clinical
import FoundationEssentials
import Store

/// One entry of the audit log.
public struct AuditLine: Encodable, Sendable {
  public struct Subject: Encodable, Sendable {
    public let kind: String
    public let id: String
    /// Of the record, where the entry changed it: BLAKE2b-256 in hexadecimal digits.
    public let before: String?
    public let after: String?
  }

  public let sequence: Int64
  /// In the practice's time; nil, like all else that was in it, where the content was taken out.
  public let at: String?
  public let actor: String?
  public let role: String?
  /// `change`, `access`, `refusal`, `begun`, `step`, `ended`, `checkpoint`, `key`, `broken` or `earlier`.
  public let kind: String?
  public let operation: String?
  public let version: Int?
  /// As JSON.
  public let details: String?
  public let subjects: [Subject]
  /// The entry that says that the content was taken out.
  public let checkpoint: Int64?
  /// Of an export only.
  public let previous: String?
  public let digest: String?
  public let hash: String?
  /// Seconds since 1970, as the digest takes it; of an export only.
  public let seconds: Int64?

  init(_ chained: ChainedEntry, zone: PracticeTimeZone, exports: Bool) {
    let entry = chained.entry
    sequence = chained.sequence
    at = entry.map { zone.iso8601($0.at) }
    seconds = exports ? entry?.at.seconds : nil
    actor = entry?.actor
    role = entry?.role
    kind = entry?.kind.rawValue
    operation = entry?.operation
    version = entry?.version
    details = entry?.details
    subjects = (entry?.subjects ?? []).map {
      Subject(kind: $0.kind, id: $0.id, before: $0.before?.hexadecimal, after: $0.after?.hexadecimal)
    }
    checkpoint = chained.checkpoint
    previous = exports ? chained.previous.hexadecimal : nil
    digest = exports ? chained.digest.hexadecimal : nil
    hash = exports ? chained.hash.hexadecimal : nil
  }

  /// For a person, on one line.
  public var description: String {
    guard let at, let kind, let actor, let operation else {
      return "\(sequence)  (content taken out, as entry \(checkpoint ?? 0) says)"
    }
    let about = subjects.prefix(6).map { "\($0.kind) \($0.id)" }.joined(separator: ", ")
    let rest = subjects.count > 6 ? " and \(subjects.count - 6) more" : ""
    return "\(sequence)  \(at)  \(actor)\(role.map { " (\($0))" } ?? "")  \(kind) \(operation)  \(about)\(rest)"
  }
}

/// A place in the audit log, to be kept where nobody reaches it who reaches the practice file.
public struct AnchorLine: Codable, Hashable, Sendable {
  /// The practice's own id.
  public let practice: String?
  public let sequence: Int64
  /// 64 hexadecimal digits.
  public let hash: String
  /// When it was taken.
  public let at: String

  var anchor: AuditAnchor? {
    let digits = Array(hash.utf8)
    guard digits.count == 64 else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: 64, by: 2) {
      guard let byte = UInt8(String(decoding: digits[index..<index + 2], as: UTF8.self), radix: 16) else { return nil }
      bytes.append(byte)
    }
    return AuditAnchor(sequence: sequence, hash: ContentHash(stored: bytes))
  }
}

/// Whether the audit log is what was written.
public struct AuditReport: Encodable, Sendable {
  public let ok: Bool
  public let entries: Int
  /// The first entry that is not as it was written.
  public let firstBad: Int64?
  public let problem: String?
  public let compacted: Int
  /// Whether the head was compared with the practice's key; false where the key is not beside the file.
  public let isKeyed: Bool
  /// The entry from which on the key of today was used, where it is not the first.
  public let keyedFrom: Int64?
  public let anchors: Int

  private enum CodingKeys: String, CodingKey {
    case ok, entries, problem, compacted, anchors
    case firstBad = "first_bad"
    case isKeyed = "keyed"
    case keyedFrom = "keyed_from"
  }

  init(_ found: AuditVerification) {
    ok = found.isSound
    entries = found.entries
    firstBad = found.firstBad
    problem = found.flaw.map(Self.words)
    compacted = found.compacted
    isKeyed = found.isKeyed
    keyedFrom = found.keyedFrom
    anchors = found.anchors
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(ok, forKey: .ok)
    try container.encode(entries, forKey: .entries)
    try container.encode(firstBad, forKey: .firstBad)
    try container.encode(problem, forKey: .problem)
    try container.encode(compacted, forKey: .compacted)
    try container.encode(isKeyed, forKey: .isKeyed)
    try container.encodeIfPresent(keyedFrom, forKey: .keyedFrom)
    try container.encode(anchors, forKey: .anchors)
  }

  static func words(_ flaw: AuditVerification.Flaw) -> String {
    switch flaw {
    case .altered: "its content is not what was written"
    case .misplaced: "it doesn't follow the entry before it: something was put in, taken out or moved"
    case .emptied: "its content was taken out, and no checkpoint says so"
    case .headMoved: "the log doesn't end where its head says: entries were cut off or added"
    case .headNotAuthentic: "the head was not made with the practice's key: the log was written by something else"
    case .brokenBefore: "the head that stood before it was not made with the practice's key"
    case .anchorMissed:
      "an anchor names another entry in its place, or one that is not there: the log was cut off or written anew, or an older file was put in place"
    }
  }

  /// For a person.
  public var lines: [String] {
    var lines = [
      ok ? "ok      \(entries) entries" : "FAILED  entry \(firstBad ?? 0) of \(entries): \(problem ?? "")"
    ]
    if compacted > 0 { lines.append("\(compacted) entries without content, as checkpoints say") }
    if anchors > 0, ok { lines.append("\(anchors) anchors hold") }
    if !isKeyed {
      lines.append("the head was not compared: the key is not beside the practice file")
    } else if let keyedFrom {
      lines.append("entries before \(keyedFrom) were made under another key: only anchors say more of them")
    }
    return lines
  }
}

extension Practice.Integrity {
  func auditLog(
    patient reference: String? = nil, user: String? = nil, since: Timestamp? = nil, accessOnly: Bool = false,
    limit: Int? = nil, before: Int64? = nil, exports: Bool
  ) throws -> [AuditLine] {
    try reading {
      var filter = AuditChain.Filter()
      if let reference {
        // Somebody who is no longer on file may be asked about by the id.
        let found = try connection.patients.matching(reference)
        if found.count > 1 { _ = try practice.records.stored(patient: reference) }
        filter.subject = ("patient", found.first?.value.id ?? reference)
      }
      filter.actor = user
      filter.since = since
      filter.before = before ?? .max
      if accessOnly { filter.kinds = [.access, .refusal] }
      return try connection.audit.entries(filter, latestFirst: !exports, limit: limit).map {
        AuditLine($0, zone: timeZone, exports: exports)
      }
    }
  }

  func verifyAudit(anchors: [AnchorLine]) throws -> AuditReport {
    try reading {
      let own = try connection.fileState().practiceID
      let places = try anchors.map { line in
        guard let anchor = line.anchor else {
          throw PracticeError(.invalidArgument, "'\(line.hash)' is no hash of an anchor")
        }
        guard line.practice == nil || line.practice == own else {
          throw PracticeError(.invalidArgument, "the anchor of entry \(line.sequence) is another practice's")
        }
        return anchor
      }
      return AuditReport(try connection.audit.verify(key: practice.secrets.auditKey, anchors: places))
    }
  }

  func auditAnchor(at now: Timestamp) throws -> AnchorLine {
    // What an anchor names must not be lost by a power cut, or the log would seem to be cut off.
    try? practice.recordingAside { try $0.checkpoint(truncate: false) }
    return try reading {
      guard let last = try connection.audit.last() else {
        throw PracticeError(.notFound, "nothing is on record yet, so that there is nothing to anchor")
      }
      return AnchorLine(
        practice: try connection.fileState().practiceID, sequence: last.sequence, hash: last.hash.hexadecimal,
        at: timeZone.iso8601(now))
    }
  }

  /// Accesses are kept this long at least: who looked at a record is asked months later.
  public static let leastAccessDays = 365

  func accessDays() throws -> Int? {
    try reporting { try connection.settings.value(Setting.auditAccessDays) }.flatMap { Int($0) }
  }

  func keepAccesses(days: Int?) throws {
    if let days, days < Self.leastAccessDays {
      throw PracticeError(
        .invalidArgument, "accesses are kept for \(Self.leastAccessDays) days at least, not for \(days)")
    }
    try writing { try connection.settings.set(Setting.auditAccessDays, to: days.map(String.init)) }
  }

  func compactAudit(_ passage: Passage, isDryRun: Bool) throws -> Int {
    guard let text = try reporting({ try connection.settings.value(Setting.auditAccessDays) }), let days = Int(text)
    else {
      throw PracticeError(
        .failed, "accesses are kept for as long as the practice file is",
        hint: "Maybe say how long first: vetnet audit keep DAYS")
    }
    let before = passage.now.adding(days: -max(days, Self.leastAccessDays))
    struct DryRunIsOver: Error {}
    var count = 0
    do {
      try writing {
        count = try connection.audit.compact(
          accessesBefore: before,
          checkpoint: AuditEntry(
            .checkpoint, at: passage.now, actor: passage.actor.name, role: passage.actor.role.rawValue,
            operation: CompactAudit.name, details: #"{"before":"\#(before.seconds)"}"#), key: practice.secrets.auditKey)
        if isDryRun { throw DryRunIsOver() }
      }
    } catch is DryRunIsOver {}
    return count
  }

  /// What is wrong with the audit log.
  func auditCheck() throws -> IntegrityCheck {
    var count = 0
    let findings = try looking("audit log") {
      let found = try connection.audit.verify(key: practice.secrets.auditKey)
      count = found.entries
      guard let flaw = found.flaw else { return [] }
      return [
        DoctorFinding(
          .damage, "audit log", "entry \(found.firstBad ?? 0): \(AuditReport.words(flaw)); vetnet audit log shows it")
      ]
    }
    return IntegrityCheck("audit", checked: count, findings)
  }
}
