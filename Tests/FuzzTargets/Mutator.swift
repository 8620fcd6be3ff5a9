public import Clinical

/// Makes inputs of inputs: the same seed gives the same ones on every machine.
public struct Mutator {
  private var generator: SplitMix64
  private let words: [[UInt8]]
  /// Inputs grow no longer than this.
  public let longest: Int

  public init(seed: UInt64, words: [String], longest: Int = 4096) {
    generator = SplitMix64(seed: seed)
    self.words = words.map { Array($0.utf8) }
    self.longest = longest
  }

  /// One of `corpus`, changed in one to six places, or parts of two.
  public mutating func next(_ corpus: [[UInt8]]) -> [UInt8] {
    var bytes = corpus.randomElement(using: &generator) ?? []
    for _ in 0...Int(generator.next() % 6) { change(&bytes, corpus) }
    return Array(bytes.prefix(longest))
  }

  private mutating func change(_ bytes: inout [UInt8], _ corpus: [[UInt8]]) {
    let place = Int.random(in: 0...bytes.count, using: &generator)
    let upper = min(bytes.count, place + Int.random(in: 0...32, using: &generator))
    switch generator.next() % 8 {
    case 0: bytes.insert(contentsOf: words.randomElement(using: &generator) ?? [], at: place)
    case 1: bytes.removeSubrange(place..<upper)
    case 2: bytes.insert(contentsOf: bytes[place..<upper], at: place)
    case 3: if place < bytes.count { bytes[place] ^= 1 << UInt8(generator.next() % 8) }
    case 4: if place < bytes.count { bytes[place] = Self.edges.randomElement(using: &generator) ?? 0 }
    case 5:
      let other = corpus.randomElement(using: &generator) ?? []
      let cut = Int.random(in: 0...other.count, using: &generator)
      bytes = Array(bytes[..<place]) + other[cut...]
    case 6:
      let number = ["-1", "0", "99999999999999999999", "1e308", "0.0000001", "2026-02-30", "24:61"]
      bytes.replaceSubrange(place..<upper, with: (number.randomElement(using: &generator) ?? "").utf8)
    default:
      let piece = Array(bytes[place..<upper])
      let count = Int.random(in: 1...64, using: &generator)
      bytes.insert(contentsOf: repeatElement(piece, count: count).joined(), at: place)
    }
  }

  private static let edges: [UInt8] = [
    0x00, 0x09, 0x0A, 0x0D, 0x1B, 0x20, 0x22, 0x27, 0x2C, 0x2D, 0x3A, 0x3B, 0x5B, 0x5C, 0x7B, 0x7D, 0x7F, 0x80, 0xBF,
    0xC0, 0xE2, 0xED, 0xEF, 0xF0, 0xF4, 0xFE, 0xFF,
  ]
}
