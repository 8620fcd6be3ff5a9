extension FactStore {
  /// The facts of a generation that are numbers of a body: weights, temperatures and rates, for a look at what can't be right.
  ///
  /// - Complexity: reads the generation's facts once.
  public func measurements(generation: Int64) throws(StoreError) -> [StoredFact] {
    try connection.rows(
      """
      \(Self.selection)
      WHERE generation_id = ? AND kind IN ('weight', 'temperature', 'heart_rate', 'respiratory_rate')
        AND value IS NOT NULL AND experiencer = 'patient'
      ORDER BY id
      """, generation, read: Self.read)
  }
}
