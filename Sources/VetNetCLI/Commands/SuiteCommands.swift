import Answering
import Assessment
import Clinical
import Evaluation
import Extraction
import FoundationEssentials
import Presentation
import Scheduling
import VetNet

/// The suites over labelled cases, one command each.
enum SuiteCommands {
  static let all = [triage, floors, complexity, specialty, assertions, questions, duration, schedule, check]

  static let triage = intakes(
    .triage, "measures triage on labelled intakes",
    "urgency, ABCDE, specialties, complexity and visit type against the labels of each case")
  static let complexity = intakes(
    .complexity, "measures complexity levels on labelled visits", "complexity against the label of each case")
  static let specialty = intakes(
    .specialty, "measures specialist matching on labelled intakes", "specialties against the labels of each case")

  private static func intakes(_ kind: IntakeSuite.Kind, _ summary: String, _ meaning: String) -> Command {
    Command(
      "evaluate \(kind.rawValue)", summary,
      positionals: [Positional("FILE", "JSON Lines of intakes with labels", repeating: true)],
      options: SuiteRun.options,
      examples: [Example("vetnet evaluate \(kind.rawValue) cases.jsonl", meaning)],
      discussion: """
        Needs no practice file. Each case is assessed with its labels taken away; what a case brings as history is read as the
        patient's record. The baselines say the same thing of every case.
        """
    ) { invocation in
      let paths = invocation.arguments.positionals
      let suite = try IntakeSuite(kind, cases: IntakeCase.read(paths), file: paths[0])
      let models = try invocation.models()
      let evaluator = try CaseEvaluator(models: models)
      let floors =
        kind == .triage ? FloorGrid(evaluator.triageProtocol, phrases: try shippedPhrases(models)) : nil
      let outcome = suite.run(evaluator, floors: floors, seed: try SuiteRun.seed(invocation))
      let run = SuiteRun(
        report: outcome.report, metrics: IntakeSuite.metricNames(kind), paths: paths, sections: outcome.sections)
      try run.show(invocation) {
        try OutputLines.lines(
          zip(suite.cases, outcome.assessments).map { IdentifiedAssessment(id: $0.id, assessment: $1) })
      }
      return .ok
    }
  }

  private static func shippedPhrases(_ models: ModelDirectory) throws -> [String] {
    try FloorGrid.phrases(in: models.reassurance())
  }

  /// A combination that ended below its floor, as `evaluate floors --predictions` keeps it.
  private struct FloorFailure: Encodable {
    let discriminator: String
    let level: String
    let given: String
    let place: String
    let form: String
    let text: String

    init(_ violation: FloorGrid.Violation) {
      discriminator = violation.cell.discriminator
      level = violation.cell.level.rawValue
      given = violation.given.rawValue
      place = violation.cell.place.rawValue
      form = violation.cell.variant.form.rawValue
      text = violation.cell.text
    }
  }

  static let floors = Command(
    "evaluate floors", "counts how often reassuring words bring a red or orange finding below its floor",
    positionals: [Positional("FILE", "a table of sentences, column text; the shipped ones without", optional: true)],
    options: [Option("--sample", "N", "judge so many of each kind, drawn by --seed; all without")]
      + SuiteRun.options,
    examples: [Example("vetnet evaluate floors --sample 1000", "a part of the grid, in a few seconds")],
    discussion: """
      Every example of every red and orange discriminator is judged beside every sentence: before it, behind it and on both sides
      (floor_violations); joined to it by "and" or "plus", behind a polite condition, and all of these with a form that is filled in
      (floor_violations_joined). A red one may not end below orange, an orange one not below yellow. --predictions keeps those that
      did; exit code 1 when there are any.
      """
  ) { invocation in
    let arguments = invocation.arguments
    let models = try invocation.models()
    let evaluator = try CaseEvaluator(models: models)
    let file = arguments.positionals.first
    let phrases = try file.map { file in
      try FloorGrid.phrases(in: DataTable(name: file, text: InputText.read(file), required: ["text"]))
    }
    let sentences = try phrases ?? shippedPhrases(models)
    let sample = try invocation.integer("--sample", in: 1...Int.max)
    let seed = try SuiteRun.seed(invocation)
    func result(_ variants: [FloorGrid.Variant]) -> FloorGrid.Result {
      FloorGrid(evaluator.triageProtocol, phrases: sentences, variants: variants)
        .violations(evaluator, sample: sample, seed: seed)
    }
    let (apart, joined) = (result(FloorGrid.Variant.sentences), result(FloorGrid.Variant.joined))
    let report = FloorGrid.report(sentences: apart, joined: joined, evaluator, seed: seed)
    let run = SuiteRun(
      report: report, metrics: FloorGrid.metricNames, paths: [file ?? "triage/reassurance.tsv"])
    let failed = apart.violations + joined.violations
    try run.show(invocation) { try OutputLines.lines(failed.map(FloorFailure.init)) }
    return failed.isEmpty ? .ok : .failed
  }

  static let assertions = Command(
    "evaluate assertions", "measures polarity, temporality and experiencer on labelled sentences",
    positionals: [Positional("FILE", "JSON Lines of sentences with target, start, end and labels", repeating: true)],
    options: SuiteRun.options,
    examples: [Example("vetnet evaluate assertions sentences.jsonl", "each axis, and all three together")],
    discussion:
      "Offsets are Unicode code points, ends exclusive. Polarity is not scored where the label is hypothetical."
  ) { invocation in
    let paths = invocation.arguments.positionals
    let suite = try AssertionSuite(paths)
    let outcome = suite.run(try AssertionReader(models: invocation.models()), seed: try SuiteRun.seed(invocation))
    let run = SuiteRun(report: outcome.report, metrics: AssertionSuite.metricNames, paths: paths)
    try run.show(invocation) {
      try OutputLines.lines(zip(suite.cases, outcome.assertions).map(AssertionPrediction.init))
    }
    return .ok
  }

  static let questions = Command(
    "evaluate questions", "measures answers on labelled questions about records",
    positionals: [Positional("DIR", "a folder with patients.jsonl, notes.jsonl and questions.jsonl")],
    options: SuiteRun.options + AskReader.options,
    examples: [
      Example("vetnet evaluate questions DIR", "classes, answers, citations and refusals"),
      Example(
        "vetnet evaluate questions DIR --reader ./local-model", "a reader beside them, and what of it was dropped"),
    ],
    discussion: """
      The records are imported into a practice file of their own, which is deleted afterwards. A question is answered as of
      its asked_at. Answers are compared in their own words, never in their quotes. What a --reader may reach with --reader-network is
      said by --config reader-address=127.0.0.1:11434, for there is no practice to say it.
      """,
    reach: AskReader.reach
  ) { invocation in
    let folder = invocation.arguments.positionals[0]
    let suite = try QuestionSuite(folder: folder)
    let zone = PracticeTimeZone.utc
    let bar = ProgressBar("asking", isVisible: invocation.terminal.stderrIsTerminal)
    let outcome = try suite.run(
      models: invocation.models(), zone: zone, now: try invocation.now(in: zone), seed: try SuiteRun.seed(invocation),
      reader: AskReader(invocation, allowed: invocation.overrides().readerAddress).map { reader in
        { try reader.reply(to: $0) }
      }
    ) { done in bar.update(done: done, total: suite.cases.count) }
    bar.finish()
    if invocation.arguments.isSet("--reader") {
      let reasons = outcome.dropped.sorted { $0.key.rawValue < $1.key.rawValue }.map {
        "\($0.value) \($0.key.rawValue)"
      }
      invocation.terminal.say(
        "Of the reader's sentences were dropped: \(reasons.isEmpty ? "none" : reasons.joined(separator: ", ")); it gave nothing to judge to \(outcome.failures) of \(suite.cases.count) questions."
      )
    }
    let today = zone.date(of: try invocation.now(in: zone))
    let run = SuiteRun(report: outcome.report, metrics: QuestionSuite.metricNames, paths: [folder])
    try run.show(invocation) { try AnswerPrediction.lines(suite.cases, outcome.answers, zone: zone, today: today) }
    return .ok
  }

  static let duration = Command(
    "evaluate duration", "measures predicted lengths of visits on a history",
    positionals: [Positional("FILE", "JSON Lines of finished visits in time order", repeating: true)],
    options: SuiteRun.options,
    examples: [Example("vetnet evaluate duration visits.jsonl", "errors and coverage beside rolling medians")],
    discussion: """
      A rolling-origin backtest: each visit is predicted from the ones above it only, and learned from afterwards. pinball is
      the mean over the quantiles 0.5, 0.8 and 0.9; overrun_share the share of visits that outlast the five-minute ceiling of
      the 0.7 quantile, which the scheduler reserves.
      """
  ) { invocation in
    let paths = invocation.arguments.positionals
    let suite = try DurationSuite(paths)
    let models = try invocation.models()
    let outcome = suite.run(
      try models.durationLearner(), versions: try models.durationVersions(), seed: try SuiteRun.seed(invocation))
    let run = SuiteRun(
      report: outcome.report, metrics: DurationSuite.metricNames, paths: paths, sections: outcome.sections)
    try run.show(invocation) { try OutputLines.lines(outcome.predictions) }
    return .ok
  }

  static let schedule = Command(
    "evaluate schedule", "measures plans for vetnet-sched-1 instances",
    positionals: [Positional("PATH", "instance files, or folders of them", repeating: true)],
    options: SuiteRun.options + ScheduleCommands.searchOptions,
    examples: [
      Example("vetnet evaluate schedule Evaluations/schedule --time-limit 0.2", "values, bounds, gaps and times"),
      Example("vetnet evaluate schedule DIR --iterations 20000 --json", "the same plans on every machine"),
    ],
    discussion: """
      score is the value over a proven upper bound. Every plan is checked by a validator that shares nothing with the search; the
      baseline is the plan that the search begins with. --report has a row for each instance.
      """
  ) { invocation in
    let paths = invocation.arguments.positionals
    let suite = try ScheduleSuite(paths)
    let bar = ProgressBar("planning", isVisible: invocation.terminal.stderrIsTerminal)
    let outcome = try suite.run(
      limits: try ScheduleCommands.searchLimits(invocation), versions: ["vetnet": VetNetVersion.current]
    ) { done in bar.update(done: done, total: suite.files.count) }
    bar.finish()
    let run = SuiteRun(
      report: outcome.report, metrics: ScheduleSuite.metricNames, paths: paths, sections: outcome.sections)
    try run.show(invocation) {
      try OutputLines.lines(outcome.plans.map { PlanPrediction(id: $0.name, plan: $0.plan) })
    }
    return .ok
  }

  static let check = Command(
    "evaluate check", "finds what is wrong with labelled cases",
    positionals: [Positional("DIR", "a suite's folder of splits, or a folder of such folders", repeating: true)],
    examples: [
      Example("vetnet evaluate check Evaluations", "every suite's cases, before anything is measured on them")
    ],
    discussion: """
      Looks for wrong offsets, unknown ids, missing labels, and for cases of one split that stand in another: by id, by
      situation, by patient, or nearly, by their five-word sequences. Exits with 3 when it finds any.
      """
  ) { invocation in
    var isClean = true
    for folder in invocation.arguments.positionals {
      let outcome = try LabelCheck().run(folder)
      for (file, count) in outcome.counts { invocation.terminal.print("\(file): \(count) cases") }
      for problem in outcome.problems { invocation.terminal.say("\(problem)") }
      isClean = isClean && outcome.problems.isEmpty
    }
    return isClean ? .ok : .someInputRejected
  }
}

/// The three axes, as a line of `--predictions`.
private struct AssertionPrediction: Encodable {
  let id: String
  let polarity: Polarity
  let temporality: Temporality
  let experiencer: Experiencer
  /// The rules that decided.
  let cues: [String]

  init(_ item: AssertionCase, _ assertion: Assertion) {
    id = item.id
    polarity = assertion.polarity
    temporality = assertion.temporality
    experiencer = assertion.experiencer
    cues = assertion.cues.map(\.rule)
  }
}

/// What `ask --json` prints, with the question's id.
struct AnswerPrediction: Encodable {
  let id: String
  let answer: AnswerOutput
  /// What the answer rests on: ranked sentences, or facts of one kind.
  let basis: String

  private enum CodingKeys: String, CodingKey { case id, basis }

  /// A line for each question.
  static func lines(
    _ cases: [QuestionCase], _ answers: [Answer], zone: PracticeTimeZone, today: CalendarDate
  ) throws -> [UInt8] {
    try OutputLines.lines(
      zip(cases, answers).map { item, answer in
        AnswerPrediction(
          id: item.id, answer: AnswerOutput(answer, zone: zone, today: today, explains: false),
          basis: answer.explanation.description)
      })
  }

  func encode(to encoder: any Encoder) throws {
    try answer.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(basis, forKey: .basis)
  }
}

/// What `schedule optimize --instance --json` prints, with the instance's file name.
private struct PlanPrediction: Encodable {
  let id: String
  let plan: Plan

  private enum CodingKeys: String, CodingKey { case id }

  func encode(to encoder: any Encoder) throws {
    try plan.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
  }
}
