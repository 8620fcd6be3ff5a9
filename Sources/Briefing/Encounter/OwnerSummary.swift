import Chart
public import Clinical
public import Extraction

/// What an owner takes home: what was found, what was done, what comes next and when to ring, in plain words. It holds no dose: how
/// a drug is given stands on its label.
public struct OwnerSummary: Sendable {
  public struct Line: Hashable, Sendable {
    public let text: String
    /// The rows of tables that it rests on, or the encounter.
    public let references: [SourceReference]
  }

  public struct Part: Hashable, Sendable {
    public enum Kind: String, CaseIterable, Codable, Sendable {
      case found, done, home, next, watch
    }

    public let kind: Kind
    public let lines: [Line]

    public var title: String {
      switch kind {
      case .found: "What we found"
      case .done: "What was done"
      case .home: "To take home"
      case .next: "What comes next"
      case .watch: "Ring us straight away if you would say yes to one of these"
      }
    }
  }

  /// In this order; those without a line are left out.
  public let parts: [Part]
}

/// The final words of a section with what they name: what somebody accepted or wrote, nothing that was only proposed.
public struct AcceptedText: Sendable {
  public let section: EncounterSection
  public let text: String
  public let findings: [Finding]
  public let facts: [Fact]

  public init(section: EncounterSection, text: String, findings: [Finding], facts: [Fact]) {
    self.section = section
    self.text = text
    self.findings = findings
    self.facts = facts
  }

  /// What the text names, read by `extractors`.
  public init(_ section: EncounterSection, _ text: String, by extractors: Extractors) {
    self.init(
      section: section, text: text, findings: extractors.findings.findings(in: text),
      facts: extractors.facts.facts(in: text, kind: .consult))
  }
}

/// Makes summaries from what was accepted.
public struct OwnerSummaryBuilder: Sendable {
  private let words: OwnerWords

  public init(words: OwnerWords) { self.words = words }

  /// - Parameters:
  ///   - accepted: the sections that went, or will go, into the note.
  ///   - reading: of the narrative, for the next visit and for what to watch for.
  ///   - encounter: its id, as the source of what rests on accepted words.
  /// - Returns: the summary; without any part where nothing was accepted.
  public func summary(
    of accepted: [AcceptedText], reading: EncounterReading, encounter: String
  ) -> OwnerSummary {
    guard !accepted.isEmpty else { return OwnerSummary(parts: []) }
    let source = SourceReference(.encounter, encounter)
    let sections = Set(accepted.map(\.section))
    var parts: [OwnerSummary.Part] = []
    func add(_ kind: OwnerSummary.Part.Kind, _ lines: [OwnerSummary.Line]) {
      if !lines.isEmpty { parts.append(OwnerSummary.Part(kind: kind, lines: lines)) }
    }
    add(.found, foundLines(accepted, source))
    let plan = accepted.filter { [.plan, .workUp].contains($0.section) }
    // What is only to be done stands in the work-up.
    add(.done, doneLines(accepted.filter { [.examination, .plan].contains($0.section) }, source))
    add(.home, homeLines(plan, source))
    add(.next, nextLines(reading, sections, source))
    add(.watch, reading.warnings.map { OwnerSummary.Line(text: $0.question, references: $0.references) })
    return OwnerSummary(parts: parts)
  }

  private func foundLines(_ accepted: [AcceptedText], _ source: SourceReference) -> [OwnerSummary.Line] {
    var lines: [OwnerSummary.Line] = []
    var seen: Set<String> = []
    let told: Set<EncounterSection> = [.complaint, .history, .examination]
    for part in accepted where told.contains(part.section) {
      for finding in part.findings
      where finding.assertion.isActive && [.sign, .problem, .exposure].contains(finding.kind) {
        let plain = words.words(for: finding.name)
        guard seen.insert(plain.words).inserted else { continue }
        lines.append(
          OwnerSummary.Line(
            text: plain.words.prefix(1).uppercased() + plain.words.dropFirst(),
            references: [source] + (plain.reference.map { [$0] } ?? [])))
      }
      for fact in part.facts where part.section == .examination && fact.kind == .weight && fact.assertion.isActive {
        guard let kilograms = fact.value, !fact.isImplausible, seen.insert("weight").inserted else { continue }
        lines.append(OwnerSummary.Line(text: "Weight \(ChartNumber.text(kilograms)) kg", references: [source]))
      }
    }
    return lines
  }

  private func doneLines(_ accepted: [AcceptedText], _ source: SourceReference) -> [OwnerSummary.Line] {
    var lines: [OwnerSummary.Line] = []
    var seen: Set<String> = []
    for part in accepted {
      for fact in part.facts where fact.assertion.isActive && seen.insert(fact.name).inserted {
        switch fact.kind {
        case .drug where fact.action == .given, .vaccination where fact.action == .given,
          .parasiteControl where fact.action == .given:
          lines.append(OwnerSummary.Line(text: "\(fact.name) was given", references: [source]))
        case .procedure: lines.append(OwnerSummary.Line(text: fact.name, references: [source]))
        default: seen.remove(fact.name)
        }
      }
    }
    return lines
  }

  private static let handedOut: [TreatmentAction] = [.dispensed, .started, .changed, .continued]

  private func homeLines(_ accepted: [AcceptedText], _ source: SourceReference) -> [OwnerSummary.Line] {
    var seen: Set<String> = []
    return accepted.flatMap(\.facts).compactMap { fact in
      guard fact.kind == .drug, fact.assertion.isActive, fact.hasAction(in: Self.handedOut),
        seen.insert(fact.name).inserted
      else { return nil }
      return OwnerSummary.Line(
        text: "\(fact.name): give it as the label says, and ask us before you change or stop it", references: [source])
    }
  }

  private func nextLines(
    _ reading: EncounterReading, _ sections: Set<EncounterSection>, _ source: SourceReference
  ) -> [OwnerSummary.Line] {
    guard !sections.isDisjoint(with: [.plan, .workUp, .followUp]) else { return [] }
    return reading.followUps.map { followUp in
      let when =
        followUp.due.map { due in
          due.lowerBound == due.upperBound ? " (about \(due.lowerBound))" : " (\(due.lowerBound) to \(due.upperBound))"
        } ?? ""
      // No dose leaves the practice in words that nobody wrote for an owner.
      let text = followUp.namesDrug ? "We would like to see you again" : "“\(followUp.text)”"
      return OwnerSummary.Line(text: text + when, references: [source])
    }
  }
}
