import Chart
import Clinical
import Store
import Vectorization

/// What a check of the practice file compares with what was written: its pages, SQLite's structures, every record, and the index.
///
/// `doctor` and `verify` show it, and whatever else has to know whether a file can be trusted asks here.
extension Practice.Integrity {
  /// What is not as it was written; empty for a sound file.
  ///
  /// - Parameter isQuick: SQLite's own quick check only.
  /// - Returns: what was found, the file's own state first.
  /// - Throws: ``PracticeError`` only where the file is held by another process.
  func integrityFindings(isQuick: Bool) throws -> [DoctorFinding] {
    try integrityChecks(isQuick: isQuick).flatMap(\.findings)
  }

  /// Each check with what it found. Nothing is changed, and nothing found stops the rest from being looked at.
  func integrityChecks(isQuick: Bool) throws -> [IntegrityCheck] {
    var checks = [
      IntegrityCheck(
        "structure", checked: (try? connection.pageCount) ?? 0,
        try looking("file") {
          try (isQuick ? connection.quickCheck() : connection.integrityCheck()).map {
            DoctorFinding(.damage, "file", $0)
          }
        }),
      IntegrityCheck(
        "references", checked: (try? connection.tableCount) ?? 0,
        try looking("file") { try connection.foreignKeyCheck().map { DoctorFinding(.damage, "file", $0) } }),
    ]
    if let check = try practice.file.encryptionCheck() { checks.insert(check, at: 0) }
    guard !isQuick else { return checks }
    var pages = 0
    let pageFindings = try looking("file") { try self.pageFindings(counting: &pages) }
    checks.append(IntegrityCheck("pages", checked: pages, pageFindings))
    // A file that has no checksums yet is compared all the same, which says more than nothing.
    let isFileSound = checks.allSatisfy(\.ok)
    var records = 0
    var recordFindings: [DoctorFinding] = []
    for table in RecordTable.allCases {
      recordFindings += try looking("\(table.rawValue) records") {
        records += try connection.recordHashes.recordCount(table)
        return try connection.recordHashes.altered(table).map(recordFinding)
      }
    }
    checks.append(IntegrityCheck("records", checked: records, recordFindings))
    checks.append(
      IntegrityCheck(
        "encounters", checked: (try? connection.encounters.count()) ?? 0,
        try looking("encounters") {
          try connection.encounters.misfits().map { DoctorFinding(.damage, "encounter \($0.id)", $0.problem) }
        }))
    var tiers = 0
    let photoFindings = try looking("photos") {
      tiers = try connection.photos.tierCount()
      return try practice.photos.photoFindings()
    }
    checks.append(IntegrityCheck("photos", checked: tiers, photoFindings))
    checks.append(try auditCheck())
    // Derived numbers are compared where the pages they lie on are those that were written.
    guard isFileSound else {
      return checks + Self.indexCheckNames.map { IntegrityCheck($0, skipped: Self.notLookedAt) }
    }
    return checks + (try indexChecks())
  }

  private static let indexCheckNames = ["ranges", "vectors", "postings", "courses"]

  /// The live index, compared with the notes and the model it was made from.
  private func indexChecks() throws -> [IntegrityCheck] {
    guard let live = try connection.generations.live() else {
      return Self.indexCheckNames.map { IntegrityCheck($0, checked: 0, []) }
    }
    func damage(_ misfit: MisfitOfNote) -> DoctorFinding {
      DoctorFinding(
        .damage, "index",
        "note \(misfit.noteID)\(day(misfit.recordedAt.seconds).map { " of \($0)" } ?? ""): \(misfit.problem); \(Self.rebuildHint)"
      )
    }
    var ranges = 0
    let rangeFindings = try looking("index") {
      ranges =
        try connection.chunks.rowCount(generation: live.rowID) + connection.facts.count(generation: live.rowID)
      return try connection.chunks.misfitRanges(generation: live.rowID).map(damage)
    }
    var vectors = 0
    let vectorFindings = try looking("index") {
      vectors = try connection.chunks.rowCount(generation: live.rowID)
      guard vectors > 0 else { return [] }
      let model: IndexModel
      do {
        model = try IndexModel(stored: live.modelRowID, in: connection)
      } catch let error as PracticeError {
        return [DoctorFinding(.damage, "index", error.description)]
      }
      return try connection.chunks.misfitVectors(
        generation: live.rowID, rank: model.vectorizer.model.rank, isUnit: model.vectorizer.model.exponent == 1
      ).map(damage)
    }
    var terms = 0
    let postingFindings = try looking("index") {
      terms = try connection.chunks.termCount(generation: live.rowID)
      return try connection.chunks.verify(generation: live.rowID).map {
        DoctorFinding(.damage, "index", "\($0); \(Self.rebuildHint)")
      }
    }
    return [
      IntegrityCheck("ranges", checked: ranges, rangeFindings),
      IntegrityCheck("vectors", checked: vectors, vectorFindings),
      IntegrityCheck("postings", checked: terms, postingFindings),
      try courseCheck(live),
    ]
  }

  /// The courses of drugs, compared with what the facts come to. Those of an index that lists don't use, or of patients whose facts are
  /// read instead, are not looked at.
  private func courseCheck(_ live: Generation) throws -> IntegrityCheck {
    var checked = 0
    let findings = try looking("index") {
      guard live.courseVersion == DrugCourses.version else { return [] }
      let unfolded = Set(try connection.drugCourses.unfolded(generation: live.rowID))
      var misfits = 0
      try practice.index.forEachFoldedPatients { patients in
        let stored = try connection.drugCourses.courses(generation: live.rowID, patients: patients)
        let folded = try practice.index.foldedCourses(patients, generation: live.rowID).filter {
          !unfolded.contains($0.patientRowID)
        }
        checked += stored.count
        misfits += Set(stored).symmetricDifference(folded).count
      }
      guard misfits > 0 else { return [] }
      let words = "\(misfits) courses of drugs are not those of their facts; \(Self.rebuildHint)"
      return [DoctorFinding(.damage, "index", words)]
    }
    return IntegrityCheck("courses", checked: checked, findings)
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
    for note in altered { practice.memos.damagedNotes.insert(note.externalID) }
    return Set(altered.map(\.rowID))
  }

  /// Whether a note is what was written, asked before it is quoted.
  package func isIntact(noteID: String) throws -> Bool {
    try reporting {
      guard let row = try connection.recordIDs.row(.note, noteID) else { return false }
      if try connection.recordHashes.isIntact(.note, row) { return true }
      practice.memos.damagedNotes.insert(noteID)
      return false
    }
  }

  /// Writes pages anew that are not as they were written but hold nothing that was lost: free ones, those of the index that was
  /// just rebuilt, and those of records that all have the values they were written with.
  func mendPages() throws {
    try connection.checkpoint()
    let altered = try connection.pageCheck().alteredPages
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

  private func pageFindings(counting pages: inout Int) throws -> [DoctorFinding] {
    guard path != ":memory:" else { return [] }
    let check = try connection.pageCheck()
    pages = check.pageCount
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
    let day = record.moment.flatMap(day).map { "of \($0) " }
    let what =
      record.kind == .unknown
      ? "was not written by VetNet" : "is not what was written: something else changed its words or values"
    return DoctorFinding(
      .damage, "\(kind) \(record.externalID)",
      "\(day ?? "")\(what); \(record.table == .note ? "nothing is quoted from it; " : "")import it again, or restore a backup"
    )
  }

  /// The day of a moment; nil outside of the years 1 to 9999: what was altered may be the moment itself.
  private func day(_ seconds: Int64) -> CalendarDate? {
    guard (-62_135_596_800..<253_402_300_800).contains(seconds) else { return nil }
    return timeZone.date(of: Timestamp(seconds: seconds))
  }

  /// Runs one check; what it can't read is what it found.
  func looking(_ subject: String, _ check: () throws -> [DoctorFinding]) throws -> [DoctorFinding] {
    do {
      return try check()
    } catch let error as StoreError where error.code != .busy {
      return [DoctorFinding(.damage, subject, "can't be read: \(error)")]
    }
  }

  private static let notLookedAt = "not looked at: the pages it lies on may not be those that were written"
  private static let rebuildHint = "vetnet reindex --all makes the index anew from the notes"

  /// Made from the notes and the shipped models, and made anew by a re-index.
  private static let derivedTables: Set<String> = [
    "chunk", "chunk_vector", "term", "posting", "segment", "fact", "note_state", "generation", "model",
    "projection_row", "drug_course", "unfolded_patient",
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
