import Briefing
import Clinical
public import Formulary
import Store

extension ModelDirectory {
  /// The drugs, and what speaks against giving them.
  ///
  /// - Throws: ``PracticeError`` naming the file and line of a row that can't be used.
  public func formulary() throws -> Formulary {
    try stage("formulary", files.formulary)
  }

  /// Names the formulary by what is in its tables, and how much of it has been checked.
  public func formularyVersion() throws -> String {
    try stage("formulary version") {
      let formulary = try formulary()
      let tables = try formularyTables().all
      var canonical = CanonicalBytes()
      for table in tables { canonical.append(try text(table.name)) }
      let rows = tables.dropFirst(2).reduce(0) { $0 + $1.rows.count }
      let checked = tables.dropFirst(2).flatMap(\.rows).count { $0["verified"] == "yes" }
      return
        "formulary-\(ContentHash(of: canonical).hexadecimal.prefix(8)): \(formulary.drugs.count) drugs, \(rows) cautions, "
        + (checked == 0 ? "none checked against a reference" : "\(checked) checked against a reference")
    }
  }

  /// Drugs, differentials and risk, as briefs use them.
  func briefKnowledge() throws -> BriefKnowledge {
    let formulary = try formulary()
    let differentials = try table("briefing/differentials.tsv")
    let risk = try table("briefing/risk.tsv")
    let signs = try table("briefing/triage-signs.tsv")
    let findings = try table("extraction/findings.tsv")
    let labs = try table("extraction/labs.tsv")
    let household = try table("briefing/household.tsv")
    let classes = try table("extraction/word-classes.tsv")
    return try usable { () throws(DataTableError) in
      BriefKnowledge(
        formulary: formulary,
        differentials: try DifferentialTable(
          table: differentials, findings: findings, labs: labs, formulary: formulary),
        risk: try RiskTable(table: risk), planTargets: PlanTargets(labs: labs, findings: findings),
        triageSigns: try TriageSigns(table: signs, findings: findings),
        household: try HouseholdTable(table: household, findings: findings, classes: classes))
    }
  }

  private func formularyTables() throws -> Formulary.Tables {
    try stage("formulary tables") { try Formulary.Tables { try table($0) } }
  }
}
