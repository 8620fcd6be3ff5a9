import Clinical
import Testing
import VetNet
import VetNetTestSupport

@testable import Evaluation

/// What may become of the forms of triage's concepts, and what keeps a change from being made.
@Suite struct ConceptReductionTests {
  private static let classes = [
    ConceptRow(id: "filler", kind: "grammar", forms: ["is", "his", "very", "the"]),
    ConceptRow(id: "not", kind: "grammar", forms: ["not", "never"]),
    ConceptRow(id: "them", kind: "class", forms: ["him", "her", "it"]),
    ConceptRow(id: "belly", kind: "class", forms: ["belly", "tummy"]),
    ConceptRow(id: "tight", kind: "sign", forms: ["tight", "hard", "swollen"]),
  ]

  /// The forms of a row after every change of one kind.
  private static func forms(
    _ forms: [String], kind: String = "sign",
    _ find: (inout ConceptFamilies, ConceptRow, Int) -> [ConceptEdit]
  ) -> [String] {
    let rows = classes + [ConceptRow(id: "x", kind: kind, forms: forms)]
    var families = ConceptFamilies(rows)
    return find(&families, rows[rows.count - 1], rows.count - 1).reduce(forms) { $1.applied(to: $0) }
  }

  @Test(arguments: [
    (["gasp*", "gasping"], ["gasp*"]), (["wobble", "wobbles"], ["wobble"]), (["very wobbly", "wobbly"], ["wobbly"]),
    (["belly tight", "belly is very tight"], ["belly tight"]), (["eating", "not eating"], ["eating", "not eating"]),
    (["lift @them", "lift her up"], ["lift @them"]), (["=fit", "fits"], ["fits"]), (["fit", "=fit"], ["fit"]),
    (["belly so tight", "belly tight"], ["belly so tight", "belly tight"]),
  ])
  func `a form goes in which another of its row stands, unless it denies it`(all: [String], left: [String]) {
    #expect(Self.forms(all) { $0.covered($1, $2) } == left)
    #expect(Self.forms(all, kind: "mask") { $0.covered($1, $2) } == all)
  }

  @Test(arguments: [
    (["out of his bed", "out of the bed"], ["out of bed"]), (["a b", "a c"], ["a b", "a c"]),
  ])
  func `forms that differ in the fillers between their words become one`(all: [String], left: [String]) {
    #expect(Self.forms(all) { $0.variants($1, $2) } == left)
  }

  @Test(arguments: [
    (["lift him", "lift her", "drop him"], ["lift @them", "drop him"]),
    (["tight drum", "hard drum"], ["@tight drum"]), (["tight drum", "=hard drum"], ["tight drum", "=hard drum"]),
  ])
  func `forms that differ in a word of a class become one`(all: [String], left: [String]) {
    #expect(Self.forms(all) { $0.families($1, $2) } == left)
  }

  @Test func `a product of two rows is written once, with a mark for both orders`() {
    let products = ["belly tight", "tummy tight", "tummy hard"]
    #expect(Self.forms(products) { $0.products($1, $2) } == ["@belly @tight"])
    #expect(Self.forms(products + ["hard belly"]) { $0.products($1, $2) } == ["@belly & @tight"])
    #expect(Self.forms(["belly up", "up belly"]) { $0.orders($1, $2) } == ["belly & up"])
  }

  @Test func `a row that another one has is named, and never in a circle`() {
    let rows = [
      ConceptRow(id: "a", kind: "sign", forms: ["one", "two", "three", "four"]),
      ConceptRow(id: "b", kind: "sign", forms: ["one", "two", "three", "five"]),
    ]
    var families = ConceptFamilies(rows)
    let edits = families.inclusions(rows)
    #expect(edits.map(\.row) == [0] && edits.map(\.add) == ["@b"])
    #expect(edits[0].applied(to: rows[0].forms) == ["@b", "four"])
  }

  @Test func `what a message hangs on stays, what none hangs on goes, in the shipped table`() throws {
    let models = try ModelDirectory(path: modelsDirectory)
    let message = Intake(id: "1", species: .dog, text: "He is not breathing")
    var bench = try ConceptBench(
      models: models, table: models.text(ConceptReduction.file), intakes: [message])
    func edit(_ row: String, _ form: String) throws -> ConceptEdit {
      let place = try #require(bench.rows.firstIndex { $0.id == row })
      try #require(bench.rows[place].forms.contains(form))
      return ConceptEdit(row: place, removes: [form], add: nil, reason: .unused)
    }
    let proof = Intake(id: "2", species: .dog, text: "My dog has no pulse")
    let entry = ConceptBench.Entry(intake: proof, demand: .asUrgent, verdict: bench.trial.verdict(of: proof))
    let edits = [
      try edit("notbreathing", "not breathing"), try edit("arrest", "flatlined"), try edit("arrest", "no pulse"),
    ]
    let made = try bench.settle(edits, made: [2: [entry]])
    #expect(made.map(\.removes) == [["flatlined"]])
    let arrest = try #require(bench.rows.first { $0.id == "arrest" })
    #expect(!arrest.forms.contains("flatlined") && arrest.forms.contains("no pulse"))
    #expect(try DataTable(name: "x", text: bench.text).rows.count == bench.rows.count)
  }
}
