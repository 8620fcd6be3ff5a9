public import Clinical

/// Who did what, when; of all that is given, the latest first.
public struct ReadAuditLog: Operation {
  public static let name = "audit.log"
  public static let permission = Permission.readAudit
  public static let reads: Set<RecordKind> = [.audit, .patient]

  public var patient: String?
  public var user: String?
  public var since: Timestamp?
  public var accessOnly: Bool
  public var limit: Int?
  /// Only entries before this one, to go on where a page ended.
  public var before: Int64?

  public init(
    patient: String? = nil, user: String? = nil, since: Timestamp? = nil, accessOnly: Bool = false, limit: Int? = nil,
    before: Int64? = nil
  ) {
    self.before = before
    self.patient = patient
    self.user = user
    self.since = since
    self.accessOnly = accessOnly
    self.limit = limit
  }

  public var subjects: [RecordReference] { patient.map { [RecordReference(.patient, $0)] } ?? [] }

  public func run(_ passage: Passage) throws -> [AuditLine] {
    passage.touch(.patient, try patient.flatMap { try passage.practice.records.known($0) })
    return try passage.practice.integrity.auditLog(
      patient: patient, user: user, since: since, accessOnly: accessOnly, limit: limit, before: before,
      exports: false)
  }
}

/// Every entry with its digests, the oldest first: enough to verify the chain elsewhere.
public struct ExportAudit: Operation {
  public static let name = "audit.export"
  public static let permission = Permission.readAudit
  public static let reads: Set<RecordKind> = [.audit, .patient]

  public init() {}

  public func run(_ passage: Passage) throws -> [AuditLine] {
    try passage.practice.integrity.auditLog(exports: true)
  }
}

/// Compares the chain with itself, its head with the key, and places in it with anchors.
public struct VerifyAudit: Operation {
  public static let name = "audit.verify"
  public static let permission = Permission.inspect
  public static let reads: Set<RecordKind> = [.audit]

  public var anchors: [AnchorLine]

  public init(anchors: [AnchorLine] = []) {
    self.anchors = anchors
  }

  public func run(_ passage: Passage) throws -> AuditReport {
    try passage.practice.integrity.verifyAudit(anchors: anchors)
  }
}

/// The place of the last entry, to be kept where nobody reaches it who reaches the practice file.
public struct AnchorAudit: Operation {
  public static let name = "audit.anchor"
  public static let permission = Permission.inspect
  public static let reads: Set<RecordKind> = [.audit]

  public init() {}

  public func run(_ passage: Passage) throws -> AnchorLine {
    try passage.practice.integrity.auditAnchor(at: passage.now)
  }
}

/// How many days the content of accesses is kept; nil for as long as the practice file is.
public struct ShowAccessDays: Operation {
  public static let name = "audit.days"
  public static let permission = Permission.readAudit
  public static let reads: Set<RecordKind> = [.setting]

  /// Fewer days can't be asked for.
  public static let least = Practice.Integrity.leastAccessDays

  public init() {}

  public func run(_ passage: Passage) throws -> Int? { try passage.practice.integrity.accessDays() }
}

/// How many days the content of accesses is kept; nil for as long as the practice file is.
public struct KeepAccesses: Operation {
  public static let name = "audit.keep"
  public static let permission = Permission.keepAudit
  public static let reads: Set<RecordKind> = [.setting]
  public static let changes: Set<RecordKind> = [.setting]

  public var days: Int?

  public init(days: Int?) {
    self.days = days
  }

  public func run(_ passage: Passage) throws {
    passage.details["days"] = days.map(String.init) ?? "all"
    try passage.practice.integrity.keepAccesses(days: days)
  }
}

/// Takes the content of accesses out that are older than is to be kept; the chain stays one.
public struct CompactAudit: Operation {
  public static let name = "audit.compact"
  public static let permission = Permission.keepAudit
  public static let reads: Set<RecordKind> = [.setting]
  public static let changes: Set<RecordKind> = [.audit]

  public var isDryRun: Bool

  public init(isDryRun: Bool = false) {
    self.isDryRun = isDryRun
  }

  public var changesNothing: Bool { isDryRun }

  public func run(_ passage: Passage) throws -> Int {
    try passage.practice.integrity.compactAudit(passage, isDryRun: isDryRun)
  }
}
