import Clinical
import Store

/// What a check of the practice file compares with what was written: its pages, SQLite's structures, every record, and the index.
///
/// `doctor` shows it, and whatever else has to know whether a file can be trusted asks here.
extension Practice {
  /// What is not as it was written; empty for a sound file. Nothing is changed, and nothing found stops the rest from being looked at.
  ///
  /// - Parameter isQuick: SQLite's own quick check only.
  /// - Returns: what was found, the file's own state first.
  /// - Throws: ``PracticeError`` only where the file is held by another process.
  func integrityFindings(isQuick: Bool) throws -> [DoctorFinding] {
    var findings = try looking("file") {
      try (isQuick ? connection.quickCheck() : connection.integrityCheck()).map { DoctorFinding(.damage, "file", $0) }
    }
    findings += try looking("file") {
      try connection.foreignKeyCheck().map { DoctorFinding(.damage, "file", $0) }
    }
    guard !isQuick else { return findings }
    findings += try looking("file") { try pageFindings() }
    let isFileSound = findings.isEmpty
    for table in RecordTable.allCases {
      findings += try looking("\(table.rawValue) records") {
        try connection.recordHashes.altered(table).map(recordFinding)
      }
    }
    // Derived numbers are compared where the pages they lie on are those that were written.
    guard isFileSound else { return findings }
    findings += try looking("index") {
      guard let live = try connection.generations.live() else { return [] }
      return try connection.chunks.verify(generation: live.rowID).map {
        DoctorFinding(.damage, "index", "\($0); \(Self.rebuildHint)")
      }
    }
    return findings
  }

  /// What can be said of a file that can't be opened because of `error`.
  ///
  /// - Throws: `error`, when it says nothing about damage.
  public static func findings(ofUnopened path: String, because error: PracticeError) throws -> [DoctorFinding] {
    guard [.integrity, .failed, .newerSchema].contains(error.code) else { throw error }
    let check = path == ":memory:" ? nil : try? PageCheck(path: path)
    let altered = check?.alteredPages ?? []
    if altered.isEmpty, error.code == .newerSchema || check == nil { throw error }
    var findings = [DoctorFinding(.damage, "file", error.description)]
    if !altered.isEmpty {
      findings.append(
        DoctorFinding(.damage, "file", "\(pages(altered, of: "")) not as written; restore a backup"))
    }
    return findings
  }

  /// The notes of a patient that are not what was written: nothing is quoted from them.
  func alteredNotes(of patient: Int64) throws -> Set<Int64> {
    let altered = try connection.recordHashes.alteredNotes(patient: patient)
    for note in altered { damagedNotes.insert(note.externalID) }
    return Set(altered.map(\.rowID))
  }

  /// Whether a note is what was written, asked before it is quoted.
  public func isIntact(noteID: String) throws -> Bool {
    try reporting {
      guard let row = try connection.recordIDs.row(.note, noteID) else { return false }
      if try connection.recordHashes.isIntact(.note, row) { return true }
      damagedNotes.insert(noteID)
      return false
    }
  }

  /// Writes pages anew that are not as they were written but hold nothing that was lost: free ones, those of the index that was
  /// just rebuilt, and those of records that all have the values they were written with.
  func mendPages() throws {
    try connection.checkpoint()
    let altered = try PageCheck(path: path).alteredPages
    guard !altered.isEmpty else { return }
    let tables = Set(try connection.tables(ofPages: altered).values)
    let records = Set(RecordTable.allCases.map(\.rawValue))
    guard tables.isSubset(of: records.union(Self.derivedTables)) else { return }
    for table in RecordTable.allCases {
      guard try connection.recordHashes.altered(table).isEmpty else { return }
    }
    try connection.compact()
  }

  // MARK: Parts

  private func pageFindings() throws -> [DoctorFinding] {
    guard path != ":memory:" else { return [] }
    let check = try PageCheck(path: path)
    guard check.isCovered else {
      return [
        DoctorFinding(
          .problem, "file",
          "has no checksums of its pages yet; the next command that writes adds them, when nothing else has it open")
      ]
    }
    guard !check.alteredPages.isEmpty else { return [] }
    let tables = (try? connection.tables(ofPages: check.alteredPages)) ?? [:]
    let byTable = Dictionary(grouping: check.alteredPages) { tables[$0] ?? "" }
    return byTable.sorted { $0.key < $1.key }.map { table, pages in
      DoctorFinding(
        .damage, Self.derivedTables.contains(table) ? "index" : "file",
        "\(Self.pages(pages, of: table)) not as written; \(Self.remedy(table))")
    }
  }

  private func recordFinding(_ record: AlteredRecord) -> DoctorFinding {
    let kind = record.table.rawValue
    guard record.kind != .missing else {
      return DoctorFinding(
        .damage, "\(kind) \(record.externalID)", "was written and is gone; restore a backup, or import it again")
    }
    // Years 1 to 9999: what was altered may be the moment itself.
    let day = record.moment.flatMap { (-62_135_596_800..<253_402_300_800).contains($0) ? $0 : nil }
      .map { "of \(timeZone.date(of: Timestamp(seconds: $0))) " }
    let what =
      record.kind == .unknown
      ? "was not written by VetNet" : "is not what was written: something else changed its words or values"
    return DoctorFinding(
      .damage, "\(kind) \(record.externalID)",
      "\(day ?? "")\(what); \(record.table == .note ? "nothing is quoted from it; " : "")import it again, or restore a backup"
    )
  }

  /// Runs one check; what it can't read is what it found.
  private func looking(_ subject: String, _ check: () throws -> [DoctorFinding]) throws -> [DoctorFinding] {
    do {
      return try check()
    } catch let error as StoreError where error.code != .busy {
      return [DoctorFinding(.damage, subject, "can't be read: \(error)")]
    }
  }

  private static let rebuildHint = "vetnet reindex --all makes the index anew from the notes"

  /// Made from the notes and the shipped models, and made anew by a re-index.
  private static let derivedTables: Set<String> = [
    "chunk", "chunk_vector", "term", "posting", "segment", "fact", "note_state", "generation", "model",
    "projection_row",
  ]

  private static func remedy(_ table: String) -> String {
    switch table {
    case "": "restore a backup; free pages are mended by vetnet reindex --all"
    case "model", "projection_row":
      "vetnet reindex --all puts the shipped model back; one that was trained here is trained again with --train"
    case _ where derivedTables.contains(table): rebuildHint
    case _ where RecordTable(rawValue: table) != nil:
      "records whose words or values changed are named; where none is, vetnet reindex --all mends the page"
    default: "restore a backup"
    }
  }

  private static func pages(_ numbers: [Int], of table: String) -> String {
    let listed = numbers.prefix(8).map(String.init).joined(separator: ", ") + (numbers.count > 8 ? ", …" : "")
    let owner = table.isEmpty ? "" : " of \(table)"
    return numbers.count == 1 ? "page \(listed)\(owner) is" : "\(numbers.count) pages\(owner) (\(listed)) are"
  }
}
