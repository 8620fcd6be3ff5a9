import Store
import Vectorization

/// The projection in a practice file: reads the rows it is asked for, and keeps them for the next batch.
final class StoredProjection: ProjectionSource {
  private let store: ModelStore
  private let modelRow: Int64
  private let rank: Int
  private var known: [UInt32: ProjectionRow?] = [:]

  init(store: ModelStore, modelRow: Int64, rank: Int) {
    self.store = store
    self.modelRow = modelRow
    self.rank = rank
  }

  func rows(for buckets: [UInt32]) throws -> [UInt32: ProjectionRow] {
    let missing = buckets.filter { known[$0] == nil }
    if !missing.isEmpty {
      let found = try store.projectionRows(model: modelRow, buckets: missing)
      for bucket in missing {
        known[bucket] = found[bucket].map {
          ProjectionRow(weight: Float($0.weight), vector: Array($0.vector.prefix(rank)))
        }
      }
    }
    var rows: [UInt32: ProjectionRow] = [:]
    for bucket in buckets {
      if let row = known[bucket] ?? nil { rows[bucket] = row }
    }
    return rows
  }
}
