import Clinical
import Testing
import TextAnalysis
import VetNetTestSupport

@Suite struct ThesaurusTests {
  private let thesaurus: Thesaurus
  private let analyzer: Analyzer

  init() throws {
    thesaurus = try Fixtures.thesaurus.get()
    analyzer = try Fixtures.analyzer.get()
  }

  @Test(arguments: [
    ("when did the fits start?", "seizure"), ("any jab this year?", "vaccination"),
    ("is he on a water tablet?", "furosemide"),
    ("has he been off his food?", "inappetence"), ("was she put to sleep?", "euthanasia"),
    ("why was he put down?", "PTS"),
    ("ever blocked bladder", "urethral obstruction"), ("blood in her wee?", "haematuria"), ("is she itchy", "pruritus"),
    ("which NSAID?", "meloxicam"), ("dose of Metacam?", "meloxicam"), ("dose of meloxicam?", "Metacam"),
    ("Salix dose", "furosemide"), ("any antibiotics?", "Synulox"), ("on Vetmedin?", "pimobendan"),
    ("drinking a lot?", "polydipsia"), ("knee surgery", "TPLO"), ("overactive thyroid", "hyperthyroidism"),
    ("which epilepsy tablets?", "phenobarbital"), ("run over", "HBC"), ("any films of the chest?", "radiograph"),
    ("wobbly on her back legs", "ataxia"), ("phantom pregnancy", "pseudopregnancy"), ("itch injection", "Cytopoint"),
    ("Tylenol", "paracetamol"), ("Soloxine", "levothyroxine"), ("heart tablets", "pimobendan"),
  ]) func `an owner's words find a record's`(question: String, phrase: String) {
    let found = thesaurus.expansions(of: question)
    #expect(found.contains { $0.phrase == phrase }, "\(found.map(\.phrase))")
  }

  @Test func `every row has a source, fires on its example and not on its negative one`() throws {
    let table = try modelTable("lexicon/thesaurus.tsv", uniqueKey: "id")
    #expect(table.rows.count >= 250)
    for row in table.rows {
      #expect(!row["source"].isEmpty && !row["example"].isEmpty, "\(row["id"])")
      #expect(rows(row["example"]).contains(row["id"]), "\(row["id"]): \(row["example"])")
      if !row["negative_example"].isEmpty {
        #expect(!rows(row["negative_example"]).contains(row["id"]), "\(row["id"]): \(row["negative_example"])")
      }
    }
  }

  /// Rows that add something, also when an equal phrase of a heavier row hides it in the result.
  private func rows(_ question: String) -> Set<String> {
    Set(thesaurus.matches(of: analyzer.tokens(in: question, keepingStopWords: true)).map(\.row))
  }

  @Test func `every form of every row is found, whatever it begins with`() throws {
    let table = try modelTable("lexicon/thesaurus.tsv", uniqueKey: "id")
    for row in table.rows {
      for form in row.list("forms") {
        #expect(rows(form).contains(row["id"]), "\(row["id"]): \(form)")
      }
    }
    for drug in try DrugNames(
      drugs: modelTable("formulary/drugs.tsv"), classes: modelTable("formulary/drug-classes.tsv")
    ).drugs
    where drug.names.count > 1 {
      for name in drug.names + drug.layNames where !drug.everydayWords.contains(name) {
        #expect(rows(name).contains(drug.id), "\(drug.id): \(name)")
      }
    }
  }

  @Test func `every expansion points at the words that gave rise to it, and weighs at most one`() {
    let question = "Has he been off his food since the booster jab, or drinking a lot?"
    let found = thesaurus.expansions(of: question)
    #expect(!found.isEmpty)
    for expansion in found {
      #expect(question.slice(utf8: expansion.range) != nil)
      #expect(expansion.weight > 0 && expansion.weight <= 1)
      #expect(!expansion.terms.isEmpty)
    }
    #expect(found.contains { question.at($0.range) == "off his food" })
  }

  @Test func `the longest form wins`() {
    let found = thesaurus.expansions(of: "blood in urine")
    #expect(found.contains { $0.row == "haematuria" })
    #expect(!found.contains { $0.row == "urine" || $0.row == "bleeding" })
  }

  @Test func `phrases that the question has already are left out, and none comes twice`() {
    let found = thesaurus.expansions(of: "seizure or fits")
    #expect(!found.contains { $0.terms == analyzer.terms(in: "seizure") || $0.terms == analyzer.terms(in: "fits") })
    #expect(Set(found.map(\.terms)).count == found.count)
  }

  @Test(arguments: [
    "how much does he weigh?", "what is he called?", "which stifle was done?", "did the weight go down?",
  ])
  func `everyday words do not set off clinical ones`(question: String) {
    let rows = Set(thesaurus.expansions(of: question).map(\.row))
    #expect(rows.isDisjoint(with: ["overdose", "phone-call", "neutering", "collapse", "death"]))
  }

  @Test func `an ordinary word among the brands is looked for but does not ask`() {
    #expect(!thesaurus.expansions(of: "is there an advantage?").contains { $0.phrase == "imidacloprid" })
    #expect(thesaurus.expansions(of: "imidacloprid").contains { $0.phrase == "Advantage" })
  }

  @Test func `the same question gives the same expansions`() throws {
    let again = try Thesaurus(
      table: modelTable("lexicon/thesaurus.tsv"), drugs: modelTable("formulary/drugs.tsv"),
      classes: modelTable("formulary/drug-classes.tsv"), analyzer: analyzer)
    let question = "which antibiotics and painkillers for the limp?"
    #expect(again.expansions(of: question) == thesaurus.expansions(of: question))
  }

  @Test(arguments: [
    "id\tkind\tdirection\tweight\tforms\ttargets\na\tlay\tboth\t0.5\tfit\t",
    "id\tkind\tdirection\tweight\tforms\ttargets\na\tlay\tboth\t1.5\tfit|seizure\t",
    "id\tkind\tdirection\tweight\tforms\ttargets\na\tlay\tsideways\t0.5\tfit|seizure\t",
    "id\tkind\tdirection\tweight\tforms\ttargets\na\tslang\tboth\t0.5\tfit|seizure\t",
    "id\tkind\tdirection\tweight\tforms\ttargets\na\tlay\tforward\t0.5\tfit\t",
  ]) func `a row that cannot be meant is an error`(text: String) throws {
    let table = try DataTable(name: "t", text: text)
    #expect(throws: DataTableError.self) { try Thesaurus(table: table, analyzer: analyzer) }
  }
}

@Suite struct DrugTableTests {
  @Test func `every drug has a class that exists, a source and an honest mark`() throws {
    let table = try modelTable("formulary/drugs.tsv", uniqueKey: "generic")
    let classes = try modelTable("formulary/drug-classes.tsv", uniqueKey: "id")
    let drugs = try DrugNames(drugs: table, classes: classes).drugs
    #expect(drugs.count >= 150)
    let known = Set(classes.rows.map { $0["id"] })
    for row in table.rows {
      #expect(!row["source"].isEmpty && ["yes", "no"].contains(row["verified"]), "\(row["id"])")
      #expect(!row.list("classes").isEmpty && known.isSuperset(of: row.list("classes")), "\(row["id"])")
      let names = Set(row.list("short") + row.list("brands_uk") + row.list("brands_us"))
      #expect(names.isSuperset(of: row.list("everyday_words")), "\(row["id"])")
    }
    for row in classes.rows { #expect(!row["source"].isEmpty && !row.list("names").isEmpty) }
  }

  @Test func `every class has a member and fires on its example`() throws {
    let thesaurus = try Fixtures.thesaurus.get()
    let table = try modelTable("formulary/drugs.tsv")
    for row in try modelTable("formulary/drug-classes.tsv").rows {
      let members = Set(table.rows.filter { $0.list("classes").contains(row["id"]) }.map { $0["id"] })
      let found = Set(thesaurus.expansions(of: row["example"]).map(\.row))
      #expect(!found.isDisjoint(with: members), "\(row["id"]): \(row["example"])")
    }
  }

  @Test func `a formulary without weights is refused`() throws {
    let table = try DataTable(name: "t", text: "id\tgeneric\na\tmeloxicam\n")
    #expect(throws: DataTableError.self) { try DrugNames(drugs: table, classes: nil) }
  }

  @Test(arguments: [
    ("Vetmedin", "Vetoryl"), ("prednisolone", "dexamethasone"), ("dexamethasone", "dexmedetomidine"),
    ("prednisone", "prednisolone"), ("carboplatin", "cisplatin"), ("Vetoryl", "pimobendan"),
  ])
  func `look-alike drugs are not taken for each other`(first: String, second: String) throws {
    let thesaurus = try Fixtures.thesaurus.get()
    let brands = thesaurus.expansions(of: "dose of \(first)").filter { $0.kind == .brand }
    #expect(!brands.contains { $0.phrase == second })
  }

  @Test(arguments: [
    ("on metcam since May", "Metacam", true), ("stopped the furosmide", "furosemide", true),
    ("prednislone 5mg", "prednisolone", true), ("on Metacam since May", "Metacam", false),
    ("sat on the mat", "Metacam", false),
  ])
  func `a drug's name in a wrong spelling is recognised`(question: String, name: String, isFound: Bool) throws {
    let (thesaurus, analyzer) = (try Fixtures.thesaurus.get(), try Fixtures.analyzer.get())
    let found = thesaurus.misspeltDrugs(in: analyzer.tokens(in: question, keepingStopWords: true))
    #expect(found.contains { $0.phrase == name } == isFound)
  }
}
