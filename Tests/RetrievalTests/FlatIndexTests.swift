import Clinical
import Retrieval
import Testing

struct FlatIndexTests {
  /// Sorts everything, in double precision.
  private func naive(_ index: FlatIndex, _ query: [Float], count: Int) -> [Int64] {
    let scores = index.chunkIDs.indices.map { place in
      (0..<index.dimension).reduce(0.0) {
        $0 + Double(index.values[place * index.dimension + $1]) * Double(query[$1])
      }
    }
    return index.chunkIDs.indices.sorted { (scores[$0], $1) > (scores[$1], $0) }.prefix(count)
      .map { index.chunkIDs[$0] }
  }

  @Test(arguments: [0, 1, 7, 300, 500])
  func `the nearest are those that a full sort finds`(count: Int) {
    var generator = SplitMix64(seed: 11)
    let (chunks, dimension) = (300, 24)
    let index = FlatIndex(
      chunkIDs: (0..<chunks).map { Int64($0 * 3 + 1) },
      values: (0..<(chunks * dimension)).map { _ in Float(generator.nextUnit() * 2 - 1) }, dimension: dimension)
    let query = (0..<dimension).map { _ in Float(generator.nextUnit() * 2 - 1) }
    #expect(index.nearest(to: query, count: count).map(\.chunkID) == naive(index, query, count: count))
  }

  @Test func `of equal scores the first in the index wins`() {
    let index = FlatIndex(chunkIDs: [9, 4, 7, 2], values: [1, 0, 1, 0, 2, 0, 1, 0], dimension: 2)
    #expect(index.nearest(to: [1, 0], count: 3).map(\.chunkID) == [7, 9, 4])
  }

  @Test func `blocks together find what one index finds`() {
    let values = (0..<40).map { Float(($0 * 7919) % 31) }
    let whole = FlatIndex(chunkIDs: (0..<20).map { Int64($0) }, values: values, dimension: 2)
    var best = TopChunks(limit: 6)
    for start in [0, 5, 10, 15] {
      FlatIndex(
        chunkIDs: Array(whole.chunkIDs[start..<(start + 5)]), values: Array(values[(2 * start)..<(2 * start + 10)]),
        dimension: 2
      ).offer(to: &best, for: [1, 2])
    }
    #expect(best.sorted == whole.nearest(to: [1, 2], count: 6))
  }

  @Test func `an empty index finds nothing`() {
    #expect(
      FlatIndex(chunkIDs: [], values: [], dimension: 512).nearest(to: .init(repeating: 1, count: 512), count: 5).isEmpty
    )
  }

  @Test(arguments: 0..<20)
  func `the best of a stream are those of its stable sort`(seed: Int) {
    var generator = SplitMix64(seed: UInt64(seed))
    // Few distinct scores, so that ties are common.
    let scores = (0..<100).map { _ in Double(Int.random(in: 0..<8, using: &generator)) }
    for limit in [1, 2, 10, 99, 100, 150] {
      var best = TopChunks(limit: limit)
      for (place, score) in scores.enumerated() { best.offer(Int64(place), score: score) }
      let expected = scores.indices.sorted { (scores[$0], $1) > (scores[$1], $0) }.prefix(limit)
      #expect(best.sorted.map(\.chunkID) == expected.map { Int64($0) })
    }
  }

  @Test func `a score that is not a number is passed over`() {
    var best = TopChunks(limit: 2)
    best.offer(1, score: .nan)
    best.offer(2, score: -1)
    #expect(best.sorted.map(\.chunkID) == [2])
  }
}
