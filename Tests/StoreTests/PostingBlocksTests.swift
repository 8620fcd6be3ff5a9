import Clinical
@testable import Store
import Testing

@Suite struct PostingBlocksTests {
  private let connection: Connection
  private let term: Int64 = 1

  init() throws {
    connection = try Connection.inMemory()
    let model = try connection.models.register(
      kind: "test", checksum: ContentHash(of: []), name: "test", parameters: "{}", createdAt: Timestamp(seconds: 0))
    let generation = try connection.generations.create(model: model, rulesVersion: "1", at: Timestamp(seconds: 0))
    try connection.execute(
      "INSERT INTO term (id, generation_id, text, document_frequency) VALUES (?, ?, 'word', 0)", term, generation.rowID)
  }

  private var blocks: PostingBlocks { PostingBlocks(connection: connection, termID: term) }

  private func blockSizes() throws -> [Int] {
    try connection.rows("SELECT first_chunk_id, data FROM posting ORDER BY first_chunk_id") { row throws(StoreError) in
      var count = 0
      try PostingBlocks.decode(row, key: 0, data: 1) { _ in count += 1 }
      return count
    }
  }

  @Test func `a block is filled before the next begins, in one go or in many`() throws {
    let postings = (1...2500).map { Posting(chunkID: Int64($0) * 3, frequency: $0 % 7 + 1) }
    try blocks.append(postings)
    #expect(try blockSizes() == [1024, 1024, 452])
    let atOnce = try connection.rows("SELECT data FROM posting ORDER BY first_chunk_id") { $0.bytes(0) }

    try connection.execute("DELETE FROM posting")
    var rest = postings[...]
    var generator = SplitMix64(seed: 1)
    while !rest.isEmpty {
      let part = rest.prefix(Int.random(in: 1...300, using: &generator))
      try blocks.append(part)
      rest = rest.dropFirst(part.count)
    }
    #expect(try connection.rows("SELECT data FROM posting ORDER BY first_chunk_id") { $0.bytes(0) } == atOnce)
    #expect(try connection.chunks.postings(term: term) == postings)
  }

  @Test(arguments: [UInt64(1), 2])
  func `random adding and removing agrees with a dictionary`(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    var oracle: [Int64: Int] = [:]
    var next: Int64 = 1
    for _ in 0..<60 {
      var added: [Posting] = []
      for _ in 0..<Int.random(in: 0...400, using: &generator) {
        next += Int64.random(in: 1...9, using: &generator)
        added.append(Posting(chunkID: next, frequency: Int.random(in: 1...200, using: &generator)))
      }
      try blocks.append(added)
      for posting in added { oracle[posting.chunkID] = posting.frequency }

      // Chunks of one note lie together; some that aren't there are asked for too.
      let start = Int64.random(in: 0...next, using: &generator)
      let share = Int.random(in: 1...4, using: &generator)
      var removed: Set<Int64> = [next + 50, 0]
      for chunk in oracle.keys.sorted() where chunk >= start && chunk < start + 700 {
        if Int.random(in: 0..<share, using: &generator) == 0 { removed.insert(chunk) }
      }
      try blocks.remove(removed)
      for chunk in removed { oracle[chunk] = nil }

      let expected = oracle.sorted { $0.key < $1.key }.map { Posting(chunkID: $0.key, frequency: $0.value) }
      #expect(try connection.chunks.postings(term: term) == expected)
      #expect(try blockSizes().allSatisfy { (1...PostingBlocks.capacity).contains($0) })
    }
    try blocks.remove(Set(oracle.keys))
    #expect(try blockSizes().isEmpty)
  }
}
