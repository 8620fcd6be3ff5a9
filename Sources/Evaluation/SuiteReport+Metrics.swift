import Clinical

extension SuiteReport {
  /// The report of a run over labelled cases: every system's metrics with intervals, and the shipped system tested against
  /// every other.
  ///
  /// - Parameters:
  ///   - suite: its name.
  ///   - n: the number of cases.
  ///   - systems: by system, then by metric; the shipped one is `default`.
  ///   - baselines: the same of simple things to beat.
  ///   - versions: of models and tables that took part.
  ///   - seed: for intervals and tests; equal seeds give equal reports.
  init(
    suite: String, n: Int, systems: [String: [String: MetricValues]], baselines: [String: [String: MetricValues]],
    versions: [String: String], seed: UInt64
  ) {
    func estimates(_ metrics: [String: MetricValues]) -> [String: Estimate] {
      metrics.compactMapValues { values in
        var generator = SplitMix64(seed: seed)
        return Estimate(values, using: &generator)
      }
    }
    var comparisons: [Comparison] = []
    let others =
      baselines.sorted { $0.key < $1.key } + systems.sorted { $0.key < $1.key }.filter { $0.key != "default" }
    for (metric, values) in (systems["default"] ?? [:]).sorted(by: { $0.key < $1.key }) {
      for (name, metrics) in others {
        guard let theirs = metrics[metric], let one = values.value, let other = theirs.value else { continue }
        var generator = SplitMix64(seed: seed)
        guard let p = PairedRandomisation.pValue(values, theirs, using: &generator) else { continue }
        comparisons.append(
          Comparison(system: "default", against: name, metric: metric, difference: one - other, pValue: p))
      }
    }
    self.init(
      suite: suite, n: n, systems: systems.mapValues(estimates), baselines: baselines.mapValues(estimates),
      comparisons: comparisons, versions: versions, seed: seed)
  }
}
