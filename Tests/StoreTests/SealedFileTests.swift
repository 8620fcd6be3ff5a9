import Clinical
import Foundation
import Glibc
@testable import Store
import Testing

/// Encrypted practice files: the same as plain ones to SQLite, and nothing to anybody else.
@Suite struct SealedFileTests {
  private let canary = "qxzvcanary"

  /// The same changes to two connections, drawn at random: large and small rows, deletions, savepoints, rollbacks, checkpoints, a cache that
  /// is too small for a transaction, and a compaction.
  private func work(_ connections: [Connection], seed: UInt64, steps: Int) throws {
    var generator = SplitMix64(seed: seed)
    func draw(_ count: UInt64) -> Int64 { Int64(generator.next() % count) }
    for connection in connections {
      try connection.executeScript("PRAGMA cache_size = 10; PRAGMA wal_autocheckpoint = 60", context: "")
    }
    for _ in 0..<steps {
      let kind = draw(10), key = draw(400), size = draw(40) * draw(40) * 20 + 5, ends = draw(4)
      for connection in connections {
        struct Undone: Error {}
        do {
          try connection.mixedTransaction {
            switch kind {
            case 0...4:
              for row in 0..<(1 + key % 9) {
                try connection.execute(
                  "INSERT OR REPLACE INTO t VALUES (?, ?)", key + row * 7,
                  String(repeating: "\(canary) ", count: Int(size)))
              }
            case 5: try connection.execute("DELETE FROM t WHERE id BETWEEN ? AND ?", key, key + 30)
            case 6: try connection.execute("UPDATE t SET text = text || 'more' WHERE id % 7 = ?", key % 7)
            case 7:
              // Pages are written to the log, and again.
              try connection.execute("UPDATE t SET text = text || 'x'")
              try connection.execute("UPDATE t SET text = text || 'y' WHERE id % 2 = 0")
              try? connection.mixedTransaction {
                try connection.execute("UPDATE t SET text = 'undone'")
                throw Undone()
              }
            default: _ = try connection.number("SELECT sum(length(text)) FROM t")
            }
            if ends == 0 { throw Undone() }
          }
        } catch is Undone {}
        if kind == 8 { try connection.checkpoint(truncate: key % 2 == 0) }
        if kind == 9, key < 30 { try connection.compact() }
      }
    }
  }

  @Test(arguments: [1, 2] as [UInt64])
  func `a sealed file is the plain one, byte for byte, to a reader of a few lines`(seed: UInt64) throws {
    let practice = try SealedPractice()
    let folder = try TemporaryFolder()
    let table = Migrator([.init(name: "t", sql: "CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT NOT NULL)")])
    let plain = try Connection.create(folder.file, migrator: table)
    let sealed = try practice.create(table)
    try work([plain, sealed], seed: seed, steps: 60)
    try work([plain, sealed], seed: seed + 90, steps: 20)
    // What a process that is killed would leave: the log as well.
    let reader = try PlainReader(practice.path, passphrase: SealedPractice.passphrase)
    let file = [UInt8](try Data(contentsOf: URL(filePath: folder.file)))
    let open = try reader.pages()
    #expect(open.count == file.count)
    #expect(open == file)
    let log = try reader.log(practice.path + "-wal")
    var plainLog = [UInt8](try Data(contentsOf: URL(filePath: folder.file + "-wal")))
    // What is left of earlier rounds has other salts.
    let frames = stride(from: 32, to: plainLog.count, by: 24 + 16384).prefix(while: {
      plainLog[($0 + 8)..<($0 + 16)] == plainLog[16..<24]
    })
    plainLog = Array(plainLog[..<(32 + Array(frames).count * (24 + 16384))])
    #expect(log.count == plainLog.count && log.count > 40_000)
    // Salts are random, and checksums with them: the pages are what is the same.
    for start in stride(from: 32, to: log.count, by: 24 + 16384) {
      #expect(log[start..<(start + 4)] == plainLog[start..<(start + 4)])
      #expect(log[(start + 24)..<(start + 24 + 16384)] == plainLog[(start + 24)..<(start + 24 + 16384)])
    }
    #expect(try sealed.integrityCheck() == [] && sealed.pageCheck().alteredPages == [])
    #expect(try PageCheck(path: practice.path).alteredPages == [])
  }

  @Test func `nothing of the text is in the file, its log or its shared memory, and no other file is made`() throws {
    let practice = try SealedPractice()
    let connection = try practice.create(Migrator([]))
    try connection.executeScript("CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT NOT NULL)", context: "")
    let reader = try Connection.connect(practice.path, access: .readOnly)
    for round in 0..<3 {
      try work([connection], seed: UInt64(7 + round), steps: 12)
      try connection.transaction { () throws(StoreError) in
        for number in 0..<200 {
          try connection.execute(
            "INSERT INTO t VALUES (NULL, ?)", String(repeating: "\(canary) \(number) ", count: 400))
        }
      }
      // Sorted in memory, or not at all.
      #expect(try reader.rows("SELECT text FROM t ORDER BY text DESC") { $0.text(0) }.count >= 200)
      for suffix in ["", "-wal", "-shm"] {
        let bytes = try practice.bytes(suffix)
        #expect(bytes.count > 1000 || suffix == "-wal")
        for word in [canary, "CREATE TABLE", "SQLite format", "Front desk"] {
          #expect(positions(of: word, in: bytes) == [], "\(suffix)")
        }
      }
      let names = try FileManager.default.contentsOfDirectory(atPath: practice.folder?.path ?? "").sorted()
      #expect(names == ["practice.vetnet", "practice.vetnet-shm", "practice.vetnet-wal"])
    }
    #expect(throws: StoreError.self) {
      try connection.executeScript("PRAGMA temp_store = FILE; CREATE TEMP TABLE x AS SELECT * FROM t", context: "")
    }
  }

  @Test func `a file opens with its key only, and says so otherwise`() throws {
    let practice = try SealedPractice()
    try practice.filled()
    KeyRing.forget(practice.sealing.key.id)
    let error = #expect(throws: StoreError.self) { try Connection.connect(practice.path, access: .readOnly) }
    #expect(error?.code == .keyNeeded)
    #expect(#expect(throws: StoreError.self) { try PageCheck(path: practice.path) }?.code == .keyNeeded)
    let head = try #require(try SealedHead.read(practice.path))
    #expect(try head.unlock(secret("correct horse")) == nil)
    let key = try #require(try head.unlock(secret(SealedPractice.passphrase)))
    // Another practice's key does nothing for this one.
    KeyRing.add(Sealing.new().key)
    #expect(throws: StoreError.self) { try Connection.connect(practice.path, access: .readOnly) }
    KeyRing.add(key)
    #expect(try Connection.connect(practice.path, access: .readOnly).number("SELECT count(*) FROM t") == 200)
  }

  @Test func `keys are added, changed and removed without a page being written`() throws {
    let practice = try SealedPractice()
    try practice.filled()
    let open = try Connection.connect(practice.path, access: .readWrite)
    let pages = try practice.bytes()[8192...]
    let recovery = RecoveryKey()
    let number = try Sealing.change(of: practice.path) { (sealing) throws(StoreError) in
      try sealing.add(.recovery(recovery), label: "safe", at: Timestamp(seconds: 6))
    }
    #expect(number == 2)
    try Sealing.change(of: practice.path) { (sealing) throws(StoreError) in
      try sealing.replace(1, by: .passphrase(secret("other")), label: "Dr Ash", cost: .least, at: Timestamp(seconds: 7))
    }
    let head = try #require(try SealedHead.read(practice.path))
    #expect(try head.unlock(secret(SealedPractice.passphrase)) == nil)
    #expect(try head.unlock(secret("other"))?.id == practice.sealing.key.id)
    for words in [recovery.words, recovery.words.lowercased().replacing("-", with: " ").replacing("0", with: "o")] {
      #expect(try head.unlock(secret(words)) != nil)
    }
    #expect(try head.unlock(secret(String(recovery.words.dropLast()) + "*")) == nil)
    let sealing = try #require(try Sealing(of: practice.path))
    #expect(sealing.label(1) == "Dr Ash" && sealing.label(2) == "safe" && sealing.label(3) == nil)
    try Sealing.change(of: practice.path) { (sealing) throws(StoreError) in try sealing.remove(1) }
    let last = #expect(throws: StoreError.self) {
      try Sealing.change(of: practice.path) { (sealing) throws(StoreError) in try sealing.remove(2) }
    }
    #expect(last?.code == .keyRefused)
    #expect(try SealedHead.read(practice.path)?.unlock(secret("other")) == nil)
    // What opened it before is not in the file any more, nor is any of it readable.
    let bytes = try practice.bytes()
    #expect(Array(bytes[..<4096]) == Array(bytes[4096..<8192]))
    #expect(positions(of: "Dr Ash", in: bytes) == [])
    #expect(bytes[8192...] == pages)
    #expect(try open.number("SELECT count(*) FROM t") == 200)
  }

  @Test func `a head that is half written leaves the other, and one that somebody changed opens nothing`() throws {
    let practice = try SealedPractice()
    try practice.filled(5)
    let whole = try practice.bytes()
    func unlocks() throws -> Bool {
      KeyRing.forget(practice.sealing.key.id)
      guard let key = try SealedHead.read(practice.path)?.unlock(secret(SealedPractice.passphrase)) else {
        return false
      }
      KeyRing.add(key)
      return try Connection.connect(practice.path, access: .readOnly).number("SELECT count(*) FROM t") == 5
    }
    for start in [0, 4096] {
      var bytes = whole
      for place in (start + 100)..<(start + 4096) { bytes[place] = 0 }
      try practice.write(bytes)
      #expect(try unlocks())
    }
    var both = whole
    both[100] ^= 1
    both[4196] ^= 1
    try practice.write(both)
    #expect(#expect(throws: StoreError.self) { try unlocks() }?.code == .corrupt)
    // Changed with a digest that fits: the passphrase still opens the key, which finds it out.
    var forged = Array(whole[..<2144])
    forged[33] ^= 1
    forged += ContentHash(of: forged).bytes
    forged += [UInt8](repeating: 0, count: 4096 - forged.count)
    try practice.write(forged + forged + whole[8192...])
    #expect(#expect(throws: StoreError.self) { try unlocks() }?.code == .corrupt)
    try practice.write(whole)
    #expect(try unlocks())
  }

  @Test func `a change broken off between the copies of the head, or in one, is ended by who writes next`() throws {
    let practice = try SealedPractice()
    try practice.filled(5)
    let older = Array(try practice.bytes()[..<4096])
    try Sealing.change(of: practice.path) { (sealing) throws(StoreError) in
      try sealing.replace(1, by: .passphrase(secret("newer words")), label: "", cost: .least, at: Timestamp(seconds: 6))
    }
    let whole = try practice.bytes()
    let newer = Array(whole[..<4096])
    let torn = newer[..<2000] + older[2000...]
    for region in [newer + older, older + newer, newer + torn, torn + newer] {
      try practice.write(region + whole[8192...])
      _ = try Connection.open(practice.path, access: .readOnly, migrator: Migrator([]))
      #expect(try Array(practice.bytes()[..<8192]) == region)
      _ = try Connection.open(practice.path, migrator: Migrator([]))
      let bytes = try practice.bytes()
      #expect(bytes[..<4096].elementsEqual(bytes[4096..<8192]))
      #expect(try SealedHead.soundCopies(of: practice.path) == 2)
      let head = try #require(try SealedHead.read(practice.path))
      #expect(try head.unlock(secret("newer words")) != nil && head.unlock(secret(SealedPractice.passphrase)) == nil)
    }
    // Of a change that was broken off in its first copy nothing is left.
    try practice.write(torn + older + whole[8192...])
    _ = try Connection.open(practice.path, migrator: Migrator([]))
    #expect(try SealedHead.read(practice.path)?.unlock(secret(SealedPractice.passphrase)) != nil)
    #expect(try SealedHead.soundCopies(of: practice.path) == 2)
  }
}
