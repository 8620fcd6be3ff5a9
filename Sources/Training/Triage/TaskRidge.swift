import Assessment
import LinearAlgebra

/// The regression of one task of triage: cases compared by their features and by the kinship of their words.
struct TaskRidge {
  /// What a solution says of any case.
  struct Model {
    let shares: [Float]
    let means: [Double]
    let weights: [[Float]]

    /// By output of the task.
    func scores(_ vector: CaseVector) -> [Double] {
      let entries = vector.weighted(shares)
      return weights.indices.map { output in
        entries.reduce(means[output]) { $0 + Double($1.value * weights[output][Int($1.bucket)]) }
      }
    }
  }

  let ridge: KernelRidge
  private let settings: LearningTable.Settings
  private let kinship: WordKinship
  private let shares: [Float]
  private let cases: [[(bucket: Int32, value: Float)]]
  private let sums: WordKinship.Sums

  /// - Parameters:
  ///   - settings: of the task.
  ///   - vectors: the cases that it is fitted to.
  ///   - kinship: of the words of all exemplars.
  init(_ settings: LearningTable.Settings, _ vectors: [CaseVector], _ kinship: WordKinship) {
    self.settings = settings
    self.kinship = kinship
    let shares = settings.shares.map { Float($0.squareRoot()) }
    self.shares = shares
    cases = vectors.map { $0.weighted(shares) }
    sums = kinship.sums(vectors)
    ridge = KernelRidge(
      kernel: KernelRidge.kernel(
        cases, dense: settings.kinship > 0 ? sums.matrix : nil, share: Float(settings.kinship)),
      penalty: settings.penalty)
  }

  func model(_ solution: KernelRidge.Solution) -> Model {
    Model(shares: shares, means: solution.means, weights: weights(solution))
  }

  /// By output and bucket of a feature; the kinship of words is folded into the buckets of words.
  private func weights(_ solution: KernelRidge.Solution) -> [[Float]] {
    var weights = KernelRidge.bucketWeights(solution, cases)
    guard settings.kinship > 0 else { return weights }
    let factor = Float(settings.kinship / settings.shares[FeatureBlock.words.index].squareRoot()) * sums.scale
    for output in weights.indices {
      var directions = [Float](repeating: 0, count: sums.matrix.columns)
      for (place, row) in solution.rows.enumerated() {
        let weight = solution.weights[place, output]
        for (column, value) in sums.matrix.row(row).enumerated() { directions[column] += weight * value }
      }
      for (bucket, value) in zip(FeatureBlock.words.buckets, kinship.bucketWeights(directions, scale: factor)) {
        weights[output][bucket] += value
      }
    }
    return weights
  }
}
