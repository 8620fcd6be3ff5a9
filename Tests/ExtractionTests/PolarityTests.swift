import Clinical
import Testing

@testable import Extraction

/// Whether a note affirms, denies or doubts a target: tests that are away, answers, refusals, and where a denial ends.
@Suite struct PolarityTests {
  struct Row: CustomTestStringConvertible {
    let text: String
    let polarity: Polarity
    var testDescription: String { text }

    init(_ text: String, _ polarity: Polarity = .present) {
      self.text = text
      self.polarity = polarity
    }
  }

  private func check(_ row: Row) throws {
    let marked = Marked(row.text)
    let target = try #require(marked.targets.first)
    let assertion = try Fixtures.extractors.get().classifier.assertion(of: target, in: marked.text)
    #expect(assertion.polarity == row.polarity, "\(assertion)")
  }

  @Test(arguments: [
    Row("[Bartonella] PCR at Langford", .uncertain), Row("[Strangles] - pouch wash pending", .uncertain),
    Row("[Babesia], smear sent", .uncertain), Row("CSF for [EPM]", .uncertain),
    Row("[Lepto] titre 1:200, equivocal", .uncertain),
    Row("[Giardia] snap negative", .absent), Row("[Giardia] snap positive"), Row("[Parvo] snap +, isolated"),
    Row("[Toxoplasma] IgG 1:16 negative", .absent), Row("[Ringworm] - culture negative", .absent),
    Row("Smear neg, [PCR] pending", .uncertain), Row("[Otitis], swab sent"),
    Row("Rads done. [D. immitis] Ag neg.", .absent),
    Row("[Leishmania] titre 800, vomiting"),
  ])
  func `an agent before its test is asked for until a result stands behind`(row: Row) throws { try check(row) }

  @Test(arguments: [
    Row("Any [blood] in stool? O: no", .absent), Row("[Coughing]? Owner says no.", .absent),
    Row("[Vomiting]? Client denies", .absent), Row("[Coughing]? Owner says yes, at night."),
    Row("Toad? No - sudden [drooling]"), Row("Any vomiting? No, [diarrhoea] since Monday"),
    Row("since when [limping]? three days"), Row("[limping]?", .uncertain),
  ])
  func `an answer is about the question alone`(row: Row) throws { try check(row) }

  @Test(arguments: [
    Row("Recommended [dental]. Owner declined.", .absent), Row("Discussed dental for [tartar]. Owner declined."),
    Row("[Ultrasound] has not yet been performed", .absent), Row("[MRI] not available here", .absent),
    Row("[vaccine] omitted", .absent), Row("[Hives] after lepto so vaccine omitted"),
    Row("[oxytocin] useless now so not given", .absent),
    Row("[tablets] made him wobbly so I've not given them", .absent),
    Row("[Frusemide] held today", .absent),
    Row("dont want to skip [Metacam]"),
  ])
  func `what was not done is absent, and the reason is not`(row: Row) throws { try check(row) }

  @Test(arguments: [
    Row("Not eating, [fewer droppings]"), Row("Not drinking, [gums tacky]"),
    Row("not vomiting, [coughing] or sneezing", .absent),
    Row("not lame, dull or [pyrexic]", .absent), Row("No lesions bar a [dry patch]"), Row("no vomiting, hx of [atopy]"),
    Row("No V+/[D+]", .absent), Row("V-/D-/[C]+"), Row("without doubt [arthritis]"),
  ])
  func `a denial stops where the statement changes`(row: Row) throws { try check(row) }

  @Test(arguments: [
    Row("he isn't [limping] any more", .absent), Row("[Regurgitation] none since Sunday", .absent),
    Row("flock [CAE] certified free", .absent), Row("[pain] 0/4", .absent), Row("[pain] 2/4"),
    Row("owners deny [trauma]", .absent), Row("[click] -.", .absent), Row("[follow]-up on Monday"),
    Row("[Pemphigus] out on biopsy", .absent), Row("[tongue] out on the left"),
    Row("[Pancreatitis] can't exclude", .uncertain), Row("Pericarditis suspected: [brisket oedema]"),
    Row("This result does not confirm [FIP]", .uncertain), Row("[IMHA] v zinc", .present),
    Row("[IMHA] v babesiosis", .uncertain), Row("[Lymphoma] is the primary consideration", .uncertain),
  ])
  func `what stands behind may deny or doubt`(row: Row) throws { try check(row) }
}
