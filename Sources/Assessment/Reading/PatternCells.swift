import Clinical

/// Patterns in the cells of a table.
enum PatternCells {
  /// The patterns of a cell, parted by `;;`.
  ///
  /// - Throws: ``DataTableError`` with the pattern's problem.
  static func patterns(
    _ row: DataTable.Row, _ column: String, lexicon: ConceptLexicon,
    scope: Pattern.Scope = .window(Pattern.defaultWindow)
  ) throws(DataTableError) -> [Pattern] {
    var result: [Pattern] = []
    var rest = row[column][...]
    while !rest.isEmpty {
      let end = rest.firstRange(of: ";;")
      let source = rest[..<(end?.lowerBound ?? rest.endIndex)].trimmingSpaces()
      rest = end.map { rest[$0.upperBound...] } ?? ""
      guard !source.isEmpty else { continue }
      do {
        result.append(try Pattern(source, lexicon: lexicon, defaultScope: scope))
      } catch {
        throw row.error(column, error.problem)
      }
    }
    return result
  }
}
