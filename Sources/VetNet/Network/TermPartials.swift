import LinearAlgebra
import Store
public import Vectorization

/// Which terms practices have, as tags: what is summed to find those that enough practices have.
///
/// A tag is the beginning of a keyed digest of a term's bucket. Whoever sums them and lacks the key sees how many practices share a tag, and
/// can't try words.
public struct TagPartial: Equatable, Sendable {
  private struct Head: Codable {
    var kind = "tags"
    let count: Int
  }

  /// Ascending.
  public private(set) var tags: [UInt64] = []
  /// Practices that have each.
  public private(set) var practices: [UInt32] = []

  /// One practice's tags.
  init(of buckets: [UInt32], key: [UInt8]) {
    tags = Set(buckets.map { Self.tag($0, key: key) }).sorted()
    practices = [UInt32](repeating: 1, count: tags.count)
  }

  static func tag(_ bucket: UInt32, key: [UInt8]) -> UInt64 {
    let content = withUnsafeBytes(of: bucket.littleEndian) { Array($0) }
    return ContentHash.tag(of: content, key: key).bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  public init(_ bytes: [UInt8]) throws {
    var head: Head?
    var packed = try PackedPartial(bytes, head: &head)
    guard let head, head.kind == "tags" else { throw PackedPartial.unreadable }
    tags = try packed.integers(head.count)
    practices = try packed.integers(head.count)
    try packed.finish()
    guard zip(tags, tags.dropFirst()).allSatisfy({ $0 < $1 }) else { throw PackedPartial.unreadable }
  }

  public func bytes() throws -> [UInt8] {
    var packed = try PackedPartial(head: Head(count: tags.count))
    for tag in tags { packed.append(tag) }
    for count in practices { packed.append(count) }
    return packed.bytes
  }

  private init() {}

  /// Both practices' tags.
  public func adding(_ other: TagPartial) -> TagPartial {
    var sum = TagPartial()
    var (left, right) = (0, 0)
    while left < tags.count || right < other.tags.count {
      let first = left < tags.count ? tags[left] : .max
      let second = right < other.tags.count ? other.tags[right] : .max
      let takesLeft = left < tags.count && (right >= other.tags.count || first <= second)
      let takesRight = right < other.tags.count && (left >= tags.count || second <= first)
      sum.tags.append(takesLeft ? first : second)
      sum.practices.append((takesLeft ? practices[left] : 0) + (takesRight ? other.practices[right] : 0))
      if takesLeft { left += 1 }
      if takesRight { right += 1 }
    }
    return sum
  }

  /// Those that at least so many practices have.
  public func shared(byAtLeast least: Int) -> TagPartial {
    var kept = TagPartial()
    for (tag, count) in zip(tags, practices) where count >= least {
      kept.tags.append(tag)
      kept.practices.append(count)
    }
    return kept
  }
}

/// In how many passages terms stand, of terms that enough practices have.
public struct CountPartial: Equatable, Sendable {
  private struct Head: Codable {
    var kind = "counts"
    let bits: Int
    let documents: Int
    let length: Int
    let entries: Int
    let practices: [String]
    let analyzer: String
  }

  public let bits: Int
  public let counts: BucketCounts
  /// A digest for each practice, in the order of the job.
  public let practices: [String]
  /// Which analyser made the terms.
  public let analyzer: String

  init(bits: Int, counts: BucketCounts, practices: [String], analyzer: String) {
    self.bits = bits
    self.counts = counts
    self.practices = practices
    self.analyzer = analyzer
  }

  public init(_ bytes: [UInt8]) throws {
    var head: Head?
    var packed = try PackedPartial(bytes, head: &head)
    guard let head, head.kind == "counts", (1...24).contains(head.bits) else { throw PackedPartial.unreadable }
    let buckets: [UInt32] = try packed.integers(head.entries)
    let frequencies: [UInt32] = try packed.integers(head.entries)
    try packed.finish()
    guard
      let counts = BucketCounts(
        bits: head.bits, documentCount: head.documents, totalLength: head.length,
        entries: zip(buckets, frequencies).map { (bucket: $0, documents: Int($1)) })
    else { throw PackedPartial.unreadable }
    self.init(bits: head.bits, counts: counts, practices: head.practices, analyzer: head.analyzer)
  }

  public func bytes() throws -> [UInt8] {
    let entries = counts.entries
    var packed = try PackedPartial(
      head: Head(
        bits: bits, documents: counts.documentCount, length: counts.totalLength, entries: entries.count,
        practices: practices, analyzer: analyzer))
    for entry in entries { packed.append(entry.bucket) }
    for entry in entries { packed.append(UInt32(entry.documents)) }
    return packed.bytes
  }

  /// - Throws: ``PracticeError`` where the two were counted by other rules.
  public func adding(_ other: CountPartial) throws -> CountPartial {
    guard bits == other.bits, analyzer == other.analyzer else {
      throw PracticeError(
        .failed, "terms were made by the analysers \(analyzer) and \(other.analyzer), which can't be added up",
        hint: "Maybe one machine has another version of the program.")
    }
    var sum = counts
    sum.add(other.counts)
    return CountPartial(bits: bits, counts: sum, practices: practices + other.practices, analyzer: analyzer)
  }
}

/// A practice's sketch of its weighted terms.
public struct SketchPartial: Equatable, Sendable {
  private struct Head: Codable {
    var kind = "sketch"
    let rows: Int
    let width: Int
  }

  public let sketch: ProjectionSketch

  init(_ sketch: ProjectionSketch) { self.sketch = sketch }

  public init(_ bytes: [UInt8]) throws {
    var head: Head?
    var packed = try PackedPartial(bytes, head: &head)
    guard let head, head.kind == "sketch", head.rows >= 0, (0...4096).contains(head.width) else {
      throw PackedPartial.unreadable
    }
    let places: [Int32] = try packed.integers(head.rows)
    let values = try packed.floats(head.rows * head.width)
    try packed.finish()
    guard zip(places, places.dropFirst()).allSatisfy({ $0 < $1 }), places.first ?? 0 >= 0 else {
      throw PackedPartial.unreadable
    }
    sketch = ProjectionSketch(
      places: places, rows: Matrix(rows: head.rows, columns: head.width, values: values))
  }

  public func bytes() throws -> [UInt8] {
    var packed = try PackedPartial(head: Head(rows: sketch.places.count, width: sketch.rows.columns))
    for place in sketch.places { packed.append(place) }
    packed.append(sketch.rows.values)
    return packed.bytes
  }

  /// - Throws: ``PracticeError`` where the two have other directions.
  public func adding(_ other: SketchPartial) throws -> SketchPartial {
    guard sketch.rows.columns == other.sketch.rows.columns else { throw PackedPartial.unreadable }
    return SketchPartial(sketch.adding(other.sketch))
  }
}
