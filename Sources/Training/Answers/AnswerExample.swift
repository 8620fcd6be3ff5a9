import Answering
public import Chart
public import Clinical

/// A question about one patient's record with its right answer, for fitting.
public struct AnswerExample: Sendable {
  public var id: String
  public var question: String
  /// As of ``askedAt``.
  public var record: PatientRecord
  public var askedAt: Timestamp
  public var right: RightAnswer
  /// Examples of one group are never on both sides of a cross-validation: a patient, in one practice.
  public var group: String
  /// Who wrote the record: its habits are those of its other patients' records too.
  public var practice: String

  public init(
    id: String, question: String, record: PatientRecord, askedAt: Timestamp, right: RightAnswer, group: String,
    practice: String
  ) {
    self.id = id
    self.question = question
    self.record = record
    self.askedAt = askedAt
    self.right = right
    self.group = group
    self.practice = practice
  }
}

/// An example measured: everything that does not depend on weights.
struct StudiedExample {
  let finder: EvidenceFinder
  /// Not scored yet, in the order of the record.
  let readings: [Reading]
  /// Facts alone answer it, whatever the weights are.
  let isAnsweredByFacts: Bool
  /// The sentences of ``readings`` that are right: for each thing the answer has to say, those that say it.
  let targets: [[Int]]
  private let example: AnswerExample

  var right: RightAnswer { example.right }
  var group: String { example.group }
  var practice: String { example.practice }

  init(_ example: AnswerExample, finder: EvidenceFinder, readings: [Reading], isAnsweredByFacts: Bool) {
    self.finder = finder
    self.readings = readings
    self.isAnsweredByFacts = isAnsweredByFacts
    self.example = example
    targets = example.right.targets(among: readings)
  }

  init(_ example: AnswerExample, by answerer: Answerer) {
    let measured = answerer.measured(example.question, record: example.record, askedAt: example.askedAt)
    self.init(
      example, finder: measured.finder, readings: measured.readings, isAnsweredByFacts: measured.isAnsweredByFacts)
  }

  /// The same as a translation model makes of it; of all sentences those that are candidates.
  func translated(by model: TranslationModel) -> StudiedExample {
    let finder = finder.translated(by: model)
    return StudiedExample(
      example, finder: finder, readings: EvidenceRanking.translated(readings, by: finder),
      isAnsweredByFacts: isAnsweredByFacts)
  }

  /// What it teaches of translation: its words with the terms of the sentences that are right.
  var pairs: [TranslationFitter.Pair] {
    guard !right.isSilence else { return [] }
    let words = Set(finder.question.terms).sorted()
    return targets.map { target in
      let right = target.prefix(Self.mostRight).map { readings[$0].match.unit }
      return TranslationFitter.Pair(
        words: words, terms: Set(right.flatMap(\.translatedTerms)).sorted(), practice: practice)
    }
  }

  private static let mostRight = 2
}
