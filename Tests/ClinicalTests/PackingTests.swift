import Testing

@testable import Clinical

@Suite struct PackingTests {
  private static func read(_ bytes: [UInt8], _ body: (inout Unpacker) throws -> Void) throws {
    try bytes.withUnsafeBytes { (bytes) throws in
      var unpacker = Unpacker(bytes)
      try body(&unpacker)
    }
  }

  @Test func `what was packed is read back in the same order`() throws {
    var packer = Packer()
    packer.add(UInt64.max - 1)
    packer.add(-2.5)
    packer.add(true)
    packer.add("Žofie 🐈")
    packer.add(all: [Int32(-1), 7])
    packer.add(texts: ["", "b", "a"])
    packer.add(set: ["b", "a"])
    packer.add("rabbit")
    try Self.read(packer.bytes) { (unpacker) throws in
      #expect(try unpacker.value(UInt64.self) == .max - 1)
      #expect(try unpacker.value(Double.self) == -2.5)
      #expect(try unpacker.flag())
      #expect(try unpacker.text() == "Žofie 🐈")
      #expect(try unpacker.all(Int32.self) == [-1, 7])
      #expect(try unpacker.texts() == ["", "b", "a"])
      #expect(try unpacker.set() == ["a", "b"])
      #expect(!unpacker.isAtEnd)
      #expect(try unpacker.choice(Species.self) == .rabbit)
      #expect(unpacker.isAtEnd)
    }
  }

  @Test func `bytes that end too early are refused at every length`() throws {
    var packer = Packer()
    packer.add(texts: ["one", "two"])
    packer.add(all: [UInt64(1), 2, 3])
    for count in 0..<packer.bytes.count {
      let cut = Array(packer.bytes.prefix(count))
      #expect(throws: PackingError.self, "\(count) of \(packer.bytes.count) bytes") {
        try Self.read(cut) { (unpacker) throws in
          _ = try unpacker.texts()
          _ = try unpacker.all(UInt64.self)
        }
      }
    }
  }

  @Test func `a count that no bytes follow takes no memory`() {
    let bytes = [UInt8](repeating: 0xFF, count: 12)
    #expect(throws: PackingError.self) {
      try Self.read(bytes) { (unpacker) throws in _ = try unpacker.all(UInt64.self) }
    }
    #expect(throws: PackingError.self) {
      try Self.read(bytes) { (unpacker) throws in _ = try unpacker.texts() }
    }
  }

  @Test func `a table that was packed is the table`() throws {
    let table = try DataTable(
      name: "t.tsv", text: "# title: A table\nid\tform\tn\na\t x y | z ||\t1.5\nb\n", required: ["id"], uniqueKey: "id")
    var packer = Packer()
    table.pack(into: &packer)
    var read: DataTable?
    try Self.read(packer.bytes) { (unpacker) throws in read = try DataTable(from: &unpacker) }
    let copy = try #require(read)
    #expect(copy.name == table.name && copy.metadata == table.metadata && copy.columns == table.columns)
    try #require(copy.rows.count == 2)
    for (one, other) in zip(copy.rows, table.rows) {
      #expect(one.line == other.line)
      for column in table.columns { #expect(one[column] == other[column]) }
    }
    #expect(copy.rows[0].list("form") == ["x y", "z"])
    #expect(copy.rows[1].error("n", "is empty") == table.rows[1].error("n", "is empty"))
  }
}

@Suite struct ContentDigestTests {
  @Test(arguments: [0, 1, 7, 8, 31, 32, 33, 64, 100, 1000])
  func `any bit that is another, and any other length, gives another digest`(count: Int) {
    var generator = SplitMix64(seed: UInt64(count))
    var bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
    let digest = ContentDigest(of: bytes)
    #expect(ContentDigest(of: bytes) == digest)
    var seen: Set<ContentDigest> = [digest]
    for place in bytes.indices {
      for bit in 0..<8 {
        bytes[place] ^= 1 << bit
        #expect(seen.insert(ContentDigest(of: bytes)).inserted, "byte \(place), bit \(bit)")
        bytes[place] ^= 1 << bit
      }
    }
    // Zeros at the end are bytes, too.
    #expect(seen.insert(ContentDigest(of: bytes + [0])).inserted)
  }

  @Test func `lines that change places give another digest`() {
    let one = [UInt8](repeating: 1, count: 32)
    let other = [UInt8](repeating: 2, count: 32)
    #expect(ContentDigest(of: one + other) != ContentDigest(of: other + one))
  }
}
