import Clinical
import Foundation
import Testing
import VetNet
import VetNetTestSupport

@testable import Assessment
@testable import Evaluation

/// The metamorphic test of the floor, as `evaluate triage` and `make acceptance` run it.
struct FloorGridTests {
  private func evaluator() throws -> CaseEvaluator { try ShippedEvaluator.shared.get() }

  private func phrases() throws -> [String] {
    try FloorGrid.phrases(in: modelTable("triage/reassurance.tsv", required: ["text"]))
  }

  @Test func `a seeded sample of the grid has no violation`() throws {
    let evaluator = try evaluator()
    let grid = FloorGrid(evaluator.triageProtocol, phrases: try phrases())
    #expect(grid.count > 30_000)
    let result = grid.violations(evaluator, sample: 250, seed: 16)
    #expect(result.judged == 250)
    #expect(result.violations.isEmpty, "\(result.violations.map { "\($0.given.rawValue): \($0.cell.text)" })")
  }

  /// But for rules that count the words of a bare finding ("antifreeze"): what is joined on without a mark makes it longer (Models/triage/CARD.md).
  @Test func `a seeded sample of the joined grid and of filled forms has no violation`() throws {
    let evaluator = try evaluator()
    let limited = evaluator.triageProtocol.discriminators.filter { discriminator in
      discriminator.patterns.contains { $0.arrangement.wordLimit != nil }
    }
    let bare = Set(limited.map(\.id))
    let grid = FloorGrid(evaluator.triageProtocol, phrases: try phrases(), variants: FloorGrid.Variant.joined)
    #expect(grid.count > 120_000)
    let result = grid.violations(evaluator, sample: 330, seed: 17)
    #expect(result.judged == 330)
    let violations = result.violations.filter { !bare.contains($0.cell.discriminator) }
    #expect(violations.isEmpty, "\(violations.map { "\($0.given.rawValue): \($0.cell.text)" })")
  }

  @Test func `a phrase is joined to the example, or stands behind it and a condition`() throws {
    let evaluator = try evaluator()
    let grid = FloorGrid(
      evaluator.triageProtocol, phrases: ["Could we also book his nails?"], variants: FloorGrid.Variant.joined)
    let example = try #require(
      evaluator.triageProtocol.discriminators.first { $0.level >= .orange }?.examples.first)
    let cells = (0..<FloorGrid.Variant.joined.count).map(grid.cell)
    #expect(cells.prefix(4).map(\.place) == [.commaAnd, .and, .plus, .condition])
    #expect(cells[0].text == "\(example), and could we also book his nails?")
    #expect(cells[1].text == "\(example) and could we also book his nails?")
    #expect(cells[2].text == "\(example) plus could we also book his nails?")
    #expect(cells[3].text.hasPrefix("If you have a slot today, "))
    #expect(cells.count { $0.variant.form == .filled } == FloorGrid.Place.allCases.count)
    #expect(cells.allSatisfy { $0.text.lowercased().contains(example.lowercased()) })
  }

  @Test func `each cell has the example once, and the phrase before it, behind it or on both sides`() throws {
    let evaluator = try evaluator()
    let grid = FloorGrid(evaluator.triageProtocol, phrases: ["Fine in himself"])
    let example = try #require(
      evaluator.triageProtocol.discriminators.first { $0.level >= .orange }?.examples.first)
    let cells = (0..<3).map(grid.cell)
    #expect(cells.map(\.place) == [.before, .after, .both])
    #expect(cells.allSatisfy { $0.text.contains(example) })
    #expect(cells[0].text == "Fine in himself. \(example).")
    #expect(cells[2].text.components(separatedBy: "Fine in himself.").count == 3)
    #expect(cells.allSatisfy { $0.floor.rank == $0.level.rank - 1 })
  }
}
