public import Clinical

/// How often a finding of the rules was right about its level among the exemplars. One that mostly is binds: the case is not
/// given less, whatever else speaks for less.
public struct RuleTrust: Sendable {
  struct Count: Sendable, Equatable {
    var cases = 0
    /// Cases whose settled level is the finding's or above.
    var right = 0
  }

  private(set) var counts: [String: Count] = [:]
  public let version: String

  /// The least share, each finding given one right and one wrong case beforehand.
  static let leastShare = 0.88

  init(_ findings: [(fired: [Finding], level: Urgency)]) {
    version = ""
    for (fired, level) in findings {
      for finding in fired {
        counts[finding.key, default: Count()].cases += 1
        if level >= finding.level { counts[finding.key, default: Count()].right += 1 }
      }
    }
  }

  /// - Parameter table: columns `finding` (id, space, level), `cases`, `right`.
  /// - Throws: ``DataTableError`` for a cell that is no number.
  public init(table: DataTable) throws(DataTableError) {
    version = table.metadata["version"] ?? ""
    for row in table.rows {
      counts[row["finding"]] = Count(cases: Int(try row.number("cases")), right: Int(try row.number("right")))
    }
  }

  /// A finding at the level at which it fired.
  struct Finding: Hashable, Sendable {
    let id: String
    let level: Urgency

    var key: String { "\(id) \(level.rawValue)" }
  }

  /// The most urgent level that a trusted finding gives; nil without one.
  func bound(_ fired: [Finding]) -> Urgency? {
    fired.filter { finding in
      guard let count = counts[finding.key] else { return false }
      return Double(count.right + 1) >= Self.leastShare * Double(count.cases + 2)
    }.map(\.level).max()
  }

  func text(head: [(String, String)]) -> String {
    let rows = counts.sorted { $0.key < $1.key }.map { "\($0.key)\t\($0.value.cases)\t\($0.value.right)" }
    return (head.map { "# \($0.0): \($0.1)" } + ["finding\tcases\tright"] + rows).joined(separator: "\n") + "\n"
  }
}

extension TriageResult {
  var findings: [RuleTrust.Finding] { fired.map { RuleTrust.Finding(id: $0.id, level: $0.level) } }
}
