import Clinical
@testable import Store
import Testing

@Suite struct VarintTests {
  @Test func `every number comes back, in as few bytes as it needs`() {
    var numbers: [UInt64] = [0, 1, 127, 128, 16_383, 16_384, .max, .max - 1, 1 << 63, (1 << 63) - 1]
    var generator = SplitMix64(seed: 5)
    for _ in 0..<2000 { numbers.append(generator.next() >> UInt64.random(in: 0..<64, using: &generator)) }
    var bytes: [UInt8] = []
    for number in numbers {
      let before = bytes.count
      Varint.append(number, to: &bytes)
      #expect(bytes.count - before == max(1, (64 - number.leadingZeroBitCount + 6) / 7))
    }
    bytes.withUnsafeBytes { buffer in
      var position = 0
      for number in numbers { #expect(Varint.read(buffer, at: &position) == number) }
      #expect(position == buffer.count)
    }
  }

  @Test(
    arguments: [
      [], [0x80], [0xFF, 0xFF], Array(repeating: 0xFF, count: 10), Array(repeating: 0x80, count: 10) + [0x01],
    ] as [[UInt8]])
  func `bytes that are no number are refused`(bytes: [UInt8]) {
    bytes.withUnsafeBytes { buffer in
      var position = 0
      #expect(Varint.read(buffer, at: &position) == nil)
    }
  }

  @Test func `pairs come back, and torn ones are refused`() {
    var generator = SplitMix64(seed: 6)
    var pairs: [(id: Int64, count: Int)] = []
    var id: Int64 = 40
    for _ in 0..<500 {
      id += Int64.random(in: 1...100_000, using: &generator)
      pairs.append((id: id, count: Int.random(in: 0...300, using: &generator)))
    }
    let bytes = PairList.encode(pairs, base: 40)
    var read: [(Int64, Int)] = []
    #expect(bytes.withUnsafeBytes { PairList.decode($0, base: 40) { read.append(($0, $1)) } })
    #expect(read.map(\.0) == pairs.map(\.id))
    #expect(read.map(\.1) == pairs.map(\.count))
    #expect(!bytes.dropLast().withUnsafeBytes { PairList.decode($0, base: 40) { _, _ in } })
    #expect(
      !PairList.encode([(id: 5, count: 1)], base: 0).withUnsafeBytes { PairList.decode($0, base: .max) { _, _ in } })
  }
}
