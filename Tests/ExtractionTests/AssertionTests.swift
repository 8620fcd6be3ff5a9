import Clinical
import Testing

@testable import Extraction

/// What the classifier says about a target, one row per trap of veterinary notes.
@Suite struct AssertionTests {
  struct Row: CustomTestStringConvertible {
    let text: String
    let polarity: Polarity
    let temporality: Temporality
    let experiencer: Experiencer
    var testDescription: String { text }

    init(
      _ text: String, _ polarity: Polarity = .present, _ temporality: Temporality = .current,
      _ experiencer: Experiencer = .patient
    ) {
      self.text = text
      self.polarity = polarity
      self.temporality = temporality
      self.experiencer = experiencer
    }
  }

  private func check(_ row: Row) throws {
    let classifier = try Fixtures.extractors.get().classifier
    let marked = Marked(row.text)
    let target = try #require(marked.targets.first)
    let assertion = classifier.assertion(of: target, in: marked.text)
    #expect(assertion.polarity == row.polarity, "\(assertion)")
    #expect(assertion.temporality == row.temporality, "\(assertion)")
    #expect(assertion.experiencer == row.experiencer, "\(assertion)")
  }

  @Test(arguments: [
    Row("No vomiting but [diarrhoea] since Monday"), Row("no V, [D] ongoing"),
    Row("No [vomiting], diarrhoea or cough", .absent), Row("No vomiting, diarrhoea or [cough]", .absent),
    Row("no vomiting; [cough] at night"), Row("No discharge, [lethargic]"),
    Row("No cough, appetite [reduced]"), Row("diarrhoea (no [blood]) for two days", .absent),
    Row("(no vomiting) [diarrhoea] for two days"), Row("no [crackles], however murmur heard", .absent),
    Row("no crackles, however [murmur] heard"), Row("No seizures since starting [phenobarbital]"),
    Row("denies [C/S/V/D]", .absent), Row("not [lame], dull or pyrexic", .absent),
    Row("not lame, dull or [pyrexic]", .absent), Row("neither cough nor [sneeze] reported", .absent),
    Row("no abnormalities apart from mild [tartar]"), Row("No murmur and [eating] well"),
  ])
  func `negation ends where the enumeration does`(row: Row) throws { try check(row) }

  @Test(arguments: [
    Row("no change in [cough]"), Row("Not only [vomiting] but also dull"), Row("no improvement in the [lameness]"),
    Row("No doubt about the [murmur]"), Row("not [coughing] as much"), Row("did not respond to [metronidazole]"),
    Row("without improvement in [pruritus]"), Row("[lameness] has not resolved"),
  ])
  func `pseudo-negation leaves the finding present`(row: Row) throws { try check(row) }

  @Test(arguments: [
    Row("Owner opted not to treat [lymphoma]."), Row("Not eating, [vomiting] blood."),
    Row("Lame 0/5 LF, [pain] 4/4 RH"),
    Row("[cough]: none", .absent), Row("[FIV] neg", .absent), Row("[vomiting] - no", .absent),
    Row("[Penicillin allergy] on file, any others? No."),
    Row("[Facial swelling] last year, anything else to note? No", .present, .historical),
    Row("[Vomiting] since Monday, has he eaten anything odd? No."), Row("Any [vomiting], diarrhoea? No", .absent),
    Row("Any vomiting, any [cough]? No", .absent),
    Row("any [vomiting]? no", .absent), Row("Any coughing? No. Any [sneezing]? Yes, daily."),
    Row("[pancreatitis] ruled out", .absent), Row("[murmur] not heard today", .absent), Row("Chest [NAD] heard"),
    Row("Owner declined [dental]", .absent), Row("[Bloods] discussed - O declined", .absent),
    Row("Faint [scar] OD, fluorescein neg"), Row("[Vomiting], diarrhoea and cough all denied", .absent),
    Row("[V]-, D+", .absent), Row("V-, [D]+"), Row("[V]/D-", .absent), Row("C/S/[V]/D: nil", .absent),
    Row("[follow]-up today"),
  ])
  func `a denial may stand behind`(row: Row) throws { try check(row) }

  @Test(arguments: [
    "wasn't", "wasn’t", "wasnt", "wasn`t", "wasent", "wasn t", "was not", "was nto", "hasnt been", "WASN'T",
  ])
  func `a contraction denies in every spelling`(denial: String) throws {
    for row in [Row("[Dental] \(denial) done", .absent), Row("[murmur] \(denial) heard, lame", .absent)] {
      try check(row)
    }
  }

  @Test(arguments: [
    Row("[UPC] n/t - no urine", .absent), Row("[ECG] n/d today", .absent), Row("[TLI] nt, tube broke", .absent),
    Row("[lipase] nver run", .absent, .historical), Row("He won't [settle]", .absent),
    Row("[Bloods]? Owner declind.", .absent),
  ])
  func `shorthand and slips deny`(row: Row) throws { try check(row) }

  @Test(arguments: [
    Row("?[pancreatitis]", .uncertain), Row("[pancreatitis]?", .uncertain), Row("susp [FB]", .uncertain),
    Row("r/o [Addison's]", .uncertain), Row("cannot exclude [pyometra]", .uncertain),
    Row("[FB] cannot be ruled out", .uncertain), Row("DDx: FB, [pancreatitis], neoplasia", .uncertain),
    Row("[Histology] pending", .uncertain), Row("changes consistent with [HCM]", .uncertain),
    Row("[lymphoma] vs reactive hyperplasia", .uncertain), Row("Suspect FB given [vomiting]"),
    Row("Suspected UTI, started on [amoxicillin]"), Row("suspected [pancreatitis] confirmed on ultrasound"),
    Row("[asthma], presumed", .uncertain),
  ])
  func `doubt is neither yes nor no`(row: Row) throws { try check(row) }

  @Test(arguments: [
    Row("hx of [GDV] 2019", .present, .historical), Row("Previously on [phenobarbital]", .present, .historical),
    Row("[Cruciate repair] in 2019", .present, .historical), Row("[vomiting] has resolved", .present, .historical),
    Row("no longer [coughing]", .present, .historical), Row("[Pred] stopped", .present, .historical),
    Row("PMHx: [pancreatitis], atopy", .present, .historical), Row("6/12 ago had [cystitis]", .present, .historical),
    Row("No hx of [seizures]", .absent, .historical), Row("never had a [seizure]", .absent, .historical),
    Row("[coughing] since 2019"), Row("3 day history of [vomiting]"), Row("Known [diabetic] on insulin"),
    Row("used to get [ear infections]", .present, .historical), Row("as a puppy he had [parvo]", .present, .historical),
  ])
  func `what is over is told from what goes on`(row: Row) throws { try check(row) }

  @Test(arguments: [
    Row("if [collapses] call us", .present, .hypothetical), Row("monitor for [seizures]", .present, .hypothetical),
    Row("Should he [vomit] again, ring", .present, .hypothetical), Row("warned re [GI upset]", .present, .hypothetical),
    Row("risk of [haemorrhage] explained", .present, .hypothetical),
    Row("vaccinated to prevent [leptospirosis]", .present, .hypothetical),
    Row("Plan:\n- monitor\n- [bloods] next visit", .present, .hypothetical),
    Row("Plan: start [meloxicam] 0.1 mg/kg SID"), Row("[gabapentin] 100 mg if needed"),
  ])
  func `advice and conditions are no findings`(row: Row) throws { try check(row) }

  @Test(arguments: [
    Row("Housemate has [FIV]", .present, .current, .other), Row("Dam had [epilepsy]", .present, .historical, .other),
    Row("owner has [asthma]", .present, .current, .other), Row("Owner has noticed [vomiting]"),
    Row("O reports [cough]"), Row("Mum says he is [limping]"), Row("Bitten by neighbour's dog, now [lame]"),
    Row("[epilepsy] in littermate", .present, .current, .other), Row("Housemate well, [vomiting] since Tuesday"),
    Row("Owner has a cold, dog [coughing]"), Row("Neighbour's dog has [kennel cough]", .present, .current, .other),
    Row("r/o [hypothyroidism]", .uncertain),
  ])
  func `other animals and people are not the patient`(row: Row) throws { try check(row) }

  @Test func `cues point at the words that decided`() throws {
    let classifier = try Fixtures.extractors.get().classifier
    let text = "Bright. No obvious pain on palpation."
    let marked = Marked("Bright. No obvious [pain] on palpation.")
    let assertion = classifier.assertion(of: try #require(marked.targets.first), in: text)
    #expect(assertion.cues.map { text.slice(utf8: $0.range).map(String.init) } == ["No obvious"])
  }

  @Test func `an empty or distant target is present and has no cue`() throws {
    let classifier = try Fixtures.extractors.get().classifier
    #expect(classifier.assertion(of: 0..<0, in: "") == Assertion())
    #expect(classifier.assertion(of: 900..<910, in: "no cough") == Assertion())
  }
}
