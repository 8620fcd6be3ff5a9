import Clinical
import Foundation
import Glibc
@testable import Store
import Testing
import VetNetTestSupport

@testable import VetNet

/// Practices whose file is encrypted: the same to whoever has the key, from the first day or later.
struct EncryptionTests {
  private let clinic: SmallClinic
  private var path: String { clinic.folder.file("p.vetnet") }
  private static let canary = "Qxzvcanary"

  init() throws {
    clinic = try SmallClinic()
    try clinic.book("P1", "2026-11-23T10:00")
    for number in 1...30 {
      _ = try clinic.practice.connection.notes.upsert(
        ClinicalNote(
          id: "N\(number)", patientID: "P\(1 + number % 9)", recordedAt: clinic.now.adding(days: -number),
          kind: .consult, text: "\(Self.canary) \(number): lame on the left fore."),
        source: try clinic.practice.connection.sources.id(named: "test"))
    }
    try clinic.practice.connection.checkpoint()
  }

  private func key(_ passphrase: String = "four words for it", label: String = "desk") throws -> NewFileKey {
    try Array(passphrase.utf8).withUnsafeBytes {
      try NewFileKey(passphrase: $0, label: label, cost: .least, now: clinic.now)
    }
  }

  private func unlock(_ path: String, _ passphrase: String) throws {
    try Array(passphrase.utf8).withUnsafeBytes { try PracticeLock.open(path, with: $0) }
  }

  /// Of this file alone: other tests have keys in the same process.
  private func forgetKey(of path: String) throws {
    if let head = try SealedHead.read(path) { KeyRing.forget(head.keyID) }
  }

  private func close() throws { clinic.practice = try Practice.inMemory(models: clinic.models, timeZone: .utc) }

  @discardableResult
  private func encrypt(_ key: NewFileKey) throws -> CoverReport {
    try close()
    let report = try Practice.File.encrypt(
      EncryptPractice(), at: path, with: key, models: clinic.models, by: .local, now: clinic.now)
    try clinic.reopen()
    return report
  }

  private func holdsText(_ path: String) throws -> Bool {
    try Data(contentsOf: URL(filePath: path)).range(of: Data(Self.canary.utf8)) != nil
  }

  @Test func `a file is encrypted and decrypted with all that it holds, and both are on record`() throws {
    let before = try clinic.practice.connection.contentSummary()
    #expect(try holdsText(path) && clinic.practice.file.status(now: clinic.now).encryption == nil)
    let report = try encrypt(key())
    #expect(report.encrypted && report.records == 45 + 1)
    #expect(try !holdsText(path) && clinic.practice.file.isEncryptedFile)
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    let names = try FileManager.default.contentsOfDirectory(atPath: clinic.folder.path).sorted()
    #expect(names == ["p.vetnet", "p.vetnet-shm", "p.vetnet-wal", "p.vetnet.audit-key"])
    let changed = try clinic.practice.connection.contentSummary().differences(from: before)
    #expect(changed.allSatisfy { $0.hasPrefix("audit_") })
    let verified = try clinic.practice.integrity.verify()
    #expect(verified.ok && verified.checks.first?.name == "encryption" && verified.checks.count == 13)
    #expect(
      try clinic.practice.file.status(now: clinic.now).encryption?.description.contains("1 passphrase and 1 rec")
        == true)
    #expect(try clinic.practice.integrity.doctor(now: clinic.now, isQuick: false).allSatisfy { $0.severity != .damage })

    try close()
    try Practice.File.decrypt(DecryptPractice(), at: path, models: clinic.models, by: .local, now: clinic.now)
    try clinic.reopen()
    #expect(try holdsText(path) && !clinic.practice.file.isEncryptedFile && clinic.practice.integrity.verify().ok)
    let operations = try clinic.practice.connection.audit.entries().compactMap { $0.entry?.operation }
    #expect(operations.suffix(2) == ["practice.encrypt", "practice.decrypt"])
  }

  @Test func `a practice that begins encrypted never has its text in a file`() throws {
    let path = clinic.folder.file("new.vetnet")
    try Practice.create(at: path, name: Self.canary, timeZone: .utc, encryptedBy: key(), now: clinic.now)
    let practice = try Practice.open(at: path, models: clinic.models, access: .write)
    _ = try practice.connection.patients.upsert(
      Patient(id: "P1", name: Self.canary, species: .dog), source: try practice.connection.sources.id(named: "x"))
    for suffix in ["", "-wal", "-shm"] { #expect(try !holdsText(path + suffix)) }
    #expect(try practice.settings.name() == Self.canary)
    #expect(throws: PracticeError.self) {
      try Practice.create(at: path, name: nil, timeZone: .utc, encryptedBy: key(), now: clinic.now)
    }
  }

  @Test func `whoever has no key gets nothing, and the code for it`() throws {
    let made = try key()
    try encrypt(made)
    try close()
    try forgetKey(of: path)
    #expect(try PracticeLock.state(of: path) == .locked)
    let missing = #expect(throws: PracticeError.self) {
      try Practice.open(at: path, models: clinic.models, access: .read)
    }
    #expect(missing?.code == .key)
    let wrong = #expect(throws: PracticeError.self) { try unlock(path, "four words for its") }
    #expect(wrong?.code == .key && wrong?.description.contains("four") == false)
    for words in ["four words for it", made.recoveryWords] {
      try forgetKey(of: path)
      try unlock(path, words)
      #expect(try Practice.open(at: path, models: clinic.models, access: .read).integrity.verify().ok)
    }
  }

  @Test func `keys change through the door, on record, or not at all`() throws {
    try encrypt(key())
    let practice = clinic.practice
    practice.secrets.keyCost = .least
    func offer(_ words: String) throws {
      try Array(words.utf8).withUnsafeBytes { practice.secrets.offeredKey = try OfferedKey(passphrase: $0) }
    }
    #expect(throws: PracticeError.self) { try practice.perform(AddKey(label: "x"), by: .local, at: clinic.now) }
    try offer("another four words")
    #expect(try practice.perform(AddKey(label: "Dr Ash"), by: .local, at: clinic.now) == 3)
    #expect(try practice.perform(ListKeys(), by: .local, at: clinic.now).map(\.label) == ["desk", "", "Dr Ash"])
    try offer("words for the desk")
    try practice.perform(ChangeKey(number: 1, label: "desk"), by: .local, at: clinic.now)
    #expect(throws: PracticeError.self) { try unlock(path, "four words for it") }
    try unlock(path, "words for the desk")
    // What can't be put on record isn't done.
    try practice.connection.executeScript(
      "CREATE TEMP TRIGGER no_record BEFORE INSERT ON audit_entry BEGIN SELECT RAISE(ABORT, 'full'); END", context: "")
    let head = try SealedHead.read(path)
    #expect(throws: PracticeError.self) { try practice.perform(RemoveKey(number: 3), by: .local, at: clinic.now) }
    #expect(try SealedHead.read(path) == head)
    try practice.connection.executeScript("DROP TRIGGER no_record", context: "")
    try practice.perform(RemoveKey(number: 3), by: .local, at: clinic.now)
    #expect(throws: PracticeError.self) { try unlock(path, "another four words") }
    let entries = try practice.connection.audit.entries().compactMap(\.entry)
    #expect(entries.suffix(3).map(\.operation) == ["key.add", "key.change", "key.remove"])
    #expect(entries.allSatisfy { $0.details?.contains("Ash") != true })
    // A role that may not.
    let refused = #expect(throws: PracticeError.self) {
      try practice.perform(RemoveKey(number: 1), by: Actor(name: "n", role: .nurse), at: clinic.now)
    }
    #expect(refused?.code == .notPermitted)
    #expect(try practice.integrity.verify().ok)
  }

  @Test func `a backup of an encrypted practice is encrypted, opened by the same words, and restored`() throws {
    try encrypt(key())
    let file = clinic.folder.file("backup.vetnet")
    let report = try clinic.practice.file.backup(to: file, now: clinic.now)
    #expect(try report.encrypted && !holdsText(file))
    // Another file's pages, under the same key.
    let (own, other) = (try SealedHead.read(path), try SealedHead.read(file))
    #expect(own?.keyID == other?.keyID && own?.fileID != other?.fileID)
    try forgetKey(of: path)
    try unlock(file, "four words for it")
    try clinic.practice.connection.settings.set("later", to: "1")
    try close()
    let restored = try Practice.File.restore(
      file, to: path, models: clinic.models, replacesNewer: true, now: clinic.now)
    #expect(restored.restored && restored.kept != nil)
    try clinic.reopen()
    #expect(try clinic.practice.file.isEncryptedFile && clinic.practice.integrity.verify().ok)
    #expect(try clinic.practice.connection.settings.value("later") == nil)
    for name in try FileManager.default.contentsOfDirectory(atPath: clinic.folder.path) {
      #expect(try !holdsText(clinic.folder.file(name)), "\(name)")
    }
  }

  @Test func `a backup of a plain practice is encrypted when that is wanted`() throws {
    let file = clinic.folder.file("backup.vetnet")
    let refused = #expect(throws: PracticeError.self) {
      try clinic.practice.file.backup(to: file, isEncrypted: true, now: clinic.now)
    }
    #expect(refused?.code == .key)
    clinic.practice.secrets.offeredBackupKey = try key("for the disk at home")
    #expect(try clinic.practice.file.backup(to: file, isEncrypted: true, now: clinic.now).encrypted)
    #expect(try !holdsText(file) && holdsText(path))
    try forgetKey(of: file)
    #expect(throws: PracticeError.self) {
      try Practice.File.restore(file, to: clinic.folder.file("b.vetnet"), models: clinic.models, now: clinic.now)
    }
    try unlock(file, "for the disk at home")
    let target = clinic.folder.file("b.vetnet")
    _ = try Practice.File.restore(file, to: target, models: clinic.models, now: clinic.now)
    #expect(try Practice.open(at: target, models: clinic.models, access: .read).integrity.verify().ok)
  }

  @Test func `another key makes older passphrases and copies of the head worthless`() throws {
    try encrypt(key("the first words"))
    let old = try Data(contentsOf: URL(filePath: path))
    try encrypt(key("the second words"))
    #expect(throws: PracticeError.self) { try unlock(path, "the first words") }
    try close()
    // The old head before the new pages.
    var mixed = try Data(contentsOf: URL(filePath: path))
    mixed.replaceSubrange(0..<8192, with: old[..<8192])
    let forged = clinic.folder.file("forged.vetnet")
    try mixed.write(to: URL(filePath: forged))
    try unlock(forged, "the first words")
    let error = #expect(throws: PracticeError.self) {
      try Practice.open(at: forged, models: clinic.models, access: .read)
    }
    #expect(error?.code == .integrity && error?.description.contains("page 1 is not what was written") == true)
  }

  @Test func `a file that somebody else has open is not encrypted`() throws {
    let bytes = try Data(contentsOf: URL(filePath: path))
    let error = #expect(throws: PracticeError.self) {
      try Practice.File.encrypt(
        EncryptPractice(), at: path, with: key(), models: clinic.models, by: .local, now: clinic.now)
    }
    #expect(error?.code == .locked)
    #expect(try Data(contentsOf: URL(filePath: path)).count >= bytes.count && holdsText(path))
    #expect(try clinic.practice.integrity.verify().ok)
  }

  @Test(arguments: [3, 5, 6, 7])
  func `a page that was changed is named by verify and doctor, with what lies on it`(kind: Int) throws {
    try encrypt(key())
    let table = ["chunk", "setting", "note", "patient", "audit_entry", "appointment", "note", "record_hash"][kind]
    let page = Int(try clinic.practice.connection.number("SELECT max(pageno) FROM dbstat WHERE name = ?", table))
    try clinic.practice.connection.checkpoint()
    try close()
    let file = try FileHandle(forUpdating: URL(filePath: path))
    let place = UInt64(8192 + (page - 1) * 16424 + 9000)
    try file.seek(toOffset: place)
    let byte = try #require(try file.read(upToCount: 1)?.first)
    try file.seek(toOffset: place)
    try file.write(contentsOf: Data([byte ^ 4]))
    try file.close()
    do {
      let practice = try Practice.open(at: path, models: clinic.models, access: .read)
      let failed = try practice.integrity.verify().checks.flatMap(\.failed)
      #expect(failed.contains { $0.contains("page \(page)") }, "\(failed)")
    } catch let error as PracticeError {
      #expect(error.code == .integrity && error.description.contains("page \(page) is not what"), "\(error)")
      let findings = try Practice.Integrity.findings(ofUnopened: path, because: error)
      #expect(findings.contains { $0.message.contains("page \(page)") }, "\(findings)")
    }
  }
}
