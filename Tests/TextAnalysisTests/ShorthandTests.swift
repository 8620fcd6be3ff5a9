import Clinical
import Testing
import TextAnalysis
import VetNetTestSupport

@Suite struct ShorthandTests {
  private let lexicon: ShorthandLexicon
  private let table: DataTable

  init() throws {
    lexicon = try Fixtures.lexicon.get().shorthand
    table = try Fixtures.shorthand.get()
  }

  /// The ids of the rows that expand something in `text`.
  private func meanings(in text: String) -> [String] {
    let tokens = Tokenizer().tokens(in: text)
    return tokens.indices.compactMap { lexicon.meaning(at: $0, in: tokens)?.id }
  }

  @Test func `every row has a source and an example that it expands`() {
    for row in table.rows {
      #expect(!row["source"].isEmpty && !row["example"].isEmpty, "\(row["id"])")
      #expect(meanings(in: row["example"]).contains(row["id"]), "\(row["id"]): \(row["example"])")
    }
  }

  @Test func `no row expands its negative example`() {
    for row in table.rows where !row["negative_example"].isEmpty {
      #expect(!meanings(in: row["negative_example"]).contains(row["id"]), "\(row["id"]): \(row["negative_example"])")
    }
  }

  @Test func `every form is one token as the tokenizer cuts`() {
    for form in lexicon.forms {
      let tokens = Tokenizer().tokens(in: form)
      let bare = form.filter { $0 != "." }
      #expect(tokens.first.map { $0.text.filter { $0 != "." } } == bare, "\(form): \(tokens.map(\.text))")
    }
  }

  @Test(arguments: [
    ("OD corneal ulcer, fluorescein positive", "right"),
    ("meloxicam 1 tab OD with food", "once"),
    ("toxic overdose, OD of ibuprofen, accidental", "overdose"),
    ("DM, on Caninsulin 4 units, glucose 22", "diabetes"),
    ("suspect DM: progressive paraparesis, knuckling, SOD1 sent", "degenerative"),
    ("PE: bright, mm pink, CRT <2", "physical"),
    ("AS murmur grade 3, echo advised", "aortic"),
    ("AS canal waxy, drum intact", "left"),
    ("EPI: TLI low, start Creon", "exocrine"),
    ("CPR: EPI 0.01 mg/kg IV", "epinephrine"),
    ("OE bilaterally, waxy canals", "otitis"),
    ("OE: T 38.5, chest clear", "examination"),
    ("USG 1.012, dipstick quiet", "gravity"),
    ("PLN normal on palpation, popliteal 1 cm", "peripheral"),
  ]) func `the words around decide between meanings`(text: String, word: String) {
    let tokens = ShorthandFilter(lexicon: lexicon).apply(to: Tokenizer().tokens(in: text))
    #expect(tokens.contains { $0.text == word }, "\(tokens.map(\.text))")
  }

  @Test(arguments: ["OD", "DM diagnosed", "AS seen", "EPI discussed", "referred as OD was raised", "MI noted"])
  func `without support an ambiguous form stays as it is`(text: String) {
    let tokens = Tokenizer().tokens(in: text)
    #expect(tokens.indices.allSatisfy { lexicon.meaning(at: $0, in: tokens) == nil })
  }

  @Test func `support for two meanings is support for none`() {
    #expect(meanings(in: "OD eye drops, one tab").allSatisfy { !$0.hasPrefix("od") })
  }

  @Test(arguments: [
    "as the ear is waxy", "bar the door", "ate us out of house", "it was or is", "he had bad ears as ever",
  ])
  func `plain English is not shorthand`(text: String) {
    #expect(meanings(in: text) == [])
  }

  @Test func `support counts up to six words away and no further`() {
    let near = "DM one two three four five insulin"
    let far = "DM one two three four five six insulin"
    #expect(meanings(in: near) == ["dm-diabetes-mellitus"])
    #expect(meanings(in: far) == [])
  }

  @Test func `the written form stays beside its meaning`() {
    let tokens = ShorthandFilter(lexicon: lexicon).apply(to: Tokenizer().tokens(in: "HBC today"))
    #expect(tokens.map(\.text) == ["HBC", "hit", "by", "car", "today"])
    #expect(tokens.prefix(4).allSatisfy { $0.range == 0..<3 && $0.position == 0 })
  }

  @Test(arguments: [
    "PU/PD", "V/D", "C/S/V/D", "HBC", "RTA", "BDLD", "ADR", "BAR", "QAR", "NSF", "NAD", "WNL", "CRT", "P&M", "TPR",
    "HR",
    "RR", "SRR", "BP", "SpO2", "NSR", "LN", "NPO", "SID", "BID", "TID", "QID", "EOD", "PRN", "SC", "IM", "CRI", "IVFT",
    "LRS", "GA", "FNA", "Bx", "CBC", "PCV", "UA", "UPC", "T4", "fT4", "TSH", "SDMA", "ALT", "ALP", "BUN", "Crea", "iCa",
    "BG", "LDDST", "cPLI", "fPLI", "TLI", "proBNP", "FeLV", "FIV", "FIP", "FCoV", "FHV", "FCV", "CDV", "CPV", "DKA",
    "HAC",
    "HOAC", "HT4", "CCL", "TPLO", "TTA", "MPL", "IVDD", "FHNE", "OA", "DJD", "CKD", "AKI", "HCM", "DCM", "MMVD", "CHF",
    "PDA", "ATE", "FATE", "IMHA", "IMTP", "DIC", "GDV", "FB", "HGE", "AHDS", "IBD", "PLE", "FLUTD", "FIC", "UO", "UTI",
    "USMI", "KCS", "IOP", "OU", "STT", "PLR", "SCCED", "AU", "CAD", "AFR", "FAD", "MCT", "STS", "OSA", "LSA", "HSA",
    "TCC",
    "URI", "URTI", "BOAS", "NCPO", "OVH", "COHAT", "U/S", "XR", "PTS", "DOA", "DNR", "CPR", "AMA", "rDVM", "TGH", "UTD",
    "NSAID", "AED", "pred", "gaba", "metro", "LVM", "LMN", "UMN", "MUO", "DSH", "MN", "FS", "BCS", "Hx", "DDx", "r/o",
    "r/v",
  ]) func `the abbreviations of daily notes are known by themselves`(form: String) {
    let known = lexicon.candidates(for: form)
    #expect(!known.isEmpty)
    if form != "ADR" { #expect(known.contains { !$0.needsContext }) }
  }

  @Test func `a form with two meanings needs context for both`() throws {
    let table = try DataTable(
      name: "t", text: "id\tform\texpansion\tcase\tcontext\na\tOD\tright eye\tupper\teye\nb\tOD\tonce daily\tupper\t\n")
    #expect(throws: DataTableError.self) { try ShorthandLexicon(table: table) }
  }

  @Test(arguments: [
    "id\tform\texpansion\tcase\tcontext\na\t\tright eye\tupper\t",
    "id\tform\texpansion\tcase\tcontext\na\tOD\t\tupper\t",
    "id\tform\texpansion\tcase\tcontext\na\tOD\tright eye\tsometimes\t",
  ]) func `a row that says nothing is an error`(text: String) throws {
    let table = try DataTable(name: "t", text: text)
    #expect(throws: DataTableError.self) { try ShorthandLexicon(table: table) }
  }
}
