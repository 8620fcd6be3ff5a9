/// Points of the plots that say whether probabilities can be believed.
enum Calibration {
  /// Cases in groups of equal size by their probability: the mean probability of each and the share that came true.
  ///
  /// - Source: M. H. DeGroot, S. E. Fienberg, "The comparison and evaluation of forecasters", The Statistician 1983;32:12-22.
  static func bins(_ cases: [(probability: Double, isTrue: Bool)], count: Int) -> [ReportSection.Point] {
    let sorted = cases.sorted { $0.probability < $1.probability }
    return (0..<count).compactMap { bin in
      let part = sorted[(bin * sorted.count / count)..<((bin + 1) * sorted.count / count)]
      guard !part.isEmpty else { return nil }
      return ReportSection.Point(
        part.reduce(0) { $0 + $1.probability } / Double(part.count),
        Double(part.count { $0.isTrue }) / Double(part.count))
    }
  }

  /// The share of errors among the most certain tenth, fifth … of all cases; of equally certain ones the wrong come first.
  ///
  /// - Source: R. El-Yaniv, Y. Wiener, "On the foundations of noise-free selective classification", JMLR 2010;11:1605-1641.
  static func risks(_ cases: [(confidence: Double, isRight: Bool)]) -> [ReportSection.Point] {
    let sorted = cases.sorted { ($0.confidence, $1.isRight ? 1 : 0) > ($1.confidence, $0.isRight ? 1 : 0) }
    return (1...10).compactMap { tenth in
      let part = sorted.prefix(sorted.count * tenth / 10)
      guard !part.isEmpty else { return nil }
      return ReportSection.Point(
        Double(part.count) / Double(sorted.count), Double(part.count { !$0.isRight }) / Double(part.count))
    }
  }
}
