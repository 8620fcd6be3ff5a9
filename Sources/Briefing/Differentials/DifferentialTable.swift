public import Clinical
import Extraction
public import Formulary

/// How bad a differential would be, least first.
public enum Severity: String, CaseIterable, Comparable, Encodable, Sendable {
  case low, moderate, high, critical

  public static func < (lhs: Self, rhs: Self) -> Bool {
    (allCases.firstIndex(of: lhs) ?? 0) < (allCases.firstIndex(of: rhs) ?? 0)
  }
}

/// Which findings the discriminators of triage stand for. Data: `Models/briefing/triage-signs.tsv`.
public struct TriageSigns: Sendable {
  private var findings: [String: [String]] = [:]

  /// - Throws: ``DataTableError`` for a finding that `extraction/findings.tsv` does not have.
  public init(table: DataTable, findings known: DataTable) throws(DataTableError) {
    let names = Set(known.rows.map { $0["name"] })
    var seen: Set<String> = []
    for row in table.rows {
      _ = try SourceReference.row(row, in: table, &seen)
      let list = row.list("findings")
      guard !list.isEmpty else { throw row.error("findings", "is empty") }
      if let unknown = list.first(where: { !names.contains($0) }) {
        throw row.error("findings", "holds '\(unknown)', which extraction/findings.tsv does not have")
      }
      findings[row["id"]] = list
    }
  }

  /// None for a discriminator that stands for no finding.
  func findings(of discriminator: String) -> [String] { findings[discriminator] ?? [] }
}

/// What a presenting complaint may be. Data: `Models/briefing/differentials.tsv`.
public struct DifferentialTable: Sendable {
  struct Row: Sendable {
    let complaint: String
    /// Ways of presenting: findings that must stand together.
    let ways: [[String]]
    let species: Set<Species>
    /// In months; nil for any.
    let age: Range<Int>?
    let sex: SexRule?
    let differential: String
    let severity: Severity
    let supports: [Support]
    /// Of these one must be there; empty where the findings are enough.
    let needed: Set<Support>
    let apart: String
    let workUp: String
    let reference: SourceReference
  }

  /// What in a record speaks for a differential.
  enum Support: Hashable, Sendable {
    /// A finding or problem by name.
    case finding(String)
    case drug(DrugSet)
    /// Words of the breed, in lower case.
    case breed(String)
    /// A laboratory value flagged `high` or `low`.
    case lab(String, flag: LabFlag)
  }

  enum SexRule: String, Sendable {
    case male, female
    case entireMale = "entire male"
    case entireFemale = "entire female"

    /// Unknown is not excluded.
    func admits(_ sex: Sex) -> Bool {
      switch self {
      case .male: sex == .unknown || sex.isMale
      case .female: sex == .unknown || sex.isFemale
      case .entireMale: sex == .unknown || sex == .male
      case .entireFemale: sex == .unknown || sex == .female
      }
    }
  }

  let rows: [Row]
  /// Findings that go with any illness.
  let nonspecific: Set<String>

  /// - Parameters:
  ///   - table: `briefing/differentials.tsv`.
  ///   - findings: `extraction/findings.tsv`, whose names the rows use.
  ///   - labs: `extraction/labs.tsv`, likewise.
  ///   - formulary: whose drugs the rows use.
  /// - Throws: ``DataTableError`` naming file, line and column of what can't be understood.
  public init(table: DataTable, findings: DataTable, labs: DataTable, formulary: Formulary) throws(DataTableError) {
    let reader = DifferentialRowReader(
      findings: Set(findings.rows.map { $0["name"] }), labs: Set(labs.rows.map { $0["name"] }),
      drugs: FormularyRowReader(drugs: formulary.drugs, classes: Set(formulary.classes.map(\.id))))
    var rows: [Row] = []
    var seen: Set<String> = []
    for row in table.rows { rows.append(try reader.row(row, in: table, &seen)) }
    self.rows = rows
    nonspecific = Set((table.metadata["nonspecific"] ?? "").split(separator: "|").map { $0.trimmingSpaces() })
  }

  /// How many complaints there are.
  public var complaintCount: Int { Set(rows.map(\.complaint)).count }
}

private struct DifferentialRowReader {
  let findings: Set<String>
  let labs: Set<String>
  let drugs: FormularyRowReader

  func row(
    _ row: DataTable.Row, in table: DataTable, _ seen: inout Set<String>
  ) throws(DataTableError) -> DifferentialTable.Row {
    for column in ["complaint", "differential", "apart", "work_up", "example"] where row[column].isEmpty {
      throw row.error(column, "is empty")
    }
    var ways: [[String]] = []
    for way in row.list("findings") {
      let names = way.split(separator: "+").map { $0.trimmingSpaces() }
      for name in names where !findings.contains(name) {
        throw row.error("findings", "holds '\(name)', which extraction/findings.tsv does not have")
      }
      ways.append(names)
    }
    guard !ways.isEmpty else { throw row.error("findings", "is empty") }
    guard let severity = Severity(rawValue: row["severity"]) else { throw row.error("severity", "is no severity") }
    let sex = DifferentialTable.SexRule(rawValue: row["sex"])
    guard sex != nil || row["sex"].isEmpty else { throw row.error("sex", "is no sex") }
    var supports: [DifferentialTable.Support] = []
    var needed: Set<DifferentialTable.Support> = []
    for text in row.list("supports") {
      let isNeeded = text.hasPrefix("!")
      let support = try support(isNeeded ? String(text.dropFirst()) : text, row)
      supports.append(support)
      if isNeeded { needed.insert(support) }
    }
    return DifferentialTable.Row(
      complaint: row["complaint"], ways: ways, species: try species(row), age: try age(row), sex: sex,
      differential: row["differential"], severity: severity, supports: supports, needed: needed, apart: row["apart"],
      workUp: row["work_up"], reference: try SourceReference.row(row, in: table, &seen))
  }

  private func species(_ row: DataTable.Row) throws(DataTableError) -> Set<Species> {
    var species: Set<Species> = []
    for word in row.list("species") {
      guard let known = Species(rawValue: word) else { throw row.error("species", "holds '\(word)', no species") }
      species.insert(known)
    }
    guard !species.isEmpty else { throw row.error("species", "names no species") }
    return species
  }

  /// `84-`, `0-12`: from, and below, in months.
  private func age(_ row: DataTable.Row) throws(DataTableError) -> Range<Int>? {
    let text = row["age"]
    if text.isEmpty { return nil }
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let lower = Int(parts[0]), let upper = parts[1].isEmpty ? Int.max : Int(parts[1]),
      lower < upper
    else { throw row.error("age", "is no range of months such as 84- or 0-12") }
    return lower..<upper
  }

  private func support(_ text: String, _ row: DataTable.Row) throws(DataTableError) -> DifferentialTable.Support {
    if text.hasPrefix("drug:") { return .drug(try drugs.set(String(text.dropFirst(5)), row, "supports")) }
    if text.hasPrefix("breed:") { return .breed(String(text.dropFirst(6)).lowercased()) }
    if text.hasPrefix("lab:") {
      let words = text.dropFirst(4).split(separator: " ")
      let name = words.dropLast().joined(separator: " ")
      guard let flag = words.last.flatMap({ LabFlag(rawValue: String($0)) }), labs.contains(name) else {
        throw row.error("supports", "holds '\(text)', which is no test with high or low")
      }
      return .lab(name, flag: flag)
    }
    guard findings.contains(text) else {
      throw row.error("supports", "holds '\(text)', which extraction/findings.tsv does not have")
    }
    return .finding(text)
  }
}
