import Clinical
import Foundation
import Testing
import VetNet
import VetNetTestSupport

@testable import Network

/// Pooling against a recomputation from the visits themselves, by the textbook's sums.
struct PooledFiguresTests {
  private struct Sample {
    var logs: [[Double]] = []
    var missed: [Int] = []
    var booked: [Int] = []
  }

  private func sample(practices: Int, spread: Double, seed: UInt64) -> Sample {
    var chance = SplitMix64(seed: seed)
    func normal() -> Double {
      let u = Double.random(in: 1e-9..<1, using: &chance), v = Double.random(in: 0..<1, using: &chance)
      return (-2 * log(u)).squareRoot() * cos(2 * .pi * v)
    }
    var sample = Sample()
    for number in 0..<practices {
      let mean = log(18) + spread * normal()
      let visits = number == 0 ? 3 : Int.random(in: 5...80, using: &chance)
      sample.logs.append((0..<visits).map { _ in mean + 0.4 * normal() })
      let booked = Int.random(in: 6...200, using: &chance)
      let share = min(0.6, max(0.01, 0.08 + spread * 0.2 * normal()))
      sample.booked.append(booked)
      sample.missed.append((0..<booked).count { _ in Double.random(in: 0..<1, using: &chance) < share })
    }
    return sample
  }

  private func pooled(_ sample: Sample) throws -> PooledFigures.VisitType {
    let figures = sample.logs.indices.map { place in
      SharedFigures.OfPractice(
        practice: "p\(place)",
        figures: [
          VisitFigures(
            visitType: "recheck", logMinutes: sample.logs[place], appointments: sample.booked[place],
            noShows: sample.missed[place])
        ])
    }
    return try #require(PooledFigures(SharedFigures(practices: figures)).visitTypes.first)
  }

  @Test(arguments: [(12, 0.0, 1), (12, 0.3, 2), (40, 0.15, 3), (2, 0.5, 4), (200, 0.05, 5)] as [(Int, Double, UInt64)])
  func `lengths are drawn together as the formula says`(practices: Int, spread: Double, seed: UInt64) throws {
    let sample = sample(practices: practices, spread: spread, seed: seed)
    let type = try pooled(sample)
    // From the visits, with two passes for each variance.
    let means = sample.logs.map { $0.reduce(0, +) / Double($0.count) }
    let residuals = zip(sample.logs, means).flatMap { logs, mean in logs.map { ($0 - mean) * ($0 - mean) } }
    let within = residuals.reduce(0, +) / Double(residuals.count - practices)
    let variances = sample.logs.map { within / Double($0.count) }
    func weighted(_ extra: Double) -> Double {
      var (sum, weights) = (0.0, 0.0)
      for (mean, variance) in zip(means, variances) {
        sum += mean / (variance + extra)
        weights += 1 / (variance + extra)
      }
      return sum / weights
    }
    let fixed = weighted(0)
    var q = 0.0
    for (mean, variance) in zip(means, variances) { q += (mean - fixed) * (mean - fixed) / variance }
    let (one, two) = (variances.map { 1 / $0 }.reduce(0, +), variances.map { 1 / ($0 * $0) }.reduce(0, +))
    let between = max(0, (q - Double(practices - 1)) / (one - two / one))
    let common = weighted(between)
    #expect(abs(try #require(type.minutes) - exp(common)) < 1e-9)
    #expect(abs(try #require(type.spread) - between.squareRoot()) < 1e-6)
    for (place, row) in type.rows.enumerated() {
      let share = between / (between + variances[place])
      #expect(abs(try #require(row.minutes) - exp(share * means[place] + (1 - share) * common)) < 1e-6)
    }
    // The three visits of the first are drawn more than the many of any other.
    #expect(type.rows.dropFirst().allSatisfy { $0.weight ?? 0 >= type.rows[0].weight ?? 1 })
  }

  @Test(arguments: [(12, 0.0, 1), (12, 0.3, 2), (40, 0.15, 3), (200, 0.1, 5)] as [(Int, Double, UInt64)])
  func `shares of no-shows are drawn together as the formula says`(practices: Int, spread: Double, seed: UInt64) throws
  {
    let sample = sample(practices: practices, spread: spread, seed: seed)
    let type = try pooled(sample)
    let total = Double(sample.booked.reduce(0, +))
    let common = Double(sample.missed.reduce(0, +)) / total
    let s = zip(sample.missed, sample.booked).reduce(0.0) { sum, pair in
      let (missed, booked) = (Double(pair.0), Double(pair.1))
      return sum + booked * pow(missed / booked - common, 2)
    }
    let chance = common * (1 - common)
    let freedom = Double(practices - 1)
    let squares = sample.booked.map { Double($0 * $0) }.reduce(0, +)
    let most = chance * (total - squares / total - freedom)
    let gamma: Double = min(1, max(0, (s - chance * freedom) / most))
    #expect(abs(try #require(type.noShowShare) - common) < 1e-12)
    for (place, row) in type.rows.enumerated() {
      let (missed, booked) = (Double(sample.missed[place]), Double(sample.booked[place]))
      let wanted = gamma == 0 ? common : (missed + (1 - gamma) / gamma * common) / (booked + (1 - gamma) / gamma)
      #expect(abs(try #require(row.noShowShare) - wanted) < 1e-9)
    }
  }

  @Test func `drawn estimates of small practices are nearer to the truth than their own`() throws {
    var chance = SplitMix64(seed: 7)
    func normal() -> Double {
      let u = Double.random(in: 1e-9..<1, using: &chance), v = Double.random(in: 0..<1, using: &chance)
      return (-2 * log(u)).squareRoot() * cos(2 * .pi * v)
    }
    var (own, drawn) = (0.0, 0.0)
    for _ in 0..<40 {
      let truths = (0..<30).map { _ in log(20) + 0.15 * normal() }
      let figures = truths.enumerated().map { place, truth in
        SharedFigures.OfPractice(
          practice: "\(place)",
          figures: [VisitFigures(visitType: "t", logMinutes: (0..<6).map { _ in truth + 0.5 * normal() })])
      }
      let rows = try #require(PooledFigures(SharedFigures(practices: figures)).visitTypes.first).rows
      for (row, truth) in zip(rows, truths) {
        own += pow(log(try #require(row.ownMinutes)) - truth, 2)
        drawn += pow(log(try #require(row.minutes)) - truth, 2)
      }
    }
    #expect(drawn < own * 0.7)
  }
}
