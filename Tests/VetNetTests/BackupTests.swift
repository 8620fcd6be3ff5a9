import Clinical
import Foundation
import Glibc
@testable import Store
import Testing
import VetNetTestSupport

@testable import VetNet

/// Backups are proven before they count, and a restore loses nothing.
struct BackupTests {
  private let clinic: SmallClinic
  private var path: String { clinic.folder.file("p.vetnet") }
  private var backups: String { clinic.folder.file("backups") }

  init() throws {
    clinic = try SmallClinic()
    try clinic.book("P1", "2026-11-23T10:00")
    for number in 1...40 { try write(number) }
    mkdir(clinic.folder.file("backups"), 0o700)
  }

  @discardableResult
  private func write(_ number: Int, _ words: String = "Lame on the left fore, sore shoulder.") throws -> Upserted {
    let connection = clinic.practice.connection
    return try connection.notes.upsert(
      ClinicalNote(
        id: "N\(number)", patientID: "P\(1 + number % 9)", recordedAt: clinic.now.adding(days: -number),
        kind: .consult, text: "Visit \(number). \(words)"),
      source: try connection.sources.id(named: "test"))
  }

  private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: backups).sorted() }

  private func contents(_ path: String) throws -> ContentSummary { try Connection.openStill(path).contentSummary() }

  @Test func `a backup is the practice, readable by its owner only, with its proof on record`() throws {
    let file = backups + "/one.vetnet"
    let report = try clinic.practice.file.backup(to: file, now: clinic.now)
    #expect(try names() == ["one.vetnet"])
    var status = stat()
    #expect(stat(file, &status) == 0 && status.st_mode & 0o777 == 0o600)
    #expect(try FileBytes.digest(of: file).digest.hexadecimal == report.digest)
    let pages = try PageCheck(path: file)
    #expect(pages.isCovered && pages.alteredPages == [])
    // 40 notes, 9 patients, 3 staff, 2 rooms, a client and an appointment.
    #expect(report.records == 56)
    let proof = try #require(try clinic.practice.connection.backups.kept().first)
    #expect(proof.file == report.file && proof.digest.hexadecimal == report.digest && proof.provenAt == clinic.now)
    let copy = try contents(file), own = try clinic.practice.connection.contentSummary()
    #expect(copy.differences(from: own) == ["backup"])
    let opened = try Practice.open(at: file, models: clinic.models, access: .read)
    #expect(try opened.integrity.verify().ok && opened.integrity.verify().checks.map(\.name).count == 12)
  }

  @Test func `a backup is one moment, whatever others write between its steps`() throws {
    let other = try Connection.open(path)
    // Three steps of four megabytes at least.
    try other.transaction { () throws(StoreError) in
      try other.execute("CREATE TABLE filler (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT")
      for _ in 0..<10 { try other.execute("INSERT INTO filler (bytes) VALUES (zeroblob(1200000))") }
    }
    var steps = 0
    let report = try clinic.practice.file.backup(to: backups + "/one.vetnet", now: clinic.now) { _, _ in
      steps += 1
      do {
        try other.settings.set("step", to: "\(steps)")
        try other.transaction { () throws(StoreError) in
          try other.execute("UPDATE patient SET weight_kg = ?", Double(steps))
        }
      } catch {
        Issue.record(error)
      }
    }
    #expect(steps >= 3)
    let copy = try Connection.openStill(report.file)
    #expect(try copy.settings.value("step") == nil)
    #expect(try copy.number("SELECT count(*) FROM patient WHERE weight_kg IS NOT NULL") == 0)
    #expect(try other.number("SELECT min(weight_kg) FROM patient") == Int64(steps))
    // What was written meanwhile is what the backup lacks.
    let status = try clinic.practice.file.status(now: clinic.now)
    #expect(status.lastBackup?.changesSince == steps)
  }

  @Test func `what is not as it was written is not backed up, and no earlier backup suffers`() throws {
    let file = backups + "/one.vetnet"
    let first = try clinic.practice.file.backup(to: file, now: clinic.now)
    do {
      let connection = try Connection.open(path)
      try connection.executeScript("UPDATE note SET text = 'Secret words' WHERE external_id = 'N7'", context: "")
      connection.writtenRecords.forget()
    }
    let error = #expect(throws: PracticeError.self) { try clinic.practice.file.backup(to: file, now: clinic.now) }
    #expect(error?.code == .integrity && error?.description.contains("note N7") == true)
    #expect(error?.description.contains("Secret") == false)
    #expect(try names() == ["one.vetnet"])
    #expect(try FileBytes.digest(of: file).digest.hexadecimal == first.digest)
  }

  @Test func `a copy that differs from what was backed up is told apart, table by table`() throws {
    let file = backups + "/one.vetnet"
    try clinic.practice.file.backup(to: file, now: clinic.now)
    let own = try clinic.practice.connection.contentSummary()
    let copy = try Connection.open(file)
    try copy.executeScript("UPDATE audit_entry SET actor = 'x'; INSERT INTO setting VALUES ('a', 'b')", context: "")
    #expect(try copy.contentSummary().differences(from: own) == ["backup", "setting"])
    try copy.executeScript("UPDATE note SET kind = 'lab'", context: "")
    #expect(try copy.contentSummary().differences(from: own).contains("note"))
  }

  @Test func `rotation keeps the last ones of this practice, and touches nothing else`() throws {
    let strangers = ["practice-20200101-000000.vetnet", "letters.txt", "practice-2020.vetnet"]
    for name in strangers { try Data("x".utf8).write(to: URL(filePath: backups + "/" + name)) }
    var made: [String] = []
    for day in 0..<5 {
      try write(1, "Day \(day).")
      let report = try clinic.practice.file.backup(to: backups, keep: 3, now: clinic.now.adding(days: day))
      made.append(FilePath.name(of: report.file))
      #expect(report.removed.map(FilePath.name) == (day < 3 ? [] : [made[day - 3]]))
    }
    #expect(made.first == "practice-20261120-180000.vetnet")
    #expect(try names() == (strangers + made.suffix(3)).sorted())
    #expect(
      try clinic.practice.connection.backups.kept().map { FilePath.name(of: $0.file) } == made.suffix(3).reversed())
    // A clock that was set back: what was just made stays.
    let back = try clinic.practice.file.backup(to: backups, keep: 1, isDryRun: true, now: clinic.now.adding(days: -9))
    #expect(back.removed.count == 3 && !FileManager.default.fileExists(atPath: back.file))
  }

  @Test func `only an older backup of the same practice is replaced`() throws {
    let file = backups + "/one.vetnet"
    try clinic.practice.file.backup(to: file, now: clinic.now)
    try write(41)
    try clinic.practice.file.backup(to: file, now: clinic.now)
    #expect(try clinic.practice.connection.backups.kept().count == 1)
    let stranger = try SmallClinic()
    try Data("letter".utf8).write(to: URL(filePath: backups + "/letter"))
    for (practice, target, words) in [
      (stranger.practice, file, "another practice"), (clinic.practice, backups + "/letter", "left alone"),
      (clinic.practice, path, "the practice file itself"), (clinic.practice, backups + "/no/where", "can't be"),
    ] {
      let error = #expect(throws: PracticeError.self) { try practice.file.backup(to: target, now: clinic.now) }
      #expect(error?.description.contains(words) == true || words == "can't be", "\(String(describing: error))")
    }
    // Brought back to an older state, the practice doesn't overwrite what is newer.
    let newer = backups + "/newer.vetnet"
    try write(42)
    try clinic.practice.file.backup(to: newer, now: clinic.now)
    let old = try Practice.open(at: file, models: clinic.models, access: .write)
    let error = #expect(throws: PracticeError.self) { try old.file.backup(to: newer, now: clinic.now) }
    #expect(error?.description.contains("1 changes more") == true, "\(String(describing: error))")
  }

  @Test func `status reminds of a backup when none is proven for a week`() throws {
    #expect(try !clinic.practice.file.status(now: clinic.now.adding(days: 6)).isBackupDue)
    let due = try clinic.practice.file.status(now: clinic.now.adding(days: 7))
    #expect(due.isBackupDue && due.lastBackup == nil && due.hints.contains { $0.contains("vetnet backup") })
    let proven = clinic.now.adding(days: 7)
    let file = try clinic.practice.file.backup(to: backups, now: proven).file
    for (days, isDue) in [(0, false), (6, false), (7, true)] {
      let status = try clinic.practice.file.status(now: proven.adding(days: days))
      #expect(status.isBackupDue == isDue)
      #expect(status.lastBackup?.file == file && status.lastBackup?.isThere == true)
      #expect(status.lastBackup?.changesSince == 0)
    }
    unlink(file)
    #expect(try clinic.practice.file.status(now: proven).lastBackup?.isThere == false)
  }

  // MARK: Restoring

  private func restore(_ backup: String, replacesNewer: Bool = false, isDryRun: Bool = false) throws -> RestoreReport {
    try Practice.File.restore(
      backup, to: path, models: clinic.models, replacesNewer: replacesNewer, isDryRun: isDryRun, now: clinic.now)
  }

  /// Closes the practice, so that nobody has the file open.
  private func close() throws { clinic.practice = try Practice.inMemory(models: clinic.models, timeZone: .utc) }

  @Test func `a newer file is replaced only when told, and kept byte for byte`() throws {
    let file = backups + "/one.vetnet"
    try clinic.practice.file.backup(to: file, now: clinic.now)
    for number in 41...43 { try write(number) }
    try clinic.practice.connection.checkpoint()
    try close()
    let before = try FileBytes.digest(of: path).digest
    let error = #expect(throws: PracticeError.self) { try restore(file) }
    #expect(error?.description.contains("is newer: it holds 3 changes") == true, "\(String(describing: error))")
    #expect(error?.hint?.contains("--replace-newer") == true)
    #expect(try restore(file, replacesNewer: true, isDryRun: true).restored == false)
    #expect(try FileBytes.digest(of: path).digest == before)

    let report = try restore(file, replacesNewer: true)
    let kept = try #require(report.kept)
    #expect(kept == path + ".before-restore-20261120-180000" && report.changesBehind == 3)
    #expect(try FileBytes.digest(of: kept).digest == before)
    let all = try FileManager.default.contentsOfDirectory(atPath: clinic.folder.path).sorted()
    #expect(
      all.filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") } == [
        "backups", "p.vetnet", "p.vetnet.audit-key", FilePath.name(of: kept),
      ])
    try clinic.reopen()
    #expect(try clinic.practice.connection.notes.count() == 40 && clinic.practice.integrity.verify().ok)
    #expect(try clinic.practice.connection.audit.entries(latestFirst: true).first?.entry?.operation == "backup.restore")
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    // Restoring the backup proved it.
    #expect(try clinic.practice.file.status(now: clinic.now).lastBackup?.file == report.backup)
    // And back again, from what was kept.
    try close()
    #expect(try restore(kept).kept == path + ".before-restore-20261120-180000-2")
    try clinic.reopen()
    #expect(try clinic.practice.connection.notes.count() == 43)
  }

  @Test func `a file in use is left alone, whatever its user did with it`() throws {
    let file = backups + "/one.vetnet"
    let vetnet = try VetNetProcess(practice: path)
    let uses: [(SmallClinic) throws -> Void] = [
      { try $0.practice.file.backup(to: file, now: $0.now) }, { _ = try $0.practice.integrity.verify() },
      { _ = try $0.practice.integrity.doctor(now: $0.now, isQuick: false) }, { try $0.reopen() },
    ]
    for use in uses {
      try use(clinic)
      let outcome = try vetnet.run("restore", file)
      #expect(outcome.status == 11 && outcome.errors.contains("held by another process"), "\(outcome)")
    }
    // Nor is a file with a log taken for a backup.
    let live = try Practice.open(at: file, models: clinic.models, access: .write)
    try live.connection.settings.set("a", to: "b")
    let error = #expect(throws: PracticeError.self) { try restore(file) }
    #expect(error?.code == .locked && error?.hint?.contains("vetnet backup") == true)
  }

  @Test func `whoever opens the file while another takes its place gets the one that stands there`() throws {
    let file = backups + "/one.vetnet"
    try clinic.practice.file.backup(to: file, now: clinic.now)
    try close()
    // Opened before, first read after.
    let late = try Connection.connect(path, access: .readWrite)
    _ = try restore(file, replacesNewer: true)
    #expect(late.hasMoved)
    #expect(try !Connection.open(path).hasMoved)
  }

  @Test(arguments: ["record", "page", "cut", "letter", "missing"])
  func `what is no sound backup is refused, and the practice file is as it was`(fault: String) throws {
    let file = backups + "/one.vetnet"
    try clinic.practice.file.backup(to: file, now: clinic.now)
    try clinic.practice.connection.checkpoint()
    try close()
    let before = try FileBytes.digest(of: path).digest
    switch fault {
    case "record":
      let connection = try Connection.open(file)
      try connection.executeScript("UPDATE note SET text = 'Secret' WHERE external_id = 'N3'", context: "")
      connection.writtenRecords.forget()
    case "page":
      let handle = try FileHandle(forUpdating: URL(filePath: file))
      try handle.seek(toOffset: UInt64((try FileBytes.digest(of: file).byteCount) - 300))
      try handle.write(contentsOf: Data([0xA5, 0x5A]))
      try handle.close()
    case "cut": truncate(file, off_t(try FileBytes.digest(of: file).byteCount / 2))
    case "letter": try Data(repeating: 65, count: 4000).write(to: URL(filePath: file))
    default: unlink(file)
    }
    let error = #expect(throws: PracticeError.self) { try restore(file, replacesNewer: true) }
    #expect(error?.code == (fault == "missing" ? .notFound : .integrity), "\(String(describing: error))")
    #expect(error?.description.contains("Secret") == false)
    #expect(try FileBytes.digest(of: path).digest == before)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: clinic.folder.path).filter { $0.contains("partial") } == [])
  }

  @Test func `a damaged practice file, with a log that nobody can read, is kept as it is and replaced`() throws {
    let file = backups + "/one.vetnet"
    try clinic.practice.file.backup(to: file, now: clinic.now)
    try close()
    try Data(repeating: 7, count: 50_000).write(to: URL(filePath: path))
    try Data(repeating: 9, count: 5_000).write(to: URL(filePath: path + "-wal"))
    let kept = try #require(try restore(file).kept)
    #expect(try Data(contentsOf: URL(filePath: kept)) == Data(repeating: 7, count: 50_000))
    #expect(try Data(contentsOf: URL(filePath: kept + "-wal")) == Data(repeating: 9, count: 5_000))
    try clinic.reopen()
    #expect(try clinic.practice.connection.notes.count() == 40)
  }

  @Test func `a backup from an older schema is brought up to date on the way`() throws {
    let file = clinic.folder.file("old.vetnet")
    do {
      let old = try Connection.create(
        file, migrator: Migrator(Migrator.practice.migrations.filter { $0.name < "m0015" }))
      let source = try old.sources.id(named: "test")
      _ = try old.patients.upsert(Patient(id: "P1", name: "Bella", species: .dog), source: source)
    }
    let bytes = try FileBytes.digest(of: file).digest
    let target = clinic.folder.file("new/x.vetnet")
    mkdir(clinic.folder.file("new"), 0o700)
    let report = try Practice.File.restore(file, to: target, models: clinic.models, now: clinic.now)
    #expect(report.kept == nil && report.records == 1)
    #expect(try FileBytes.digest(of: file).digest == bytes)
    #expect(try Practice.open(at: target, models: clinic.models, access: .read).integrity.verify().ok)
  }

  @Test func `the program says it all, with codes for scripts`() throws {
    let vetnet = try VetNetProcess(practice: path)
    let now = ["--now", "2026-11-20T18:00"]
    let made = try vetnet.start(["backup", backups, "--keep", "2", "--json"] + now).wait()
    #expect(made.status == 0, "\(made.errors)")
    let file = try #require(try made.json()["file"] as? String)
    #expect(file.hasSuffix("/backups/practice-20261120-180000.vetnet"))
    let status = try vetnet.start(["status", "--json"] + now).wait().json()
    #expect((status["last_backup"] as? [String: Any])?["file"] as? String == file)
    #expect(status["backup_due"] as? Bool == false)
    #expect(try vetnet.start(["status", "--now", "2026-12-20T18:00"]).wait().output.contains("→ no backup was proven"))
    #expect(try vetnet.run("backup", file, "--keep", "3").status == 64)
    #expect(try vetnet.run("backup", backups + "/none/", "--json").status == 1)
    let verified = try vetnet.run("verify", "--json", "--practice", file).json()
    #expect(verified["ok"] as? Bool == true)
    try write(50)
    try close()
    let refused = try vetnet.run("restore", file)
    #expect(refused.status == 1 && refused.errors.contains("--replace-newer"), "\(refused)")
    let restored = try vetnet.run("restore", file, "--replace-newer", "--json")
    #expect(restored.status == 0, "\(restored.errors)")
    #expect(try restored.json()["changes_behind"] as? Int == 1)
    #expect(try vetnet.run("note", "show", "N50").status == 1)
  }
}
