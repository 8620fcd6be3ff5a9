/// That a term occurs in a chunk, and how often.
public struct Posting: Hashable, Sendable {
  public let chunkID: Int64
  public let frequency: Int

  public init(chunkID: Int64, frequency: Int) {
    self.chunkID = chunkID
    self.frequency = frequency
  }
}

/// The postings of one term, in blocks of the table `posting`.
///
/// A block is read and written whole, holds at most ``capacity`` postings (about 2 to 3 KB), and is found by the first
/// chunk in it. New chunks have greater ids than old ones, so that adding touches the last block only, and an index
/// that grew is the same as one built at once; deletions may leave blocks smaller until the next generation.
struct PostingBlocks {
  let connection: Connection
  let termID: Int64

  static let capacity = 1024

  struct Block {
    var postings: [Posting]
    /// The key it is stored under; nil before it is.
    var key: Int64?
  }

  /// Adds postings whose chunks are greater than all before.
  func append(_ postings: some Collection<Posting>) throws(StoreError) {
    guard let smallest = postings.first?.chunkID else { return }
    var rest = postings[...]
    if var last = try block(before: .max), last.postings.count < Self.capacity {
      precondition(last.postings.last.map { $0.chunkID < smallest } ?? true, "postings come in the order of chunks")
      let added = rest.prefix(Self.capacity - last.postings.count)
      last.postings += added
      rest = rest.dropFirst(added.count)
      try write(last)
    }
    while !rest.isEmpty {
      try write(Block(postings: Array(rest.prefix(Self.capacity))))
      rest = rest.dropFirst(Self.capacity)
    }
  }

  /// Removes the postings of some chunks.
  func remove(_ chunks: Set<Int64>) throws(StoreError) {
    var rest = chunks
    while let greatest = rest.max(), var block = try block(before: greatest) {
      block.postings.removeAll { rest.remove($0.chunkID) != nil }
      try write(block)
      // What the block should have held and didn't isn't there.
      rest = rest.filter { chunk in block.key.map { chunk < $0 } ?? false }
    }
  }

  /// The block that holds `chunk` if any does: the last that begins at or before it.
  private func block(before chunk: Int64) throws(StoreError) -> Block? {
    try connection.first(
      """
      SELECT first_chunk_id, data FROM posting
      WHERE term_id = ? AND first_chunk_id <= ? ORDER BY first_chunk_id DESC LIMIT 1
      """, termID, chunk
    ) { row throws(StoreError) in
      var block = Block(postings: [], key: row.int64(0))
      try Self.decode(row, key: 0, data: 1) { block.postings.append($0) }
      return block
    }
  }

  private func write(_ block: Block) throws(StoreError) {
    let first = block.postings.first?.chunkID
    if let key = block.key, key != first {
      try connection.execute("DELETE FROM posting WHERE term_id = ? AND first_chunk_id = ?", termID, key)
    }
    guard let first else { return }
    let data = PairList.encode(block.postings.lazy.map { (id: $0.chunkID, count: $0.frequency) }, base: first)
    try connection.execute(
      """
      INSERT INTO posting (term_id, first_chunk_id, data) VALUES (?, ?, ?)
      ON CONFLICT (term_id, first_chunk_id) DO UPDATE SET data = excluded.data
      """, termID, first, data)
  }

  /// Reads the block of a row where it lies.
  static func decode(
    _ row: Statement, key: Int32, data: Int32, _ body: (Posting) -> Void
  ) throws(StoreError) {
    let base = row.int64(key)
    let isWhole = row.withBlob(data) { bytes in
      PairList.decode(bytes, base: base) { body(Posting(chunkID: $0, frequency: $1)) }
    }
    guard isWhole else { throw StoreError(.corrupt, context: "the postings from chunk \(base)") }
  }
}
