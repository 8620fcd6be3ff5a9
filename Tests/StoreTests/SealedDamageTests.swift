import Clinical
import Foundation
import Glibc
@testable import Store
import Testing

/// What is done to an encrypted file or its log without the key is found, and named; or it is said here that it can't be.
@Suite struct SealedDamageTests {
  private let practice: SealedPractice
  private let whole: [UInt8]

  init() throws {
    practice = try SealedPractice()
    try practice.filled()
    whole = try practice.bytes()
  }

  /// Reads everything, as a process would that comes upon the file.
  private func reading() throws -> Int64 {
    let connection = try Connection.open(practice.path, access: .readOnly, migrator: Migrator([]))
    return try connection.number("SELECT count(*) FROM t WHERE length(text) > 0")
  }

  private func failure(_ bytes: [UInt8]) throws -> StoreError? {
    try practice.write(bytes)
    do {
      _ = try reading()
      return nil
    } catch let error as StoreError {
      return error
    }
  }

  @Test func `every byte of a page counts`() throws {
    let pages = (whole.count - 8192) / (16384 + 40)
    #expect(pages > 15)
    var generator = SplitMix64(seed: 20)
    for turn in 0..<60 {
      let page = 1 + turn % pages
      var bytes = whole
      let place = SealedPractice.page(page).lowerBound + Int(generator.next() % UInt64(16384 + 40))
      bytes[place] ^= 1 << UInt8(generator.next() % 8)
      let error = try #require(try failure(bytes), "byte \(place)")
      #expect(error.code == .corrupt && error.context == "page \(page) is not what was written to this file")
      if page > 1 { #expect(try PageCheck(path: practice.path).alteredPages == [page]) }
    }
  }

  @Test func `a page in the place of another, of another file under the same key, or of zeros is found`() throws {
    let (third, fourth) = (SealedPractice.page(3), SealedPractice.page(4))
    var swapped = whole
    swapped.replaceSubrange(third, with: whole[fourth])
    swapped.replaceSubrange(fourth, with: whole[third])
    #expect(try failure(swapped)?.context == "page 3 is not what was written to this file")
    // The backup's page is the same page of the same practice, under the same key.
    let copy = practice.path + ".copy"
    try practice.write(whole)
    do {
      let connection = try Connection.connect(practice.path, access: .readOnly)
      #expect(FileManager.default.createFile(atPath: copy, contents: nil))
      try connection.mixedTransaction(.deferred) {
        try connection.copyState(to: copy, sealing: connection.sealing()) { _, _ in }
      }
      #expect(try Connection.openAsItIs(copy).number("SELECT count(*) FROM t") == 200)
    }
    let other = [UInt8](try Data(contentsOf: URL(filePath: copy)))
    #expect(other.count == whole.count)
    var mixed = whole
    mixed.replaceSubrange(third, with: other[third])
    #expect(try failure(mixed)?.context == "page 3 is not what was written to this file")
    var emptied = whole
    emptied.replaceSubrange(third, with: [UInt8](repeating: 0, count: third.count))
    #expect(try failure(emptied)?.code == .corrupt)
  }

  @Test func `a file that is cut off is found, wherever it was cut`() throws {
    for cut in [1, 5000, 16384, 16424, 16425, 60_000, whole.count - 8192 - 100] {
      let error = try #require(try failure(Array(whole.dropLast(cut))), "\(cut)")
      #expect(error.code == .corrupt, "\(cut): \(error)")
    }
    for left in [8192, 8000, 4096, 4000, 20] {
      let error = try failure(Array(whole[..<left]))
      #expect(error?.code == .corrupt, "\(left): \(String(describing: error))")
    }
  }

  @Test func `an older version of one page is not found by reading it: it was written to this file, in this place`()
    throws
  {
    let connection = try Connection.connect(practice.path, access: .readWrite)
    let page = Int(try connection.number("SELECT max(pageno) FROM dbstat WHERE name = 't'"))
    try connection.execute("UPDATE t SET text = replace(text, 'words', 'lines')")
    try connection.checkpoint()
    var bytes = try practice.bytes()
    #expect(bytes != whole)
    bytes.replaceSubrange(SealedPractice.page(page), with: whole[SealedPractice.page(page)])
    #expect(try failure(bytes) == nil)
  }

  // MARK: The log

  /// A file with committed changes in its log, as a killed process leaves it: file and log.
  private func hot(_ changes: Int = 3) throws -> (file: [UInt8], log: [UInt8]) {
    try practice.write(whole)
    let connection = try Connection.connect(practice.path, access: .readWrite)
    for number in 0..<changes { try connection.execute("INSERT INTO t VALUES (?, 'new')", Int64(1000 + number)) }
    return (try practice.bytes(), try practice.bytes("-wal"))
  }

  private func newRows(_ file: [UInt8], _ log: [UInt8]) throws -> Int64 {
    for suffix in ["", "-wal", "-shm"] { unlink(practice.path + suffix) }
    try practice.write(file)
    try practice.write(log, "-wal")
    let connection = try Connection.connect(practice.path, access: .readWrite)
    #expect(try connection.integrityCheck() == [])
    return try connection.number("SELECT count(*) FROM t WHERE id >= 1000")
  }

  @Test func `a log is played back up to the first frame that was not written to it`() throws {
    let (file, log) = try hot()
    #expect(try newRows(file, log) == 3)
    let stride = 16384 + 24 + 80
    let frames = (log.count - 32) / stride
    #expect(frames >= 3)
    for (offset, expected) in [(0, 0), (stride * (frames - 1), 2), (stride * (frames - 1) + 70, 2)] as [(Int, Int64)] {
      var torn = log
      torn[32 + offset + 41] ^= 1
      #expect(try newRows(file, torn) == expected)
    }
    #expect(try newRows(file, Array(log.dropLast(1000))) == 2)
    // Frames that change places.
    var swapped = log
    let (first, last) = (32..<(32 + stride), (32 + stride * (frames - 1))..<(32 + stride * frames))
    swapped.replaceSubrange(first, with: log[last])
    swapped.replaceSubrange(last, with: log[first])
    #expect(try newRows(file, swapped) == 0)
  }

  @Test func `frames of an earlier round, of another file and of another key are refused`() throws {
    let (_, old) = try hot()
    let stride = 16384 + 24 + 80
    // Another round: the same frames of the same file under other salts.
    let connection = try Connection.connect(practice.path, access: .readWrite)
    try connection.checkpoint()
    try connection.execute("INSERT INTO t VALUES (2000, 'new')")
    let (file, log) = (try practice.bytes(), try practice.bytes("-wal"))
    let mixed = log[..<32] + old[32..<(32 + stride)] + log[(32 + stride)...]
    let before = try newRows(file, log)
    #expect(before == 4)
    #expect(try newRows(file, Array(mixed)) == 3)
    #expect(try newRows(file, Array(log[..<32] + old[32...])) == 3)
    // Another file under the same key, with its own log's head: salts and all.
    let other = try SealedPractice()
    let copy = Sealing(head: practice.sealing.forAnotherFile(pageSize: 16384).head, key: practice.sealing.key)
    let foreign = try Connection.create(other.path, migrator: Migrator([]), sealing: copy, hasPageSums: true)
    try foreign.executeScript("CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT)", context: "")
    #expect(try newRows(file, other.bytes("-wal")) == 3)
    // Another key.
    let stranger = try SealedPractice()
    let strange = try stranger.create(Migrator([]))
    try strange.executeScript("CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT)", context: "")
    #expect(try newRows(file, stranger.bytes("-wal")) == 3)
  }

  @Test func `a frame that is damaged while the file is in use is an error, and no older page instead`() throws {
    _ = try hot()
    // From a log that others have played back already.
    let writer = try Connection.connect(practice.path, access: .readWrite)
    try writer.execute("UPDATE t SET text = 'changed'")
    let reader = try Connection.connect(practice.path, access: .readOnly)
    #expect(try reader.number("SELECT count(*) FROM sqlite_schema") == 1)
    var log = try practice.bytes("-wal")
    let stride = 16384 + 24 + 80
    for start in Swift.stride(from: 32, to: log.count, by: stride) { log[start + 200] ^= 1 }
    // In place: both have it open.
    let file = try FileHandle(forWritingTo: URL(filePath: practice.path + "-wal"))
    try file.write(contentsOf: Data(log))
    try file.close()
    let error = #expect(throws: StoreError.self) { try reader.number("SELECT count(*) FROM t WHERE text = 'changed'") }
    #expect(error?.code == .corrupt && error?.context.contains("of the log is not what was written to it") == true)
  }

  @Test func `pages that a checkpoint left half written are whole in the log, the first one too`() throws {
    func tearingFirstPage(_ file: [UInt8]) -> [UInt8] {
      var torn = file
      for byte in SealedPractice.page(1).suffix(9000) { torn[byte] = 7 }
      return torn
    }
    // Only a log that has the page makes up for it.
    let (file, log) = try hot()
    #expect(throws: StoreError.self) { try newRows(tearingFirstPage(file), log) }
    for suffix in ["-wal", "-shm"] { unlink(practice.path + suffix) }
    try practice.write(whole)
    var connection: Connection? = try Connection.connect(practice.path, access: .readWrite)
    try connection?.executeScript("PRAGMA user_version = 7", context: "")
    for number in 0..<400 {
      try connection?.execute(
        "INSERT INTO t VALUES (?, ?)", Int64(5000 + number), String(repeating: "w ", count: 900))
    }
    let (before, full) = (try practice.bytes(), try practice.bytes("-wal"))
    connection = nil
    let after = try practice.bytes()
    #expect(before == whole && after.count > before.count + 100_000)
    #expect(try newRows(tearingFirstPage(before), full) == 400)
    // As killed in the middle of the checkpoint that made `after` of `before`.
    for cut in [before.count + 20_000, before.count + 16424 * 3, after.count - 77] {
      #expect(try newRows(Array(after[..<cut]), full) == 400)
    }
  }

  @Test func `a rollback journal that lies beside a sealed file is not played back`() throws {
    try practice.write(whole)
    try practice.write([UInt8]("a journal of somebody's".utf8) + [UInt8](repeating: 1, count: 4000), "-journal")
    #expect(try reading() == 200)
    #expect(try practice.bytes() == whole)
  }
}
