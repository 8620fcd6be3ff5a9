import Assessment
import Clinical

extension IntakeSuite {
  /// How many cases are shown with their reasons.
  private static let worstCaseLimit = 20

  /// What a reader of the report looks at: the matrix, accuracy by species and by style, and where it went wrong by most.
  func sections(_ assessments: [CaseAssessment], _ judged: [Judgement], seed: UInt64) -> [ReportSection] {
    var sections: [ReportSection] = []
    if kind == .triage {
      let levels = Array(Urgency.allCases.reversed())
      sections.append(
        matrix(
          "Urgency", levels.map(\.rawValue), zip(cases, judged).map { ($0.labels.urgency?.rank ?? 2, $1.urgency.rank) })
      )
      sections += confidence(assessments, judged)
    }
    if kind != .specialty {
      let pairs = zip(cases, judged).compactMap { item, judgement in
        item.labels.complexity.map { ($0 - 1, judgement.complexity - 1) }
      }
      if !pairs.isEmpty { sections.append(matrix("Complexity", ["C1", "C2", "C3", "C4"], pairs)) }
    }
    let measure = kind == .triage ? "accuracy" : kind == .complexity ? "complexity_qwk" : "specialty_top1"
    sections.append(bars(measure, "by species", judged, seed: seed) { [$0.species ?? "not given"] })
    sections.append(bars(measure, "by channel", judged, seed: seed) { [$0.channel ?? "not given"] })
    sections.append(bars(measure, "by style", judged, seed: seed) { $0.tags ?? [] })
    sections.append(ReportSection("Worst cases", .cases(worst(assessments, judged))))
    return sections.filter { section in
      if case .bars(let bars, _) = section.content { return !bars.isEmpty }
      return true
    }
  }

  /// Whether probabilities can be believed, and what is gained by handing the least certain cases to a person.
  private func confidence(_ assessments: [CaseAssessment], _ judged: [Judgement]) -> [ReportSection] {
    let known = cases.indices.filter { !assessments[$0].triage.probabilities.isEmpty }
    guard known.count >= 20 else { return [] }
    func probability(_ index: Int, atLeast level: Urgency) -> Double {
      assessments[index].triage.probabilities.filter { $0.key >= level }.values.sorted().reduce(0, +)
    }
    let reliability = Urgency.allCases.filter { $0 > .blue }.map { level in
      ReportSection.Curve(
        "\(level.rawValue) or more",
        Calibration.bins(
          known.map { (probability($0, atLeast: level), (cases[$0].labels.urgency ?? .yellow) >= level) }, count: 5))
    }
    let certain = known.map { index in
      (
        confidence: assessments[index].triage.probabilities[judged[index].urgency] ?? 0,
        isRight: judged[index].urgency == cases[index].labels.urgency,
        isSafe: judged[index].urgency >= cases[index].labels.urgency ?? .yellow
      )
    }
    return [
      ReportSection(
        "How often a level is reached, by its probability",
        .curves(reliability, x: "probability", y: "share of cases", diagonal: true)),
      ReportSection(
        "Errors among the most certain cases",
        .curves(
          [
            .init("wrong level", Calibration.risks(certain.map { ($0.confidence, $0.isRight) })),
            .init("under-triage", Calibration.risks(certain.map { ($0.confidence, $0.isSafe) })),
          ], x: "share of cases decided", y: "share of errors", diagonal: false)),
    ]
  }

  private func matrix(_ title: String, _ labels: [String], _ pairs: [(truth: Int, said: Int)]) -> ReportSection {
    var counts = [[Int]](repeating: [Int](repeating: 0, count: labels.count), count: labels.count)
    for pair in pairs { counts[pair.truth][pair.said] += 1 }
    return ReportSection(title, .confusion(labels: labels, counts: counts))
  }

  /// One metric over the cases of each group; groups of fewer than five cases say nothing.
  private func bars(
    _ metric: String, _ title: String, _ judged: [Judgement], seed: UInt64, group: (IntakeCase) -> [String]
  ) -> ReportSection {
    var members: [String: [Int]] = [:]
    for (index, item) in cases.enumerated() {
      for name in group(item) { members[name, default: []].append(index) }
    }
    let bars = members.filter { $0.value.count >= 5 }.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
      .compactMap { name, indices -> ReportSection.Bar? in
        guard let part = try? IntakeSuite(kind, cases: indices.map { cases[$0] }, file: ""),
          let values = part.metrics(indices.map { judged[$0] })[metric]
        else { return nil }
        var generator = SplitMix64(seed: seed)
        return Estimate(values, using: &generator).map { ReportSection.Bar("\(name) (\(indices.count))", $0) }
      }
    return ReportSection("\(metric) \(title)", .bars(bars, x: metric))
  }

  private func worst(_ assessments: [CaseAssessment], _ judged: [Judgement]) -> [ReportSection.WorstCase] {
    /// How far off, and whether to the dangerous side.
    func distance(_ index: Int) -> (Int, Int) {
      let (label, said) = (cases[index].labels, judged[index])
      switch kind {
      case .triage:
        let below = (label.urgency ?? .yellow).rank - said.urgency.rank
        return (abs(below), below)
      case .complexity:
        let below = (label.complexity ?? 2) - said.complexity
        return (abs(below), below)
      case .specialty:
        return (said.specialties.prefix(2).contains { label.specialties?.contains($0) == true } ? 0 : 1, 0)
      }
    }
    let order = cases.indices.filter { distance($0).0 > 0 }.sorted {
      let (one, other) = (distance($0), distance($1))
      return (other.0, other.1, $0) < (one.0, one.1, $1)
    }
    return order.prefix(Self.worstCaseLimit).map { index in
      ReportSection.WorstCase(
        id: cases[index].id, verdict: verdict(index, judged[index]), text: cases[index].text,
        reasons: Self.lines(assessments[index].explanation))
    }
  }

  private func verdict(_ index: Int, _ said: Judgement) -> String {
    let label = cases[index].labels
    return switch kind {
    case .triage: "labelled \(label.urgency?.rawValue ?? ""), said \(said.urgency.rawValue)"
    case .complexity: "labelled C\(label.complexity ?? 0), said C\(said.complexity)"
    case .specialty:
      "labelled \((label.specialties ?? []).map(\.rawValue).joined(separator: " or ")), said \(said.specialties.prefix(2).map(\.rawValue).joined(separator: ", "))"
    }
  }

  private static func lines(_ explanation: Explanation, depth: Int = 0) -> [String] {
    let quotes = explanation.evidence.map { "“\($0.quote)”" }.joined(separator: ", ")
    let line = String(repeating: "  ", count: depth) + explanation.description + (quotes.isEmpty ? "" : "  \(quotes)")
    return [line] + explanation.details.flatMap { lines($0, depth: depth + 1) }
  }
}
