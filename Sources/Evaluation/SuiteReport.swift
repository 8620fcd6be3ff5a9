/// What an evaluation run found, in the shape of its JSON.
public struct SuiteReport: Hashable, Codable, Sendable {
  /// A paired test between two systems.
  public struct Comparison: Hashable, Codable, Sendable {
    public var system: String
    public var against: String
    public var metric: String
    /// The system's mean minus the other's.
    public var difference: Double
    public var pValue: Double

    public init(system: String, against: String, metric: String, difference: Double, pValue: Double) {
      self.system = system
      self.against = against
      self.metric = metric
      self.difference = difference
      self.pValue = pValue
    }

    private enum CodingKeys: String, CodingKey {
      case system, against, metric, difference
      case pValue = "p_value"
    }
  }

  public var suite: String
  /// The number of cases.
  public var n: Int
  /// By system, then by metric.
  public var systems: [String: [String: Estimate]]
  public var baselines: [String: [String: Estimate]]
  public var comparisons: [Comparison]
  /// Of every model and rule table that took part.
  public var versions: [String: String]
  public var seed: UInt64

  public init(
    suite: String, n: Int, systems: [String: [String: Estimate]], baselines: [String: [String: Estimate]],
    comparisons: [Comparison], versions: [String: String], seed: UInt64
  ) {
    self.suite = suite
    self.n = n
    self.systems = systems
    self.baselines = baselines
    self.comparisons = comparisons
    self.versions = versions
    self.seed = seed
  }
}
