import Clinical
import Foundation
import Glibc
@testable import Store
import Testing
import VetNetTestSupport

@testable import VetNet

/// A backup is checked where it lies, and stays what it was.
struct VerifyFileTests {
  private let clinic: SmallClinic
  private var file: String { clinic.folder.file("backups/one.vetnet") }

  init() throws {
    clinic = try SmallClinic()
    try clinic.book("P1", "2026-11-23T10:00")
    mkdir(clinic.folder.file("backups"), 0o700)
    try clinic.practice.file.backup(to: file, now: clinic.now)
  }

  private func verify() throws -> VetNetProcess.Outcome {
    // No practice file is needed.
    try VetNetProcess(practice: clinic.folder.file("none.vetnet")).run("verify", file, "--json")
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: clinic.folder.file("backups")).sorted()
  }

  @Test func `a backup is verified like a practice, and neither it nor its folder is changed`() throws {
    let bytes = try FileBytes.digest(of: file).digest
    chmod(file, 0o400)
    chmod(clinic.folder.file("backups"), 0o500)
    defer { chmod(clinic.folder.file("backups"), 0o700) }
    let outcome = try verify()
    #expect(outcome.status == 0, "\(outcome)")
    let said = try outcome.json()
    let own = try clinic.practice.integrity.verify()
    #expect(said["ok"] as? Bool == true)
    #expect((said["checks"] as? [[String: Any]])?.map { $0["name"] as? String } == own.checks.map(\.name))
    #expect(try FileBytes.digest(of: file).digest == bytes)
    #expect(try names() == ["one.vetnet"])
  }

  @Test(arguments: [16384 + 500, 3 * 16384 + 9000])
  func `a backup with a changed byte is found, with the exit code of damage`(place: Int) throws {
    let handle = try FileHandle(forUpdating: URL(filePath: file))
    try handle.seek(toOffset: UInt64(place))
    let byte = try #require(try handle.read(upToCount: 1)?.first)
    try handle.seek(toOffset: UInt64(place))
    try handle.write(contentsOf: Data([byte ^ 0x10]))
    try handle.close()
    let outcome = try verify()
    #expect(outcome.status == 13)
    #expect(try outcome.json()["ok"] as? Bool == false)
    #expect(try names() == ["one.vetnet"])
  }

  @Test func `an encrypted backup is opened by its passphrase, and stays what it was`() throws {
    let words = try clinic.folder.write("four words for it\n", to: "words")
    let others = try clinic.folder.write("other words\n", to: "others")
    for path in [words, others] { chmod(path, 0o600) }
    clinic.practice.secrets.offeredBackupKey = try Array("four words for it".utf8).withUnsafeBytes {
      try NewFileKey(passphrase: $0, label: "desk", cost: .least, now: clinic.now)
    }
    try clinic.practice.perform(BackUp(destination: file, isEncrypted: true), by: .local, at: clinic.now)
    let bytes = try FileBytes.digest(of: file).digest
    let vetnet = try VetNetProcess(practice: clinic.folder.file("none.vetnet"))
    #expect(try vetnet.run("verify", file).status == 12)
    #expect(try vetnet.run("verify", file, "--passphrase-file", others).status == 12)
    let outcome = try vetnet.run("verify", file, "--passphrase-file", words, "--json")
    #expect(outcome.status == 0, "\(outcome)")
    let names = (try outcome.json()["checks"] as? [[String: Any]])?.compactMap { $0["name"] as? String }
    #expect(names?.contains("encryption") == true)
    #expect(try FileBytes.digest(of: file).digest == bytes)
    #expect(try self.names() == ["one.vetnet"])
  }

  @Test func `a backup of a practice with users is checked by one of them, and doesn't know of it afterwards`() throws {
    let words = try clinic.folder.write("four words for ann\n", to: "words")
    let others = try clinic.folder.write("other words\n", to: "others")
    for path in [words, others] { chmod(path, 0o600) }
    try clinic.practice.perform(
      AddUser(
        name: "ann", role: .administrator,
        verifier: PassphraseVerifier(of: Passphrase("four words for ann"), cost: .least)), by: .local, at: clinic.now)
    try clinic.practice.perform(
      BackUp(destination: file), by: Actor(name: "ann", role: .administrator), at: clinic.now)
    let bytes = try FileBytes.digest(of: file).digest
    #expect(try verify().status == 15)
    let vetnet = try VetNetProcess(practice: clinic.folder.file("none.vetnet"))
    #expect(try vetnet.run("verify", file, "--as", "ann", "--passphrase-file", others).status == 15)
    #expect(try vetnet.run("verify", file, "--as", "ann", "--passphrase-file", words).status == 0)
    #expect(try FileBytes.digest(of: file).digest == bytes)
    #expect(try names() == ["one.vetnet"])
  }

  @Test func `what can't be checked as it is says why, and is left alone`() throws {
    try Data("a log".utf8).write(to: URL(filePath: file + "-wal"))
    #expect(try verify().status == 11)
    unlink(file + "-wal")
    unlink(file)
    #expect(try verify().status == 1)
    try Data("no practice".utf8).write(to: URL(filePath: file))
    #expect(try verify().status == 13)
    unlink(file)
    try Connection.create(file, migrator: Migrator(Array(Migrator.practice.migrations.dropLast()))).checkpoint()
    for suffix in ["-wal", "-shm"] { unlink(file + suffix) }
    let bytes = try FileBytes.digest(of: file).digest
    let older = try verify()
    #expect(older.status == 64 && older.errors.contains("--dry-run"), "\(older)")
    #expect(try FileBytes.digest(of: file).digest == bytes)
    #expect(try names() == ["one.vetnet"])
  }
}
