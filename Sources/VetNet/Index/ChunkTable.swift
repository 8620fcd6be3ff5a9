import Clinical
import Store

/// The chunks that a search over the whole practice may find, with their lengths: by id in one array where ids lie close
/// together, as they do unless most of a practice was deleted, else in a dictionary.
struct ChunkTable {
  /// Where the array begins and ends; nil for a dictionary.
  let ids: ClosedRange<Int64>?
  /// Lengths by id less the first; -1 for a chunk that isn't admitted.
  private var lengths: [Int32] = []
  private var scattered: [Int64: Int] = [:]

  /// An empty table for chunks in a range of ids.
  init(ids: ClosedRange<Int64>?, expectedCount: Int) {
    if let ids, ids.upperBound - ids.lowerBound < 4 * Int64(expectedCount) + 1024 {
      self.ids = ids
      lengths = [Int32](repeating: -1, count: Int(ids.upperBound - ids.lowerBound) + 1)
    } else {
      self.ids = nil
    }
  }

  /// A table of chunks that are known to be admitted, among others that aren't.
  init(_ candidates: [ChunkCandidate]) {
    let range = candidates.first.flatMap { first in candidates.last.map { first.chunkID...$0.chunkID } }
    self.init(ids: range, expectedCount: candidates.count)
    for candidate in candidates { set(candidate.chunkID, candidate.tokenCount) }
  }

  /// Adds those chunks of a segment that a plan admits; true when it admits them all.
  mutating func add(_ segment: ChunkSegment, _ plan: SQLiteChunkSource.Plan) -> Bool {
    let (from, through) = (plan.filter.from ?? segment.earliest, plan.filter.through ?? segment.latest)
    let isWhole =
      plan.patients == nil && plan.excluded.isEmpty && from <= segment.earliest && through >= segment.latest
    for place in 0..<segment.count {
      let id = segment.chunkID(place)
      if isWhole
        || (segment.recordedAt(place) >= from && segment.recordedAt(place) <= through
          && plan.admits(id, patient: segment.patientRowID(place)))
      {
        set(id, segment.tokenCount(place))
      }
    }
    return isWhole
  }

  /// The length of a chunk; -1 when it isn't admitted.
  func length(of chunk: Int64) -> Int {
    guard let ids else { return scattered[chunk] ?? -1 }
    return chunk >= ids.lowerBound && chunk <= ids.upperBound ? Int(lengths[Int(chunk - ids.lowerBound)]) : -1
  }

  private mutating func set(_ chunk: Int64, _ length: Int) {
    if let ids {
      guard ids.contains(chunk) else { return }
      lengths[Int(chunk - ids.lowerBound)] = Int32(clamping: length)
    } else {
      scattered[chunk] = length
    }
  }
}

/// The table of all passages of some days, kept from one search to the next for as long as none came or went.
final class ChunkTableMemo {
  struct Key: Hashable {
    let generation: Int64
    /// See ``RecordState/passages``.
    let passages: Int64
    let dates: Range<Timestamp>?
  }

  var kept: (key: Key, table: ChunkTable)?
}
