import Briefing
import Clinical
import Extraction
import Formulary
import RecordTestSupport
import VetNetTestSupport

extension Fixtures {
  static let builder = Result {
    BriefBuilder(
      sections: try sections.get(), sentences: try sentences.get(), classifier: try extractors.get().classifier,
      lexicon: try BriefLexicon(
        alerts: alertTable.get(), preventionGroups: groupTable.get(), planCues: cueTable.get(),
        opposites: modelTable("briefing/question-opposites.tsv", uniqueKey: "id"), classes: classTable.get()),
      knowledge: try knowledge.get())
  }
  static let formulary = Result { try Formulary(tables: Formulary.Tables { try modelTable($0) }) }
  static let differentialTable = Result { try modelTable("briefing/differentials.tsv", uniqueKey: "id") }
  static let differentials = Result {
    try DifferentialTable(
      table: differentialTable.get(), findings: findingTable.get(), labs: labTable.get(), formulary: formulary.get())
  }
  static let knowledge = Result {
    BriefKnowledge(
      formulary: try formulary.get(), differentials: try differentials.get(),
      risk: try RiskTable(table: modelTable("briefing/risk.tsv", uniqueKey: "id")),
      planTargets: PlanTargets(labs: try labTable.get(), findings: try findingTable.get()),
      triageSigns: try TriageSigns(table: modelTable("briefing/triage-signs.tsv"), findings: findingTable.get()))
  }
}

extension Brief {
  /// The lines of a section; none where the brief does not have it.
  func lines(_ title: String) -> [String] { sections.filter { $0.title == title }.flatMap(\.lines).map(\.text) }

  /// Everything a reader sees of the chart.
  var chartText: String { sections.filter { $0.kind == .chart }.flatMap(\.lines).map(\.text).joined(separator: "\n") }
}

/// Words that came in as the reason for a visit, read by the shipped rules.
func presented(_ text: String) throws -> PresentedText {
  let extractors = try Fixtures.extractors.get()
  return PresentedText(
    reference: SourceReference(.appointment, "A1"), text: text, findings: extractors.findings.findings(in: text),
    facts: extractors.facts.facts(in: text, kind: .intake))
}
