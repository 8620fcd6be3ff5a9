import Clinical
import Testing
import VetNetTestSupport

@Suite struct VerbFormsTests {
  private static let verbs = Result { try VerbForms(table: modelTable(PhraseNotation.verbFile)) }

  @Test(
    "each verb has its forms, by rule or by the table",
    arguments: [
      ("decline", "decline declines declined declining"), ("want", "want wants wanted wanting"),
      ("stop", "stop stops stopped stopping"), ("swab", "swab swabs swabbed swabbing"),
      ("cancel", "cancel cancels cancelled cancelling"), ("heal", "heal heals healed healing"),
      ("vomit", "vomit vomits vomited vomiting"), ("show", "show shows showed shown showing"),
      ("carry", "carry carries carried carrying"), ("stay", "stay stays stayed staying"),
      ("die", "die dies died dying"), ("agree", "agree agrees agreed agreeing"),
      ("discuss", "discuss discusses discussed discussing"), ("go", "go goes went gone going"),
      ("give", "give gives gave given giving"), ("opt", "opt opts opted opting"),
      ("refer", "refer refers referred referring"), ("have", "have has had having"),
      ("begin", "begin begins began begun beginning"), ("put", "put puts putting"),
    ])
  func forms(verb: String, forms: String) throws {
    #expect(try Self.verbs.get().forms(of: verb).joined(separator: " ") == forms)
  }

  @Test func `a verb of the table has a form that the rules don't give`() throws {
    let (all, rules) = (try Self.verbs.get(), VerbForms())
    let table = try modelTable(PhraseNotation.verbFile)
    #expect(table.rows.count > 50)
    for row in table.rows {
      let verb = row["verb"]
      #expect(all.forms(of: verb) != rules.forms(of: verb), "\(verb)")
    }
  }

  @Test(
    "a row that says nothing, or of no verb, is refused with its line",
    arguments: ["give\t", "Give\tgave", "g\tgave", "give up\tgave up", "\tgave"])
  func refused(row: String) {
    let error = #expect(throws: DataTableError.self) {
      try VerbForms(table: DataTable(name: "v.tsv", text: "verb\tpast\tgerund\tthird\n\(row)\n"))
    }
    #expect(error?.line == 2)
  }

  @Test func `a verb that stands there twice is refused`() {
    let error = #expect(throws: DataTableError.self) {
      try VerbForms(table: DataTable(name: "v.tsv", text: "verb\tpast\tgerund\tthird\ngive\tgave\ngive\tgiven\n"))
    }
    #expect(error?.line == 3 && error?.problem.contains("give") == true)
  }
}
