public import Clinical

/// Weights by feature name for several outcomes at once: what a fitting run writes and triage reads.
///
/// In a file: columns `feature`, where words have a scale `inverse_frequency`, and one for each outcome; the row `=` holds
/// the intercepts. Empty cells are 0.
public struct LinearScores: Sendable {
  public let outcomes: [String]
  public let metadata: [String: String]
  private(set) var scale = FeatureScale(inverse: [:])
  private(set) var intercepts: [Double]
  private var rows: [String: Int] = [:]
  /// Outcomes of one feature after those of another.
  private var weights: [Double] = []

  static let interceptName = "="
  static let scaleName = "inverse_frequency"

  /// - Throws: ``DataTableError`` for a cell that is no number.
  public init(table: DataTable) throws(DataTableError) {
    outcomes = table.columns.filter { $0 != "feature" && $0 != Self.scaleName }
    metadata = table.metadata
    intercepts = Array(repeating: 0, count: outcomes.count)
    let hasScale = table.columns.contains(Self.scaleName)
    var inverse: [String: Double] = [:]
    for row in table.rows {
      if hasScale, !row[Self.scaleName].isEmpty { inverse[row["feature"]] = try row.number(Self.scaleName) }
      var values: [Double] = []
      for outcome in outcomes { values.append(row[outcome].isEmpty ? 0 : try row.number(outcome)) }
      if row["feature"] == Self.interceptName {
        intercepts = values
      } else {
        rows[row["feature"]] = rows.count
        weights += values
      }
    }
    scale = FeatureScale(inverse: inverse)
  }

  init(outcomes: [String], intercepts: [Double], features: [String], weights: [[Double]]) {
    self.outcomes = outcomes
    self.intercepts = intercepts
    metadata = [:]
    for (index, feature) in features.enumerated() {
      rows[feature] = index
      self.weights += weights.map { $0[index] }
    }
  }

  func weight(_ feature: String, _ outcome: Int) -> Double {
    rows[feature].map { weights[$0 * outcomes.count + outcome] } ?? 0
  }

  func isKnown(_ feature: String) -> Bool { rows[feature] != nil }

  /// The linear predictor of each outcome.
  ///
  /// - Complexity: O(features × outcomes).
  func scores(_ features: [CaseFeature]) -> [Double] {
    var sums = intercepts
    for feature in features {
      guard let row = rows[feature.name] else { continue }
      for outcome in outcomes.indices { sums[outcome] += feature.value * weights[row * outcomes.count + outcome] }
    }
    return sums
  }

  /// What spoke most for and against an outcome.
  func contributions(_ features: [CaseFeature], outcome: Int, limit: Int) -> [(feature: CaseFeature, amount: Double)] {
    features.map { (feature: $0, amount: $0.value * weight($0.name, outcome)) }.filter { $0.amount != 0 }
      .sorted { (abs($0.amount), $1.feature.name) > (abs($1.amount), $0.feature.name) }.prefix(limit).map { $0 }
  }

  /// The table's text, sorted by feature name, weights to three decimals; features without scale and weight are left out.
  func text(head: [(String, String)], scale: FeatureScale? = nil) -> String {
    var lines = head.map { "# \($0.0): \($0.1)" }
    let scaleColumn = scale == nil ? [] : [Self.scaleName]
    lines.append((["feature"] + scaleColumn + outcomes).joined(separator: "\t"))
    lines.append(
      ([Self.interceptName] + scaleColumn.map { _ in "" } + intercepts.map(Self.cell)).joined(separator: "\t"))
    for (feature, row) in rows.sorted(by: { $0.key < $1.key }) {
      let cells = outcomes.indices.map { Self.cell(weights[row * outcomes.count + $0]) }
      let inverse = scale?.inverse[feature].map { "\($0)" } ?? ""
      guard !inverse.isEmpty || cells.contains(where: { !$0.isEmpty }) else { continue }
      lines.append(([feature] + scaleColumn.map { _ in inverse } + cells).joined(separator: "\t"))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func cell(_ value: Double) -> String {
    let rounded = (value * 1000).rounded() / 1000
    return abs(rounded) < 0.02 ? "" : "\(rounded)"
  }
}
