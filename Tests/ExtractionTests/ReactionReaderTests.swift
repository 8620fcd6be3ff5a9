import Clinical
import Testing
import VetNetTestSupport

@testable import Extraction

/// Reactions that notes tell as events, and what only looks like one.
struct ReactionReaderTests {
  private func reactions(_ text: String) throws -> [Fact] {
    try Fixtures.extractors.get().facts.facts(in: text, kind: .consult).filter { $0.kind == .reaction }
  }

  @Test(arguments: [
    ("Lips like balloons half an hour after the jab, given piriton and dex.", "vaccine"),
    ("Metronidazole stopped, vomiting after every dose.", "metronidazole"),
    ("Vomited twice on day four of meloxicam, stopped it.", "meloxicam"),
    ("Synulox inj sc. O back 10 mins later, collapsed, gums grey. Adrenaline iv. NO penicillins ever.", ""),
    ("Stopped breathing after alfaxalone, bagged for four minutes.", "alfaxalone"),
    ("Flat for two days after the sedation, took all weekend to come round.", "anaesthesia"),
    ("?intolerant to tramadol, don't repeat.", "tramadol"),
    // What was given against it is no likelier to have caused it for having a name.
    (
      "Injection four from the vial on Wednesday. Twenty minutes later her muzzle had blown up like a bulldog's. Told to give Piriton.",
      "injection"
    ),
    // A form beside the name of what was given is that.
    (
      "O had put his sister's dog's flea spot-on (permethrin, Bob Martin type) on her neck last night, by 6am dribbling strings, ears and whole body twitching, T 40.1.",
      "permethrin"
    ),
    ("Owner put the dog's spot-on (permethrin) on the cat, twitching all over by morning.", "permethrin"),
    ("Vomiting and black stools two days after the new tablets (carprofen) were begun.", "carprofen"),
  ])
  func `a reaction told as an event is a fact named after what was given`(text: String, treatment: String) throws {
    let harms = try reactions(text).filter { $0.reaction?.label != .tolerated }
    #expect(!harms.isEmpty, "\(text)")
    if !treatment.isEmpty { #expect(harms.contains { $0.name == treatment }, "\(harms.map(\.name))") }
    for fact in harms { #expect(fact.range.upperBound <= text.utf8.count && !fact.range.isEmpty) }
  }

  @Test(arguments: [
    "Started meloxicam 0.1 mg/kg SID for 5 days.",
    "Vomiting since Monday, maropitant given, recheck tomorrow.",
    "Carprofen course finished, lameness resolved.",
    "Booster given today, weight 12.4 kg.",
    "Owner declined amoxicillin on cost grounds.",
  ])
  func `what only stands beside a drug is no reaction`(text: String) throws {
    #expect(try reactions(text).allSatisfy { $0.reaction?.label == .tolerated }, "\(text)")
  }

  /// From a half on a reaction warns unasked, as `ReactionCourse.leastReaction` has it, which extraction doesn't see.
  private static let warning = 0.5

  @Test func `most reactions that are told in general words warn`() throws {
    let told = [
      "Reacted badly to cefovecin last year; vet to decide if she has it again.",
      "Reacted badly to cefovecin last year.",
      "Bad reaction to Convenia at previous practice.", "Doesn't get on with Convenia, o says.",
      "Never again after last time's cefovecin.", "Was ill on Convenia so not that again.",
      "Convenia upset her badly, discuss before another dose.",
    ]
    let warning = try told.filter { try warns($0) }
    #expect(warning.count >= 6, "\(warning)")
  }

  /// What came when, without a word of reaction, stop or ban. Written by whoever asked for the passages that teach it, before
  /// they came; three of ten are much like examples of that guide.
  @Test func `most reactions that are told by when they came warn`() throws {
    let told = [
      "Vomited within six hours of his first Bravecto.", "Black stools four days into the Rimadyl.",
      "Twenty minutes following her Nobivac L4 she was scratching her face raw.",
      "Started Onsior Friday, by Sunday she had stopped eating and her gums were pale.",
      "Diarrhoea the day after starting Metacam.", "Collapsed ten minutes after the Convenia.",
      "Owner noticed tremors about an hour post Advantix.", "Vomits whenever he has doxycycline on an empty stomach.",
      "Off colour and trembling the evening after his Nexgard.", "Jaundiced, 10 days of potentiated sulphonamide.",
    ]
    let warning = try told.filter { try warns($0) }
    #expect(warning.count >= 8, "\(warning)")
  }

  @Test(arguments: [
    "Allergies/drug reactions: none known.", "Metacam started for limp, now walking well.",
    "Itching for 3 weeks, so Cytopoint today.", "Cough started 2 days after kennels; doxycycline dispensed.",
    "Collapsed two hours after eating grapes, given apomorphine.", "If he vomits on the Metacam stop and ring.",
    "Vomited twice this morning before her Vetmedin was due.", "Diabetic remission. No insulin.",
    "Owner worried the Seresto might cause fits. Reassured.",
  ])
  func `a sign at another time or with another cause warns of nothing`(text: String) throws {
    #expect(try !warns(text))
  }

  private func warns(_ text: String) throws -> Bool {
    try reactions(text).contains { fact in
      fact.reaction.map { $0.label == .reaction && $0.probability >= Self.warning } ?? false
    }
  }

  @Test func `the reading of a text is the same every time and within its bytes`() throws {
    let text = "Überempfindlich? Nach Baytril: hives within the hour, eyelids puffed up. Piriton im. Stop tabs."
    let once = try reactions(text)
    #expect(try reactions(text) == once)
    for fact in once { #expect(text.utf8.count >= fact.range.upperBound) }
  }

  @Test func `weights of the wrong length or without a label are refused`() throws {
    let head = "# title: t\n# source: s\n# licence: MIT\n# version: 1\nlabel\tbias\tscale\tweights\n"
    for rows in ["reaction\t0\t1\tAAAA\n", "avoid\t0\t1\tAAAA\n"] {
      #expect(throws: DataTableError.self) { try ReactionModel(table: DataTable(name: "w", text: head + rows)) }
    }
  }
}
