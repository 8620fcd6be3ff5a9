import Chart
import Clinical
import Extraction
import Glibc
import RecordTestSupport
import Testing
import TextAnalysis

@testable import Answering

/// What the judge and the search for disagreements measure; what they make of it is learned from labelled questions.
@Suite struct AnswerJudgeTests {
  /// The sentences of notes a month apart, ranked for a question; among others, so that words have their usual weight.
  private func ranking(_ question: String, _ texts: [String]) throws -> EvidenceRanking {
    let extractors = try Fixtures.extractors.get()
    let others = "Bright and alert. Chest clear. Ate well. Nails clipped today. Owner pleased. Weight 12 kg."
    let notes = (texts + [others]).enumerated().map { note("N\($0)", "2026-0\($0 + 1)-01", $1) }
    let facts = Dictionary(
      uniqueKeysWithValues: notes.map { ($0.id, extractors.facts.facts(in: $0.text, kind: $0.kind)) })
    let builder = UnitBuilder(
      sections: try Fixtures.sections.get(), sentences: try Fixtures.sentences.get(),
      analyzer: try AnswerFixtures.analyzer.get(), signs: try AnswerFixtures.signs.get())
    let record = PatientRecord(
      patient: Patient(id: "P", name: "Fern", species: .dog), notes: notes, facts: facts)
    return EvidenceRanking(
      EvidenceFinder(question: try AnswerFixtures.parse(question), units: builder.units(of: record)),
      signs: try AnswerFixtures.signs.get(), classifier: extractors.classifier, model: try AnswerFixtures.model.get())
  }

  private func pairs(_ question: String, _ texts: [String]) throws -> [ConflictPair] {
    let ranking = try ranking(question, texts)
    return ConflictPairs(question: ranking.question, finder: ranking.finder, limits: AnswerLimits())
      .pairs(among: ranking.readings)
  }

  struct Disagreement: Sendable, CustomTestStringConvertible {
    let question: String
    let texts: [String]
    let feature: ConflictFeature
    var testDescription: String { "\(question) \(texts)" }
  }

  @Test(arguments: [
    Disagreement(
      question: "which elbow was swollen?", texts: ["Swollen L elbow.", "Right elbow no longer hot."],
      feature: .sideAsked),
    Disagreement(
      question: "which way does her head tilt?",
      texts: ["Head tilt to left, nystagmus fast phase right.", "Head tilt to right."], feature: .sideAsked),
    Disagreement(
      question: "microchip number?", texts: ["Microchip 977200001234567.", "Microchip read: 977200001234576."],
      feature: .identifier),
  ])
  func `two notes that can't both be right are measured as such`(row: Disagreement) throws {
    let pairs = try pairs(row.question, row.texts)
    #expect(pairs.contains { $0.features[row.feature] == 1 })
  }

  @Test(arguments: [
    Disagreement(
      question: "which elbow was swollen?", texts: ["Swollen L elbow.", "Left elbow better, right hip sore."],
      feature: .sideAsked),
    Disagreement(
      question: "microchip number?", texts: ["Microchip 977200001234567.", "Microchip 977200001234567 read again."],
      feature: .identifier),
    Disagreement(
      question: "microchip number?", texts: ["Microchip implanted 2019.", "Microchip checked 2024."],
      feature: .identifier),
  ])
  func `notes that agree are not`(row: Disagreement) throws {
    let pairs = try pairs(row.question, row.texts)
    #expect(!pairs.contains { $0.features[row.feature] == 1 })
  }

  /// By two buckets alone: what a sentence is to a question follows from the odds of each label beside telling, which are 1.
  @Test(arguments: [
    (no: 0.0, other: 0.0, noOfAnswers: 0.5), (no: log(3), other: 0, noOfAnswers: 0.75),
    (no: 0, other: log(8), noOfAnswers: 0.5), (no: -900, other: 900, noOfAnswers: 0),
  ])
  func `probabilities sum to one, and a no is judged among answers alone`(
    no: Double, other: Double, noOfAnswers: Double
  ) throws {
    let steps = [Int8](repeating: 0, count: ReplyFeatures.bucketCount)
    let model = ReplyModel([no, other].map { ReplyModel.Weights(bias: $0, scale: 1, steps: steps) })
    let ranking = try ranking("was there a fracture?", ["Fracture of the radius."])
    let best = try #require(ranking.readings.first)
    let reply = try #require(model.reply(AnswerJudge(ranking: ranking).features(best)))
    #expect(reply.no >= 0 && reply.other >= 0 && reply.told >= 0)
    #expect(abs(reply.no + reply.other + reply.told - 1) < 1e-12)
    #expect(abs(reply.noOfAnswers - noOfAnswers) < 1e-9)
    // However sure, silence is measured by a number.
    #expect(log(reply.other / (1 - reply.other)).isFinite)
  }

  @Test(arguments: [
    ("is he still lame?", "Lame again in trot.", true), ("was the scan done?", "Scan done, spleen normal.", true),
    ("was an x-ray taken?", "X-ray: stifle effusion, no fracture.", true),
    ("is he still lame?", "Not lame in trot.", false), ("is he still lame?", "Is he lame?", false),
    ("was the scan done?", "Scan declined.", false), ("was the scan done?", "Scan offered for next week.", false),
    ("was the scan done?", "Sister's scan done.", false), ("what did the scan show?", "Scan done.", false),
    ("is the spleen enlarged?", "Spleen normal.", false),
  ])
  func `what the best sentence states in all the words of a yes-or-no question is plainly stated`(
    question: String, text: String, isPlain: Bool
  ) throws {
    #expect(AnswerJudge(ranking: try ranking(question, [text])).isPlainlyStated == isPlain)
  }

  @Test(arguments: [
    ("any trouble with the ketamine?", "Reacted badly to ketamine, agitated for three hours.", true),
    ("adverse reactions?", "Reacted badly to ketamine, agitated for three hours.", true),
    ("any trouble with the ketamine?", "Ketamine given, smooth recovery.", false),
    ("any trouble with the ketamine?", "Owner asks about ketamine.", false),
    ("what was the potassium?", "Reacted badly to ketamine, agitated for three hours.", false),
  ])
  func `that the best sentence tells of a reaction to what is asked about speaks against silence`(
    question: String, text: String, isOfReaction: Bool
  ) throws {
    #expect(AnswerJudge(ranking: try ranking(question, [text])).isOfReaction == isOfReaction)
  }

  @Test(arguments: [
    ("Did the ketamine make her agitated?", true), ("Did ketamine upset her?", true),
    ("Can she have ketamine?", false), ("Is she on ketamine?", false),
  ])
  func `that a drug was withdrawn for what it did is no denial of it`(question: String, isPlain: Bool) throws {
    let text = "Reacted badly to ketamine, agitated for three hours: ketamine withdrawn."
    #expect(AnswerJudge(ranking: try ranking(question, [text])).isOfPlainReaction == isPlain)
  }

  @Test func `what the record never names counts apart where no would be an answer`() throws {
    let asked = AnswerJudge(ranking: try ranking("was a tracheostomy done?", ["Nails clipped."])).silence
    #expect(asked[.unknown] > 0)
    #expect(asked[.unknownYesNo] == asked[.unknown])
    let open = AnswerJudge(ranking: try ranking("what did the tracheostomy show?", ["Nails clipped."])).silence
    #expect(open[.unknownYesNo] == 0)
  }

  @Test(arguments: [
    ("has he had an echo?", "Echo not done today.", "Echo: mild mitral regurgitation."),
    ("what did the histology show?", "Histology not done.", "Histology: mast cell tumour."),
  ])
  func `what was left undone once is no denial of what was done later`(question: String, before: String, after: String)
    throws
  {
    let notes = [note("N1", "2026-01-05", before), note("N2", "2026-02-05", after)]
    let answer = try AnswerFixtures.ask(question, notes)
    #expect(answer.answerClass == .found)
    #expect(answer.citations.map(\.noteID).contains("N2"))
    let alone = try AnswerFixtures.ask(question, [notes[0]])
    #expect(alone.answerClass == .negative)
  }

  @Test(arguments: [
    ("gene test result", "MyBPC3 gene test: heterozygous.", true),
    ("what did the nasal swab grow?", "Nasal swab: Pasteurella multocida.", true),
    ("gene test result", "Gene test: ", false), ("gene test result", "Gene test: repeat in May.", false),
    ("gene test result", "Blood: gene test sent.", false), ("gene test done?", "Gene test: heterozygous.", false),
    ("swab of the other ear?", "Nasal swab: Pasteurella multocida.", false),
    ("nasal swab in 2021", "Nasal swab: Pasteurella multocida.", false),
  ])
  func `what stands behind the name of all that is asked for and a colon is a report`(
    question: String, text: String, isReported: Bool
  ) throws {
    #expect(AnswerJudge(ranking: try ranking(question, [text])).isReported == isReported)
  }

  @Test(arguments: [
    ("was he castrated?", "Castration declined.", "Neut 3.9, plt 240."),
    ("did she have her myxomatosis vaccine in January 2026?", "Myxo vaccine declined.", "Myxo vaccine given at last."),
    ("was she tested for FIV?", "FIV test declined.", "Fights with the farm cats."),
  ])
  func `what was left undone is denied though a word of it stands in what came later`(
    question: String, before: String, after: String
  ) throws {
    let answer = try AnswerFixtures.ask(question, [note("N1", "2026-01-05", before), note("N2", "2026-02-05", after)])
    #expect(answer.answerClass == .negative, "\(answer.text)")
  }
}
