import Clinical
import Foundation
import Testing
import VetNetTestSupport

@testable import Assessment
@testable import Training

struct LearnedTriageTests {
  private func learned() throws -> LearnedTriage { try #require(try Shipped.assessor().learned) }

  private func ruled() throws -> CaseAssessor {
    var assessor = try Shipped.assessor()
    assessor.learned = nil
    return assessor
  }

  @Test func `the shipped model is that of the shipped exemplars and rules`() throws {
    let learned = try learned()
    let assessor = try ruled()
    let table = try modelTable("triage/exemplars.tsv")
    let exemplars = try Exemplar.all(in: table)
    #expect(learned.version == table.metadata["version"])
    #expect(learned.model.header.checksum == Exemplar.checksum(exemplars))
    // At the optimum a case's weight is what is left of its target over the penalty, and cases were fitted nearly all.
    var errors: [Double] = []
    for row in stride(from: 0, to: exemplars.count, by: 37) {
      let features = assessor.ruled(exemplars[row].intake, features: learned.features).features
      let scores = learned.model.scores(learned.seen(features).vector, .urgency)
      for (step, score) in zip(TriageFitter.steps, scores) {
        errors.append(abs((exemplars[row].urgency >= step ? 1 : -1) - score))
      }
    }
    errors.sort()
    #expect(errors[errors.count / 2] < 0.4)
    #expect(errors[errors.count * 9 / 10] < 0.8)
  }

  @Test func `what is installed judges the same without the training texts`() throws {
    let exemplars = try Exemplar.all(in: modelTable("triage/exemplars.tsv"))
    let full = try learned()
    let known = exemplars.indices.map { full.model.exemplar($0) }
    #expect(known.map { $0?.id } == exemplars.map(\.intake.id))
    #expect(known.map { $0?.urgency } == exemplars.map(\.urgency))
    #expect(full.model.exemplar(exemplars.count) == nil)
    let bare = try LearnedTriage(
      features: full.features, model: full.model, calibration: full.calibration, trust: full.trust)
    var assessor = try Shipped.assessor()
    for exemplar in stride(from: 0, to: exemplars.count, by: 997).map({ exemplars[$0] }) {
      assessor.learned = full
      let one = assessor.assess(exemplar.intake).triage
      assessor.learned = bare
      let other = assessor.assess(exemplar.intake).triage
      #expect(one.urgency == other.urgency && one.probabilities == other.probabilities)
      #expect(one.neighbours.map(\.id) == other.neighbours.map(\.id))
      #expect(one.neighbours.allSatisfy { $0.text != nil } && other.neighbours.allSatisfy { $0.text == nil })
    }
    // Exemplars of another version are refused.
    let stale = try DataTable(
      name: "stale", text: "# title: t\n# source: s\n# licence: l\n# version: 1\nid\turgency\nX\tred\n")
    #expect(throws: DataTableError.self) {
      try LearnedTriage(
        features: full.features, model: full.model, calibration: full.calibration, exemplars: stale, trust: full.trust)
    }
  }

  private func evidence(_ findings: [(id: String, level: Urgency)], isReassured: Bool = false) -> RuleTrust.Evidence {
    RuleTrust.Evidence(
      findings: findings.map {
        RuleTrust.Finding(id: $0.id, level: $0.level, floor: TriageFloor.of(level: $0.level, base: $0.level))
      }, isReassured: isReassured)
  }

  @Test func `a trusted finding of the rules is a floor, more easily where nobody says that all is well`() {
    let trust = RuleTrust(
      Array(repeating: (evidence([("sure", .red)], isReassured: true), Urgency.red), count: 30)
        + Array(repeating: (evidence([("frightening", .red)], isReassured: true), Urgency.green), count: 30)
        + Array(repeating: (evidence([("frightening", .red)]), Urgency.red), count: 30)
        + Array(repeating: (evidence([("loose", .red)]), Urgency.green), count: 3)
        + Array(repeating: (evidence([("plain", .yellow)]), Urgency.yellow), count: 30))
    #expect(trust.bound(evidence([])) == nil)
    #expect(trust.bound(evidence([("sure", .red)], isReassured: true)) == .red)
    #expect(trust.bound(evidence([("frightening", .red)])) == .red)
    // Not trusted: its floor, reassuring words or not.
    #expect(trust.bound(evidence([("frightening", .red)], isReassured: true)) == .orange)
    #expect(trust.bound(evidence([("loose", .red)])) == .orange)
    #expect(trust.bound(evidence([("loose", .red), ("sure", .red)])) == .red)
    // Yellow only advises, however often it was right.
    #expect(trust.bound(evidence([("plain", .yellow)])) == nil)
    var corroborated = evidence([("loose", .red)], isReassured: true)
    corroborated.isCorroborated = true
    #expect(trust.bound(corroborated) == .red)
  }

  @Test func `adding a finding never lowers the floor`() throws {
    let trust = try learned().trust
    let all = trust.counts.keys.sorted().compactMap { key -> (id: String, level: Urgency)? in
      let parts = key.split(separator: " ")
      return parts.last.flatMap { Urgency(rawValue: String($0)) }.map { (String(parts[0]), $0) }
    }
    var generator = SplitMix64(seed: 12)
    for _ in 0..<500 {
      let before = (0..<3).compactMap { _ in all.randomElement(using: &generator) }
      let more = before + [try #require(all.randomElement(using: &generator))]
      for isReassured in [false, true] {
        let floor = trust.bound(evidence(before, isReassured: isReassured)) ?? .blue
        #expect(trust.bound(evidence(more, isReassured: isReassured)) ?? .blue >= floor)
      }
    }
  }

  @Test func `no case is given less than its trusted findings, and a red flag in words of its own makes any case red`()
    throws
  {
    let assessor = try Shipped.assessor()
    let trust = try learned().trust
    let exemplars = try Exemplar.all(in: modelTable("triage/exemplars.tsv"))
    for row in stride(from: 0, to: exemplars.count, by: 61) {
      var intake = exemplars[row].intake
      let before = assessor.assess(intake).triage
      let facts = RuleTrust.Evidence(before, in: assessor.triage.reader.reading(of: intake.text))
      #expect(before.urgency >= trust.bound(facts) ?? .blue, "\(intake.id)")
      intake.text += "\n\nNow there is collapse, the gums are blue and it has stopped breathing."
      let after = assessor.assess(intake).triage
      #expect(after.urgency == .red, "\(intake.id) \(after.fired.map(\.id)) \(after.suppressed.map(\.id))")
    }
  }

  @Test(arguments: [
    ("he has eaten my neighbour's rat poison", Species.dog), ("she ate my ibuprofen", .dog),
    ("he ate the other dog's ibuprofen", .dog), ("chewed a lily in the vase", .cat),
  ])
  func `a poison that was eaten, and no more said, is urgent`(text: String, species: Species) throws {
    #expect(try Shipped.assessor().assess(Intake(text, species: species)).triage.urgency >= .orange)
  }

  @Test func `probabilities add up and fit the levels`() throws {
    let assessment = try Shipped.assessor().assess(
      Intake("He is panting and wobbly after eating slug pellets", species: .dog))
    let sum = assessment.triage.probabilities.values.reduce(0, +)
    #expect(abs(sum - 1) < 1e-9)
    #expect(assessment.triage.probabilities.values.allSatisfy { $0 >= 0 })
    #expect(assessment.triage.urgency >= .orange)
    #expect(!assessment.triage.neighbours.isEmpty)
  }

  @Test(arguments: ["dog ill", "pls ring", "cat", "not right", "Poorly. Ring me", "hello"])
  func `a text that says too little is yellow at least`(text: String) throws {
    let assessment = try Shipped.assessor().assess(Intake(text))
    #expect(assessment.triage.urgency >= .yellow)
  }

  @Test func `the choice is the level of least expected cost`() {
    var generator = SplitMix64(seed: 4)
    for _ in 0..<200 {
      let steps = (1...4).map {
        LevelCalibration.Step(
          level: Urgency(rank: $0), intercept: 0, score: 1, costRatio: 0.5 + 6 * generator.nextUnit())
      }
      let calibration = LevelCalibration(steps: steps, version: "")
      var least = 1.0
      let reaching = (0..<4).map { _ in
        least *= generator.nextUnit()
        return least
      }
      let probabilities = LevelCalibration.probabilities(reaching: reaching)
      func cost(_ given: Urgency) -> Double {
        Urgency.allCases.reduce(0) { sum, truth in
          let passed = steps.reduce(0.0) { cost, step in
            if given >= step.level, truth < step.level { return cost + 1 }
            if given < step.level, truth >= step.level { return cost + step.costRatio }
            return cost
          }
          return sum + (probabilities[truth] ?? 0) * passed
        }
      }
      let chosen = calibration.choice(reaching: reaching)
      for urgency in Urgency.allCases { #expect(cost(chosen) <= cost(urgency) + 1e-9) }
    }
  }

  @Test func `an exemplar is most like itself, and a misspelt one is like its original`() throws {
    let learned = try learned()
    let assessor = try ruled()
    let exemplars = try Exemplar.all(in: modelTable("triage/exemplars.tsv"))
    func nearest(_ intake: Intake) -> Int? {
      let features = assessor.ruled(intake, features: learned.features).features
      return learned.model.nearest(learned.seen(features).vector, limit: 3).first?.row
    }
    for row in stride(from: 0, to: exemplars.count, by: 211) {
      #expect(nearest(exemplars[row].intake).map { exemplars[$0].intake.text } == exemplars[row].intake.text)
    }
  }

  @Test func `a letter that is said to be anything shows the words for it`() throws {
    for text in [
      "gums are white and she fell over", "bright as a button, eating, wants her nails done", "wobbly on his back legs",
      "breathing hard, belly going, tongue grey", "cut pad, bleeding through the towel",
    ] {
      let triage = try Shipped.assessor().assess(Intake(text, species: .dog)).triage
      for letter in ABCDELetter.allCases where triage.abcde[letter] != .notStated {
        let quotes = try #require(triage.abcdeEvidence[letter])
        #expect(!quotes.isEmpty && quotes.allSatisfy { text.contains($0.quote) && !$0.quote.isEmpty })
      }
    }
  }

  @Test(arguments: [
    ("not breathing", Urgency.red), ("cat not breathing", .red), ("blood spurting from leg", .red),
    ("cat RTA", .orange), ("rabbit not eaten for 24h", .orange),
    ("my dog is not breathing badly, she is fine and eating", .yellow),
  ])
  func `a finding with hardly a word beside it stands as it is`(text: String, urgency: Urgency) throws {
    let found = try Shipped.assessor().assess(Intake(text)).triage.urgency
    #expect(urgency == .yellow ? found <= urgency : found == urgency)
  }

  @Test func `weights and ages that no such animal has are flagged`() throws {
    let triage = try Shipped.assessor().assess(Intake("limping", species: .cat, age: "45 years", weight: 40)).triage
    #expect(triage.implausible.count == 2, "\(triage.implausible)")
  }
}
