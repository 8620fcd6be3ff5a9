extension ChunkStore {
  /// The words of a term; nil when no chunk has it any more.
  public func text(ofTerm term: Int64) throws(StoreError) -> String? {
    try connection.first("SELECT text FROM term WHERE id = ?", term) { $0.text(0) }
  }
}
