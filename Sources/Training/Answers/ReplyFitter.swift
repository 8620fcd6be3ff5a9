import Answering

/// Learns a ``ReplyModel`` from questions that "no" would answer and the sentences that answer them.
enum ReplyFitter {
  /// - Parameter studies: of pairs, each with its class; of those whose answer has several sentences the one teaches that holds
  ///   most of the question.
  /// - Returns: a model that has learned nothing where no question could be answered by no.
  /// - Complexity: that of ``SoftmaxRegression``.
  static func model(fitting studies: [StudiedExample]) -> ReplyModel {
    let cases = studies.compactMap { study -> SoftmaxRegression.Case? in
      let question = study.finder.question
      guard question.takesNo,
        let best = study.readings.max(by: { ($0.features[.own], $1.match.place) < ($1.features[.own], $0.match.place) })
      else { return nil }
      let features = ReplyFeatures(of: question, in: best, next: study.finder.follower(of: best.match.place))
      return SoftmaxRegression.Case(buckets: features.buckets, label: study.right.answerClass == .negative ? 1 : 0)
    }
    guard !cases.isEmpty else { return ReplyModel() }
    let weights = SoftmaxRegression.fit(cases, labels: 2, width: ReplyFeatures.bucketCount)
    let row = SoftmaxRegression.quantized(zip(weights.rows[1], weights.rows[0]).map { $0 - $1 })
    return ReplyModel(bias: weights.biases[1] - weights.biases[0], scale: row.scale, steps: row.steps)
  }
}
