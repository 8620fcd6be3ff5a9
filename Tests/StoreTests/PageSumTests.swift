import Clinical
import Foundation
@testable import Store
import Testing

@Suite struct PageSumTests {
  private func sum(_ page: [UInt8], number: UInt64 = 7) -> UInt64 {
    page.withUnsafeBytes { PageSum.sum(of: $0, number: number) }
  }

  @Test func `a flipped bit, a changed word and another place each give another sum`() {
    var generator = SplitMix64(seed: 16)
    var page = (0..<1024).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
    let whole = sum(page)
    var unseen = 0
    for bit in 0..<(1024 - PageSum.byteCount) * 8 {
      page[bit / 8] ^= 1 << (bit % 8)
      if sum(page) == whole { unseen += 1 }
      page[bit / 8] ^= 1 << (bit % 8)
    }
    for byte in 0..<(1024 - PageSum.byteCount) {
      let before = page[byte]
      page[byte] = ~before
      if sum(page) == whole { unseen += 1 }
      page[byte] = before
    }
    #expect(unseen == 0)
    #expect(sum(page) == whole)
    #expect(sum(page, number: 8) != whole)
    // The sum's own place is no part of it.
    page[1020] ^= 1
    #expect(sum(page) == whole)
  }

  /// What the sum is said to be, a word at a time: four lanes in turn, the last word left out, and the lanes joined.
  private func wordByWord(_ page: [UInt8], number: UInt64) -> UInt64 {
    func mixed(_ state: UInt64, _ word: UInt64) -> UInt64 {
      let product = (state ^ word) &* 0x9FB2_1C65_1E98_DF25
      return product ^ product >> 32
    }
    var lanes = [number, 0x9E37_79B9_7F4A_7C15, 0xC2B2_AE3D_27D4_EB4F, ~number]
    for word in 0..<(page.count / 8 - 1) {
      let value = (0..<8).reduce(0 as UInt64) { $0 | UInt64(page[8 * word + $1]) << UInt64(8 * $1) }
      lanes[word % 4] = mixed(lanes[word % 4], value)
    }
    return lanes.dropFirst().reduce(lanes[0], mixed)
  }

  @Test(arguments: [64, 512, 4096, 16384])
  func `the sum is that of its words, one after the other`(size: Int) {
    var generator = SplitMix64(seed: UInt64(size))
    for number in [1, 7, UInt64.max] as [UInt64] {
      let page = (0..<size).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
      #expect(sum(page, number: number) == wordByWord(page, number: number))
    }
  }

  /// Files that are there have such sums: no version may give others. The figures are of a program in another language.
  @Test func `the sums of two pages are what they always were`() {
    #expect(sum([UInt8](repeating: 0, count: 64), number: 1) == 0x47C1_32AF_342F_BC50)
    #expect(sum((0..<512).map { UInt8(truncatingIfNeeded: $0) }, number: 3) == 0x72DC_64AA_6FE5_052B)
  }

  private func bulk() throws -> TestPractice {
    let practice = try TestPractice()
    let generation = try practice.beginGeneration()
    for number in 0..<300 { try practice.write("N\(number)", "note \(number) of a dog that limps and coughs again") }
    try practice.index(generation)
    try practice.connection.checkpoint()
    return practice
  }

  @Test func `every page that VetNet writes has its sum`() throws {
    let practice = try bulk()
    let check = try PageCheck(path: practice.folder.file)
    #expect(check.isCovered && check.alteredPages == [] && check.pageCount > 40)
    try practice.connection.compact()
    #expect(try PageCheck(path: practice.folder.file).alteredPages == [])
    for number in 0..<200 { try practice.write("N\(number)", "other") }
    try practice.connection.checkpoint()
    #expect(try PageCheck(path: practice.folder.file).alteredPages == [])
  }

  @Test func `a page that changed on disk is named, with its table`() throws {
    let practice = try bulk()
    let path = practice.folder.file
    let pages = try practice.connection.rows(
      "SELECT max(pageno), name FROM dbstat WHERE name IN ('chunk_vector', 'posting', 'fact', 'note') GROUP BY name"
    ) { (page: $0.int(0), table: $0.text(1)) }
    #expect(pages.count == 4)
    for (page, table) in pages {
      let file = try FileHandle(forUpdating: URL(filePath: path))
      defer { try? file.close() }
      let offset = UInt64((page - 1) * 16384 + 16000)
      try file.seek(toOffset: offset)
      let byte = try #require(try file.read(upToCount: 1)?.first)
      func put(_ byte: UInt8) throws {
        try file.seek(toOffset: offset)
        try file.write(contentsOf: Data([byte]))
      }
      try put(byte ^ 0x10)
      #expect(try PageCheck(path: path).alteredPages == [page])
      #expect(try practice.connection.tables(ofPages: [page]) == [page: table])
      try put(byte)
    }
    #expect(try PageCheck(path: path).alteredPages == [])
  }

  @Test func `an older file gets sums when it is opened for writing, and nothing else changes`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file
    func notes(_ connection: Connection) throws -> [String] {
      try connection.rows("SELECT id, external_id, text FROM note") { "\($0.int64(0)) \($0.text(1)) \($0.text(2))" }
    }
    // Stays open: nobody may be in the way of a file that is laid out anew.
    let first = try Connection.create(path, migrator: .practice, hasPageSums: false)
    let source = try first.sources.id(named: "test")
    _ = try first.patients.upsert(Patient(id: "P1", name: "Bella", species: .dog), source: source)
    for number in 0..<300 {
      _ = try first.notes.upsert(
        ClinicalNote(id: "N\(number)", patientID: "P1", recordedAt: Timestamp(seconds: 0), text: "note \(number)"),
        source: source)
    }
    try first.checkpoint()
    #expect(try !PageCheck(path: path).isCovered)
    let before = try notes(first)
    let reopened = try Connection.open(path)
    let check = try PageCheck(path: path)
    #expect(check.isCovered && check.alteredPages == [])
    #expect(try notes(reopened) == before && before.count == 300)
    #expect(try reopened.integrityCheck() == [])
    #expect(try reopened.number("PRAGMA application_id") == Connection.applicationID)
  }

  @Test func `a page that a broken off checkpoint left half written is not damaged while the log holds it`() throws {
    let practice = try TestPractice()
    let path = practice.folder.file
    try practice.connection.checkpoint()
    try practice.write("N1", "vomiting since last night")
    let page = try practice.connection.rows("SELECT pageno FROM dbstat WHERE name = 'note'") { $0.int(0) }[0]
    let file = try FileHandle(forUpdating: URL(filePath: path))
    try file.seek(toOffset: UInt64((page - 1) * 16384))
    try file.write(contentsOf: Data(repeating: 0x55, count: 8192))
    // Not closed before the connection: that would take its locks.
    #expect(try practice.connection.pageCheck().alteredPages == [])
    try practice.connection.checkpoint()
    #expect(try practice.connection.pageCheck().alteredPages == [])
    try file.write(contentsOf: Data(repeating: 0x55, count: 512))
    #expect(try practice.connection.pageCheck().alteredPages == [page])
    withExtendedLifetime(file) {}
  }
}
