import Clinical
import RecordTestSupport
import Testing
import TextAnalysis
import VetNetTestSupport

@testable import Answering

/// What the words of a question are called elsewhere and what they are related to.
@Suite struct ConceptMapTests {
  private func links(_ question: String, species: Set<Species> = []) throws -> [ConceptMap.Link] {
    let tokens = try AnswerFixtures.analyzer.get().tokens(in: question, keepingStopWords: true)
    return try Fixtures.concepts.get()
      .links(in: tokens, species: species, thesaurus: try Fixtures.thesaurus.get())
  }

  @Test(arguments: [
    ("What were the kidney numbers?", "creatinine"), ("liver results", "ALT"),
    ("any tablets for her heart?", "Vetmedin"), ("which anti-fit drugs?", "phenobarbital"),
    ("was the heart scanned?", "echo"), ("knee op?", "TPLO"), ("has he had painkillers?", "meloxicam"),
    ("is she on water tablets?", "furosemide"),
    ("last thyroid test", "T4"), ("tummy scan", "abdominal ultrasound"),
    ("did she have the nose vaccine?", "Bordetella"),
    ("who is the skin specialist?", "dermatologist"), ("is he on kidney food?", "k/d"),
    ("any poo sample results?", "Giardia"), ("any steroids?", "prednisolone"), ("any lumps?", "lipoma"),
  ])
  func `a word for a relation asks for what a thing is related to`(question: String, phrase: String) throws {
    let found = try links(question).filter { $0.phrase == phrase }
    #expect(found.contains { $0.isAsked }, "\(found)")
  }

  @Test(arguments: [("how are the kidneys?", "creatinine"), ("how is her heart?", "echo"), ("his eyes", "Schirmer")])
  func `a thing by itself is only related`(question: String, phrase: String) throws {
    let found = try links(question).filter { $0.phrase == phrase }
    #expect(!found.isEmpty && found.allSatisfy { !$0.isAsked }, "\(found)")
  }

  @Test func `the contrary of what is asked is looked for as its contrary`() throws {
    let found = try links("was it malignant?")
    #expect(found.contains { $0.phrase == "benign" && $0.isContrary && $0.isAsked })
    #expect(found.filter { $0.phrase == "cytology" }.allSatisfy { !$0.isContrary })
    let notes = [note("N1", "2026-03-01", "Lump off the flank. Histology: benign.")]
    #expect(try AnswerFixtures.ask("was the lump malignant?", notes).answerClass == .negative)
  }

  @Test func `two words that ask together are one thing to look for`() throws {
    let question = "kidney numbers?"
    let creatinine = try #require(try links(question).first { $0.phrase == "creatinine" })
    #expect(question.slice(utf8: creatinine.range) == "kidney numbers")
    let question2 = try AnswerFixtures.parse(question)
    #expect(question2.groups.count == 1)
    #expect(question2.groups[0].alternatives.contains { $0.terms == ["creatinin"] && !$0.isGuess })
  }

  @Test(arguments: [
    ("is he fit to travel?", "seizure"), ("kidney number?", "phone"), ("what is his blood pressure?", "haematology"),
    ("what does she eat?", "ingested"),
  ])
  func `a word is not taken for what it does not mean beside others`(question: String, phrase: String) throws {
    let found = try links(question)
    #expect(found.allSatisfy { $0.phrase != phrase })
  }

  @Test func `what is said of one species only is not looked for in another`() throws {
    let (cat, horse) = (try links("any flu jab?", species: [.cat]), try links("any flu jab?", species: [.horse]))
    #expect(cat.contains { $0.phrase == "Tricat" } && cat.allSatisfy { $0.phrase != "ProteqFlu" })
    #expect(horse.contains { $0.phrase == "ProteqFlu" } && horse.allSatisfy { $0.phrase != "Tricat" })
  }

  @Test func `a phrase that loses its meaning with its stop words is not looked for`() throws {
    let analyzer = try AnswerFixtures.analyzer.get()
    let map = try small(concepts: "appetite\tsign\tappetite|not eating|inappetence\t")
    let found = map.links(
      in: analyzer.tokens(in: "appetite", keepingStopWords: true), thesaurus: try Fixtures.thesaurus.get())
    #expect(found.map(\.phrase) == ["inappetence"])
  }

  @Test func `every word that asks for a concept finds it`() throws {
    for row in try modelTable("concepts/concepts.tsv").rows {
      let species = Set(row.list("species").compactMap(Species.init(rawValue:)))
      for word in row.list("asked") {
        let found = try links("what about \(word)", species: species)
        #expect(found.contains { $0.row == row["id"] }, "\(row["id"]): \(word)")
      }
    }
  }

  @Test func `every drug and class that a relation names is in the formulary`() throws {
    let (thesaurus, analyzer) = (try Fixtures.thesaurus.get(), try AnswerFixtures.analyzer.get())
    for row in try modelTable("concepts/relations.tsv", uniqueKey: "id").rows {
      for object in row.list("objects") where object.hasPrefix("=") {
        let name = String(object.dropFirst())
        let known = thesaurus.matches(of: analyzer.tokens(in: name, keepingStopWords: true))
        #expect(known.contains { $0.kind == .brand || $0.kind == .drug }, "\(row["id"]): \(name)")
      }
    }
  }

  @Test func `every row has a source`() throws {
    for file in ["concepts.tsv", "relations.tsv", "relation-words.tsv"] {
      for row in try modelTable("concepts/" + file).rows { #expect(!row["source"].isEmpty, "\(file) line \(row.line)") }
    }
  }

  @Test(arguments: [
    ("a\tsign\tcough\t\na\tsign\tsneeze\t", "", "id"), ("a\tsign\t\tcough", "", "names"),
    ("a\tsign\tcough\t\tdragon", "", "species"), ("a\tsign\tcough\t", "r\tb\tkind\ta", "subject"),
    ("a\tsign\tcough\t", "r\ta\tlikes\ta", "relation"), ("a\tsign\tcough\t", "r\ta\tkind\tb", "objects"),
  ])
  func `a table that can't be used is refused with its column`(concepts: String, relations: String, column: String) {
    let error = #expect(throws: DataTableError.self) { try small(concepts: concepts, relations: relations) }
    #expect(error?.column == column)
  }

  private func small(concepts: String, relations: String = "") throws -> ConceptMap {
    try ConceptMap(
      concepts: DataTable(name: "concepts", text: "id\tkind\tnames\tasked\tspecies\tunless\tsource\n" + concepts),
      relations: DataTable(name: "relations", text: "id\tsubject\trelation\tobjects\tsource\n" + relations),
      words: DataTable(name: "words", text: "relation\tasked\talone\twords\nsame\t0.92\t0.85\t\nkind\t0.85\t0.85\t\n"),
      analyzer: try AnswerFixtures.analyzer.get())
  }
}
