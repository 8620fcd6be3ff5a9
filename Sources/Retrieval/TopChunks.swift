/// A chunk and how well it matches.
public struct ScoredChunk: Hashable, Sendable {
  public var chunkID: Int64
  public var score: Double

  public init(chunkID: Int64, score: Double) {
    self.chunkID = chunkID
    self.score = score
  }
}

/// The best of a stream of chunks, kept in a heap whose root is the worst of them.
///
/// Of equal scores, the one offered first wins, whatever `limit` is. Scores that are not numbers are passed over.
public struct TopChunks: Sendable {
  private struct Entry {
    let chunk: ScoredChunk
    let position: Int

    /// Whether this one leaves before the other.
    func isWorse(than other: Entry) -> Bool {
      (chunk.score, other.position) < (other.chunk.score, position)
    }
  }

  public let limit: Int
  private var heap: [Entry] = []
  private var offered = 0

  /// - Precondition: `limit` is not negative.
  public init(limit: Int) {
    precondition(limit >= 0, "the best \(limit)")
    self.limit = limit
  }

  /// - Complexity: O(log limit), and O(1) for most of a long stream.
  public mutating func offer(_ chunkID: Int64, score: Double) {
    let entry = Entry(chunk: ScoredChunk(chunkID: chunkID, score: score), position: offered)
    offered += 1
    guard limit > 0, !score.isNaN else { return }
    if heap.count < limit {
      heap.append(entry)
      siftUp()
    } else if heap[0].isWorse(than: entry) {
      heap[0] = entry
      siftDown()
    }
  }

  /// What a later chunk's score must be above to get in; nil while there is room.
  public var floor: Double? { heap.count < limit ? nil : heap.first?.chunk.score }

  /// Best first.
  public var sorted: [ScoredChunk] {
    heap.sorted { $1.isWorse(than: $0) }.map(\.chunk)
  }

  private mutating func siftUp() {
    var child = heap.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard heap[child].isWorse(than: heap[parent]) else { return }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  private mutating func siftDown() {
    var parent = 0
    while true {
      var worst = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && heap[child].isWorse(than: heap[worst]) {
        worst = child
      }
      if worst == parent { return }
      heap.swapAt(parent, worst)
      parent = worst
    }
  }
}
