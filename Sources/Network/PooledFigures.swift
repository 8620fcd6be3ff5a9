import Glibc
public import VetNet

/// How long visits take and how often nobody comes, by type of visit and practice, where small practices lean on what all of them say.
///
/// *Lengths.* The logarithms of a practice's minutes have the mean yⱼ of nⱼ visits, with variance vⱼ = σ²/nⱼ, where σ² is the variance within
/// practices, pooled. Practices' true means lie around μ with variance τ². τ² is estimated by moments from Q = Σwⱼ(yⱼ − ȳ)², wⱼ = 1/vⱼ:
/// τ² = max(0, (Q − (J − 1)) / (Σwⱼ − Σwⱼ²/Σwⱼ)); μ is the mean weighted by 1/(vⱼ + τ²); each practice's mean is drawn to it:
/// θⱼ = yⱼ·τ²/(τ² + vⱼ) + μ·vⱼ/(τ² + vⱼ). Shown are exp θⱼ, minutes in the middle.
///
/// *No-shows.* Of nⱼ appointments xⱼ were missed. Practices' true shares have a beta distribution around p̄ = Σx/Σn whose spread γ is
/// estimated by moments: γ = (S − p̄(1−p̄)(J−1)) / (p̄(1−p̄)(N − Σnⱼ²/N − (J−1))) with S = Σnⱼ(xⱼ/nⱼ − p̄)², N = Σnⱼ, within 0 and 1; the
/// shares shown are (xⱼ + M·p̄)/(nⱼ + M) with M = (1 − γ)/γ.
///
/// - Source: R. DerSimonian, N. Laird, "Meta-analysis in clinical trials", Controlled Clinical Trials 7 (1986),
///   <https://doi.org/10.1016/0197-2456(86)90046-2>; J. C. Kleinman, "Proportions with extraneous variance: single and independent samples",
///   Journal of the American Statistical Association 68 (1973), <https://doi.org/10.1080/01621459.1973.10481332>; B. Efron, C. Morris,
///   "Data analysis using Stein's estimator and its generalizations", Journal of the American Statistical Association 70 (1975).
public struct PooledFigures: Codable, Equatable, Sendable {
  /// A type of visit in all practices.
  public struct VisitType: Codable, Equatable, Sendable {
    public let visitType: String
    public let practices: Int
    public let visits: Int
    /// exp μ; nil where no practice has lengths.
    public internal(set) var minutes: Double?
    /// τ: the standard deviation of practices' logarithms.
    public internal(set) var spread: Double?
    public internal(set) var appointments = 0
    public internal(set) var noShowShare: Double?
    public internal(set) var rows: [Row] = []

    private enum CodingKeys: String, CodingKey {
      case practices, visits, minutes, spread, appointments, rows
      case visitType = "visit_type"
      case noShowShare = "no_show_share"
    }
  }

  /// A type of visit in one practice.
  public struct Row: Codable, Equatable, Sendable {
    public let practice: String
    public internal(set) var visits = 0
    /// exp yⱼ: what the practice's visits alone say.
    public internal(set) var ownMinutes: Double?
    /// exp θⱼ.
    public internal(set) var minutes: Double?
    /// How much of its own mean counts, from 0 to 1.
    public internal(set) var weight: Double?
    public internal(set) var appointments = 0
    public internal(set) var ownNoShowShare: Double?
    public internal(set) var noShowShare: Double?

    private enum CodingKeys: String, CodingKey {
      case practice, visits, minutes, weight, appointments
      case ownMinutes = "own_minutes"
      case ownNoShowShare = "own_no_show_share"
      case noShowShare = "no_show_share"
    }
  }

  /// In the order of their names.
  public let visitTypes: [VisitType]

  private enum CodingKeys: String, CodingKey { case visitTypes = "visit_types" }

  /// Pools what practices gave.
  public init(_ figures: SharedFigures) {
    let types = Set(figures.practices.flatMap { $0.figures.map(\.visitType) }).sorted()
    visitTypes = types.map { type in
      let cells = figures.practices.compactMap { practice in
        practice.figures.first { $0.visitType == type }.map { (practice: practice.practice, figures: $0) }
      }
      return Self.pooled(type, cells)
    }
  }

  private static func pooled(
    _ type: String, _ cells: [(practice: String, figures: VisitFigures)]
  ) -> VisitType {
    let lengths = PooledMeans(cells.map(\.figures))
    let absences = PooledShares(cells.map { (missed: $0.figures.noShows, of: $0.figures.appointments) })
    var pooled = VisitType(
      visitType: type, practices: cells.count, visits: cells.reduce(0) { $0 + $1.figures.timed })
    pooled.minutes = lengths.map { exp($0.mean) }
    pooled.spread = lengths.map { $0.variance.squareRoot() }
    pooled.appointments = cells.reduce(0) { $0 + $1.figures.appointments }
    pooled.noShowShare = absences?.share
    pooled.rows = cells.map { practice, figures in
      var row = Row(practice: practice)
      row.visits = figures.timed
      if let lengths, figures.timed > 0 {
        let own = figures.logSum / Double(figures.timed)
        let weight = lengths.weight(ofVisits: figures.timed)
        (row.ownMinutes, row.weight) = (exp(own), weight)
        row.minutes = exp(weight * own + (1 - weight) * lengths.mean)
      }
      row.appointments = figures.appointments
      if let absences, figures.appointments > 0 {
        row.ownNoShowShare = Double(figures.noShows) / Double(figures.appointments)
        row.noShowShare = absences.share(missed: figures.noShows, of: figures.appointments)
      }
      return row
    }
    return pooled
  }
}

/// Means that are drawn to their common one, see ``PooledFigures``.
struct PooledMeans {
  /// μ
  let mean: Double
  /// τ²
  let variance: Double
  /// σ²
  let within: Double

  /// Nil without any visit.
  init?(_ cells: [VisitFigures]) {
    let cells = cells.filter { $0.timed > 0 }
    guard !cells.isEmpty else { return nil }
    let squares = cells.reduce(0) { $0 + max(0, $1.logSquares - $1.logSum * $1.logSum / Double($1.timed)) }
    let freedom = cells.reduce(0) { $0 + $1.timed - 1 }
    // Visits that all take the same time say nothing of chance; a little is left so that no weight is infinite.
    let within = max(freedom > 0 ? squares / Double(freedom) : 0, 1e-6)
    let means = cells.map { $0.logSum / Double($0.timed) }
    let weights = cells.map { Double($0.timed) / within }
    let total = weights.reduce(0, +)
    let fixed = zip(weights, means).reduce(0) { $0 + $1.0 * $1.1 } / total
    let deviation = zip(weights, means).reduce(0) { $0 + $1.0 * ($1.1 - fixed) * ($1.1 - fixed) }
    let scale = total - weights.reduce(0) { $0 + $1 * $1 } / total
    let variance = scale > 0 ? max(0, (deviation - Double(cells.count - 1)) / scale) : 0
    let random = cells.map { 1 / (within / Double($0.timed) + variance) }
    mean = zip(random, means).reduce(0) { $0 + $1.0 * $1.1 } / random.reduce(0, +)
    self.variance = variance
    self.within = within
  }

  /// How much a mean of so many visits counts by itself.
  func weight(ofVisits count: Int) -> Double {
    let own = within / Double(count)
    return variance + own > 0 ? variance / (variance + own) : 0
  }
}

/// Shares that are drawn to their common one, see ``PooledFigures``.
struct PooledShares {
  /// p̄
  let share: Double
  /// M, as many appointments as the common share counts for; infinite where practices don't differ.
  let strength: Double

  /// Nil without any appointment.
  init?(_ cells: [(missed: Int, of: Int)]) {
    let cells = cells.filter { $0.of > 0 }
    let total = Double(cells.reduce(0) { $0 + $1.of })
    guard total > 0 else { return nil }
    share = Double(cells.reduce(0) { $0 + $1.missed }) / total
    let common = share
    let deviation = cells.reduce(0.0) { sum, cell in
      let own = Double(cell.missed) / Double(cell.of)
      return sum + Double(cell.of) * (own - common) * (own - common)
    }
    let chance = share * (1 - share)
    let others = Double(cells.count - 1)
    let squares = cells.reduce(0) { $0 + Double($1.of) * Double($1.of) }
    let scale = chance * (total - squares / total - others)
    let spread = scale > 0 ? min(1, max(0, (deviation - chance * others) / scale)) : 0
    strength = spread > 0 ? (1 - spread) / spread : .infinity
  }

  func share(missed: Int, of count: Int) -> Double {
    strength.isInfinite ? share : (Double(missed) + strength * share) / (Double(count) + strength)
  }
}
