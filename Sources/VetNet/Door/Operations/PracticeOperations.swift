import Clinical

/// Counts, the index and its model, a job that is under way, and the last proven backup.
public struct ShowStatus: Operation {
  public static let name = "practice.status"
  public static let permission = Permission.inspect
  public static let reads: Set<RecordKind> = [.file, .setting, .index, .backup]

  public init() {}

  public func run(_ passage: Passage) throws -> Status {
    try passage.practice.file.status(now: passage.now)
  }
}

/// Checks the file, the index, the models, the appointment book, and values that can't be right.
public struct Examine: Operation {
  public static let name = "practice.doctor"
  public static let permission = Permission.inspect
  public static let reads: Set<RecordKind> = [.file]

  public var isQuick: Bool

  public init(isQuick: Bool = false) {
    self.isQuick = isQuick
  }

  public func run(_ passage: Passage) throws -> [DoctorFinding] {
    try passage.practice.integrity.doctor(now: passage.now, isQuick: isQuick)
  }
}

/// Compares everything in the file with what was written.
public struct VerifyPractice: Operation {
  public static let name = "practice.verify"
  public static let permission = Permission.inspect
  public static let reads: Set<RecordKind> = [.file, .audit]

  public init() {}

  public func run(_ passage: Passage) throws -> Verification {
    try passage.practice.integrity.verify()
  }
}

/// What a re-index with these options would do now.
public struct PlanReindex: Operation {
  public static let name = "index.plan"
  public static let permission = Permission.inspect
  public static let reads: Set<RecordKind> = [.index]

  public var options: ReindexOptions

  public init(options: ReindexOptions) {
    self.options = options
  }

  public func run(_ passage: Passage) throws -> ReindexPlan {
    try passage.practice.index.reindexPlan(options)
  }
}

/// Chunks, embeds and indexes notes again, beside the live index.
public struct Reindex: Operation {
  public static let name = "index.rebuild"
  public static let permission = Permission.keep
  public static let reads: Set<RecordKind> = [.file]
  public static let changes: Set<RecordKind> = [.index]
  public static let conduct = Conduct.inSteps
  public static let job: String? = Practice.Index.jobKind

  public var options: ReindexOptions

  public init(options: ReindexOptions) {
    self.options = options
  }

  public func run(_ passage: Passage) throws -> ReindexSummary {
    let summary = try passage.practice.index.reindex(options, now: passage.now, progress: passage.progress)
    passage.details["model"] = summary.model
    passage.details["notes"] = String(summary.indexedNotes)
    return summary
  }
}

/// Makes a backup of the practice as it is now, and proves it before it takes its place.
public struct BackUp: Operation {
  public static let name = "backup.make"
  public static let permission = Permission.keep
  public static let reads: Set<RecordKind> = [.file]
  public static let changes: Set<RecordKind> = [.backup]
  public static let conduct = Conduct.inSteps

  /// A file or a folder; nil for where the practice's backups are, as its status says.
  public var destination: String?
  public var keep: Int?
  /// Whether a backup of a plain file is to be encrypted too, by what was offered with ``PracticeSecrets/offeredBackupKey``.
  public var isEncrypted: Bool?
  public var isDryRun: Bool

  public init(destination: String?, keep: Int? = nil, isEncrypted: Bool? = nil, isDryRun: Bool = false) {
    self.destination = destination
    self.keep = keep
    self.isEncrypted = isEncrypted
    self.isDryRun = isDryRun
  }

  public var changesNothing: Bool { isDryRun }

  public func run(_ passage: Passage) throws -> BackupReport {
    let usual = try destination == nil ? passage.practice.file.readyBackupFolder(isDryRun: isDryRun) : nil
    let report = try passage.practice.file.backup(
      to: destination ?? usual?.folder ?? "", keep: keep ?? usual?.keep, isEncrypted: isEncrypted ?? false,
      isDryRun: isDryRun, now: passage.now,
      progress: { passage.progress(Progress(done: $0, total: $1, detail: "pages")) })
    passage.details["digest"] = report.digest
    return report
  }
}

/// Puts a backup in the place of a practice file, which is closed meanwhile: see ``Practice/File/restore(_:at:models:by:now:)``.
public struct RestoreBackup: Operation {
  public static let name = "backup.restore"
  public static let permission = Permission.keep
  public static let reads: Set<RecordKind> = [.file]
  public static let changes: Set<RecordKind> = [
    .client, .patient, .location, .staff, .resource, .appointment, .note, .intake, .assessment, .plan, .imports, .index,
    .setting,
    .backup, .audit, .user,
  ]

  public var backup: String
  public var replacesNewer: Bool
  public var isDryRun: Bool

  public init(backup: String, replacesNewer: Bool = false, isDryRun: Bool = false) {
    self.backup = backup
    self.replacesNewer = replacesNewer
    self.isDryRun = isDryRun
  }

  public var changesNothing: Bool { isDryRun }

  public func run(_ passage: Passage) throws -> RestoreReport {
    throw PracticeError(
      .locked, "a backup takes the place of a practice file that is closed", hint: "Maybe run: vetnet restore FILE")
  }
}
