import Clinical
import Extraction
import Formulary
import RecordTestSupport
import Testing
import VetNetTestSupport

@testable import Briefing

@Suite struct DifferentialTests {
  private let table: DifferentialTable

  init() throws {
    table = try Fixtures.differentials.get()
  }

  /// Findings without a text behind them.
  private func picture(
    _ presenting: [String], _ context: [String] = [], species: Species = .dog, months: Int? = 60,
    sex: Sex = .maleNeutered, breed: String = "", drugs: [String] = []
  ) throws -> ClinicalPicture {
    var picture = ClinicalPicture(
      species: species, months: months, sex: sex, breedWords: breed.split(separator: " ").map(String.init))
    picture.presenting = presenting.map { ($0, .registration) }
    picture.context = context.map { ($0, .registration) }
    picture.drugs = try drugs.map { (try #require(try Fixtures.formulary.get().drug(generic: $0)), .registration) }
    return picture
  }

  private func names(_ picture: ClinicalPicture) -> [String] {
    DifferentialFinder(table: table).differentials(of: picture).differentials.map(\.name)
  }

  @Test func `it covers the complaints of a practice over species and systems`() {
    #expect(table.complaintCount >= 50)
    #expect(Set(table.rows.flatMap(\.species)).count >= 11)
    for severity in Severity.allCases { #expect(table.rows.contains { $0.severity == severity }) }
  }

  @Test func `every complaint is recognised in its example`() throws {
    let finder = DifferentialFinder(table: table)
    var missed: [String] = []
    for (row, parsed) in zip(try Fixtures.differentialTable.get().rows, table.rows) {
      let findings = try presented(row["example"]).findings.filter(\.assertion.isActive).map(\.name)
      let months = parsed.age.map { $0.lowerBound } ?? 60
      let species = try #require(parsed.species.sorted { $0.rawValue < $1.rawValue }.first)
      let picture = try picture(findings, species: species, months: months, sex: .unknown)
      if !finder.differentials(of: picture).complaints.contains(row["complaint"]) { missed.append(row["id"]) }
    }
    // A row of a complaint may ask for a finding that the complaint's example does not have: one toxin of many.
    let complaints = Set(missed.compactMap { id in table.rows.first { $0.reference.rowID == id }?.complaint })
    for complaint in complaints {
      let rows = table.rows.filter { $0.complaint == complaint }
      #expect(rows.contains { !missed.contains($0.reference.rowID) }, "\(complaint)")
    }
  }

  @Test func `the worst comes first and each is tied to what is present`() throws {
    for row in table.rows {
      let found = DifferentialFinder(table: table).differentials(
        of: try picture(row.ways[0], species: try #require(row.species.first), sex: .unknown))
      #expect(found.differentials.count <= DifferentialFinder.limit)
      #expect(found.differentials.map(\.severity) == found.differentials.map(\.severity).sorted(by: >))
      for differential in found.differentials {
        #expect(!differential.support.isEmpty && !differential.apart.isEmpty, "\(differential.name)")
        for support in differential.support { #expect(row.ways[0].contains(support.name) || support.name == "breed") }
      }
    }
  }

  @Test func `what a record adds changes what is named`() throws {
    let plain = try picture(["vomiting"])
    let addisonian = try picture(["vomiting", "weakness"], ["bradycardia"], drugs: ["trilostane"])
    #expect(names(addisonian).first == "hypoadrenocorticism" || names(addisonian).first == "adrenal collapse")
    #expect(!names(plain).contains("adrenal collapse"))
    let dachshund = try picture(["paralysis", "lethargy"], breed: "miniature dachshund")
    #expect(names(dachshund).contains("intervertebral disc disease"))
    #expect(!names(dachshund).contains("hypoglycaemia"))
  }

  @Test(arguments: [
    (["straining", "anuria"], Species.cat, Sex.maleNeutered, true), (["straining", "anuria"], .cat, .unknown, true),
    (["straining", "anuria"], .cat, .femaleSpayed, false),
  ])
  func `a differential for a sex is not named for the other`(
    findings: [String], species: Species, sex: Sex, isNamed: Bool
  ) throws {
    #expect(names(try picture(findings, species: species, sex: sex)).contains("urethral obstruction") == isNamed)
  }

  @Test func `one toxin does not call up the others`() throws {
    #expect(names(try picture(["grape ingestion"])) == ["grapes or raisins"])
  }

  @Test func `an old cat's disease is not a kitten's`() throws {
    #expect(names(try picture(["weight loss", "polyphagia"], species: .cat, months: 150)).contains("hyperthyroidism"))
    #expect(!names(try picture(["weight loss", "polyphagia"], species: .cat, months: 8)).contains("hyperthyroidism"))
    #expect(names(try picture(["weight loss", "polyphagia"], species: .cat, months: nil)).contains("hyperthyroidism"))
  }

  @Test func `nothing presented, nothing named`() throws {
    let found = DifferentialFinder(table: table).differentials(of: try picture([], ["diabetes mellitus", "vomiting"]))
    #expect(found.differentials.isEmpty && found.complaints.isEmpty && found.workUp.isEmpty)
  }

  struct Broken: CustomTestStringConvertible, Sendable {
    let column: String
    let value: String
    var testDescription: String { "\(column) '\(value)'" }
  }

  @Test(arguments: [
    Broken(column: "findings", value: "vomitting"), Broken(column: "findings", value: ""),
    Broken(column: "species", value: "unicorn"), Broken(column: "age", value: "old"),
    Broken(column: "age", value: "12-3"), Broken(column: "sex", value: "neither"),
    Broken(column: "severity", value: "bad"), Broken(column: "supports", value: "drug:aspirine"),
    Broken(column: "supports", value: "lab:ALT odd"), Broken(column: "supports", value: "feels odd"),
    Broken(column: "apart", value: ""), Broken(column: "source", value: ""), Broken(column: "verified", value: "maybe"),
  ])
  func `a row that can't be right is refused with its file and line`(broken: Broken) throws {
    var cells = [
      "id": "a", "complaint": "vomiting", "findings": "vomiting", "species": "dog", "differential": "x",
      "severity": "low", "apart": "y", "work_up": "z", "example": "Vomiting.", "source": "s", "verified": "no",
      "age": "", "sex": "", "supports": "",
    ]
    cells[broken.column] = broken.value
    let columns = cells.keys.sorted()
    let text = columns.joined(separator: "\t") + "\n" + columns.map { cells[$0] ?? "" }.joined(separator: "\t")
    let error = #expect(throws: DataTableError.self) {
      try DifferentialTable(
        table: DataTable(name: "briefing/differentials.tsv", text: text), findings: Fixtures.findingTable.get(),
        labs: Fixtures.labTable.get(), formulary: Fixtures.formulary.get())
    }
    #expect(error?.table == "briefing/differentials.tsv" && error?.line == 2)
    #expect(error?.column == broken.column)
  }

  @Test func `every discriminator that stands for a finding is one of triage`() throws {
    let protocolText = String(decoding: try modelData("triage/vtl.json"), as: UTF8.self)
    for row in try modelTable("briefing/triage-signs.tsv").rows {
      #expect(protocolText.contains("\"\(row["id"])\""), "\(row["id"])")
    }
  }
}

@Suite struct RiskTests {
  private func level(_ change: (inout RiskTable.Case) -> Void) throws -> (RiskLevel, Int) {
    var subject = RiskTable.Case()
    change(&subject)
    let verdict = try Fixtures.knowledge.get().risk.verdict(subject)
    return (verdict.level, verdict.reasons.count)
  }

  @Test func `the worst reason decides, and is said`() throws {
    #expect(try level { $0.urgency = .blue } == (.low, 0))
    #expect(try level { $0.urgency = .yellow } == (.moderate, 1))
    #expect(try level { $0.urgency = .red } == (.critical, 1))
    #expect(
      try level {
        $0.urgency = .yellow
        $0.alerts = ["toxic"]
      } == (.high, 1))
    #expect(try level { $0.isUnknown = true } == (.moderate, 1))
    #expect(
      try level {
        $0.urgency = .green
        $0.complexity = 4
      } == (.moderate, 1))
  }

  @Test func `too little information is never low`() throws {
    #expect(try level { $0.isUnknown = true }.0 > .low)
  }
}
