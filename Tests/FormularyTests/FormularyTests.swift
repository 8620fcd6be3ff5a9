import Clinical
import Extraction
import Formulary
import Foundation
import RecordTestSupport
import Testing
import VetNetTestSupport

@Suite struct FormularyTests {
  private let formulary: Formulary

  init() throws {
    formulary = try Fixtures.formulary.get()
  }

  private func drug(_ generic: String) throws -> Formulary.Drug {
    try #require(formulary.drug(generic: generic) ?? formulary.drug(id: generic), "\(generic)")
  }

  /// `carprofen + prednisolone`
  private func uses(_ example: String) throws -> [DrugUse] {
    try example.components(separatedBy: " + ").map { DrugUse(try drug($0)) }
  }

  @Test func `it covers what a practice dispenses`() throws {
    #expect(formulary.drugs.count >= 150)
    #expect(formulary.interactions.count >= 60)
    #expect(formulary.speciesCautions.count >= 60)
    #expect(Set(formulary.speciesCautions.flatMap(\.species)).count >= 10)
  }

  @Test func `every interaction fires on its example, in either order`() throws {
    for (row, interaction) in zip(try Fixtures.formularyTables.get().interactions.rows, formulary.interactions) {
      let uses = try uses(row["example"])
      let species = interaction.species.first
      for order in [uses, uses.reversed()] {
        let hits = formulary.interactions(among: order, in: species)
        #expect(hits.contains { $0.interaction == interaction }, "\(row["id"]): \(row["example"])")
      }
      #expect(formulary.interactions(among: Array(uses.prefix(1)), in: species).isEmpty, "\(row["id"])")
    }
  }

  @Test func `every species caution fires on its example and in no other species`() throws {
    for (row, caution) in zip(try Fixtures.formularyTables.get().speciesCautions.rows, formulary.speciesCautions) {
      let drug = try drug(row["example"])
      let months = caution.monthsBelow.map { $0 - 1 } ?? 60
      for species in Species.allCases {
        let found = formulary.cautions(of: drug, in: species, breed: caution.breeds.first, months: months)
        #expect(found.contains(caution) == caution.species.contains(species), "\(row["id"]), \(species)")
      }
    }
  }

  @Test func `every disease caution, cross-reaction and monitoring row fires on its example`() throws {
    let tables = try Fixtures.formularyTables.get()
    for (row, caution) in zip(tables.diseaseCautions.rows, formulary.diseaseCautions) {
      let parts = row["example"].components(separatedBy: " + ")
      let found = formulary.cautions(
        of: DrugUse(try drug(parts[0])), with: [try #require(parts.last)], in: caution.species.first)
      #expect(found.contains(caution), "\(row["id"])")
    }
    for (row, reaction) in zip(tables.crossReactions.rows, formulary.crossReactions) {
      let pair = try uses(row["example"])
      #expect(reaction.reacted.contains(pair[0].drug) && reaction.given.contains(pair[1].drug), "\(row["id"])")
    }
    for (row, monitoring) in zip(tables.monitoring.rows, formulary.monitoring) {
      let found = formulary.monitoring(of: try drug(row["example"]), in: monitoring.species.first)
      #expect(found.contains(monitoring), "\(row["id"])")
    }
  }

  @Test func `diseases are findings and tests are results that notes can have`() throws {
    let findings = Set(try Fixtures.findingTable.get().rows.map { $0["name"] })
    let labs = Set(try Fixtures.labTable.get().rows.map { $0["name"] })
    for caution in formulary.diseaseCautions {
      #expect(findings.isSuperset(of: caution.problems), "\(caution.reference.id)")
    }
    for row in formulary.monitoring { #expect(labs.isSuperset(of: row.tests), "\(row.reference.id)") }
  }

  @Test func `no row holds a dose to give`() throws {
    let dose = /\d\s?(mg|ml|µg|mcg|IU|units)\b/
    for table in try Fixtures.formularyTables.get().all {
      for row in table.rows {
        for column in table.columns where column != "id" && row[column].contains(dose) {
          // It names from how much paracetamol poisons a cat.
          #expect(row["id"] == "cat-paracetamol", "\(table.name) \(row["id"]): \(row[column])")
        }
      }
    }
  }

  @Test(arguments: [
    ("Rimadyl", "carprofen"), ("rimadyl", "carprofen"), ("METACAM", "meloxicam"), ("pred", nil),
    ("potassium-bromide", "potassium bromide"), ("Potassium  Bromide", "potassium bromide"), ("APAP", "paracetamol"),
    ("acetaminophen", "paracetamol"), ("bute", "phenylbutazone"), ("nonsense", nil), ("", nil),
  ])
  func `a drug is found by any of its names`(name: String, generic: String?) throws {
    guard case .drugs(let drugs) = formulary.match(name) else {
      #expect(generic == nil)
      return
    }
    if let generic { #expect(drugs.map(\.generic) == [generic]) } else { #expect(drugs.count != 0) }
  }

  @Test func `a brand of two drugs names both, and a class its members`() throws {
    guard case .drugs(let drugs) = formulary.match("Danilon") else { throw TestFailure() }
    #expect(Set(drugs.map(\.generic)) == ["phenylbutazone", "suxibuzone"])
    guard case .drugClass(let found, let members) = formulary.match("NSAID") else { throw TestFailure() }
    #expect(found.id == "nsaid" && members.contains { $0.generic == "meloxicam" })
  }

  private struct TestFailure: Error {}

  @Test func `what acts on the eye or ear does not meet what is swallowed`() throws {
    let meloxicam = DrugUse(try drug("meloxicam"))
    let dexamethasone = try drug("dexamethasone")
    #expect(formulary.interactions(among: [meloxicam, DrugUse(try drug("prednisolone acetate"))], in: .dog).isEmpty)
    #expect(formulary.interactions(among: [meloxicam, DrugUse(dexamethasone, route: .eye)], in: .dog).isEmpty)
    #expect(!formulary.interactions(among: [meloxicam, DrugUse(dexamethasone, route: .oral)], in: .dog).isEmpty)
  }

  @Test func `three drugs that harm together are one warning`() throws {
    let uses = try uses("meloxicam + benazepril + furosemide")
    let ids = formulary.interactions(among: uses, in: .dog).map(\.interaction.reference.rowID)
    #expect(ids == ["nsaid-acei-diuretic"])
  }

  @Test func `breed and age rows need the breed and the age`() throws {
    let ivermectin = try drug("ivermectin"), enrofloxacin = try drug("enrofloxacin")
    func ids(_ drug: Formulary.Drug, _ breed: String?, _ months: Int?) -> [String] {
      formulary.cautions(of: drug, in: .dog, breed: breed, months: months).map(\.reference.rowID)
    }
    #expect(ids(ivermectin, "Rough Collie", 40).first == "mdr1-avermectin")
    #expect(ids(ivermectin, "Border Collie X", 40).contains("mdr1-avermectin"))
    #expect(!ids(ivermectin, "Labrador Retriever", 40).contains("mdr1-avermectin"))
    #expect(!ids(ivermectin, nil, 40).contains("mdr1-avermectin"))
    #expect(ids(enrofloxacin, nil, 5).contains("dog-fluoroquinolone-growth"))
    #expect(!ids(enrofloxacin, nil, 30).contains("dog-fluoroquinolone-growth"))
    #expect(!ids(enrofloxacin, nil, nil).contains("dog-fluoroquinolone-growth"))
  }

  /// Every way of filling the parties, tried one after the other.
  private func slowHits(_ uses: [DrugUse]) -> Set<String> {
    var ids: Set<String> = []
    for interaction in formulary.interactions where interaction.species.isEmpty {
      let parties = interaction.parties
      for first in uses {
        for second in uses where second.drug.id != first.drug.id {
          guard parties[0].contains(first.drug), parties[1].contains(second.drug) else { continue }
          if parties.count == 2 {
            ids.insert(interaction.reference.rowID)
          } else if uses.contains(where: {
            $0.drug.id != first.drug.id && $0.drug.id != second.drug.id && parties[2].contains($0.drug)
          }) {
            ids.insert(interaction.reference.rowID)
          }
        }
      }
    }
    return ids
  }

  @Test(arguments: 0..<40) func `any handful of drugs fires what trying every combination fires`(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    let uses = (0..<6).map { _ in
      DrugUse(formulary.drugs[Int.random(in: 0..<formulary.drugs.count, using: &generator)])
    }
    let hits = formulary.interactions(among: uses, in: nil)
    let slow = slowHits(uses)
    #expect(Set(hits.map(\.interaction.reference.rowID)).isSubset(of: slow))
    #expect(hits.map(\.interaction.level) == hits.map(\.interaction.level).sorted(by: >))
    // What is left out is only what a worse row of three holds.
    if !hits.contains(where: { $0.interaction.parties.count == 3 }) { #expect(hits.count == slow.count) }
  }

  struct Broken: CustomTestStringConvertible, Sendable {
    let table: String
    let column: String
    let value: String
    var testDescription: String { "\(table), \(column) '\(value)'" }
  }

  @Test(arguments: [
    Broken(table: "interactions", column: "a", value: "carprofin"),
    Broken(table: "interactions", column: "b", value: "class:none"),
    Broken(table: "interactions", column: "level", value: "dreadful"),
    Broken(table: "interactions", column: "species", value: "unicorn"),
    Broken(table: "interactions", column: "source", value: ""),
    Broken(table: "interactions", column: "verified", value: "perhaps"),
    Broken(table: "interactions", column: "advice", value: ""),
    Broken(table: "species-cautions", column: "species", value: ""),
    Broken(table: "species-cautions", column: "months", value: "young"),
    Broken(table: "species-cautions", column: "drugs", value: ""),
    Broken(table: "disease-cautions", column: "problems", value: ""),
    Broken(table: "cross-reactions", column: "a", value: "class:nsiad"),
    Broken(table: "monitoring", column: "months", value: "often"),
    Broken(table: "drugs", column: "classes", value: "painkillers"),
  ])
  func `a row that can't be right is refused with its file and line`(broken: Broken) throws {
    let path = "formulary/\(broken.table).tsv"
    var text = try #require(String(data: Data(modelData(path)), encoding: .utf8))
    var lines = text.components(separatedBy: "\n")
    let head = try #require(lines.firstIndex { $0.hasPrefix("id\t") })
    let columns = lines[head].components(separatedBy: "\t")
    let place = try #require(columns.firstIndex(of: broken.column))
    var cells = lines[head + 1].components(separatedBy: "\t")
    while cells.count < columns.count { cells.append("") }
    cells[place] = broken.value
    lines[head + 1] = cells.joined(separator: "\t")
    text = lines.joined(separator: "\n")
    let error = #expect(throws: DataTableError.self) {
      try Formulary(tables: Formulary.Tables { try $0 == path ? DataTable(name: $0, text: text) : modelTable($0) })
    }
    #expect(error?.table == path && error?.line == head + 2)
    #expect(error?.column == broken.column)
  }

  @Test func `a sheet tells both sides of a pair, and nothing of drugs without a row`() throws {
    let sheet = DrugSheet(try drug("meloxicam"), in: formulary, species: nil, with: try drug("prednisolone"))
    #expect(sheet.interactions.map(\.reference.rowID) == ["nsaid-steroid"])
    let other = DrugSheet(try drug("prednisolone"), in: formulary, species: nil, with: try drug("meloxicam"))
    #expect(other.interactions.map(\.reference.rowID) == ["nsaid-steroid"])
    let none = DrugSheet(try drug("meloxicam"), in: formulary, species: nil, with: try drug("fenbendazole"))
    #expect(none.interactions.isEmpty)
    let cat = DrugSheet(try drug("permethrin"), in: formulary, species: .cat)
    #expect(cat.speciesCautions.allSatisfy { $0.about.contains("cat") } && cat.speciesCautions.first?.level == .toxic)
  }
}
