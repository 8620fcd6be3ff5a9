import Clinical
import Testing

@testable import Extraction

/// What the mechanism does with cues, beside what the table says.
@Suite struct AssertionMechanismTests {
  private func assertion(_ marked: String) throws -> Assertion {
    let marked = Marked(marked)
    return try Fixtures.extractors.get().classifier.assertion(
      of: try #require(marked.targets.first), in: marked.text)
  }

  @Test(arguments: [
    "Surgery to be raised if ever [blocked] again – O not keen", "If [vomiting] recurs, do not give more food",
    "Stop if [black stools]", "restart [oclacitinib] if itchy again", "if [lame] tomorrow, owner declined rads for now",
  ])
  func `a condition keeps its words from what is said behind it`(text: String) throws {
    let assertion = try assertion(text)
    #expect(assertion.temporality == .hypothetical, "\(assertion)")
    #expect(assertion.polarity == .present, "\(assertion)")
  }

  @Test(arguments: [
    ("Any [coughing]?\nNo", Polarity.absent), ("Any [coughing]?\nNo\nAny vomiting?\nYes", .absent),
    ("Any coughing?\nNo\nAny [vomiting]?\nYes, twice", .present), ("[Pain]?\nNo murmur heard", .uncertain),
  ])
  func `an answer may stand on the next line, alone`(text: String, polarity: Polarity) throws {
    #expect(try assertion(text).polarity == polarity)
  }

  @Test func `a cue inside a longer one counts for what the longer one holds`() throws {
    // "if vomiting" is a cue for what stands before it; asked about the vomiting itself, the "if" counts.
    #expect(try assertion("Ring if [vomiting]").temporality == .hypothetical)
    #expect(try assertion("[maropitant] if vomiting").temporality == .hypothetical)
  }

  @Test(arguments: [
    ("owner's husband on [warfarin]", Experiencer.other), ("plays with a dog that had [kennel cough]", .other),
    ("lost their last Boxer to [lymphoma]", .other), ("no one else in the house [itchy]", .other),
    ("Mum (Mrs K) noticed [blood] in urine", .patient),
    ("O had flu so missed [booster]", .patient), ("friend gave him her dog's [carprofen]", .patient),
  ])
  func `people and other animals are told from the patient`(text: String, experiencer: Experiencer) throws {
    #expect(try assertion(text).experiencer == experiencer)
  }

  @Test(arguments: [
    ("[TPLO] L stifle 2020", Temporality.historical), ("[epilepsy], last fit 2021", .current),
    ("Lump first noted 2 months ago, [growing]", .current), ("switched from [meloxicam] to robenacoxib", .historical),
    ("switched from meloxicam to [robenacoxib]", .current), ("[lameness], was fine in June", .current),
    ("PMHx includes [GDV] at 3y", .historical), ("metacam not given as [renal disease]", .current),
  ])
  func `what is past is told from what goes on`(text: String, temporality: Temporality) throws {
    #expect(try assertion(text).temporality == temporality)
  }
}
