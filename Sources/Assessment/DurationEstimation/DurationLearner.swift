public import Clinical
import Foundation

/// What is known of a visit when its length is to be predicted. Everything may be missing.
public struct DurationInput: Hashable, Sendable {
  /// As the practice calls it.
  public var visitType: String?
  public var clinicianID: String?
  /// As the practice calls it.
  public var species: String?
  public var ageYears: Double?
  /// What somebody booked, in minutes.
  public var slotMinutes: Double?
  /// 1...4.
  public var complexityLevel: Int?
  /// Why the patient comes, and flags.
  public var text: String

  public init(
    visitType: String? = nil, clinicianID: String? = nil, species: String? = nil, ageYears: Double? = nil,
    slotMinutes: Double? = nil, complexityLevel: Int? = nil, text: String = ""
  ) {
    self.visitType = visitType
    self.clinicianID = clinicianID
    self.species = species
    self.ageYears = ageYears
    self.slotMinutes = slotMinutes
    self.complexityLevel = complexityLevel
    self.text = text
  }
}

/// Predicts visit lengths from a practice's own finished visits, one by one, beginning with what is usual everywhere.
///
/// The logarithm of the minutes is a sum of effects: of the visit type, the clinician, both together, the species, the age, the
/// booked slot, single words of the reason. Each effect starts at zero with the spread that such effects have, and every
/// finished visit updates all of them together: Bayesian linear regression, in the form of a Kalman filter whose state drifts a
/// little, so that old habits fade. With no visits the prediction is the prior; an effect with few visits stays near zero.
///
/// The quantiles come from how far earlier visits were from their own predictions, so that they hold for skewed and heavy-tailed
/// lengths too; until there are enough of those, from the normal distribution.
///
/// - Complexity: O(effects) for a prediction, O(effects²) to learn a visit, with at most ``Parameters/maximumEffects``.
/// - Source: R. E. Kalman, "A new approach to linear filtering and prediction problems", J Basic Eng 1960;82:35–45;
///   log-normal durations: Strum et al., Anesthesiology 2000;92:1160–1167.
public struct DurationLearner: Sendable {
  /// The spreads of effects, and how fast they may change. In `duration/learning.tsv`.
  public struct Parameters: Hashable, Sendable {
    /// Standard deviations of effects on the logarithm of minutes, by kind of effect.
    public var spread: [String: Double]
    /// What an effect may drift by in one visit, as a share of its spread.
    public var drift: Double
    /// How far a booked slot moves what is usual for its type towards itself, before anything is learned: 0 not at all, 1 wholly.
    public var slotShare: Double
    /// Visits that the prior spread of the residuals counts for.
    public var residualWeight: Double
    /// Visits after which half of a quantile comes from earlier residuals.
    public var quantileWeight: Double
    /// A word counts from its so-manieth visit on.
    public var minimumWordCount: Int
    public var maximumEffects: Int

    /// - Parameter table: `duration/learning.tsv`: columns `parameter`, `value`; `spread …` gives the spread of a kind of effect.
    /// - Throws: ``DataTableError`` for a value that is missing or not positive.
    public init(table: DataTable) throws(DataTableError) {
      var values: [String: Double] = [:]
      for row in table.rows {
        let value = try row.number("value")
        guard value >= 0 else { throw row.error("value", "is negative") }
        values[row["parameter"]] = value
      }
      func value(_ name: String) throws(DataTableError) -> Double {
        guard let value = values[name] else {
          throw DataTableError(table: table.name, line: 0, column: "parameter", problem: "'\(name)' is missing")
        }
        return value
      }
      spread = [:]
      for kind in EffectKind.allCases { spread[kind.rawValue] = try value("spread \(kind.rawValue)") }
      drift = try value("drift")
      slotShare = try value("slot share")
      residualWeight = try value("residual weight")
      quantileWeight = try value("quantile weight")
      minimumWordCount = Int(try value("minimum word count"))
      maximumEffects = Int(try value("maximum effects"))
    }
  }

  /// What an effect belongs to.
  enum EffectKind: String, CaseIterable, Sendable {
    case practice
    case visitType = "visit type"
    case unknownVisitType = "unknown visit type"
    case clinician
    case clinicianAndVisitType = "clinician and visit type"
    case species
    case age
    case complexity
    case slot
    case slotAndVisitType = "slot and visit type"
    case word
  }

  let model: DurationModel
  let parameters: Parameters
  var state: KalmanState
  /// Places in the state by an effect's name.
  var places: [String: Int] = [:]
  var wordCounts: [String: Int] = [:]
  var residuals: ResidualQuantiles
  /// Squared residuals by visit type, as shares of what was expected.
  var noise: [String: (weight: Double, ratio: Double)] = [:]
  /// Finished visits learned from.
  public internal(set) var visitCount = 0
  /// Effects that are told apart so far.
  var effectCount: Int { state.count }

  public init(model: DurationModel, parameters: Parameters) {
    self.model = model
    self.parameters = parameters
    state = KalmanState()
    residuals = ResidualQuantiles(weight: parameters.quantileWeight)
  }

  /// How long a visit will take, by what was learned so far.
  public func forecast(_ input: DurationInput) -> DurationForecast {
    let design = effects(of: input)
    let known = design.effects.compactMap { effect in places[effect.name].map { ($0, effect.value) } }
    let unknown = design.effects.filter { places[$0.name] == nil }
      .reduce(0) { $0 + square((parameters.spread[$1.kind.rawValue] ?? 0) * $1.value) }
    let (mean, variance) = state.predict(known)
    var parts = [Explanation("usual for such a visit, log minutes", value: design.base)]
    for effect in design.effects {
      guard let place = places[effect.name] else { continue }
      let value = state.mean[place] * effect.value
      if abs(value) >= 0.01 { parts.append(Explanation(effect.name, value: value)) }
    }
    let noise = noise(for: input.visitType, base: design.deviation)
    return DurationForecast(
      mu: design.base + mean, sigma: (noise + variance + unknown).squareRoot(), residuals: residuals,
      visitType: input.visitType ?? "", visitCount: visitCount,
      explanation: Explanation(
        "log of the median minutes, from \(visitCount) finished visits", value: design.base + mean, details: parts))
  }

  /// Takes a finished visit into account.
  ///
  /// - Parameters:
  ///   - input: what was known before it.
  ///   - minutes: how long it took; what is not positive teaches nothing.
  public mutating func learn(_ input: DurationInput, minutes: Double) {
    guard minutes > 0, minutes.isFinite else { return }
    let expected = forecast(input)
    let error = log(minutes) - expected.mu
    if visitCount > 0 { residuals.add(error / expected.sigma, visitType: input.visitType ?? "") }
    for word in Self.words(of: input.text) { wordCounts[word, default: 0] += 1 }
    let design = effects(of: input)
    for effect in design.effects where places[effect.name] == nil && state.count < parameters.maximumEffects {
      places[effect.name] = state.count
      let spread = parameters.spread[effect.kind.rawValue] ?? 0
      state.append(variance: spread * spread, drift: square(parameters.drift * spread))
    }
    let known = design.effects.compactMap { effect in places[effect.name].map { ($0, effect.value) } }
    let base = design.deviation
    let expectedNoise = noise(for: input.visitType, base: base)
    let (mean, variance) = state.predict(known)
    let surprise = log(minutes) - design.base - mean
    // A visit far out of line, such as an emergency written down as a recheck, teaches less.
    let reach = 3 * (expectedNoise + variance).squareRoot()
    state.update(known, residual: min(reach, max(-reach, surprise)), noise: expectedNoise)
    learnNoise(square(min(reach, abs(surprise))) / max(1e-6, 1 + variance / expectedNoise), input.visitType, base)
    visitCount += 1
  }

  // MARK: Effects

  private struct Effect {
    let name: String
    let kind: EffectKind
    let value: Double
  }

  /// The prior's logarithm of minutes with its spread, and the effects that a visit has.
  private func effects(of input: DurationInput) -> (base: Double, deviation: Double, effects: [Effect]) {
    var effects = [Effect(name: "this practice", kind: .practice, value: 1)]
    let type = input.visitType.map { VisitType(rawValue: $0) }
    let prior = type.flatMap { model.usual($0) }
    var base = prior?.logMedian ?? log(15)
    let deviation = prior?.logDeviation ?? 0.45
    if let slot = input.slotMinutes, slot > 0, slot.isFinite {
      // What is booked says how long somebody thought it would take; where nothing else is known, that is the prior.
      base += (log(slot) - base) * (prior == nil ? 1 : parameters.slotShare)
      effects.append(Effect(name: "booked slot", kind: .slot, value: log(slot) - base))
      effects.append(Effect(name: "slot of \(Int(slot)) min", kind: .slotAndVisitType, value: 1))
      if let type = input.visitType {
        effects.append(Effect(name: "\(type), slot of \(Int(slot)) min", kind: .slotAndVisitType, value: 1))
      }
    }
    if let word = input.species, let species = Species(describing: word) {
      base += model.effect(of: species)
      effects.append(Effect(name: species.rawValue, kind: .species, value: 1))
    } else if let word = input.species {
      effects.append(Effect(name: word, kind: .species, value: 1))
    }
    if let level = input.complexityLevel {
      base += model.effect(ofComplexity: level)
      effects.append(Effect(name: "complexity C\(level)", kind: .complexity, value: 1))
    }
    if let type = input.visitType {
      effects.append(
        Effect(name: type, kind: prior == nil ? .unknownVisitType : .visitType, value: 1))
    }
    if let clinician = input.clinicianID {
      effects.append(Effect(name: "with \(clinician)", kind: .clinician, value: 1))
      if let type = input.visitType {
        effects.append(Effect(name: "\(type) with \(clinician)", kind: .clinicianAndVisitType, value: 1))
      }
    }
    if let age = input.ageYears, age >= 0, age.isFinite {
      let group = age < 1 ? "under 1 year" : age < 8 ? "1 to 8 years" : age < 12 ? "8 to 12 years" : "12 years and more"
      effects.append(Effect(name: group, kind: .age, value: 1))
    }
    let words = Self.words(of: input.text).filter { wordCounts[$0, default: 0] >= parameters.minimumWordCount }
    // Many words say less each: their effects together keep the spread of a few.
    let weight = words.count > 4 ? (4 / Double(words.count)).squareRoot() : 1
    for word in words { effects.append(Effect(name: "“\(word)”", kind: .word, value: weight)) }
    return (base, deviation, effects)
  }

  /// The distinct words of a text in the order in which they first stand there.
  static func words(of text: String) -> [String] {
    var seen: Set<String> = []
    return text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init).filter {
      $0.count > 1 && seen.insert($0).inserted
    }
  }

  // MARK: Residual spread

  /// The variance of the logarithm that no effect explains.
  private func noise(for type: String?, base deviation: Double) -> Double {
    let all = noise[""] ?? (parameters.residualWeight, 1)
    let own = noise["=" + (type ?? "")] ?? (0, 1)
    let ratio =
      (all.ratio * parameters.residualWeight + own.ratio * own.weight) / (parameters.residualWeight + own.weight)
    return max(0.0025, deviation * deviation * ratio)
  }

  private mutating func learnNoise(_ squared: Double, _ type: String?, _ deviation: Double) {
    let ratio = squared / (deviation * deviation)
    for (key, limit, start) in [("", 1000.0, parameters.residualWeight), ("=" + (type ?? ""), 300.0, 0.0)] {
      var entry = noise[key] ?? (start, 1)
      entry.ratio = (entry.ratio * entry.weight + ratio) / (entry.weight + 1)
      // Later visits count for a little more than earlier ones once there are many.
      entry.weight = min(limit, entry.weight + 1)
      noise[key] = entry
    }
  }

  private func square(_ value: Double) -> Double { value * value }
}

/// A predicted length: a distribution of minutes.
public struct DurationForecast: Sendable {
  /// The natural logarithm of the minutes that the effects add up to.
  public let mu: Double
  /// The standard deviation of the logarithm.
  public let sigma: Double
  let residuals: ResidualQuantiles
  let visitType: String
  /// Finished visits behind it.
  public let visitCount: Int
  public let explanation: Explanation

  /// The minutes that a share `p` of such visits does not exceed.
  ///
  /// - Precondition: 0 < p < 1.
  public func quantile(_ p: Double) -> Double { exp(mu + sigma * residuals.quantile(p, visitType: visitType)) }
}
