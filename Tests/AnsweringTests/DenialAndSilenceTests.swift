import Chart
import Clinical
import Extraction
import RecordTestSupport
import Testing

@testable import Answering

/// What tells a no from a yes, and from a record that only says something near.
@Suite struct DenialAndSilenceTests {
  private func ranking(_ question: String, _ notes: [ClinicalNote]) throws -> EvidenceRanking {
    let extractors = try Fixtures.extractors.get()
    let others = note("other", "2026-09-01", "Bright and alert. Chest clear. Ate well. Nails clipped. Weight 12 kg.")
    let notes = notes + [others]
    let facts = Dictionary(
      uniqueKeysWithValues: notes.map { ($0.id, extractors.facts.facts(in: $0.text, kind: $0.kind)) })
    let builder = UnitBuilder(
      sections: try Fixtures.sections.get(), sentences: try Fixtures.sentences.get(),
      analyzer: try AnswerFixtures.analyzer.get(), signs: try AnswerFixtures.signs.get())
    let record = PatientRecord(patient: Patient(id: "P", name: "Fern", species: .dog), notes: notes, facts: facts)
    return EvidenceRanking(
      EvidenceFinder(question: try AnswerFixtures.parse(question), units: builder.units(of: record)),
      signs: try AnswerFixtures.signs.get(), classifier: extractors.classifier, model: try AnswerFixtures.model.get())
  }

  @Test(arguments: [
    ("did she have the hydrotherapy?", "Hydrotherapy booked, then cancelled as the car broke down.", true),
    ("did she see the oncologist?", "Oncologist discussed, owner declined on cost.", true),
    ("did she have the hydrotherapy?", "Hydrotherapy went well, not weighed.", false),
    ("was the urine cultured?", "Urine cultured, claws not done.", false),
  ])
  func `a clause that takes back what stood before it is heard beside it`(
    question: String, text: String, isTakenBack: Bool
  ) throws {
    let reading = try #require(try ranking(question, [note("N1", "2026-03-01", text)]).readings.first)
    #expect(reading.nearSigns.contains(.undone) == isTakenBack)
  }

  @Test(arguments: [
    ("any mets on the chest films?", "Chest radiographs under sedation: no mets seen."),
    ("were there stones on the x-ray?", "Radiographs of the abdomen: no stones."),
  ])
  func `what a test was to find is denied, not the test`(question: String, text: String) throws {
    let reading = try #require(try ranking(question, [note("N1", "2026-03-01", text)]).readings.first)
    #expect(reading.isDenial)
  }

  @Test(arguments: [
    ("has a trigger been ruled out as the cause of her fits?", true),
    ("was a reason for the limp ever found?", true),
    ("why has food been ruled out as the cause?", false),
    ("what was the cause of the anaemia?", false),
  ])
  func `a cause that is asked about is not asked for`(question: String, isYesOrNo: Bool) throws {
    #expect(try AnswerFixtures.parse(question).isYesOrNo == isYesOrNo)
  }

  @Test(arguments: [
    ("what does the cover exclude?", true), ("painkiller she can't have", true),
    ("which vaccine was omitted?", true), ("did she skip a dose?", false), ("is she not eating?", false),
    ("cough gone?", false), ("any eye drops she must never have?", true), ("is there anything to avoid?", true),
    ("is there a painkiller she doesnt tolerate?", true), ("Is there a class we must keep him off?", true),
    ("which component must she not have again", true), ("was she not given any?", false), ("any cough or not?", false),
    ("can she not walk?", false), ("does she keep still?", false),
  ])
  func `a question for what is barred or left out takes the no for its answer`(question: String, asksForNo: Bool)
    throws
  {
    #expect(try AnswerFixtures.parse(question).asksForNo == asksForNo)
  }

  @Test(arguments: [
    ("did he have the Cartrophen that was suggested?", "Start Cartrophen? Owner not keen.", Answer.Class.negative),
    ("pred?", "Prednisolone 5 mg once daily for the itch.", .found),
    ("water tablet?", "Furosemide stopped and replaced by torasemide 3 mg once daily.", .found),
    ("is Fern on insulin?", "Stop insulin, glucose 5.", .negative),
    ("was the lepto given?", "Booster: DHP only, lepto left out after last year's swelling.", .negative),
    ("current itch treatment", "Oclacitinib stopped. Lokivetmab 40 mg SC given today.", .found),
  ])
  func `an end, a refusal or an omission is a no, and what goes on is none`(
    question: String, text: String, expected: Answer.Class
  ) throws {
    let answer = try AnswerFixtures.ask(question, [note("N1", "2026-03-01", text)])
    #expect(answer.answerClass == expected, "\(answer.text)")
  }

  @Test(arguments: [
    ("how many hydrotherapy sessions has she done?", "Hydrotherapy advised, leaflet given.", 1.0),
    ("did she have the hydrotherapy?", "Hydrotherapy booked for June.", 1),
    ("did the echo show anything?", "Echo: mild mitral regurgitation.", 0),
    ("when is the echo booked?", "Echo booked for June.", 0),
    ("was the echo done?", "Echo offered, declined.", 0),
  ])
  func `what is only planned is not told as done`(question: String, text: String, value: Double) throws {
    let silence = AnswerJudge(ranking: try ranking(question, [note("N1", "2026-03-01", text)])).silence
    #expect(silence[.onlyPlanned] == value)
  }

  @Test(arguments: [
    ("was the wart on her lip ever taken off?", "3 mm wart on the lip.", 1.0),
    ("was the wart on her lip ever taken off?", "Wart on the lip excised under local.", 0),
    ("has the spleen been removed?", "Spleen enlarged on palpation.", 1),
    ("has the spleen been removed?", "Splenectomy: spleen sent for histology.", 0),
    ("is the spleen enlarged?", "Spleen enlarged on palpation.", 0),
  ])
  func `that a thing is named says nothing of its removal`(question: String, text: String, value: Double) throws {
    let silence = AnswerJudge(ranking: try ranking(question, [note("N1", "2026-03-01", text)])).silence
    #expect(silence[.untoldAsRemoved] == value)
  }

  @Test(arguments: [
    ("phenobarbital level from the last sample", "I took a phenobarbital level and will ring him.", 1.0),
    ("UPC result?", "UPC requested, to drop urine in.", 1),
    ("Baermann result?", "Heartworm antibody and Baermann sent.", 1),
    ("Baermann result?", "Baermann: negative.", 0), ("phenobarbital level?", "Phenobarbital 24 mg/l.", 0),
    ("was the Baermann sent?", "Heartworm antibody and Baermann sent.", 0),
  ])
  func `that a sample was taken or sent is no result`(question: String, text: String, value: Double) throws {
    let silence = AnswerJudge(ranking: try ranking(question, [note("N1", "2026-03-01", text)])).silence
    #expect(silence[.onlySampled] == value)
  }

  @Test(arguments: [
    ("cat aids or leukaemia virus?", "Snap: FIV POSITIVE, FeLV neg.", false),
    ("is he FeLV positive?", "Snap: FIV POSITIVE, FeLV neg.", true),
    ("is he FIV positive?", "Snap: FIV POSITIVE, FeLV neg.", false),
    ("ehrlichia?", "4Dx: heartworm Ag neg, Ehrlichia POS, Anaplasma neg.", false),
  ])
  func `a sentence that denies one test says no "no" to the one that it calls positive`(
    question: String, text: String, isNo: Bool
  ) throws {
    let answer = try AnswerFixtures.ask(question, [note("snap", "2025-03-24", text)], species: .cat)
    #expect((answer.answerClass == .negative) == isNo, "\(answer.text)")
  }

  @Test(arguments: [
    ("who did his heart scan?", "12-month repeat echo not done: vomited the whole journey last time."),
    ("where was the heart scan done?", "Repeat echo not done, owner declined."),
    ("why was the echo not repeated?", "Repeat echo not done, owner declined on cost."),
  ])
  func `what was left undone is no "no" to who, where or why`(question: String, text: String) throws {
    let answer = try AnswerFixtures.ask(question, [note("echo", "2025-11-08", text)])
    #expect(answer.answerClass != .negative, "\(answer.text)")
  }

  @Test func `no "no" is told over a later test that was positive`() throws {
    let notes = [
      note("N1", "2023-04-25", "SNAP today: FIV Ab neg, FeLV Ag neg."),
      note("N2", "2024-06-17", "FIV antibody POSITIVE."),
    ]
    #expect(try AnswerFixtures.ask("has he tested positive for FIV?", notes).answerClass != .negative)
    let alone = try AnswerFixtures.ask("has he tested positive for FIV?", [notes[0]])
    #expect(alone.answerClass == .negative, "\(alone.text)")
  }

  @Test(arguments: ["was she ever seen for ringworm?", "any ringworm?", "has ringworm been found?"])
  func `what is denied of another thing is no "no"`(question: String) throws {
    let answer = try AnswerFixtures.ask(question, [note("N1", "2024-05-20", "Stools brown, faecal blood not seen.")])
    #expect(answer.answerClass == .notRecorded, "\(answer.text)")
  }

  @Test func `silence is measured of the record, of the best sentence and of what is asked, each under a name`() throws
  {
    let ranking = try ranking("what was the phosphate?", [note("N1", "2024-03-01", "Phosphate 1.4 mmol/L.")])
    let measures = AnswerJudge(ranking: ranking).silenceMeasures
    #expect(measures.values.count == SilenceMeasures.names.count)
    #expect(Set(SilenceMeasures.names).count == SilenceMeasures.names.count)
    func value(_ name: String) throws -> Double {
      measures.values[try #require(SilenceMeasures.names.firstIndex(of: name))]
    }
    #expect(try value("allKnown") == 1)
    #expect(try value("best.own") == ranking.readings[0].features[.own])
    #expect(try value("of.weight") == 0)
  }

  @Test func `a value of another year is not that of the year asked about`() throws {
    let notes = [note("N1", "2024-03-01", "Phosphate 1.4 mmol/L."), note("N2", "2026-03-01", "Creatinine 190 umol/L.")]
    #expect(AnswerJudge(ranking: try ranking("what was the phosphate in 2026?", notes)).silence[.untoldThen] == 1)
    #expect(AnswerJudge(ranking: try ranking("what was the phosphate in 2024?", notes)).silence[.untoldThen] == 0)
  }
}
