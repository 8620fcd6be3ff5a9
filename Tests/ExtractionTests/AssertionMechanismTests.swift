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

  @Test(arguments: [
    ("If still sore at the end of the bottle -> [culture]", Temporality.hypothetical),
    ("If still sore at the end of the bottle → [culture]", .hypothetical),
    ("[furosemide] if effort rises", .hypothetical), ("[biopsy] only if it grows", .hypothetical),
    ("[yelps] if touched", .current), ("[cough] when excited", .current),
    ("P: [meloxicam], rest", .current), ("P: [radiographs] Monday, rest", .hypothetical),
    ("To consider: [ciclosporin]", .hypothetical), ("[MRI] to be considered", .hypothetical),
    ("[liver shunt] to be considered", .current), ("owner wary of [anaesthesia]", .hypothetical),
    ("come in if weak or [twitching]", .hypothetical), ("consider [lymphoma]", .current),
    ("consider [surgery]", .hypothetical),
  ])
  func `what is done on a condition is no sign that comes with one`(text: String, temporality: Temporality) throws {
    #expect(try assertion(text).temporality == temporality)
  }

  @Test(arguments: [
    ("[oclacitinib] did little, switched to lokivetmab", Temporality.historical),
    ("itchy again, switched to [lokivetmab]", .current), ("[itchy], now on lokivetmab", .current),
    ("[meloxicam] changed to once daily", .current), ("gabapentin has replaced [tramadol]", .historical),
    ("[gabapentin] has replaced tramadol", .current), ("no response to [amoxicillin]", .historical),
    ("was [lame] overnight, sound now", .historical), ("[vomiting] since Friday, eating well", .current),
    ("[cough] for a week, dull now", .current), ("no [seizure] hx", .historical),
    ("[fentanyl] off at 06:00", .historical), ("meloxicam stopped because of [melaena]", .historical),
    ("on [aspirin] before I got her but not now", .historical), ("[lump] to be removed", .current),
  ])
  func `a treatment that was replaced and a trouble that is over are past`(
    text: String, temporality: Temporality
  ) throws {
    #expect(try assertion(text).temporality == temporality)
  }

  @Test(arguments: [
    ("not lame at walk, [lame] at trot", Polarity.present), ("[lame] at trot, not at walk", .present),
    ("culture pending, empirical [cefalexin]", .present),
    ("left pelvis 4 mm: [pyelonephritis] or diuresis", .uncertain),
    ("no [V+], no D+", .absent), ("no cough, [V+]", .present), ("glucose nil, [wound] on tail", .present),
    ("[folliculitis] prob. Owner informed", .uncertain), ("[lump] prob. lipoma", .present), ("[T4] sent.", .uncertain),
    ("[marbofloxacin] pending culture", .present), ("placenta to lab for [Toxoplasma]", .uncertain),
    ("[Enrofloxacin] started, owner declined hospitalisation", .present),
    ("Enrofloxacin started, owner declined [hospitalisation]", .absent),
    ("[biopsy] offered, owner declined due to cost", .absent), ("[lame], but declined rads", .present),
    ("[Urine culture] sent, results Thursday", .uncertain), ("Lame LF. [OCD] r/o.", .uncertain),
    ("[V] x0, D x2", .absent), ("V x0, [D] x2", .present), ("[Echo] not yet performed", .absent),
    ("Booster deferred because of [fever]", .present),
  ])
  func `signs, ends of phrases and samples sent decide whether it is so`(text: String, polarity: Polarity) throws {
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
    ("[collapsed] in my friend's kitchen", .patient), ("[seizure] in the neighbours' field", .patient),
    ("[seizure] in his sister", .other), ("[vomiting] in his sister's litter", .other),
    ("O had flu so missed [booster]", .patient), ("friend gave him her dog's [carprofen]", .patient),
  ])
  func `people and other animals are told from the patient`(text: String, experiencer: Experiencer) throws {
    #expect(try assertion(text).experiencer == experiencer)
  }

  @Test(arguments: [
    ("[TPLO] L stifle 2020", Temporality.historical), ("[epilepsy], last fit 2021", .current),
    ("Lump first noted 2 months ago, [growing]", .current), ("switched from [meloxicam] to robenacoxib", .historical),
    ("switched from meloxicam to [robenacoxib]", .current), ("[lameness], was fine in June", .current),
    ("[tremors] overnight, both of which settled", .historical), ("[colic] Friday, resolved", .historical),
    ("[haematuria] in March, recovered", .historical), ("[cough] since Friday, recovered appetite", .current),
    ("on a drip and [vomiting]; this has worsened", .current), ("[spay] 9 days ago", .historical),
    ("[limping] 9 days ago", .current), ("[rabies] given 4/3/2021", .historical), ("[Carprofen] prev.", .historical),
    ("no [lameness] before 2021", .historical), ("[fits] have never been witnessed", .historical),
    ("anxious, worries about [relapse]", .hypothetical), ("anxious, worries about [cough]", .current),
    ("[shock] and bleeding named as risks", .hypothetical),
    ("PMHx includes [GDV] at 3y", .historical), ("metacam not given as [renal disease]", .current),
  ])
  func `what is past is told from what goes on`(text: String, temporality: Temporality) throws {
    #expect(try assertion(text).temporality == temporality)
  }
}
