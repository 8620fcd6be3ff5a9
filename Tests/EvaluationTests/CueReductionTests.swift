import Clinical
import Extraction
import Foundation
import PracticeTestSupport
import Testing
import VetNet
import VetNetTestSupport

@testable import Evaluation

/// What goes from a table of cues, and what has to stay.
@Suite struct CueReductionTests {
  private static let head =
    "id\tcue\tsets\tdirection\tscope\tstops\tpriority\tsource\texample\tnegative_example\tabout\n"
  private static let extractors = Result { try Extractors(tables: ExtractionTables { try modelTable($0) }) }

  /// The cues of the first row after a run over texts of one line each.
  private func cues(_ rows: [String], texts: [String] = [], longest: Int = 1) throws -> [String] {
    let text = Self.head + rows.joined(separator: "\n") + "\n"
    let folder = try TemporaryFolder()
    let file = folder.path + "/texts.txt"
    try texts.joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
    var reduction = try CueReduction(
      table: DataTable(name: "rules", text: text), text: text, classes: modelTable("extraction/word-classes.tsv"),
      notation: PhraseNotation(verbs: VerbForms()), extractors: Self.extractors.get(), files: [file])
    try reduction.run(rounds: 4, longest: longest)
    #expect(reduction.after <= reduction.before)
    return try #require(CueSheet(reduction.text, column: "cue")).cues(ofRow: 0)
  }

  @Test func `cues that differ in a word of a closed class become one with the class`() throws {
    let all = ["given", "done"].flatMap { verb in ["monday", "friday"].map { "\(verb) on \($0)" } }
    let left = try cues(["a\t\(all.joined(separator: "|"))\thistorical\tpost\tadjacent\t\t50"], longest: 3)
    #expect(left == ["<given> on <weekday>"])
  }

  @Test func `a word that may be left out is written once`() throws {
    let row = "a\tlook for signs|look for any signs\tabsent\tpre\tlist\t\t50"
    #expect(try cues([row], longest: 4) == ["look for <more?> signs"])
  }

  @Test func `a cue that another covers goes, and one that a text hangs on stays`() throws {
    let row = "a\tno|no sign of|nowhere near proof of\tabsent\tpre\tlist\t\t50"
    #expect(try cues([row]) == ["no"])
    #expect(try cues([row], texts: ["Nowhere near proof of [lymphoma] yet."]) == ["no", "nowhere near proof of"])
  }

  @Test func `a short cue stays though no text hangs on it`() throws {
    let row = "a\tdevoid of|at this stage devoid of any\tabsent\tpre\tlist\t\t50"
    #expect(try cues([row], longest: 2) == ["devoid of"])
  }

  @Test func `words that keep something from being read as denied stay`() throws {
    let rows = ["a\tnot nearly so bad a\tpresent\tblock\tphrase\t\t50", "b\tnot\tabsent\tpre\tlist\t\t50"]
    #expect(try cues(rows) == ["not nearly so bad a"])
  }

  @Test func `a row keeps a cue`() throws {
    #expect(try cues(["a\tlong before this time\thistorical\tpre\tphrase\t\t50"]).count == 1)
  }

  @Test func `an example of a row is decided by the row afterwards`() throws {
    let rows = [
      "a\tno|never any hint of\tabsent\tpre\tlist\t\t50\t\tnever any hint of [cough]",
      "b\tnever any\tabsent\tpre\tlist\t\t40",
    ]
    #expect(try cues(rows).contains("never any hint of"))
  }

  @Test func `the rest of a file stays as it was`() throws {
    let text = "# title: x\n# a: b\nid\tcue\tnote\n\na\tone|two\tstays\n# between\nb\tthree\n"
    var sheet = try #require(CueSheet(text, column: "cue"))
    #expect(sheet.text == text)
    sheet.setCues(["two"], ofRow: 0)
    #expect(sheet.text == text.replacing("one|two", with: "two"))
    #expect(sheet.cell("note", ofRow: 0) == "stays" && sheet.cues(ofRow: 1) == ["three"])
  }

  @Test func `phrases go that another of their cell holds, and long ones that nobody used`() throws {
    let reduction = try PhraseReduction(
      analyzer: shippedModels().analyzer(),
      classes: modelTable("extraction/word-classes.tsv"), questions: ["has he had the long walk home"], notes: [])
    let cells = PhraseReduction.Cells(
      file: "", column: "", isAsked: true, isStemmed: false, dropsUnused: true)
    let all = ["insured", "is he insured", "the long walk home", "a walk round the lake", "pet plan"]
    #expect(reduction.kept(all, cells, longest: 2) == ["insured", "the long walk home", "pet plan"])
  }

  @Test func `phrases of a family are written once where they then speak in no other text`() throws {
    func kept(_ questions: [String]) throws -> [String] {
      try PhraseReduction(
        analyzer: shippedModels().analyzer(),
        classes: modelTable("extraction/word-classes.tsv"), questions: questions, notes: []
      ).kept(
        ["collect him", "collect her"],
        PhraseReduction.Cells(file: "", column: "", isAsked: true, isStemmed: false, dropsUnused: true), longest: 2)
    }
    #expect(try kept(["who may collect her?"]) == ["collect <object>"])
    // Narrower classes have both words as well: animals are among their others.
    #expect(try kept(["who may collect them?", "who may collect dog?"]) == ["collect him", "collect her"])
  }
}
