import Answering

/// Learns a ``ReplyModel`` from labelled questions and the best sentences of their records.
enum ReplyFitter {
  /// Strong, for there are some thirty weights to a case. A third and three times as much made no difference to practices that were
  /// left out.
  static let penalty = 100.0

  /// What a question teaches: of the best of its best sentences that is of a note that answers it whether it tells or says no, of the
  /// best one where nothing answers it that it doesn't; of a disagreement nothing.
  ///
  /// Sentences beside the one that answers teach nothing, for many of them would answer as well.
  ///
  /// - Parameters:
  ///   - right: what the question should be answered with.
  ///   - judge: of its sentences, ranked.
  /// - Returns: nil where it teaches nothing.
  static func lesson(_ right: RightAnswer, _ judge: AnswerJudge) -> SoftmaxRegression.Case? {
    let best = judge.ranking.readings.prefix(AnswerJudge.heard)
    guard right.answerClass != .conflicting, let reading = best.first(where: right.isStated) ?? best.first else {
      return nil
    }
    let label = right.isSilence ? Label.other : right.answerClass == .negative ? .no : .told
    return SoftmaxRegression.Case(buckets: judge.features(reading).buckets, label: label.rawValue)
  }

  private enum Label: Int, CaseIterable { case told, no, other }

  /// - Returns: a model that has learned nothing where there are no cases.
  /// - Complexity: that of ``SoftmaxRegression``.
  static func model(fitting cases: [SoftmaxRegression.Case]) -> ReplyModel {
    guard !cases.isEmpty else { return ReplyModel() }
    let learned = SoftmaxRegression.fit(
      cases, labels: Label.allCases.count, width: ReplyFeatures.bucketCount, penalty: penalty)
    let told = Label.told.rawValue
    return ReplyModel(
      [Label.no, .other].map { label in
        let row = SoftmaxRegression.quantized(zip(learned.rows[label.rawValue], learned.rows[told]).map { $0 - $1 })
        return ReplyModel.Weights(
          bias: learned.biases[label.rawValue] - learned.biases[told], scale: row.scale, steps: row.steps)
      })
  }
}
