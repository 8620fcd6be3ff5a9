import Clinical
import Testing
import TextAnalysis
import VetNetTestSupport

@Suite struct SectionSplitterTests {
  private let splitter: SectionSplitter

  init() throws { splitter = try Fixtures.sections.get() }

  /// `kind|heading|body` with line ends as `/`, white space trimmed.
  private func outline(_ text: String) -> [String] {
    splitter.sections(of: text).map {
      "\($0.kind)|\(text.at($0.heading).trimmingSpaces())|\(text.at($0.body).trimmingSpaces())"
    }
  }

  @Test func `SOAP letters with colons`() {
    #expect(
      outline("S: off food\nO: T 39.6\nA: ?pancreatitis\nP: bloods")
        == ["subjective|S:|off food", "objective|O:|T 39.6", "assessment|A:|?pancreatitis", "plan|P:|bloods"])
  }

  @Test func `SOAP letters alone on their lines, after words without a heading`() {
    #expect(
      outline("Bella, 7y Lab\r\nS\r\nwell\r\nO\r\nNAD\r\n")
        == ["body||Bella, 7y Lab", "subjective|S|well", "objective|O|NAD"])
  }

  @Test(arguments: [
    "O: reports vomiting for two days", "P: 120, regular", "T: 38.5", "s: small", "Weight: 12.4 kg", "Glucose: 5.1",
    "Seen by: Dr Marsh", "Planning to move house", "History repeats itself here", "# L tibia, splinted",
    "Lab - yellow, 7y",
  ]) func `what only looks like a heading`(text: String) {
    #expect(splitter.sections(of: text).map(\.kind) == ["body"])
  }

  @Test(arguments: [
    ("Hx: vomiting", "history"), ("History: vomiting", "history"), ("CE: bright", "objective"),
    ("O/E BAR, T 38.5", "objective"), ("O/E: BAR", "objective"), ("Exam - NAD", "objective"),
    ("Assessment: OA", "assessment"), ("Dx: OA", "assessment"), ("DDx: IBD", "differentials"), ("plan: bloods", "plan"),
    ("PLAN", "plan"), ("Tx: rest", "treatment"), ("Rx: meloxicam", "treatment"), ("Advice: rest", "advice"),
    ("Labs: ALT 38", "diagnostics"), ("Results (in-house): ALT 38", "diagnostics"), ("To do: ring", "plan"),
    ("Discharge: today", "advice"), ("Summary: stable", "summary"), ("A/P: recheck", "assessment"),
    ("## Plan\nbloods", "plan"), ("# History\nwell", "history"), ("**Plan:** bloods", "plan"), ("**Plan**: x", "plan"),
    ("1. History: well", "history"), ("## Something else\nx", "other"), ("EAR SWAB REPORT:\nx", "other"),
    ("Current meds: pimobendan", "current medication"), ("Allergies: none", "alerts"),
  ]) func `headings in the many ways they are written`(text: String, kind: String) {
    let sections = splitter.sections(of: text)
    #expect(sections.map(\.kind) == [kind])
    #expect(sections.first?.heading.isEmpty == false)
  }

  @Test func `items of a plan are no headings, words in capitals are`() {
    #expect(
      outline("Plan\nbloods\nUltrasound\nrecheck\nRADIOGRAPHS\nnormal")
        == ["plan|Plan|bloods\nUltrasound\nrecheck", "diagnostics|RADIOGRAPHS|normal"])
  }

  @Test func `every form of the table is found with its row's example`() throws {
    for row in try modelTable("lexicon/sections.tsv").rows {
      #expect(!row["source"].isEmpty)
      // A letter that needs another one gets it.
      let text = row["rule"] == "partner" ? "S: well\n" + row["example"] : row["example"]
      #expect(splitter.sections(of: text).map(\.kind).contains(row["kind"]), "\(row["id"])")
    }
  }

  @Test(arguments: 0..<60) func `sections cover the text in order and without gap`(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    let text = RandomText.notes(pieces: 80, using: &generator)
    let borders = text.codePointBorders
    var end = 0
    for section in splitter.sections(of: text) {
      #expect(section.heading.lowerBound == end)
      #expect(section.heading.upperBound == section.body.lowerBound)
      #expect(borders.contains(section.heading.upperBound))
      end = section.body.upperBound
    }
    #expect(end == text.utf8.count)
  }

  @Test func `an empty text has no section`() {
    #expect(splitter.sections(of: "").isEmpty)
  }

  @Test func `two rows cannot claim one heading`() throws {
    let table = try DataTable(name: "t", text: "id\tkind\tform\trule\na\tplan\tPlan\tword\nb\tadvice\tplan\tword\n")
    #expect(throws: DataTableError.self) { try SectionSplitter(headings: table) }
  }
}
