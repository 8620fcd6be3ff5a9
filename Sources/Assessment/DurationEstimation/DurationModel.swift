public import Clinical
import Foundation

/// A finished visit that resembles the one to be planned.
public struct DurationSample: Hashable, Sendable {
  /// As it turned out.
  public var minutes: Double
  /// 0...1: how alike the two are.
  public var similarity: Double
  public var visitType: VisitType?
  public var clinicianID: String?

  public init(minutes: Double, similarity: Double, visitType: VisitType? = nil, clinicianID: String? = nil) {
    self.minutes = minutes
    self.similarity = similarity
    self.visitType = visitType
    self.clinicianID = clinicianID
  }
}

/// How long a visit will take, as a log-normal distribution of minutes.
public struct DurationEstimate: Hashable, Sendable {
  /// The natural logarithm of the median minutes.
  public let mu: Double
  /// The standard deviation of the logarithm.
  public let sigma: Double
  /// A sum of logarithms whose value is ``mu``.
  public let explanation: Explanation
  /// How far the practice's own visits were from what was predicted of them; nil for the normal distribution.
  var residuals: ResidualQuantiles?
  var visitType = ""

  init(mu: Double, sigma: Double, explanation: Explanation) {
    self.mu = mu
    self.sigma = sigma
    self.explanation = explanation
  }

  /// What a practice's own finished visits say.
  public init(_ forecast: DurationForecast) {
    self.init(mu: forecast.mu, sigma: forecast.sigma, explanation: forecast.explanation)
    residuals = forecast.residuals
    visitType = forecast.visitType
  }

  /// The minutes that a share `p` of such visits does not exceed.
  ///
  /// - Precondition: 0 < p < 1.
  public func quantile(_ p: Double) -> Double {
    exp(mu + sigma * (residuals?.quantile(p, visitType: visitType) ?? NormalDistribution.quantile(p)))
  }

  public var p50: Double { quantile(0.5) }
  public var p80: Double { quantile(0.8) }
  public var p90: Double { quantile(0.9) }
}

/// Predicts visit lengths from what is usual for a kind of visit and from the practice's own past ones.
///
/// The prior for the visit type, times multipliers for species, complexity and further animals, is a log-normal. The practice's
/// own minutes of similar visits pull it towards their mean, the more the more there are: an empirical-Bayes estimate in which
/// the prior counts as `prior_weight` visits. No samples give the prior; many give the samples.
///
/// - Formula: n = (Σw)² / Σw² (Kish's effective sample size); mu = (k·mu₀ + n·m) / (k + n), with m the weighted mean of the
///   logarithms, k the prior's weight; sigma² = (k·sigma₀² + n·s²) / (k + n) · (1 + 1 / (k + n)), which adds the mean's own uncertainty.
/// - Source: log-normal durations: Strum et al., Anesthesiology 2000;92:1160-1167; L. Kish, Survey Sampling, 1965, for n.
public struct DurationModel: Sendable {
  struct Prior: Sendable {
    let median: Double
    let logDeviation: Double
  }

  private let priors: [VisitType: Prior]
  private let multipliers: [String: Double]
  private let priorWeight: Double
  private let otherClinicianWeight: Double
  /// The version of the priors.
  public let version: String

  /// - Parameters:
  ///   - priors: `priors.tsv`: columns `visit_type`, `p50_minutes`, `log_sd`; its head gives `prior_weight` and
  ///     `other_clinician_weight`.
  ///   - multipliers: `multipliers.tsv`: columns `factor`, `value`, `multiplier`.
  /// - Throws: ``DataTableError`` for values that are no positive numbers.
  public init(priors: DataTable, multipliers: DataTable) throws(DataTableError) {
    var byType: [VisitType: Prior] = [:]
    for row in priors.rows {
      let median = try row.number("p50_minutes")
      let deviation = try row.number("log_sd")
      guard median > 0 else { throw row.error("p50_minutes", "is not positive") }
      guard deviation > 0 else { throw row.error("log_sd", "is not positive") }
      byType[VisitType(rawValue: row["visit_type"])] = Prior(median: median, logDeviation: deviation)
    }
    guard byType[.standardConsult] != nil else {
      throw DataTableError(
        table: priors.name, line: 0, column: "visit_type", problem: "'standard consult', which stands in, is missing")
    }
    self.priors = byType
    var factors: [String: Double] = [:]
    for row in multipliers.rows {
      let multiplier = try row.number("multiplier")
      guard multiplier > 0 else { throw row.error("multiplier", "is not positive") }
      factors[row["factor"] + "=" + row["value"]] = multiplier
    }
    self.multipliers = factors
    priorWeight = Double(priors.metadata["prior_weight"] ?? "") ?? 8
    otherClinicianWeight = Double(priors.metadata["other_clinician_weight"] ?? "") ?? 0.6
    version = priors.metadata["version"] ?? ""
  }

  /// The minutes a visit will take.
  ///
  /// - Parameters:
  ///   - visitType: the kind of visit; an unknown one is taken as a standard consult.
  ///   - species: nil for dog or cat or not known.
  ///   - complexityLevel: 1...4.
  ///   - animals: how many are to be seen in the visit.
  ///   - clinicianID: who will see it; others' samples then weigh less.
  ///   - samples: the practice's similar past visits.
  /// - Complexity: O(samples).
  /// - Returns: a log-normal distribution of minutes.
  public func estimate(
    visitType: VisitType, species: Species? = nil, complexityLevel: Int = 1, animals: Int = 1,
    clinicianID: String? = nil, samples: [DurationSample] = []
  ) -> DurationEstimate {
    let prior = prior(for: visitType)
    var parts = [Explanation("usual for \(visitType.rawValue), log minutes", value: log(prior.median))]
    func add(_ factor: String, _ value: String, times: Double = 1) {
      guard let multiplier = multipliers[factor + "=" + value], multiplier != 1 else { return }
      parts.append(Explanation("\(factor) \(value): ×\(multiplier)", value: log(multiplier) * times))
    }
    if let species { add("species", species.rawValue) }
    add("complexity", String(complexityLevel))
    if animals > 1 { add("further_animal", "each", times: Double(animals - 1)) }
    let priorMean = parts.reduce(0) { $0 + $1.value }

    let weighted = samples.compactMap { weigh($0, visitType, clinicianID) }
    let total = weighted.reduce(0) { $0 + $1.weight }
    let squares = weighted.reduce(0) { $0 + $1.weight * $1.weight }
    var variance = prior.logDeviation * prior.logDeviation
    if total > 0, squares > 0 {
      let count = total * total / squares
      let mean = weighted.reduce(0) { $0 + $1.weight * $1.logMinutes } / total
      let spread = weighted.reduce(0) { $0 + $1.weight * ($1.logMinutes - mean) * ($1.logMinutes - mean) } / total
      let pull = count / (priorWeight + count)
      parts.append(
        Explanation("\(weighted.count) similar visits of this practice", value: pull * (mean - priorMean)))
      variance = (priorWeight * variance + count * spread) / (priorWeight + count)
      variance *= 1 + 1 / (priorWeight + count)
    }
    let explanation = Explanation.sum("log of the median minutes", of: parts)
    return DurationEstimate(mu: explanation.value, sigma: variance.squareRoot(), explanation: explanation)
  }

  /// What is usual for a visit type; nil for one that the priors don't know.
  func usual(_ type: VisitType) -> (logMedian: Double, logDeviation: Double)? {
    priors[type].map { (log($0.median), $0.logDeviation) }
  }

  /// What a species adds to the logarithm of minutes.
  func effect(of species: Species) -> Double { log(multipliers["species=" + species.rawValue] ?? 1) }

  /// What a complexity level adds to the logarithm of minutes.
  func effect(ofComplexity level: Int) -> Double { log(multipliers["complexity=\(level)"] ?? 1) }

  private func prior(for type: VisitType) -> Prior {
    priors[type] ?? priors[.standardConsult] ?? Prior(median: 15, logDeviation: 0.5)
  }

  /// A sample of another kind of visit counts by how much longer or shorter it was than usual for its own kind.
  private func weigh(_ sample: DurationSample, _ type: VisitType, _ clinicianID: String?)
    -> (logMinutes: Double, weight: Double)?
  {
    guard sample.minutes > 0, sample.minutes.isFinite, sample.similarity > 0 else { return nil }
    var logMinutes = log(sample.minutes)
    if let other = sample.visitType, other != type {
      logMinutes += log(prior(for: type).median) - log(prior(for: other).median)
    }
    let isOther = clinicianID != nil && sample.clinicianID != clinicianID
    return (logMinutes, sample.similarity * (isOther ? otherClinicianWeight : 1))
  }
}
