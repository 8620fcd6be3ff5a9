public import Clinical

extension ModelDirectory {
  /// A table of `simulation/`: what synthetic practices are made of.
  ///
  /// - Parameter name: of the file, without its ending.
  /// - Returns: the table, its ids unique.
  /// - Throws: ``PracticeError`` when it is missing or can't be read.
  public func simulationTable(_ name: String) throws -> DataTable {
    try table("simulation/\(name).tsv", uniqueKey: "id")
  }
}
