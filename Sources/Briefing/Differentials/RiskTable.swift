public import Clinical
import Formulary

/// How risky a case looks, least first.
public enum RiskLevel: String, CaseIterable, Comparable, Encodable, Sendable {
  case low, moderate, high, critical

  public static func < (lhs: Self, rhs: Self) -> Bool {
    (allCases.firstIndex(of: lhs) ?? 0) < (allCases.firstIndex(of: rhs) ?? 0)
  }
}

/// What makes a case risky. Data: `Models/briefing/risk.tsv`; the worst row that holds decides.
public struct RiskTable: Sendable {
  enum Condition: Hashable, Sendable {
    case urgency(Urgency)
    /// A differential at least so severe that at least so many findings support.
    case differential(Severity, count: Int)
    case alert(String)
    case complexity(Int)
    case unknown
  }

  struct Row: Sendable {
    let condition: Condition
    let level: RiskLevel
    let reason: String
    let reference: SourceReference
  }

  /// What of a case the rows ask for.
  struct Case {
    var urgency: Urgency?
    var differentials: [Differential] = []
    /// `toxic`, `avoid`, `reaction`
    var alerts: Set<String> = []
    var complexity: Int?
    var isUnknown = false
  }

  /// The level with the reasons for it; low when no row holds.
  struct Verdict {
    let level: RiskLevel
    let reasons: [String]
    let references: [SourceReference]
  }

  let rows: [Row]

  /// - Throws: ``DataTableError`` naming file, line and column of what can't be understood.
  public init(table: DataTable) throws(DataTableError) {
    var rows: [Row] = []
    var seen: Set<String> = []
    for row in table.rows {
      guard let level = RiskLevel(rawValue: row["level"]) else { throw row.error("level", "is no level of risk") }
      guard !row["reason"].isEmpty else { throw row.error("reason", "is empty") }
      rows.append(
        Row(
          condition: try Self.condition(row), level: level, reason: row["reason"],
          reference: try SourceReference.row(row, in: table, &seen)))
    }
    self.rows = rows
  }

  private static func condition(_ row: DataTable.Row) throws(DataTableError) -> Condition {
    switch row["when"] {
    case "urgency":
      guard let urgency = Urgency(rawValue: row["value"]) else { throw row.error("value", "is no urgency") }
      return .urgency(urgency)
    case "differential":
      guard let severity = Severity(rawValue: row["value"]) else { throw row.error("value", "is no severity") }
      return .differential(severity, count: Int(try row.number("count")))
    case "alert":
      guard ["toxic", "avoid", "reaction"].contains(row["value"]) else { throw row.error("value", "is no alert") }
      return .alert(row["value"])
    case "complexity": return .complexity(Int(try row.number("value")))
    case "unknown": return .unknown
    default: throw row.error("when", "is no condition")
    }
  }

  func verdict(_ subject: Case) -> Verdict {
    var level = RiskLevel.low
    var found: [(level: RiskLevel, reason: String, reference: SourceReference)] = []
    for row in rows {
      guard let reason = reason(row, subject) else { continue }
      found.append((row.level, reason, row.reference))
      level = max(level, row.level)
    }
    // What decides is said first; what would have made it less is no reason.
    let deciding = found.filter { $0.level == level }
    return Verdict(level: level, reasons: deciding.map(\.reason), references: deciding.map(\.reference))
  }

  private func reason(_ row: Row, _ subject: Case) -> String? {
    switch row.condition {
    case .urgency(let urgency): return subject.urgency == urgency ? row.reason : nil
    case .differential(let severity, let count):
      let names = subject.differentials.filter { $0.severity >= severity && $0.support.count >= count }.map(\.name)
      return names.first.map { "\(row.reason) (\($0))" }
    case .alert(let kind): return subject.alerts.contains(kind) ? row.reason : nil
    case .complexity(let level): return subject.complexity == level ? row.reason : nil
    case .unknown: return subject.isUnknown ? row.reason : nil
    }
  }
}
