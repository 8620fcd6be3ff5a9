public import Answering
import Clinical
import Glibc

/// Fits the weights of answers to labelled questions: which sentence is evidence, what sentences reply, whether the record is silent,
/// whether notes disagree.
///
/// Each is penalised maximum likelihood, held near weights that were set by judgement. All but the first are fitted to what the
/// evidence model makes of practices (of patients, where there are few) that it was not fitted to, because that is what they
/// will see. The same examples give the same weights.
public struct AnswerFitter: Sendable {
  /// The share of answerable questions that may be called silent: where nobody has corrected a table it is about twice as many.
  static let falseRefusals = 0.05
  /// A silent record counts for more than an answerable one: there are fewer.
  private static let silentWeight = 1.5
  private static let innerFolds = 5
  /// More practices than these share folds: a fit of each would leave out too little to matter.
  private static let mostFolds = 10
  /// With fewer practices than these patients are left out instead: one practice is too little to learn from.
  private static let fewestPractices = 3

  private let answerer: Answerer
  private let priors: AnswerPriors
  /// The models whose weights stay as they are in the answerer's.
  private let kept: Set<AnswerModel.Decision>

  /// - Parameters:
  ///   - answerer: whose parts read questions and records.
  ///   - priors: where weights begin.
  ///   - kept: models that aren't fitted but taken over from the answerer.
  public init(
    answerer: Answerer, priors: AnswerPriors, keeping kept: Set<AnswerModel.Decision> = []
  ) {
    self.kept = kept
    self.answerer = answerer
    self.priors = priors
  }

  /// The weights that follow from some examples.
  ///
  /// - Complexity: linear in the sentences of the examples' records.
  public func model(fitting examples: [AnswerExample]) -> AnswerModel { model(fitting: examples.map(studied)) }

  /// For each fold of a cross-validation, which examples it leaves out and the weights that the others give. Folds are of whole
  /// groups.
  ///
  /// - Parameters:
  ///   - examples: in any order.
  ///   - groups: of each example, what is left out as a whole: a patient, or a practice.
  ///   - folds: into how many parts the groups are dealt.
  ///   - progress: called with the folds done so far.
  /// - Returns: for each fold the places of the examples left out and the weights.
  public func crossValidation(
    _ examples: [AnswerExample], leavingOut groups: KeyPath<AnswerExample, String>, folds: Int,
    progress: (Int) -> Void = { _ in }
  ) -> [(left: [Int], model: AnswerModel)] {
    let studies = examples.map(studied)
    let fold = Self.folds(examples.map { $0[keyPath: groups] }, count: folds)
    return (0..<folds).map { index in
      let model = model(fitting: studies.indices.filter { fold[$0] != index }.map { studies[$0] })
      progress(index + 1)
      return (studies.indices.filter { fold[$0] == index }, model)
    }
  }

  /// Deals groups to folds, in the order of their names.
  static func folds(_ groups: [String], count: Int) -> [Int] {
    let names = Set(groups).sorted()
    let places = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0 % count) })
    return groups.map { places[$0] ?? 0 }
  }

  private func studied(_ example: AnswerExample) -> StudiedExample {
    StudiedExample(example, by: answerer)
  }

  private func model(fitting studies: [StudiedExample]) -> AnswerModel {
    // What a new practice will see is what the evidence model makes of practices that it was not fitted to.
    let practices = Set(studies.map(\.practice)).count
    let isByPractice = practices >= Self.fewestPractices
    let count = isByPractice ? min(practices, Self.mostFolds) : Self.innerFolds
    let fold = Self.folds(studies.map { isByPractice ? $0.practice : $0.group }, count: count)
    let learned = studies.map(\.pairs)
    func translation(without left: Int?) -> TranslationModel {
      TranslationFitter.model(
        fitting: studies.indices.filter { fold[$0] != left }.flatMap { learned[$0] })
    }
    let parts = (0..<count).map { translation(without: $0) }
    let studies = studies.indices.map { studies[$0].translated(by: parts[fold[$0]]) }
    let evidence = evidence(studies, from: priors.evidence.prior)
    // By fold, what the others make of its examples.
    let held = (0..<count).map { index -> [Held] in
      let others = studies.indices.filter { fold[$0] != index }
      let model = AnswerModel(evidence: self.evidence(others.map { studies[$0] }, from: evidence))
      return studies.indices.filter { fold[$0] == index }.map { place in
        let study = studies[place]
        let judge = AnswerJudge(ranking: EvidenceRanking(study.finder, study.readings, model: model))
        return Held(study: study, model: model, lesson: ReplyFitter.lesson(study.right, judge))
      }
    }
    let replies = Concurrent.map(Array(0...count), portion: 1) { left in
      ReplyFitter.model(fitting: held.indices.filter { $0 != left }.flatMap { held[$0].compactMap(\.lesson) })
    }
    var silence = Decision()
    var conflicts: [ChoiceSet] = []
    for index in 0..<count {
      for item in held[index] {
        let ranking = EvidenceRanking(
          item.study.finder, item.study.readings, model: item.model.replying(by: replies[index]))
        if let set = conflictSet(item.study, ranking) { conflicts.append(set) }
        let isSilent = item.study.right.isSilence
        silence.add(
          AnswerJudge(ranking: ranking).silenceMeasures.values, isSilent, weight: isSilent ? Self.silentWeight : 1,
          fold: index)
      }
    }
    var limits = priors.limits
    let heldOut = silence.heldOut(priors.silence, folds: count)
    limits.silence = Self.threshold(
      zip(held.flatMap { $0.map(\.study) }, heldOut).filter { !$0.0.isAnsweredByFacts && !$0.0.right.isSilence }
        .map(\.1), answerable: studies.count { !$0.right.isSilence })
    var model = AnswerModel(
      evidence: evidence, silence: silence.fit(priors.silence),
      conflict: choice(conflicts, priors.conflict, from: priors.conflict.prior), limits: limits)
    model.translation = translation(without: nil)
    model.replies = replies[count]
    return model.keeping(kept, of: answerer.model)
  }

  /// An example, with what a fit to other practices makes of it.
  private struct Held: Sendable {
    let study: StudiedExample
    let model: AnswerModel
    /// What it teaches of replies.
    let lesson: SoftmaxRegression.Case?
  }

  /// The probability from which a record is called silent, so that few answerable questions reach it.
  private static func threshold(_ answerable: [Double], answerable count: Int) -> Double {
    let allowed = Int(falseRefusals * Double(count))
    let sorted = answerable.sorted(by: >)
    guard sorted.count > allowed else { return AnswerLimits().silence }
    // Between the last that is let through and the one before it, and never far from even odds.
    let upper = allowed > 0 ? sorted[allowed - 1] : 1
    return min(0.75, max(0.25, (upper + sorted[allowed]) / 2))
  }

  private func evidence(_ studies: [StudiedExample], from start: [Double]) -> [Double] {
    choice(
      studies.compactMap { study in
        study.targets.isEmpty ? nil : ChoiceSet(study.readings.map(\.features.values), targets: study.targets)
      }, priors.evidence, from: start)
  }

  /// The pairs of an example's sentences that may disagree, and that none of them does.
  private func conflictSet(_ study: StudiedExample, _ ranking: EvidenceRanking) -> ChoiceSet? {
    let pairs = ConflictPairs(question: ranking.question, finder: study.finder, limits: priors.limits)
      .pairs(among: ranking.readings)
    guard !pairs.isEmpty, !study.isAnsweredByFacts else { return nil }
    let right = pairs.indices.filter { index in
      [pairs[index].first, pairs[index].second].allSatisfy(study.right.isStated)
    }
    let none = [Double](repeating: 0, count: ConflictFeature.allCases.count)
    guard study.right.answerClass == .conflicting else {
      return ChoiceSet(pairs.map(\.features.values) + [none], targets: [[pairs.count]])
    }
    return right.isEmpty ? nil : ChoiceSet(pairs.map(\.features.values) + [none], targets: [right])
  }

  /// Weights by which the right ones of each set share the probability that one of them is chosen.
  private func choice(_ sets: [ChoiceSet], _ prior: AnswerPriors.Weights, from start: [Double]) -> [Double] {
    BoundedMinimizer().minimum(from: start, lower: prior.lower, upper: prior.upper) { weights, gradient in
      var loss = 0.0
      for index in weights.indices {
        let away = weights[index] - prior.prior[index]
        loss += prior.ridge / 2 * away * away
        gradient[index] = prior.ridge * away
      }
      for set in sets { loss += set.loss(weights, &gradient) }
      return loss
    }
  }
}

/// The candidates of one question, of each the features that are not 0.
private struct ChoiceSet {
  private var starts: [Int] = [0]
  private var features: [Int] = []
  private var values: [Double] = []
  private let targets: [[Int]]

  /// - Parameters:
  ///   - candidates: the features of each.
  ///   - targets: for each thing that has to be found, the candidates that are right.
  init(_ candidates: [[Double]], targets: [[Int]]) {
    self.targets = targets
    for candidate in candidates {
      for (index, value) in candidate.enumerated() where value != 0 {
        features.append(index)
        values.append(value)
      }
      starts.append(features.count)
    }
  }

  /// Adds the gradient of the negative logarithm of the probability of each target, the mean over the targets.
  func loss(_ weights: [Double], _ gradient: inout [Double]) -> Double {
    let count = starts.count - 1
    var scores = [Double](repeating: 0, count: count)
    for sentence in 0..<count {
      for place in starts[sentence]..<starts[sentence + 1] {
        scores[sentence] += weights[features[place]] * values[place]
      }
    }
    let best = scores.max() ?? 0
    let likelihoods = scores.map { exp($0 - best) }
    let total = likelihoods.reduce(0, +)
    var pull = likelihoods.map { $0 / total }
    var loss = 0.0
    for target in targets {
      let share = target.reduce(0) { $0 + likelihoods[$1] }
      loss -= log(max(share, 1e-12) / total) / Double(targets.count)
      for sentence in target { pull[sentence] -= likelihoods[sentence] / max(share, 1e-12) / Double(targets.count) }
    }
    for sentence in 0..<count where pull[sentence] != 0 {
      for place in starts[sentence]..<starts[sentence + 1] {
        gradient[features[place]] += pull[sentence] * values[place]
      }
    }
    return loss
  }
}

/// The examples of a yes or no that is fitted by logistic regression.
private struct Decision {
  private var rows: [(values: [Double], label: Bool, weight: Double, fold: Int)] = []

  mutating func add(_ values: [Double], _ label: Bool, weight: Double, fold: Int) {
    rows.append((values, label, weight, fold))
  }

  func fit(_ prior: AnswerPriors.Weights, without fold: Int? = nil) -> [Double] {
    let rows = rows.filter { $0.fold != fold }
    return BoundedMinimizer().minimum(from: prior.prior, lower: prior.lower, upper: prior.upper) { weights, gradient in
      var loss = 0.0
      for index in weights.indices {
        let away = weights[index] - prior.prior[index]
        loss += prior.ridge / 2 * away * away
        gradient[index] = prior.ridge * away
      }
      for row in rows {
        let score = zip(weights, row.values).reduce(0) { $0 + $1.0 * $1.1 }
        let signed = row.label ? score : -score
        loss += row.weight * (signed > 30 ? 0 : log1p(exp(-signed)))
        let pull = row.weight * ((1 / (1 + exp(-score))) - (row.label ? 1 : 0))
        for index in weights.indices { gradient[index] += pull * row.values[index] }
      }
      return loss
    }
  }

  /// The probability of each example, in their order, by what the other folds give.
  func heldOut(_ prior: AnswerPriors.Weights, folds: Int) -> [Double] {
    let models = (0..<folds).map { fit(prior, without: $0) }
    return rows.map { row in
      1 / (1 + exp(-zip(models[row.fold], row.values).reduce(0) { $0 + $1.0 * $1.1 }))
    }
  }
}
