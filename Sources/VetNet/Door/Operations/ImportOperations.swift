import Clinical

/// Reads files and keeps what is valid in them, in batches that each are a transaction.
public struct ImportRecords: Operation {
  public static let name = "import.run"
  public static let permission = Permission.keep
  public static let reads: Set<RecordKind> = [
    .client, .patient, .location, .staff, .resource, .appointment, .note, .intake,
  ]
  public static let changes: Set<RecordKind> = [
    .client, .patient, .location, .staff, .resource, .appointment, .note, .intake, .imports, .inbox, .index,
  ]
  public static let conduct = Conduct.inSteps

  public var paths: [String]
  public var options: ImportOptions

  public init(paths: [String], options: ImportOptions) {
    self.paths = paths
    self.options = options
  }

  public var changesNothing: Bool { options.isDryRun }

  public func run(_ passage: Passage) throws -> ImportSummary {
    let summary = try passage.practice.exchange.importFiles(
      paths, options: options, now: passage.now, progress: passage.progress, message: passage.message)
    passage.details["import"] = summary.importID.map(String.init)
    passage.details["rejected"] = String(summary.rejected)
    return summary
  }
}

/// The imports that changed something, the newest first.
public struct ListImports: Operation {
  public static let name = "import.log"
  public static let permission = Permission.keep
  public static let reads: Set<RecordKind> = [.imports]

  public init() {}

  public func run(_ passage: Passage) throws -> [ImportLogEntry] {
    try passage.practice.exchange.importLog()
  }
}

/// One import with what it overwrote.
public struct ShowImport: Operation {
  public static let name = "import.show"
  public static let permission = Permission.keep
  public static let reads: Set<RecordKind> = [
    .imports, .client, .patient, .location, .staff, .resource, .appointment, .note, .intake,
  ]

  public var id: Int

  public init(id: Int) {
    self.id = id
  }

  public var subjects: [RecordReference] { [RecordReference(.imports, String(id))] }

  public func run(_ passage: Passage) throws -> ImportLogEntry {
    passage.touch(.imports, String(id))
    return try passage.practice.exchange.importLog(id)
  }
}

/// Takes a whole import back: what it made goes, what it overwrote gets its old value.
public struct UndoImport: Operation {
  public static let name = "import.undo"
  public static let permission = Permission.keep
  public static let reads: Set<RecordKind> = [.imports]
  public static let changes: Set<RecordKind> = [
    .client, .patient, .location, .staff, .resource, .appointment, .note, .intake, .imports, .index,
  ]

  public var id: Int?
  public var isDryRun: Bool

  public init(id: Int? = nil, isDryRun: Bool = false) {
    self.id = id
    self.isDryRun = isDryRun
  }

  public var changesNothing: Bool { isDryRun }
  public var subjects: [RecordReference] { id.map { [RecordReference(.imports, String($0))] } ?? [] }

  public func run(_ passage: Passage) throws -> ImportUndoSummary {
    passage.touch(.imports, id.map(String.init))
    return try passage.practice.exchange.undoImport(id, now: passage.now, isDryRun: isDryRun)
  }
}
