import Clinical
import Testing
import VetNetTestSupport

@testable import Training
@testable import VetNet

/// What is learned of names that the rules leave comes from marked notes, and takes out no more other words than it may.
struct NameFitterTests {
  private func example(_ practice: String, _ signs: [String], isName: Bool, isTaken: Bool = false) -> NameFitter.Example
  {
    NameFitter.Example(
      practice: practice, evidence: NameEvidence(range: 0..<1, signs: signs, isTaken: isTaken), isName: isName)
  }

  /// Words of names with a sign of their own, and words that have it one time in forty.
  private func words(of practice: String, others: Int) -> [NameFitter.Example] {
    (0..<others).map { example(practice, $0 % 40 == 0 ? ["rang behind"] : ["a dose behind"], isName: false) }
      + (0..<20).map { _ in example(practice, ["rang behind"], isName: true) }
      + (0..<5).map { _ in example(practice, ["rang behind"], isName: true, isTaken: true) }
  }

  @Test func `a sign that names have in other practices finds those that the rules leave`() throws {
    let fitter = NameFitter(["a", "b", "c"].flatMap { words(of: $0, others: 40) })
    let weights = fitter.weights()
    #expect(weights.logOdds(["rang behind"]) > 0)
    #expect(weights.logOdds(["a dose behind"]) < 0)
    // One other word in forty has it, more than may go: nothing is taken out by it.
    #expect(
      fitter.crossValidation().allSatisfy { $0.figures.found == 0 && $0.figures.lost == 0 && $0.figures.left == 20 })
    let rarer = NameFitter(
      ["a", "b", "c"].flatMap { practice in
        words(of: practice, others: 40) + (0..<2_000).map { _ in example(practice, ["a dose behind"], isName: false) }
      })
    #expect(rarer.crossValidation().allSatisfy { $0.figures.found == 20 && $0.figures.lost == 1 })
  }

  @Test(arguments: [3, 17, 92] as [UInt64])
  func `no more than five other words in a thousand go, whatever the signs are`(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    let examples = (0..<3_000).map { _ in
      let isName = Int.random(in: 0..<12, using: &generator) == 0
      let signs = (0..<4).map { _ in "sign \(Int.random(in: isName ? 10..<40 : 0..<30, using: &generator))" }
      return example(
        "practice \(Int.random(in: 0..<4, using: &generator))", signs, isName: isName,
        isTaken: Int.random(in: 0..<3, using: &generator) == 0)
    }
    let figures = NameFitter(examples).crossValidation().map(\.figures)
    let (others, lost) = (figures.reduce(0) { $0 + $1.others }, figures.reduce(0) { $0 + $1.lost })
    #expect(others == examples.count { !$0.isName } && lost * 1000 <= others * 5)
    #expect(figures.reduce(0) { $0 + $1.found } > 0)
  }

  @Test func `the table holds what was learned`() throws {
    let fitter = NameFitter(["a", "b", "c"].flatMap { words(of: $0, others: 400) })
    let text = fitter.table(from: ["hand.jsonl"])
    #expect(text == fitter.table(from: ["hand.jsonl"]) && text.contains("(hand.jsonl)"))
    let read = try NameWeights(table: DataTable(name: NameWeights.file, text: text, required: ["id", "weight"]))
    let weights = fitter.weights()
    #expect(read.weights.keys == weights.weights.keys)
    for signs in [["rang behind"], ["a dose behind"], ["never seen"]] {
      #expect(abs(read.logOdds(signs) - weights.logOdds(signs)) < 1e-3)
    }
  }

  @Test(arguments: [
    ("id\tweight\n(intercept)\t-3\n", "(least)"), ("id\tweight\n(least)\t0\n", "(intercept)"),
    ("id\tweight\n(intercept)\t-3\n(least)\t0\nform:first\tmuch\n", "weight"),
  ])
  func `a table of weights that can't be used is refused by its name`(text: String, named: String) throws {
    let table = try DataTable(name: NameWeights.file, text: text, required: ["id", "weight"])
    let error = #expect(throws: DataTableError.self) { try NameWeights(table: table) }
    let description = try #require(error).description
    #expect(description.contains(NameWeights.file) && description.contains(named))
  }
}
