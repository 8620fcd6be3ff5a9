import Clinical
import Foundation
import Glibc
@testable import Store
import Testing
import VetNetTestSupport

@testable import VetNet

/// The kill sweep and the fault loop on encrypted files, and on what encrypts, decrypts and changes keys. `make soak` does more of each.
struct EncryptedSweepTests {
  private static let words = "swept words of a file"
  private static let newWords = "other words of a file"
  private static let environment = ProcessInfo.processInfo.environment
  private static let killsPerWork = (environment["VETNET_SOAK_KILLS"].flatMap { Int($0) } ?? 10) / 10

  /// The swept practice with its files encrypted, as cheap to open as can be.
  private static let base = Result { try EncryptedBase() }

  private final class EncryptedBase: Sendable {
    let folder: TemporaryFolder
    let swept: SweptPractice
    var path: String { folder.file("base") }
    var plain: String { swept.base }

    init() throws {
      swept = try SweptPractice.shared.get()
      folder = try TemporaryFolder()
      try FileManager.default.copyItem(atPath: swept.base, toPath: folder.file("base"))
      var sealing = Sealing.new()
      let secret = Array(EncryptedSweepTests.words.utf8).withUnsafeBytes { LockedBytes(copying: $0) }
      try sealing.add(.passphrase(secret), label: "", cost: .least, at: Timestamp(seconds: 0))
      for name in ["p.vetnet", "old.vetnet"] {
        let own = sealing.forAnotherFile(pageSize: 16384)
        try Resealing.prepare(folder.file("base/" + name), cover: .sealed(own)) { _, _ in }.put()
      }
      for (name, words) in [("words", EncryptedSweepTests.words), ("new-words", EncryptedSweepTests.newWords)] {
        try folder.write(words + "\n", to: name)
        chmod(folder.file(name), 0o600)
      }
    }
  }

  private static func passphrases(_ line: String) -> String {
    "\(line) --passphrase-file WORDS/words"
  }

  /// What the kill sweep does, on an encrypted file.
  private static let ordinary = SweptWork.all.filter { ["import", "note add", "backup", "restore"].contains($0.name) }

  /// Encrypts, decrypts and changes who can open it; nothing may be lost, and one of both passphrases opens it.
  private static let own: [SweptWork] = [
    SweptWork("encrypt", "encrypt --new-passphrase-file WORDS/words", again: "verify") { _, _ in nil },
    SweptWork("decrypt", "decrypt", again: "verify") { _, _ in nil },
    SweptWork("key change", "key change --new-passphrase-file WORDS/new-words", again: "verify") { _, _ in nil },
  ]

  /// Opens the file as its user would, whichever of what was and what was to be it is.
  private static func open(_ folder: String) throws {
    let path = folder + "/p.vetnet"
    guard try PracticeLock.state(of: path) == .locked else { return }
    do {
      try Array(words.utf8).withUnsafeBytes { try PracticeLock.open(path, with: $0) }
    } catch let error as PracticeError where error.code == .key {
      try Array(newWords.utf8).withUnsafeBytes { try PracticeLock.open(path, with: $0) }
    }
  }

  private static func problem(
    _ folder: String, _ work: SweptWork, isDone: Bool, _ base: EncryptedBase, _ models: ModelDirectory
  ) throws -> String? {
    try open(folder)
    if let problem = try SweptState.problem(in: folder, after: work, isDone: isDone, swept: base.swept, models: models)
    {
      return problem
    }
    let isEncrypted = try PracticeLock.state(of: folder + "/p.vetnet") != .none
    if isDone, isEncrypted != (work.name != "decrypt") { return "encrypted: \(isEncrypted)" }
    if work.name == "key change" {
      let head = try SealedHead.read(folder + "/p.vetnet")
      let opens = try [words, newWords].map { words in
        try Array(words.utf8).withUnsafeBytes { try head?.unlock(LockedBytes(copying: $0)) != nil }
      }
      guard opens == [false, true] || (opens == [true, false] && !isDone) else { return "opened by \(opens)" }
    }
    return nil
  }

  private static func words(_ words: [String], _ folder: String, _ base: EncryptedBase) -> [String] {
    words.map { $0.replacing("FOLDER", with: folder).replacing("WORDS", with: base.folder.path) }
      + ["--passphrase-file", base.folder.file("words")]
  }

  @Test(arguments: ordinary + own)
  func `killed at any step, an encrypted practice is whole, and the work goes on`(work: SweptWork) throws {
    let base = try Self.base.get()
    let place = try TemporaryFolder()
    let models = try ModelDirectory(path: base.swept.models)
    let folder = place.file("w"), counter = place.file("count")
    func prepare() throws {
      try? FileManager.default.removeItem(atPath: folder)
      try FileManager.default.copyItem(atPath: work.name == "encrypt" ? base.plain : base.path, toPath: folder)
      unlink(counter)
    }
    func start(_ fault: Fault) throws -> VetNetProcess.Running {
      try fault.installed(in: try base.swept.process(folder), folder: folder, countFile: counter)
        .start(Self.words(work.words, folder, base))
    }
    try prepare()
    let outcome = try start(Fault(.kill, at: 0)).wait()
    try #require(outcome.status == 0, "\(outcome.errors)")
    let steps = Fault.count(in: counter)
    try #require(steps >= 2)
    #expect(try Self.problem(folder, work, isDone: true, base, models) == nil)
    var generator = SplitMix64(seed: work.name.utf8.reduce(11) { $0 &* 31 &+ UInt64($1) })
    for turn in 0..<Self.killsPerWork {
      try prepare()
      let step = 1 + (turn * steps + Int(generator.next() % UInt64(steps))) / Self.killsPerWork
      let running = try start(Fault(turn % 2 == 0 ? .tear : .kill, at: min(step, steps)))
      _ = try running.wait()
      guard running.process.terminationReason == .uncaughtSignal else { continue }
      let what = "\(work.name), step \(step) of \(steps)"
      #expect(try Self.problem(folder, work, isDone: false, base, models) == nil, "\(what)")
      // By whichever passphrase opens it now.
      let again = try base.swept.process(folder).start(
        Self.words(work.again, folder, base)
          + (try opensByNewWords(folder) ? ["--passphrase-file", base.folder.file("new-words")] : [])
      )
      .wait()
      #expect(again.status == 0, "\(what), again: \(again.errors)")
      #expect(try Self.problem(folder, work, isDone: work.again == work.words, base, models) == nil, "\(what), again")
    }
  }

  private func opensByNewWords(_ folder: String) throws -> Bool {
    try Array(Self.newWords.utf8).withUnsafeBytes {
      try SealedHead.read(folder + "/p.vetnet")?.unlock(LockedBytes(copying: $0)) != nil
    }
  }

  @Test(arguments: ordinary + own)
  func `whatever fails, what is said of an encrypted practice is true and it is whole`(work: SweptWork) throws {
    let base = try Self.base.get()
    let place = try TemporaryFolder()
    let models = try ModelDirectory(path: base.swept.models)
    let folder = place.file("w"), counter = place.file("count")
    let seed = work.name.utf8.reduce(0) { $0 &+ Int($1) }
    let kinds: [(Fault.Mode, String)] = [
      (.eio, "w"), (.enospc, "w"), (.short, "w"), (.eio, "s"), (.eio, "n"), (.eio, "r"),
    ]
    for (number, kind) in kinds.enumerated() where Self.killsPerWork > 2 || (number + seed) % 3 == 0 {
      for turn in 0..<max(1, Self.killsPerWork / 6) {
        try? FileManager.default.removeItem(atPath: folder)
        try FileManager.default.copyItem(atPath: work.name == "encrypt" ? base.plain : base.path, toPath: folder)
        let fault = Fault(
          kind.0, at: 1 + (number * 5 + seed * 3 + turn * 7) % 23, stays: (number + turn) % 2 == 0, kinds: kind.1)
        let running = try fault.installed(in: try base.swept.process(folder), folder: folder, countFile: counter)
          .start(Self.words(work.words, folder, base))
        let outcome = try running.wait()
        #expect(running.process.terminationReason == .exit, "\(work.name), \(fault)")
        #expect(
          try Self.problem(folder, work, isDone: outcome.status == 0, base, models) == nil,
          "\(work.name), \(fault): \(outcome.errors)")
        // Damage that isn't there would send somebody to a backup.
        if kind.1 != "r" { #expect(![12, 13].contains(outcome.status), "\(work.name), \(fault): \(outcome.errors)") }
      }
    }
  }
}
