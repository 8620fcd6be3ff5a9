import Clinical
import Testing
import VetNetTestSupport

@testable import Extraction

/// The judgement of `assertion-rules.tsv` and `word-classes.tsv`.
@Suite struct AssertionTableTests {
  @Test func `every rule has its own id, a source and readable cues`() throws {
    let table = try modelTable(
      "extraction/assertion-rules.tsv",
      required: ["id", "cue", "sets", "direction", "scope", "priority", "source", "example", "negative_example"],
      uniqueKey: "id")
    let classes = try WordClasses(table: modelTable("extraction/word-classes.tsv"))
    _ = try AssertionClassifier(rules: table, wordClasses: classes)
    for row in table.rows { #expect(!row["source"].isEmpty, "\(row["id"])") }
  }

  @Test func `a rule decides its example and stays out of its negative example`() throws {
    let classifier = try Fixtures.extractors.get().classifier
    let table = try modelTable("extraction/assertion-rules.tsv")
    for row in table.rows where row["direction"] != "block" && !row["sets"].isEmpty {
      for column in ["example", "negative_example"] where !row[column].isEmpty {
        let marked = Marked(row[column])
        #expect(!marked.targets.isEmpty, "\(row["id"]) \(column) has no target")
        for target in marked.targets {
          let assertion = classifier.assertion(of: target, in: marked.text)
          let decides = assertion.cues.contains { $0.rule == row["id"] }
          #expect(decides == (column == "example"), "\(row["id"]): \(row[column]) gave \(assertion)")
        }
      }
    }
  }

  @Test func `words that only look like a cue change nothing`() throws {
    let classifier = try Fixtures.extractors.get().classifier
    let table = try modelTable("extraction/assertion-rules.tsv")
    for row in table.rows where row["direction"] == "block" && !row["example"].isEmpty {
      let marked = Marked(row["example"])
      for target in marked.targets {
        let assertion = classifier.assertion(of: target, in: marked.text)
        #expect(assertion.polarity == .present && assertion.temporality == .current, "\(row["id"]): \(assertion)")
        #expect(assertion.experiencer == .patient, "\(row["id"]): \(assertion)")
      }
    }
  }

  @Test(arguments: [
    "past", "they", "relative", "otherness", "quantity", "ingest", "refusing", "stop", "determiner", "conjunction",
  ])
  func `a table without a class that the program needs is refused, naming file, class and what to do`(name: String)
    throws
  {
    let classes = try modelTable("extraction/word-classes.tsv")
    let rows = classes.rows.filter { $0["class"] != name }.map { "\($0["class"])\t\($0["words"])\t\($0["use"])" }
    #expect(rows.count < classes.rows.count)
    let short = try DataTable(
      name: "word-classes.tsv", text: (["class\twords\tuse"] + rows).joined(separator: "\n"))
    let rules = try DataTable(
      name: "rules", text: "id\tcue\tsets\tdirection\tscope\tstops\tpriority\na\tno\tabsent\tpre\tlist\t\t1")
    let error = #expect(throws: DataTableError.self) {
      try AssertionClassifier(rules: rules, wordClasses: WordClasses(table: short))
    }
    let text = try #require(error).description
    #expect(text.contains("word-classes.tsv") && text.contains("'\(name)'") && text.contains("add a row"), "\(text)")
  }

  @Test func `a rule may be for targets of a class, or for all but those of one`() throws {
    let classes = try WordClasses(table: modelTable("extraction/word-classes.tsv"))
    let head = "id\tcue\tsets\tdirection\tscope\tstops\tpriority\tabout\n"
    func temporality(about: String, _ marked: String) throws -> Temporality {
      let table = try DataTable(name: "rules", text: head + "a\tlater\thypothetical\tpost\tphrase\t\t50\t\(about)")
      let marked = Marked(marked)
      let classifier = try AssertionClassifier(rules: table, wordClasses: classes)
      return classifier.assertion(of: try #require(marked.targets.first), in: marked.text).temporality
    }
    #expect(try temporality(about: "", "[biopsy] later") == .hypothetical)
    #expect(try temporality(about: "procedure", "[biopsy] later") == .hypothetical)
    #expect(try temporality(about: "procedure", "[cough] later") == .current)
    #expect(try temporality(about: "!procedure", "[biopsy] later") == .current)
    #expect(try temporality(about: "!procedure", "[cough] later") == .hypothetical)
  }

  @Test func `a table with an unknown direction, scope or class is refused`() throws {
    let classes = try WordClasses(table: modelTable("extraction/word-classes.tsv"))
    let head = "id\tcue\tsets\tdirection\tscope\tstops\tpriority\n"
    for row in [
      "a\tno\tabsent\tsideways\tlist\t\t1", "a\tno\tabsent\tpre\teverywhere\t\t1", "a\tno\tgone\tpre\tlist\t\t1",
      "a\tno\tabsent\tpre\tlist\tnowhere\t1", "a\tno\tabsent\tpre\tlist\t\thigh", "a\t\tabsent\tpre\tlist\t\t1",
      "a\t<unknown> no\tabsent\tpre\tlist\t\t1",
    ] {
      let table = try DataTable(name: "rules", text: head + row)
      #expect(throws: DataTableError.self) { try AssertionClassifier(rules: table, wordClasses: classes) }
    }
  }

  @Test(arguments: [
    ("seen <weekday>", "[cough] seen Friday", true), ("seen <weekday>", "[cough] seen rarely", false),
    ("<weekday> seen", "[cough] Friday seen", true),
    ("seen <possessive?> <weekday>", "[cough] seen Friday", true),
    ("seen <possessive?> <weekday>", "[cough] seen this Friday", true),
  ])
  func `a slot stands for any of its words in a cue`(cue: String, marked: String, holds: Bool) throws {
    let classes = try WordClasses(table: modelTable("extraction/word-classes.tsv"))
    let table = try DataTable(
      name: "rules",
      text: "id\tcue\tsets\tdirection\tscope\tstops\tpriority\na\t\(cue)\thistorical\tpost\tadjacent\t\t50")
    let marked = Marked(marked)
    let assertion = try AssertionClassifier(rules: table, wordClasses: classes)
      .assertion(of: try #require(marked.targets.first), in: marked.text)
    #expect((assertion.temporality == .historical) == holds)
  }

  @Test func `a word in a slot keeps what its ending says of it`() throws {
    let classes = try WordClasses(table: modelTable("extraction/word-classes.tsv"))
    #expect(classes.slot(named: "gone")?.find(Spelling.hash("subsided")) != nil)
    #expect(ScannedText("subsided", classes: classes).words[0].classes.isSuperset(of: .past))
    #expect(classes.set(named: "gone") == nil)
  }
}
