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
}
