import Chart
import Clinical
import Extraction
import RecordTestSupport
import Testing

@testable import Answering

/// A rule that is asked alone, of notes read by the shipped tables and without any fitted weight.
///
///     try verify(MomentRule()).given(notes).asked("lowest potassium").answers(.found, citing: "N1", "N2")
struct RuleVerification {
  let rule: any AnswerRule
  var notes: [ClinicalNote] = []

  func given(_ notes: [ClinicalNote]) -> RuleVerification { RuleVerification(rule: rule, notes: notes) }

  func asked(_ question: String) throws -> VerifiedFinding {
    VerifiedFinding(question: question, finding: rule.finding(for: try Self.asked(question, of: notes)))
  }

  /// A question with the record that some notes are.
  static func asked(_ question: String, of notes: [ClinicalNote]) throws -> AskedRecord {
    let reader = try Fixtures.extractors.get()
    let parse = try AnswerFixtures.parser.get()
    let understand = { (text: String) in
      parse.parse(text, names: ["Fern"], askedAt: noon("2026-11-20"), zone: .utc)
    }
    var facts: [String: [Fact]] = [:]
    for note in notes { facts[note.id] = reader.facts.facts(in: note.text, kind: note.kind) }
    let record = PatientRecord(
      patient: Patient(id: "P1", name: "Fern", species: .dog), notes: notes, facts: facts)
    let builder = UnitBuilder(
      sections: try Fixtures.sections.get(), sentences: try Fixtures.sentences.get(),
      analyzer: try AnswerFixtures.analyzer.get(), signs: try AnswerFixtures.signs.get())
    let ranking = EvidenceRanking(
      EvidenceFinder(question: understand(question), units: builder.units(of: record)),
      signs: try AnswerFixtures.signs.get(), classifier: reader.classifier, model: AnswerModel(evidence: []))
    var corrected = ranking.question
    corrected.groups = ranking.finder.groups
    return AskedRecord(
      question: corrected, record: record, chart: PatientChart(record), ranking: ranking,
      reader: RecordReader(
        analyzer: try AnswerFixtures.analyzer.get(), signs: try AnswerFixtures.signs.get(),
        classifier: reader.classifier, groups: try Fixtures.groups.get(), zone: .utc, askedAt: noon("2026-11-20"),
        parse: understand))
  }
}

/// What a rule found for one question.
struct VerifiedFinding {
  let question: String
  let finding: RuleFinding?

  /// Whether the rule answers so, from these notes in this order, with a headline that begins with these words.
  func answers(
    _ answerClass: Answer.Class, citing notes: [String], headline: String? = nil,
    at location: SourceLocation = #_sourceLocation
  ) {
    #expect(finding?.answerClass == answerClass, "\(question)", sourceLocation: location)
    var cited: [String] = []
    for passage in finding?.passages ?? [] where !cited.contains(passage.unit.note.id) {
      cited.append(passage.unit.note.id)
    }
    #expect(cited == notes, "\(question)", sourceLocation: location)
    if let headline {
      let said = finding?.headline ?? ""
      #expect(said.hasPrefix(headline), "\(question): \(said)", sourceLocation: location)
    }
  }

  /// Whether the rule leaves the question to others.
  func isLeft(at location: SourceLocation = #_sourceLocation) {
    #expect(finding == nil, "\(question): \(finding?.headline ?? "")", sourceLocation: location)
  }
}

func verify(_ rule: any AnswerRule) -> RuleVerification { RuleVerification(rule: rule) }

/// A question, the notes that answer it, and how its headline begins; without notes it is none of the rule's.
struct RuleRow: Sendable, CustomTestStringConvertible {
  let question: String
  var notes: [String] = []
  var headline: String?
  var testDescription: String { question }

  func check(_ rule: any AnswerRule, _ record: [ClinicalNote], _ answerClass: Answer.Class = .found) throws {
    let verified = try verify(rule).given(record).asked(question)
    if notes.isEmpty { verified.isLeft() } else { verified.answers(answerClass, citing: notes, headline: headline) }
  }
}

@Suite struct AnswerRuleTests {
  private static let course = [
    note("N1", "2021-03-01", "First visit. Wt 8.2 kg. BP 182 mmHg. Potassium 4.4 mmol/L."),
    note("N2", "2021-05-10", "Spay, routine. Wt 8.6 kg.", kind: .surgery),
    note("N3", "2022-03-05", "Wt 10.1 kg. BP 148 mmHg. Potassium 3.1 mmol/L. Target weight 9 kg."),
    note("N4", "2023-01-20", "Wt 9.4 kg. BP 160 mmHg. Potassium 3.1 mmol/L. Her brother weighs 14 kg."),
    note("N5", "2024-06-02", "Wt 9.0 kg. Potassium 3.9 mmol/L."),
  ]

  @Test(arguments: [
    RuleRow(
      question: "How much has she gained since the spay?", notes: ["N2", "N5"],
      headline: "0.4 kg more: 8.6 kg on 2021-05-10, 9 kg on 2024-06-02"),
    RuleRow(
      question: "How much weight did she lose between March 2022 and January 2023?", notes: ["N3", "N4"],
      headline: "0.7 kg less"),
    RuleRow(question: "weight lost from her heaviest to now", notes: ["N3", "N5"], headline: "1.1 kg less"),
    RuleRow(
      question: "How far did the bp come down from its peak to march 22?", notes: ["N1", "N3"], headline: "34 mmHg less"
    ),
    RuleRow(
      question: "How much did the potassium rise between January 2023 and June 2024?", notes: ["N4", "N5"],
      headline: "0.8 mmol/L more"),
    RuleRow(
      question: "how much did she put on between March and May 2021", notes: ["N1", "N2"], headline: "0.4 kg more"),
    RuleRow(question: "How much has her appetite dropped since the spay?"),
    RuleRow(question: "Has she lost weight?"), RuleRow(question: "How much is the bill since March?"),
    RuleRow(question: "Why did the potassium drop?"),
  ])
  func `a difference is computed from the values at the two moments asked about`(row: RuleRow) throws {
    try row.check(MomentRule(), Self.course)
  }

  @Test(arguments: [
    RuleRow(question: "heaviest she has been?", notes: ["N3"], headline: "10.1 kg on 2022-03-05, the highest of 5"),
    RuleRow(question: "lowest potassium", notes: ["N4"], headline: "3.1 mmol/L on 2023-01-20, the lowest of 4"),
    RuleRow(
      question: "most and least she ever weighed", notes: ["N3", "N1"],
      headline: "10.1 kg on 2022-03-05, the highest; 8.2 kg on 2021-03-01, the lowest of 5 on record."),
    RuleRow(
      question: "lowest and highest potassium?", notes: ["N4", "N1"],
      headline: "3.1 mmol/L on 2023-01-20, the lowest; 4.4 mmol/L on 2021-03-01, the highest of 4 on record."),
    RuleRow(
      question: "lowest and most recent potassium?", notes: ["N4", "N5"],
      headline: "3.1 mmol/L on 2023-01-20, the lowest; 3.9 mmol/L on 2024-06-02, the latest of 4 on record."),
    RuleRow(question: "highest BP in 2023?", notes: ["N4"], headline: "160 mmHg on 2023-01-20."),
    RuleRow(question: "What was the highest bp, and when?", notes: ["N1"], headline: "182 mmHg"),
    RuleRow(question: "lowest albumin"), RuleRow(question: "potassium?"), RuleRow(question: "most recent weight"),
  ])
  func `an extreme is the value itself, of its time`(row: RuleRow) throws {
    try row.check(MomentRule(), Self.course)
  }

  @Test(arguments: [
    RuleRow(
      question: "How much has she lost since her very first visit here?", notes: ["N1", "N5"], headline: "0.8 kg more"),
    RuleRow(
      question: "how much heavier at the March 2022 visit than on the day of the spay", notes: ["N2", "N3"],
      headline: "1.5 kg more"),
    RuleRow(question: "how much lighter than her heaviest?", notes: ["N3", "N5"], headline: "1.1 kg less"),
    RuleRow(
      question: "Highest bp and the first?", notes: ["N1"],
      headline: "182 mmHg on 2021-03-01, the highest and the first of 3 on record."),
    RuleRow(question: "Peak bp, and what was it at the last reading?", notes: ["N1", "N4"], headline: "182 mmHg on"),
    RuleRow(question: "weight at the spay vs now", notes: ["N2", "N5"]),
    RuleRow(question: "bp before the spay and a year later", notes: ["N1", "N3"]),
    RuleRow(
      question: "Between the spay and January 2023, what did she put on?", notes: ["N2", "N4"], headline: "0.8 kg more"),
    RuleRow(question: "weight at the hysterectomy of her brother vs now"),
    RuleRow(question: "weight at the first dialysis and now"), RuleRow(question: "bp at her last dialysis vs the spay"),
    RuleRow(question: "Is her weight up on the first visit?"), RuleRow(question: "last weight"),
    RuleRow(question: "Why is she lighter than at the spay?"),
  ])
  func `values are those of the moments that are named`(row: RuleRow) throws {
    try row.check(MomentRule(), Self.course)
  }

  private static let supplement = [
    note("N1", "2024-02-20", "Creatinine 180 umol/L, potassium 3.1 mmol/L. Potassium gluconate started."),
    note("N2", "2024-09-01", "Bright, eating. Amlodipine 1.25 mg SID started. Weight 4.1 kg."),
    note("N3", "2024-10-01", "Creatinine 196 umol/L. Doppler back at 150 mmHg."),
    note("N4", "2024-11-02", "Calcium was 2.9 mmol/L on 4 March 2024. Previously had a rhinotomy."),
  ]

  @Test(arguments: [
    ("potassium since the potassium gluconate?", true), ("Potassium after the gluconate was started?", true),
    ("weight after the amlodipine?", true), ("creatinine since the potassium gluconate?", false),
    ("potassium before the amlodipine?", false), ("blood pressure since the amlodipine?", false),
    ("potassium since the spay?", false), ("potassium in June 2024?", true), ("creatinine October 2024", false),
    ("weight in 2025?", true), ("calcium in March 2024?", false), ("calcium in May 2024?", false),
    ("calcium in November 2025?", true),
    ("creatinine since the rhinotomy?", false),
  ])
  func `a value that was never taken at a time is not that of another`(question: String, isSilent: Bool) throws {
    let finding = try verify(MomentRule()).given(Self.supplement).asked(question).finding
    #expect((finding?.answerClass == .notRecorded) == isSilent)
  }

  @Test func `two weights of the day that is asked about disagree`() throws {
    let notes =
      Self.course + [note("N6", "2021-05-10", "Wt 9.4 kg on the table scales.", kind: .nurse)]
    for question in ["What did she weigh the day of the spay?", "weight at the spay", "How heavy was she at the spay?"]
    {
      let row = RuleRow(question: question, notes: ["N2", "N6"])
      try row.check(MomentRule(), notes, .conflicting)
    }
  }

  private static let events = [
    note("N1", "2019-04-10", "1st seizure, two minutes."),
    note("N2", "2019-06-22", "2nd seizure, and a 3rd an hour later. Phenobarbital 60 mg BID started."),
    note("N3", "2020-02-11", "Left TPLO without complication.", kind: .surgery),
    note("N4", "2021-09-28", "Right TPLO. Recovered well.", kind: .surgery),
    note("N5", "2021-11-30", "One seizure last night. Offered an MRI."),
    note("N6", "2023-05-02", "Vomiting. Dental booked for June."),
  ]

  @Test(arguments: [
    RuleRow(
      question: "How long between the two TPLOs?", notes: ["N3", "N4"],
      headline: "1 year 7 months (19 months, 595 days)"),
    RuleRow(
      question: "how long after the first seizure was phenobarbital started", notes: ["N1", "N2"],
      headline: "2 months (73 days)"),
    RuleRow(
      question: "How many months from the left TPLO to the right one?", notes: ["N3", "N4"], headline: "1 year 7 months"
    ),
    RuleRow(question: "How long between the spay and the TPLO?"),
    RuleRow(question: "How long has she been on phenobarbital?"),
    RuleRow(question: "time of the last seizure"),
  ])
  func `an interval is the time between the days of two events`(row: RuleRow) throws {
    try row.check(IntervalRule(), Self.events)
  }

  @Test(arguments: [
    RuleRow(question: "How many seizures has she had?", notes: ["N1", "N2", "N5"], headline: "4 on record (four)"),
    RuleRow(question: "how many seizures in 2019", notes: ["N1", "N2"], headline: "2 on record (two)"),
    RuleRow(question: "How many dentals has she had?"), RuleRow(question: "how many tablets a day"),
    RuleRow(question: "Why so many seizures?"),
  ])
  func `a count is of occasions, and goes on from the record's own`(row: RuleRow) throws {
    try row.check(CountRule(), Self.events)
  }

  private static let near = [
    note(
      "N1", "2023-03-01", "Abdominal ultrasound discussed and booked for next week. Her neighbour's dog has diabetes."),
    note("N2", "2023-06-01", "Holter offered. Mrs Hill decided against it. Echocardiogram: mild regurgitation."),
    note("N3", "2024-01-10", "Owner asked whether the cruciate could be braced."),
    note("N4", "2024-02-02", "Spinal MRI if they can raise the money."),
    note("N5", "2024-03-05", "Right elbow radiographed: marked osteoarthritis. Total T4 31 nmol/L."),
    note("N6", "2024-04-02", "Was she ever tested for heartworm? Bladder lavage booked for Friday."),
    note("N7", "2024-05-06", "Face swelled after the lepto vaccine: vaccine reaction, vet to say if she has it again."),
    note("N8", "2024-06-10", "Lump on the flank: lumpectomy advised. The insurer's excess of £95 is due in July."),
    note("N9", "2024-07-01", "Nails clipped. Lives with her cagemate Bonnie."),
    note("N10", "2024-08-01", "Bonnie bald too, estradiol sky high."),
    note("N11", "2024-09-01", "Bonnie was here as well. Progesterone sky high."),
    note("N12", "2024-10-01", "Nails clipped. Lab Results to follow; Littermate Weights noted."),
    note("N13", "2024-10-02", "Results back, cortisol sky high."),
    note("N14", "2024-10-03", "Hives half an hour after cefovecin: advised never to give it again."),
  ]

  @Test(arguments: [
    ("What did the abdominal ultrasound show?", true),
    ("Was the Holter done?", false), ("What did the echocardiogram show?", false), ("When is the ultrasound?", false),
    ("Whose dog has diabetes?", false), ("Did she have her booster?", false),
    ("What did the spinal MRI show?", true), ("Was she tested for heartworm?", true),
    ("How arthritic was the left elbow?", true), ("How arthritic was the right elbow?", false),
    ("total T4 in 2021?", true), ("total T4 in 2024?", false), ("how was she after the bladder lavage?", true),
    ("Has she had a reaction to a vaccine?", false), ("How much is the excess?", false),
    ("How high was the estradiol?", true), ("How high was the progesterone?", false),
    ("How high was the cortisol?", false), ("Did the cefovecin cause trouble?", false),
    ("When was the lumpectomy?", true), ("Was a lumpectomy advised?", false),
  ])
  func `something near is no answer, and a refusal is one`(question: String, isSilent: Bool) throws {
    let verified = try verify(NearMissRule()).given(Self.near).asked(question)
    if isSilent { verified.answers(.notRecorded, citing: []) } else { verified.isLeft() }
  }

  @Test(arguments: [
    ("What did the skin scraping show?", "Skin scraping sent to the lab.", true),
    ("Was the skin scraping sent?", "Skin scraping sent to the lab.", false),
    ("histology result?", "Ear tip to histology.", true), ("T4 result?", "In for T4.", true),
    ("T4 result?", "In for total T4, result pending.", false), ("histology result?", "Histology: benign cyst.", false),
    ("What did the gastroscopy show?", "Gastroscopy offered, owner will think about it.", true),
    ("What did the gastroscopy show?", "Gastroscopy offered, owner declined.", false),
    ("What did the gastroscopy show?", "Gastroscopy: no ulcers.", false),
    ("How was the spay?", "Spay routine, uterus sent for histology.", false),
    ("Was she spayed?", "Spayed today, uterus sent to the lab.", false),
  ])
  func `a sample that was sent, or a test that somebody thinks about, has no result`(
    question: String, text: String, isSilent: Bool
  ) throws {
    let verified = try verify(NearMissRule()).given([note("N1", "2024-10-02", text)]).asked(question)
    if isSilent { verified.answers(.notRecorded, citing: []) } else { verified.isLeft() }
  }

  private static let unwritten = [
    note("N1", "2023-03-01", "Total T4 44 nmol/L. Creatinine 140 umol/L."),
    note("N2", "2024-05-02", "Total T4 back, fine. SDMA raised. Fructosamine not run."),
    note("N3", "2024-08-02", "Insulin sent to the lab, result awaited."),
  ]

  @Test(arguments: [
    ("What was the total T4 value in May 2024?", true), ("what's the SDMA figure", true),
    ("What was the total T4 reading in March 2023?", false), ("what was the total T4 in May 2024?", false),
    ("fructosamine level?", false), ("insulin level?", false), ("Was the SDMA value high?", false),
  ])
  func `a figure that was never written is not told by a word for it`(question: String, isSilent: Bool) throws {
    let verified = try verify(UnwrittenValueRule()).given(Self.unwritten).asked(question)
    if isSilent { verified.answers(.notRecorded, citing: []) } else { verified.isLeft() }
  }

  private static let unexplained = [
    note("N1", "2023-03-01", "Ears clean. Propalin stopped. Nails clipped."),
    note("N2", "2023-06-01", "Diarrhoea since Monday. Metronidazole stopped."),
    note("N3", "2023-09-01", "Heart quiet. Gabapentin discontinued because of the cost. Recheck in May."),
  ]

  @Test(arguments: [
    ("Why was Propalin stopped?", true), ("why was the metronidazole stopped?", false),
    ("Why was gabapentin stopped?", false), ("Was Propalin stopped?", false), ("Why is she on gabapentin?", false),
  ])
  func `a change without a reason beside it explains nothing`(question: String, isSilent: Bool) throws {
    let verified = try verify(UnexplainedRule()).given(Self.unexplained).asked(question)
    if isSilent { verified.answers(.notRecorded, citing: []) } else { verified.isLeft() }
  }

  struct Days: Sendable {
    let first: String
    let last: String
    let text: String
  }

  @Test(arguments: [
    Days(first: "2024-01-01", last: "2024-01-01", text: "0 days"),
    Days(first: "2024-01-01", last: "2024-01-02", text: "1 day"),
    Days(first: "2024-01-01", last: "2024-01-14", text: "13 days"),
    Days(first: "2024-01-01", last: "2024-01-15", text: "2 weeks (14 days)"),
    Days(first: "2024-01-31", last: "2024-05-30", text: "3 months (120 days)"),
    Days(first: "2024-02-29", last: "2025-02-28", text: "11 months (365 days)"),
    Days(first: "2024-03-01", last: "2025-03-01", text: "1 year (12 months, 365 days)"),
    Days(first: "2020-02-11", last: "2021-09-28", text: "1 year 7 months (19 months, 595 days)"),
  ])
  func `the time between two days is told in the unit people use, and in days`(days: Days) {
    #expect(TimeBetween(day(days.first), day(days.last)).text == days.text)
  }

  @Test
  func `of several findings the one that accounts for most of the question is taken, whatever the order of rules`()
    throws
  {
    struct Fixed: AnswerRule {
      let name: String
      let coverage: Double
      func finding(for asked: AskedRecord) -> RuleFinding? { RuleFinding(passages: [], coverage: coverage) }
    }
    struct Asking: AnswerRule {
      let name = "asking"
      let rules: [Fixed]
      func finding(for asked: AskedRecord) -> RuleFinding? {
        #expect(
          AnswerEngine(rules: rules).best(for: asked)?.rule
            == AnswerEngine(rules: rules.reversed()).best(for: asked)?.rule)
        return AnswerEngine(rules: rules).best(for: asked)?.finding
      }
    }
    let rules = [Fixed(name: "b", coverage: 0.8), Fixed(name: "c", coverage: 0.9), Fixed(name: "a", coverage: 0.9)]
    let best = try verify(Asking(rules: rules)).given(Self.course).asked("weight?")
    #expect(best.finding?.coverage == 0.9)
    let faint = try verify(Asking(rules: [Fixed(name: "a", coverage: 0.2)])).given(Self.course).asked("weight?")
    faint.isLeft()
  }
}
