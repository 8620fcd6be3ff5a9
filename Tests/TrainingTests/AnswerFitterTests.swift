import Answering
import Chart
import Clinical
import Extraction
import RecordTestSupport
import Testing
import VetNet
import VetNetTestSupport

@testable import Training

@Suite struct AnswerFitterTests {
  /// The shipped tables of answering, read once for all tests.
  private static let answerer = Result { try ModelDirectory(path: modelsDirectory).answerer() }

  private func example(
    _ id: String, _ question: String, _ answerClass: Answer.Class, _ texts: [String], says: [[String]]
  )
    throws -> AnswerExample
  {
    let reader = try Fixtures.extractors.get().facts
    let notes = texts.enumerated().map { note("\(id)-\($0)", "2026-0\($0 + 1)-01", $1) }
    let facts = Dictionary(
      uniqueKeysWithValues: notes.map { ($0.id, reader.facts(in: $0.text, kind: $0.kind)) })
    return AnswerExample(
      id: id, question: question,
      record: PatientRecord(patient: Patient(id: id, name: "Fern", species: .dog), notes: notes, facts: facts),
      askedAt: noon("2026-11-20"),
      right: RightAnswer(
        answerClass, evidence: answerClass == .notRecorded ? [] : [notes[0].id], decisive: says),
      group: id, practice: "one")
  }

  private func examples() throws -> [AnswerExample] {
    let exam = "Ears clean. Chest clear, heart rate 96, no murmur heard. Nails clipped today. Owner pleased."
    return try [
      example("A", "why was carprofen stopped?", .found, ["Carprofen stopped, dark stools.", exam], says: [["dark"]]),
      example("B", "any seizures?", .negative, ["No seizures seen.", exam], says: []),
      example("C", "hip score?", .notRecorded, [exam, "Booster given."], says: []),
      example("D", "what did the biopsy show?", .found, ["Biopsy: lipoma, benign.", exam], says: [["lipoma"]]),
    ]
  }

  private func fitter() throws -> AnswerFitter {
    let table = try modelTable("briefing/answer-priors.tsv")
    return AnswerFitter(answerer: try Self.answerer.get(), priors: try AnswerPriors(table: table))
  }

  @Test func `the same examples give the same weights, and the weights can be read back`() throws {
    let fitter = try fitter()
    let examples = try examples()
    let text = fitter.model(fitting: examples).text(head: [("title", "t")])
    #expect(text == fitter.model(fitting: examples).text(head: [("title", "t")]))
    let read = try AnswerModel(table: DataTable(name: "t", text: text))
    #expect(read.text(head: [("title", "t")]) == text)
  }

  @Test func `a weight never crosses the side that its sign allows`() throws {
    let priors = try modelTable("briefing/answer-priors.tsv")
    let text = try fitter().model(fitting: examples()).text(head: [])
    let fitted = try DataTable(name: "t", text: text).rows
    for row in priors.rows where !row["sign"].isEmpty {
      let match = try #require(fitted.first { $0["model"] == row["model"] && $0["feature"] == row["feature"] })
      let weight = try match.number("weight")
      #expect(row["sign"] == "+" ? weight >= 0 : weight <= 0, "\(row["model"]) \(row["feature"])")
    }
  }

  @Test(arguments: AnswerModel.Decision.allCases)
  func `a model that is kept has the weights that ship, and no other has`(kept: AnswerModel.Decision) throws {
    let answerer = try Self.answerer.get()
    let priors = try AnswerPriors(table: modelTable("briefing/answer-priors.tsv"))
    func rows(_ model: AnswerModel, of decision: AnswerModel.Decision) -> [String] {
      guard decision != .replies else { return [model.replies.text(head: [])] }
      return model.text(head: []).split(separator: "\n").filter { $0.hasPrefix(decision.rawValue + "\t") }.map(
        String.init)
    }
    let fitted = try AnswerFitter(answerer: answerer, priors: priors, keeping: [kept]).model(fitting: examples())
    let free = try fitter().model(fitting: examples())
    for decision in AnswerModel.Decision.allCases {
      let expected = decision == kept ? answerer.model : free
      #expect(rows(fitted, of: decision) == rows(expected, of: decision), "\(decision)")
      #expect(rows(answerer.model, of: decision) != rows(free, of: decision), "\(decision)")
    }
  }

  @Test(arguments: [
    (Answer.Class.found, 0 as Int?), (.negative, 1), (.notRecorded, 2), (.conflicting, nil),
  ])
  func `a question teaches one sentence, of a note that answers it where there is one`(
    answerClass: Answer.Class, label: Int?
  ) throws {
    let answerer = try Self.answerer.get()
    // The second note names more of the question, and is not what answers it.
    let example = try example(
      "E", "was carprofen stopped?", answerClass, ["Carprofen given.", "Was carprofen stopped? Carprofen stopped."],
      says: [])
    let study = StudiedExample(example, by: answerer)
    let judge = AnswerJudge(ranking: EvidenceRanking(study.finder, study.readings, model: answerer.model))
    let lesson = ReplyFitter.lesson(example.right, judge)
    #expect(lesson?.label == label)
    let best = try #require(judge.ranking.readings.first)
    #expect(best.match.unit.note.id == "E-1")
    let answering = try #require(judge.ranking.readings.first { $0.match.unit.note.id == "E-0" })
    if let lesson {
      #expect(lesson.buckets == judge.features(answerClass == .notRecorded ? best : answering).buckets)
    }
  }

  @Test func `each example is left out once, with all of its group`() throws {
    var examples = try examples()
    examples[3].group = examples[0].group
    let folds = try fitter().crossValidation(examples, leavingOut: \.group, folds: 3)
    #expect(folds.flatMap(\.left).sorted() == [0, 1, 2, 3])
    #expect(folds.contains { $0.left.contains(0) && $0.left.contains(3) })
  }

  @Test func `a practice is left out with all of its patients`() throws {
    var examples = try examples()
    for index in [1, 2] { examples[index].practice = "two" }
    let folds = try fitter().crossValidation(examples, leavingOut: \.practice, folds: 2)
    #expect(folds.map { Set($0.left) } == [[0, 3], [1, 2]])
  }

  @Test func `a minimum is found within its bounds`() {
    // (x − 3)² + 2 (y + 1)² with y not below 0.
    let found = BoundedMinimizer().minimum(
      from: [0, 5], lower: [-.infinity, 0], upper: [.infinity, .infinity]
    ) { place, gradient in
      gradient = [2 * (place[0] - 3), 4 * (place[1] + 1)]
      return (place[0] - 3) * (place[0] - 3) + 2 * (place[1] + 1) * (place[1] + 1)
    }
    #expect(abs(found[0] - 3) < 1e-3)
    #expect(abs(found[1]) < 1e-3)
  }

  @Test(arguments: ["luck\town\t1\t", "evidence\tcolour\t1\t", "evidence\town\t1\tup"])
  func `a prior of an unknown model or feature or with an unknown sign is refused`(row: String) {
    #expect(throws: DataTableError.self) {
      try AnswerPriors(table: DataTable(name: "t", text: "model\tfeature\tprior\tsign\n\(row)"))
    }
  }
}
