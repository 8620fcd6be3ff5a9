import Clinical
import Foundation
import Testing
import VetNetTestSupport

@testable import Assessment

struct LearnedTriageTests {
  private func learned() throws -> LearnedTriage { try #require(try Shipped.assessor().learned) }

  private func ruled() throws -> CaseAssessor {
    var assessor = try Shipped.assessor()
    assessor.learned = nil
    return assessor
  }

  @Test func `the shipped weights are those of the shipped exemplars and rules`() throws {
    let learned = try learned()
    let assessor = try ruled()
    #expect(learned.version == (try modelTable("triage/exemplars.tsv")).metadata["version"])
    #expect(learned.weights.metadata["exemplars"] == "\(learned.index.exemplars.count)")
    // At the optimum an exemplar's weight is what is left of its label, over the penalty.
    let weights = try modelTable("triage/exemplar-weights.tsv")
    var errors: [Double] = []
    for row in stride(from: 0, to: learned.index.exemplars.count, by: 23) {
      let exemplar = learned.index.exemplars[row]
      let features = learned.scaled(assessor.ruled(exemplar.intake, features: learned.features).features)
      let similarities = learned.index.letters.similarities(exemplar.intake.text)
      let scores = zip(learned.weights.scores(features), learned.index.scores(similarities)).map { $0 + $1 }
      for (level, name) in ExemplarIndex.levels.enumerated() {
        let left = (exemplar.urgency.rank > level ? 1 : 0) - 1 / (1 + exp(-scores[level]))
        let weight = weights.rows[row][name].isEmpty ? 0 : try weights.rows[row].number(name)
        errors.append(abs(left - TriageFitter.levelPenalty * weight))
      }
    }
    errors.sort()
    #expect(errors[errors.count / 2] < 0.02)
    #expect(errors[errors.count * 9 / 10] < 0.05)
  }

  @Test func `a finding of the rules never speaks for less`() throws {
    let table = try modelTable("triage/level-weights.tsv")
    for row in table.rows where CaseFeature.mayOnlyRaise(row["feature"]) {
      for level in ExemplarIndex.levels where !row[level].isEmpty { #expect(try row.number(level) >= 0) }
    }
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
          level: Urgency(rank: $0), intercept: 0, score: 1, votes: 0, costRatio: 0.5 + 6 * generator.nextUnit())
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

  @Test func `a text is most like itself, and a misspelt one is like its original`() {
    let texts = ["the rabbit has not eaten since noon", "gums are white and she fell over", "nails need a clip"]
    let index = LetterIndex(texts + texts)
    for (place, text) in texts.enumerated() {
      let found = index.similarities(text)
      #expect(abs(found[place] - 1) < 1e-5)
      #expect(found.allSatisfy { $0 <= 1 + 1e-5 })
    }
    let misspelt = index.similarities("gumms are wite and she fel over")
    #expect(misspelt[1] > 2 * max(misspelt[0], misspelt[2]))
  }
}
