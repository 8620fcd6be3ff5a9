public import Clinical

/// Units, their spellings and how they convert; from `units.tsv`.
public struct UnitTable: Sendable {
  struct Unit: Sendable {
    let name: String
    let dimension: String
    /// The unit its values are converted to.
    let base: String
    /// base = value × factor + offset.
    let factor: Double
    let offset: Double
  }

  private(set) var units: [Unit] = []
  private var matcher = PhraseMatcher(allowsPlural: false)
  private var indexOfName: [String: Int] = [:]

  /// - Throws: ``DataTableError`` for a factor that is no number or a form without words.
  public init(table: DataTable) throws(DataTableError) {
    for row in table.rows {
      let index = units.count
      for form in row.list("forms") where !matcher.add(form, payload: index, classes: nil) {
        throw row.error("forms", "has '\(form)', which has no words")
      }
      indexOfName[row["unit"]] = index
      units.append(
        Unit(
          name: row["unit"], dimension: row["dimension"], base: row["base"], factor: try row.number("factor"),
          offset: try row.number("offset")))
    }
  }

  /// The unit written at word `index`, and the word after it.
  func unit(at index: Int, in text: ScannedText) -> (unit: Unit, end: Int)? {
    guard index < text.words.count, let best = matcher.matches(at: index, in: text).last else { return nil }
    return (units[best.payload], best.end)
  }

  /// `value` in the base unit of `unit`: 27 lb is 12.25 kg, 101.5 °F is 38.6 °C.
  ///
  /// - Returns: nil for an unknown unit.
  public func converted(_ value: Double, from unit: String) -> ConvertedValue? {
    guard let index = indexOfName[unit] else { return nil }
    let known = units[index]
    if known.factor == 1 && known.offset == 0 { return ConvertedValue(value: value, unit: known.base) }
    // A millionth is beyond every scale and balance; what is left is noise of the arithmetic.
    let exact = (value * known.factor + known.offset) * 1e6
    return ConvertedValue(value: exact.rounded() / 1e6, unit: known.base)
  }
}
