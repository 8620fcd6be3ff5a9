import Clinical
import Testing

@testable import Extraction

/// When something is so: dates and their reach, what lasts, what ended, what may come.
@Suite struct TimeTests {
  typealias Row = AssertionTests.Row

  private func check(_ row: Row) throws {
    let classifier = try Fixtures.extractors.get().classifier
    let marked = Marked(row.text)
    let target = try #require(marked.targets.first)
    let assertion = classifier.assertion(of: target, in: marked.text)
    if row.temporality != .hypothetical { #expect(assertion.polarity == row.polarity, "\(assertion)") }
    #expect(assertion.temporality == row.temporality, "\(assertion)")
  }

  @Test(arguments: [
    Row("3/11/21: [pyoderma], cephalexin. 9/2/23: bitten paw. 4/20/24: sneezing, no fever.", .present, .historical),
    Row("3/11/21: pyoderma. 9/2/23: [bitten paw]. 4/20/24: sneezing, no fever.", .present, .historical),
    Row("3/11/21: pyoderma. 9/2/23: bitten paw. 4/20/24: [sneezing], no fever."),
    Row("3/11/21: pyoderma. 9/2/23: bitten paw. 4/20/24: sneezing, no [fever].", .absent),
    Row("2019-05 [keratitis] L. 2023-08 dull, off food.", .present, .historical),
    Row("14.2.22 [colic], resolved. 3.9.22 tooth abscess. 20.6.24 choke.", .present, .historical),
    Row("4 Mar 2021 – [gastritis]. 12 Oct 2023 – limping.", .present, .historical),
    Row("Feb: [cystitis]. Sept: weight loss.", .present, .historical),
    Row("2/21 [uveitis] OD. 7/23 uveitis again. 5/24 today: blind OD.", .present, .historical),
    Row("5/24 today: [cough]. 1/20 kennel cough."),
    Row("4/20/24: [sneezing]. 9/2/23: bitten paw."),
    // One illness's days are one episode.
    Row("2/3 [vomiting] x4. 4/3 better. 6/3 dull again."), Row("1/6: [ataxia]. 1/20: improved. 2/12: stable."),
    Row("12 Dec [icterus]. 3 Jan bilirubin down."),
    // What lasts is not over because it is old.
    Row("06/2019: [epilepsy] diagnosed. 02/2021: bite wound. 03/2025: annual check."),
    // What nobody took away is there still.
    Row("10/01/2026 weight steady. 02/04/2026 flank 2 cm, FNA [mast cell tumour]. 01/09/2026 nails clipped."),
    Row("10/01/2026 [lump] on elbow. 01/09/2026 nails clipped."),
    Row("0930 [seizure], diazepam. 2015 quiet. 2145 ate."),
    Row("[Murmur] grade 3/6. 1/2 tablet twice daily."),
  ])
  func `a date months before the latest makes its entry past`(row: Row) throws { try check(row) }

  @Test(arguments: [
    Row("[HCM] on echo in 2021."), Row("PMHx: [diabetes] (on Caninsulin), spay."),
    Row("Hx of [hypothyroidism] since 2020."),
    Row("PMHx: [gastritis], spay.", .present, .historical), Row("[Gastritis] in 2021.", .present, .historical),
    Row("[FIV] negative in 2021.", .absent, .historical), Row("[Lipoma] removed 2019.", .present, .historical),
    Row("Hx: otitis, on [Apoquel]."), Row("PMHx: asthma (on [Flixotide]).", .present, .current),
    Row("Previously noted [splenic nodule] is unchanged."), Row("Carprofen replaced by [grapiprant] in June."),
    Row("Meloxicam stopped - [melaena]."), Row("[Meloxicam] stopped - melaena.", .present, .historical),
    Row("Recheck: [otitis externa] less red."), Row("Recheck [bloods] in 2 weeks.", .present, .hypothetical),
    Row("Risk of reflux, hence the [omeprazole]."), Row("[Dropped two kilos] as planned."),
    Row("[Rabies vaccine] overdue, given today."),
  ])
  func `what lasts goes on, whatever its date`(row: Row) throws { try check(row) }

  @Test(arguments: [
    Row("Abscess 3/2020, [gastritis] 12/2021, both resolved.", .present, .historical),
    Row("Day 4 post [cystotomy], urinating well.", .present, .historical),
    Row("Following her [pinnectomy] she wears a collar.", .present, .historical),
    Row("[Antitoxin] given Sunday.", .present, .historical), Row("[Vaccinated] on arrival.", .present, .historical),
    Row("[Fenbendazole] 5 d course done.", .present, .historical),
    Row("Relapsed after a course of [doxycycline].", .present, .historical),
    Row("She has received [cefalexin] without effect.", .present, .historical),
    Row("[Crackles] heard at admission have gone.", .present, .historical),
    Row("Operated on for a [corneal ulcer] at 4.", .present, .historical),
    Row("Last culture: [Proteus].", .present, .historical), Row("No [hives] then.", .absent, .historical),
    Row("[Infection] at the drain site has since cleared.", .present, .historical),
    Row("Bit of [colic] on the lorry, settled with a walk.", .present, .historical),
    Row("Past history includes colotomy and [pleurisy].", .present, .historical),
    Row("No [orf] in flock history.", .absent, .historical), Row("[Ringworm] as kitten.", .present, .historical),
    Row("[Metronidazole] stopped last night.", .present, .historical), Row("[Metronidazole] started last night."),
  ])
  func `what was done or found once is past`(row: Row) throws { try check(row) }

  @Test(arguments: [
    Row("[Colloids] if <20 tomorrow.", .present, .hypothetical), Row("[Luxation] can recur.", .present, .hypothetical),
    Row("[Melaena] would be an emergency.", .present, .hypothetical),
    Row("[Pale gums] mean straight in.", .present, .hypothetical),
    Row("[Colic] risk on new grass.", .present, .hypothetical),
    Row("Many cats will get [cystitis] again.", .present, .hypothetical),
    Row("[Recurrence] in about 10 %.", .present, .hypothetical),
    Row("Can I give her [ibuprofen]?", .present, .hypothetical),
    Row("Told him no [aspirin].", .present, .hypothetical), Row("Reminder [fleas] in autumn.", .present, .hypothetical),
    Row("Referred to Utrecht for [CT].", .present, .hypothetical),
    Row("Plan [dental] in March.", .present, .hypothetical),
    Row("Owners agreed on [enucleation].", .present, .hypothetical),
    Row("O to ring for temp >39.5 or [lethargy].", .present, .hypothetical),
    Row("Rec [dental], O will think about it.", .present, .hypothetical),
    Row("[Neutering] after recovery.", .present, .hypothetical), Row("[Pancreatitis] possible.", .uncertain),
    Row("[Lymphoma] to be considered.", .uncertain), Row("P: rest, no [surgery].", .absent),
    Row("[Coughing] when excited."), Row("Repeat [Giardia] test sent Monday.", .uncertain),
    Row("[Drooling] is possible for an hour.", .present, .hypothetical),
  ])
  func `what may come is told from what is`(row: Row) throws { try check(row) }

  @Test(arguments: [
    Row("Queen was [FeLV] positive."), Row("Queen had [FeLV].", .present, .historical),
    Row("Companion tested neg for [Bordetella].", .absent),
  ])
  func `a test's result of another animal is so still`(row: Row) throws { try check(row) }
}
