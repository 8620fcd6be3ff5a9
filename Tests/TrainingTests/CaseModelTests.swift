import Clinical
import Foundation
import LinearAlgebra
import Testing
import VetNetTestSupport

@testable import Assessment
@testable import Training

struct CaseModelTests {
  /// Cases of random words; every third word is of the sort that the first output is about.
  private func cases(_ count: Int, seed: UInt64) -> [[CaseFeature]] {
    var generator = SplitMix64(seed: seed)
    return (0..<count).map { _ in
      let words = Set((0..<12).map { _ in Int.random(in: 0..<60, using: &generator) }).sorted()
      return words.map { CaseFeature($0 % 2 == 0 ? .words : .signs, "w\($0)", words: $0..<($0 + 1)) }
    }
  }

  private let shares = FeatureBlock.allCases.map { $0 == .words ? 0.7 : $0 == .signs ? 0.3 : 0 }

  /// Drawn once for all tests.
  private static let noise: [Float] = {
    var generator = SplitMix64(seed: 8)
    return (0..<CaseVectorizer.buckets).map { _ in Float(4 * generator.nextUnit() - 2) }
  }()

  /// A model of random weights for every task, with the weights: those of each output begin elsewhere in the same noise.
  private func model(_ cases: [[CaseFeature]]) throws -> (model: CaseModel, tasks: [CaseModel.FittedTask]) {
    let vectorizer = CaseVectorizer(fitting: cases.map { $0.map(\.code) })
    let tasks = CaseModel.Task.allCases.enumerated().map { place, task in
      CaseModel.FittedTask(
        task: task, shares: shares, outputs: ["a", "b"], intercepts: [0.25, -0.5],
        weights: (0..<2).map { output in
          let start = 97 * (2 * place + output + 1)
          return Array(Self.noise[start...] + Self.noise[..<start])
        })
    }
    let bytes = try CaseModel.bytes(
      version: "7", triageProtocol: "vtl", seed: 1, checksum: "abc", vectorizer: vectorizer, tasks: tasks,
      exemplars: cases.indices.map { ("E\($0)", Urgency(rank: $0 % 5)) }, vectors: cases.map(vectorizer.vector))
    return (try CaseModel(bytes: bytes, file: "model"), tasks)
  }

  @Test func `a file gives the scores of the weights that were written`() throws {
    let cases = self.cases(40, seed: 1)
    let (model, tasks) = try self.model(cases)
    #expect(model.header.version == "7" && model.header.exemplars == 40)
    #expect(model.exemplar(39).map { $0.id == "E39" && $0.urgency == Urgency(rank: 4) } == true)
    for features in cases {
      let vector = model.vectorizer.vector(features)
      for task in tasks {
        for output in 0..<2 {
          let oracle = vector.weighted(shares.map { Float($0.squareRoot()) }).reduce(task.intercepts[output]) {
            $0 + Double($1.value * task.weights[output][Int($1.bucket)])
          }
          #expect(abs(model.scores(vector, task.task)[output] - oracle) < 0.05)
        }
      }
    }
  }

  @Test func `contributions add up to the score less its intercept`() throws {
    let cases = self.cases(20, seed: 2)
    let (model, _) = try self.model(cases)
    for features in cases {
      let vector = model.vectorizer.vector(features)
      let sum = model.contributions(vector, features, .urgency, output: 1).reduce(0) { $0 + $1.amount }
      #expect(abs(sum - (model.scores(vector, .urgency)[1] + 0.5)) < 1e-4)
    }
  }

  @Test func `each block has length one, and a case's similarity with itself is the sum of the shares`() {
    let cases = self.cases(30, seed: 3)
    let vectorizer = CaseVectorizer(fitting: cases.map { $0.map(\.code) })
    for features in cases {
      let vector = vectorizer.vector(features)
      for block in Set(vector.entries.map(\.block)) {
        let length = vector.entries.filter { $0.block == block }.reduce(0) { $0 + $1.value * $1.value }
        #expect(abs(length - 1) < 1e-5)
      }
    }
  }

  @Test func `a bucket belongs to the feature that most exemplars show, and others are unknown`() throws {
    // Names until two fall to one bucket.
    var holders: [Int32: String] = [:]
    var pair: (common: String, rare: String)?
    for index in 0... {
      let code = CaseFeature(.survey, "name \(index)").code
      if let other = holders[code.bucket], CaseFeature(.survey, other).code.mark != code.mark {
        pair = ("name \(index)", other)
        break
      }
      holders[code.bucket] = "name \(index)"
    }
    let names = try #require(pair)
    let (common, rare) = (CaseFeature(.survey, names.common), CaseFeature(.survey, names.rare))
    let vectorizer = CaseVectorizer(
      fitting: Array(repeating: [common.code], count: 3) + Array(repeating: [rare.code], count: 2) + [[]])
    #expect(vectorizer.knows(common.code) && !vectorizer.knows(rare.code))
    #expect(vectorizer.vector([common]).entries.count == 1 && vectorizer.vector([rare]).entries.isEmpty)
  }

  @Test func `blocks have buckets of their own, those of the sketches within two bytes`() {
    for (left, right) in zip(FeatureBlock.allCases, FeatureBlock.allCases.dropFirst()) {
      #expect(left.buckets.upperBound == right.buckets.lowerBound)
    }
    #expect(FeatureBlock.allCases.last?.buckets.upperBound == CaseVectorizer.buckets)
    for (block, share) in zip(FeatureBlock.allCases, CaseModel.sketchShares) where share > 0 {
      #expect(block.buckets.upperBound <= 1 << 16)
    }
  }

  @Test func `words that keep like company are kin, and weights of buckets give the same as sums of words`() throws {
    let company = ["bark", "lead", "walk", "bone"]
    var generator = SplitMix64(seed: 6)
    let texts = (0..<300).map { index in
      let animal = ["dog", "hound", "moon"][index % 3]
      let others = animal == "moon" ? ["night", "sky", "star", "tide"] : company
      return [others.randomElement(using: &generator) ?? "", animal, others.randomElement(using: &generator) ?? ""]
    }
    let features = texts.map { $0.map { CaseFeature(.words, $0) } }
    let vectorizer = CaseVectorizer(fitting: features.map { $0.map(\.code) })
    let kinship = try WordKinship(texts: texts, vectorizer: vectorizer)
    let words = ["dog", "hound", "moon"].map { vectorizer.vector([CaseFeature(.words, $0)]) }
    let sums = kinship.sums(words)
    func likeness(_ left: Int, _ right: Int) -> Float {
      zip(sums.matrix.row(left), sums.matrix.row(right)).reduce(0) { $0 + $1.0 * $1.1 }
    }
    #expect(likeness(0, 1) > 0.5 && likeness(0, 2) < 0)
    let directions = Array(sums.matrix.row(0))
    let weights = kinship.bucketWeights(directions, scale: sums.scale)
    for (row, vector) in words.enumerated() {
      let score = vector.entries.reduce(0) { $0 + $1.value * weights[Int($1.bucket) - FeatureBlock.words.firstBucket] }
      #expect(abs(score - likeness(0, row)) < 1e-4)
    }
  }

  @Test func `bytes that are no model are refused, whatever they are`() throws {
    var generator = SplitMix64(seed: 4)
    let (_, tasks) = try self.model(self.cases(5, seed: 4))
    let good = try CaseModel.bytes(
      version: "1", triageProtocol: "vtl", seed: 1, checksum: "", vectorizer: CaseVectorizer(fitting: []), tasks: tasks,
      exemplars: [], vectors: [])
    for cut in [0, 7, 11, 40, good.count - 1] {
      #expect(throws: AssessmentError.self) { try CaseModel(bytes: Array(good[..<cut]), file: "model") }
    }
    for _ in 0..<30 {
      let noise = (0..<200).map { _ in UInt8.random(in: 0...255, using: &generator) }
      #expect(throws: AssessmentError.self) { try CaseModel(bytes: CaseModel.magic + noise, file: "model") }
    }
  }

  /// A number of a file's header, altered without its bytes.
  @Test(arguments: ["exemplars", "sketch_length", "id_length"], [-1, 5, 4_611_686_018_427_387_904])
  func `a header with counts that its bytes don't have is refused`(field: String, count: Int) throws {
    let (_, tasks) = try self.model(self.cases(5, seed: 4))
    let vectorizer = CaseVectorizer(fitting: [])
    let good = try CaseModel.bytes(
      version: "1", triageProtocol: "vtl", seed: 1, checksum: "", vectorizer: vectorizer, tasks: tasks,
      exemplars: [("E1", .green)], vectors: [vectorizer.vector([CaseFeature]())])
    _ = try CaseModel(bytes: good, file: "model")
    let length = (0..<4).reduce(0) { $0 | Int(good[8 + $1]) << (8 * $1) }
    let header = String(decoding: good[12..<(12 + length)], as: UTF8.self)
    let altered = Array(header.replacing(try Regex("\"\(field)\":\\d+"), with: "\"\(field)\":\(count)").utf8)
    #expect(altered != Array(header.utf8))
    let head = CaseModel.magic + (0..<4).map { UInt8(truncatingIfNeeded: altered.count >> (8 * $0)) }
    let error = #expect(throws: AssessmentError.self) {
      try CaseModel(bytes: head + altered + good[(12 + length)...], file: "model")
    }
    #expect(error?.file == "model" && error?.code == .malformed)
  }

  @Test func `ridge regression by similarities is ridge regression by features`() throws {
    let cases = self.cases(25, seed: 5)
    let vectorizer = CaseVectorizer(fitting: cases.map { $0.map(\.code) })
    let rows = cases.map { vectorizer.vector($0).weighted(shares.map { Float($0.squareRoot()) }) }
    let targets = cases.map { features in [features.contains { $0.name == "w4" } ? Float(1) : -1] }
    let ridge = KernelRidge(kernel: KernelRidge.kernel(rows), penalty: 0.2)
    let solution = try ridge.fit(Array(rows.indices), targets: targets)
    // The gradient of Σ (t − t̄ − w·x)² + λ‖w‖² vanishes at the weights of the buckets.
    let weights = KernelRidge.bucketWeights(solution, rows)[0]
    var gradient = [Double](repeating: 0, count: CaseVectorizer.buckets)
    for (row, entries) in rows.enumerated() {
      let score = entries.reduce(solution.means[0]) { $0 + Double($1.value * weights[Int($1.bucket)]) }
      #expect(abs(score - ridge.scores(row, solution)[0]) < 1e-4)
      for entry in entries { gradient[Int(entry.bucket)] += Double(entry.value) * (Double(targets[row][0]) - score) }
    }
    for (bucket, value) in gradient.enumerated() { #expect(abs(value - 0.2 * Double(weights[bucket])) < 1e-4) }
  }

  private func isNear(_ left: Matrix, _ right: Matrix) -> Bool {
    left.rows == right.rows && zip(left.values, right.values).allSatisfy { abs($0 - $1) < 1e-3 }
  }

  @Test func `leaving a group out of one inversion is fitting to the others`() throws {
    let cases = self.cases(30, seed: 9)
    let vectorizer = CaseVectorizer(fitting: cases.map { $0.map(\.code) })
    let rows = cases.map { vectorizer.vector($0).weighted(shares.map { Float($0.squareRoot()) }) }
    let targets = cases.map { features in
      ["w4", "w9"].map { name in features.contains { $0.name == name } ? Float(1) : -1 }
    }
    let ridge = KernelRidge(kernel: KernelRidge.kernel(rows), penalty: 0.2)
    let leaveOut = try RidgeLeaveOut(ridge, targets: targets)
    for group in [[0], [3, 4, 29], Array(5..<25)] {
      let rest = rows.indices.filter { !group.contains($0) }
      let plain = try ridge.fit(rest, targets: targets)
      let held = try leaveOut.holdingOut(group)
      for (row, scores) in zip(group, held.scores) {
        for (score, oracle) in zip(scores, ridge.scores(row, plain)) { #expect(abs(score - oracle) < 1e-4) }
      }
      let solution = leaveOut.solution(without: held)
      #expect(solution.rows == rest && isNear(solution.weights, plain.weights))
    }
    let plain = try ridge.fit(Array(rows.indices), targets: targets)
    #expect(isNear(leaveOut.solution.weights, plain.weights))
    #expect(zip(leaveOut.solution.means, plain.means).allSatisfy { abs($0 - $1) < 1e-6 })
  }

  @Test func `with nobody left out nobody is judged`() throws {
    let ridge = KernelRidge(kernel: Matrix(rows: 2, columns: 2, values: [1, 0.5, 0.5, 1]), penalty: 0.1)
    #expect(try RidgeLeaveOut(ridge, targets: [[1], [-1]]).holdingOut([]).scores.isEmpty)
  }

  @Test func `costs are chosen that come nearest to the goals`() {
    // One level; what a missed one costs moves accuracy one way and sensitivity the other.
    func figures(_ ratios: [Double]) -> [(name: String, value: Double)] {
      CostChoice.goals.map { goal in
        (
          goal.name,
          goal.name == "accuracy"
            ? 0.9 - 0.05 * ratios[0]
            : goal.name == "red_sensitivity"
              ? 0.7 + 0.1 * ratios[0] : goal.isCeiling ? 0 : 1
        )
      }
    }
    let best = CostChoice.best(count: 1, figures: figures)
    let oracle = CostChoice.ratios.min { CostChoice.shortfall(figures([$0])) < CostChoice.shortfall(figures([$1])) }
    #expect(best == oracle.map { [$0] })
  }
}
