/// The ids of the terms that a connection met while it filled a generation, so that batch after batch needn't look them up.
///
/// They hold for as long as nobody else writes, which SQLite tells, and nothing of our own deletes terms or is undone, which whoever
/// does so tells by ``forget()``.
struct RecentTerms {
  /// Some 100 bytes each: a practice's vocabulary, not its numbers and codes.
  private static let capacity = 1 << 17

  private var generation: Int64 = 0
  private var version: Int64 = 0
  private var known: [String: Int64] = [:]

  /// The ids that still hold, by the terms; within the transaction that will use them.
  mutating func ids(generation: Int64, in connection: Connection) throws(StoreError) -> [String: Int64] {
    let version = try connection.number("PRAGMA data_version")
    if generation != self.generation || version != self.version { forget() }
    (self.generation, self.version) = (generation, version)
    // Handed over, not copied: they come back by ``keep(_:generation:)``, or have to be looked up again.
    defer { known = [:] }
    return known
  }

  mutating func keep(_ ids: [String: Int64], generation: Int64) {
    guard generation == self.generation, ids.count <= Self.capacity else { return }
    known = ids
  }

  mutating func forget() { known = [:] }
}
