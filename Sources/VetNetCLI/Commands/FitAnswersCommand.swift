import Answering
import Clinical
import Evaluation
import Foundation
import Training
import VetNet

/// Fits the weights of answers; the table it writes is the one that ships.
enum FitAnswersCommand {
  static let command = Command(
    "evaluate fit-answers", "fits the weights of answers to labelled questions",
    positionals: [
      Positional("DIR", "folders with patients.jsonl, notes.jsonl and questions.jsonl", repeating: true)
    ],
    options: SuiteRun.options + [
      Option(
        "--by-practice", nil,
        "leave out whole folders, rather than tenths of the patients, to say how a new practice fares"),
      Option(
        "--keep", "MODEL",
        "leave the weights of a model as they are (\(AnswerModel.Decision.allCases.map(\.rawValue).joined(separator: ", "))); may be given again"
      ),
      Option("--out", "DIR", "a model folder to write the weights into (default: shows figures only)"),
    ],
    examples: [
      Example(
        "vetnet evaluate fit-answers Evaluations/questions/train",
        "how questions of each tenth of the patients are answered by what the others teach"),
      Example(
        "vetnet evaluate fit-answers Evaluations/questions/train Evaluations/questions/harbour --out Models",
        "writes weights, translations and replies; those that ship are of all practices that have been read"
      ),
    ],
    discussion: """
      Begins at briefing/answer-priors.tsv and writes briefing/answer-weights.tsv, answer-translations.tsv and answer-replies.tsv. The same
      questions, tables, priors and shipped weights, which say what facts answer, give the same weights on one machine. Figures are of a cross-validation by patient; with --by-practice of one by folder, which is
      what a practice can expect that nobody has seen, as far as the tables were not corrected on it. A model that is kept may have been fitted to the folders that are left out: then they flatter.
      """
  ) { invocation in
    let folders = invocation.arguments.positionals
    let isByPractice = invocation.arguments.isSet("--by-practice")
    guard !isByPractice || folders.count > 1 else {
      throw UsageError("--by-practice needs two folders or more: there is nothing to fit to but the others")
    }
    let kept = try invocation.arguments.values("--keep").map { name in
      guard let model = AnswerModel.Decision(rawValue: name) else {
        let known = AnswerModel.Decision.allCases.map(\.rawValue).joined(separator: ", ")
        throw UsageError("--keep: '\(name)' is none of \(known)")
      }
      return model
    }
    let fitting = try AnswerFitting(
      folders: folders, keeping: Set(kept), holdingOut: isByPractice ? .practices : .patients)
    let zone = PracticeTimeZone.utc
    let bar = ProgressBar("fitting", isVisible: invocation.terminal.stderrIsTerminal)
    let now = try invocation.now(in: zone)
    let outcome = try fitting.run(
      models: invocation.models(), zone: zone, now: now, seed: try SuiteRun.seed(invocation)
    ) { done in bar.update(done: done, total: fitting.folds) }
    bar.finish()
    if let folder = invocation.arguments.value("--out") {
      let weights = "\(folder)/briefing/answer-weights.tsv"
      let translations = "\(folder)/briefing/answer-translations.tsv"
      let replies = "\(folder)/briefing/answer-replies.tsv"
      let names = folders.map { URL(filePath: $0).lastPathComponent }.joined(separator: ", ")
      let left = kept.isEmpty ? "" : "; kept as they were: \(kept.map(\.rawValue).joined(separator: ", "))"
      let text = outcome.model.text(head: [
        ("title", "How much each measure of a sentence counts for an answer"),
        (
          "source",
          "Fitted by 'vetnet evaluate fit-answers' to \(outcome.fitted) questions about \(outcome.patients) patients of Evaluations/questions (\(names)), beginning at answer-priors.tsv\(left); not written by hand"
        ),
        ("licence", "MIT, written for VetNet"), ("version", "4"),
      ])
      let learned = outcome.model.translation.text(head: [
        ("title", "Which terms of sentences answer which words of questions"),
        (
          "source",
          "Learned by 'vetnet evaluate fit-answers' from the answers to the questions of Evaluations/questions (\(names)); not written by hand"
        ),
        ("licence", "MIT, written for VetNet"), ("version", "1"),
      ])
      let said = outcome.model.replies.text(head: [
        ("title", "Weights by which a sentence says no to a question, or doesn't answer it; learned"),
        (
          "source",
          "Learned by 'vetnet evaluate fit-answers' from the questions of Evaluations/questions (\(names)) and the best sentences for each; not written by hand"
        ),
        ("licence", "MIT, written for VetNet"), ("version", "2"),
      ])
      for (file, text) in [(weights, text), (translations, learned), (replies, said)] {
        let place = URL(filePath: file)
        try FileManager.default.createDirectory(
          at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: place, options: .atomic)
        invocation.terminal.say("wrote \(file)")
      }
    }
    let today = zone.date(of: now)
    let run = SuiteRun(report: outcome.report, metrics: QuestionSuite.metricNames, paths: folders)
    try run.show(invocation) { try AnswerPrediction.lines(fitting.cases, outcome.answers, zone: zone, today: today) }
    return .ok
  }
}
