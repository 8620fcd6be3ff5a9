import Clinical
import Testing
import VetNetTestSupport

@testable import Extraction

/// Cues that name every form of a verb, or a class of few words: each form decides, and what only looks like one doesn't.
@Suite struct InflectedCueTests {
  struct Row: CustomTestStringConvertible {
    let sentence: String
    let verb: String
    let polarity: Polarity
    let temporality: Temporality
    var testDescription: String { "\(verb): \(sentence)" }

    init(_ sentence: String, _ verb: String, _ polarity: Polarity = .present, _ temporality: Temporality = .current) {
      self.sentence = sentence
      self.verb = verb
      self.polarity = polarity
      self.temporality = temporality
    }
  }

  private func check(_ sentence: String, _ polarity: Polarity, _ temporality: Temporality) throws {
    let marked = Marked(sentence)
    let target = try #require(marked.targets.first)
    let assertion = try Fixtures.extractors.get().classifier.assertion(of: target, in: marked.text)
    #expect(assertion.polarity == polarity && assertion.temporality == temporality, "\(sentence): \(assertion)")
    #expect(assertion.experiencer == .patient, "\(sentence): \(assertion)")
  }

  @Test(arguments: [
    Row("Owner # not to have [dental].", "opt", .absent), Row("Owner # against [surgery].", "elect", .absent),
    Row("Owner # not to do [surgery].", "elect", .absent), Row("He # to take [Metacam].", "refuse", .absent),
    Row("She # out the [Metacam].", "spit", .absent), Row("Signs # [pancreatitis].", "mimic", .uncertain),
    Row("Signs # [pancreatitis].", "resemble", .uncertain), Row("Films # [pneumonia].", "suggest", .uncertain),
    Row("We # [dental].", "recommend", .present, .hypothetical),
    Row("We # for [lepto].", "vaccinate", .present, .hypothetical), Row("[Cough] not # to steroids.", "respond"),
    Row("[Food] not #.", "tolerate"), Row("# against the [wound].", "brush"),
  ])
  func `each form of a verb decides as the others do`(row: Row) throws {
    let forms = try VerbForms(table: modelTable(PhraseNotation.verbFile)).forms(of: row.verb)
    #expect(forms.count > 2)
    for form in forms { try check(row.sentence.replacing("#", with: form), row.polarity, row.temporality) }
  }

  @Test(arguments: [
    ("[Seizure] two years #, well since.", ["ago", "back"], Polarity.present, Temporality.historical),
    ("[Seizure] ages #, well since.", ["ago", "back"], .present, .historical),
    ("[Itchy] in the # of his first year.", ["spring", "summer", "autumn", "winter"], .present, .historical),
    ("# if [collapses].", ["Ring", "Call", "Phone"], .present, .hypothetical),
    ("[Pancreatitis], #.", ["maybe", "perhaps", "possibly", "probably"], .uncertain, .current),
    ("[Pain] score 0/#.", ["3", "4", "5", "6", "10"], .absent, .current),
  ])
  func `each word of a closed class decides as the others do`(
    sentence: String, words: [String], polarity: Polarity, temporality: Temporality
  ) throws {
    for word in words { try check(sentence.replacing("#", with: word), polarity, temporality) }
  }

  @Test(arguments: [
    ("Ate refuse from the bin, [vomiting] since.", Polarity.present, Temporality.current),
    ("[Lame] and gone off his food.", .present, .current), ("[Lame] and gone very quiet.", .present, .current),
    ("3 [seizures] in 1 day.", .present, .current), ("5 [seizures] in one week.", .present, .current),
    ("At this point with [vomiting] again.", .present, .current), ("[Pyometra], emergency spay.", .present, .current),
    ("[Collapse] on walk, recovered.", .present, .current), ("[Diabetes], now stable.", .present, .current),
    ("Discharged with [gabapentin] to be given TID.", .present, .current),
    ("[Lump], booster given; call if it grows.", .present, .current), ("[Pain] score 2/4.", .present, .current),
    ("Had [surgery] in 2021 w/ full recovery.", .present, .historical),
    ("[MRI] done, discospondylitis unlikely.", .present, .current),
    ("Swam all Sunday, next day [tail hung limp].", .present, .current),
    ("He has been living with the [diarrhoea] for a week.", .present, .current),
    ("Dog bitten by [snake]? two marks on the lip.", .uncertain, .current),
  ])
  func `what only looks like a form of a cue decides nothing`(
    sentence: String, polarity: Polarity, temporality: Temporality
  ) throws {
    try check(sentence, polarity, temporality)
  }
}
