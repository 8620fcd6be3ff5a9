public import Assessment
public import Clinical
import Foundation
import TextAnalysis
public import VetNet

/// The metamorphic test of triage's floor, on what ships: every example of every red and orange discriminator beside sentences that
/// reassure, play down or book, before it, behind it and on both sides. A red one may not end below orange, an orange one not below
/// yellow.
///
/// - Source: T. Y. Chen et al., "Metamorphic testing: a review of challenges and opportunities", ACM Comput Surv 2018;51(1):4.
public struct FloorGrid: Sendable {
  /// Where a phrase stands.
  public enum Place: String, CaseIterable, Sendable { case before, after, both }

  /// One combination.
  public struct Cell: Sendable {
    public let discriminator: String
    /// Of the discriminator.
    public let level: Urgency
    public let species: Species
    public let place: Place
    public let text: String

    /// The level below which the case may not end.
    public var floor: Urgency { Urgency(rank: level.rank - 1) }
  }

  /// A cell that ended below its floor.
  public struct Violation: Sendable {
    public let cell: Cell
    public let given: Urgency
  }

  /// Cells that `evaluate triage` draws.
  public static let sampleSize = 600

  private let examples: [(id: String, level: Urgency, species: Species, text: String)]
  private let phrases: [String]

  /// - Parameters:
  ///   - triageProtocol: whose examples are taken.
  ///   - phrases: sentences; what ends without a mark gets a full stop.
  public init(_ triageProtocol: TriageProtocol, phrases: [String]) {
    self.phrases = phrases
    examples = triageProtocol.discriminators.filter { $0.level >= .orange }.flatMap { discriminator in
      discriminator.examples.map { text in
        (discriminator.id, discriminator.level, Self.species(in: text, of: discriminator), text)
      }
    }
  }

  /// The phrases of a table with a column `text`.
  ///
  /// - Throws: ``DataTableError`` for a table without that column.
  public static func phrases(in table: DataTable) throws(DataTableError) -> [String] {
    try table.rows.map { row throws(DataTableError) in
      if row["text"].isEmpty { throw row.error("text", "is empty") }
      return row["text"]
    }
  }

  /// How many combinations there are.
  public var count: Int { examples.count * phrases.count * Place.allCases.count }

  /// Combination `index` of ``count``.
  public func cell(_ index: Int) -> Cell {
    let place = Place.allCases[index % Place.allCases.count]
    let phrase = phrases[index / Place.allCases.count % phrases.count]
    let example = examples[index / Place.allCases.count / phrases.count]
    let parts: [String] =
      switch place {
      case .before: [phrase, example.text]
      case .after: [example.text, phrase]
      case .both: [phrase, example.text, phrase]
      }
    return Cell(
      discriminator: example.id, level: example.level, species: example.species, place: place,
      text: parts.map(Self.closed).joined(separator: " "))
  }

  /// The cells that end below their floor.
  ///
  /// - Parameters:
  ///   - evaluator: the shipped assessment.
  ///   - sample: how many cells are drawn, without repetition; nil for all.
  ///   - seed: of the draw.
  /// - Returns: how many were judged, and those that failed, in the order of the grid.
  /// - Complexity: one assessment a cell, some 4 ms each on one core.
  public func violations(
    _ evaluator: CaseEvaluator, sample: Int? = nil, seed: UInt64
  ) -> (judged: Int, violations: [Violation]) {
    guard count > 0 else { return (0, []) }
    var indices = Array(0..<count)
    if let sample, sample < count {
      var generator = SplitMix64(seed: seed)
      indices.shuffle(using: &generator)
      indices = indices.prefix(sample).sorted()
    }
    let cells = indices.map(cell)
    let cases = cells.map { cell in
      CaseEvaluator.Case(intake: Intake(id: "cell", species: cell.species, text: cell.text))
    }
    let failed = zip(cells, evaluator.assessments(of: cases)).compactMap { cell, assessment in
      assessment.triage.urgency < cell.floor ? Violation(cell: cell, given: assessment.triage.urgency) : nil
    }
    return (cells.count, failed)
  }

  /// The run of a grid as a report, whose metric `floor_violations` counts the cells that failed.
  ///
  /// - Parameters:
  ///   - result: of ``violations(_:sample:seed:)``.
  ///   - evaluator: that judged.
  ///   - seed: of the draw, and for the interval.
  /// - Returns: the report of the suite `floors`.
  public static func report(
    _ result: (judged: Int, violations: [Violation]), _ evaluator: CaseEvaluator, seed: UInt64
  ) -> SuiteReport {
    let failed = result.violations.count
    let values = [Double](repeating: 1, count: failed) + [Double](repeating: 0, count: result.judged - failed)
    return SuiteReport(
      suite: "floors", n: result.judged, systems: ["default": ["floor_violations": .total(values)]], baselines: [:],
      versions: evaluator.versions, seed: seed)
  }

  private static func closed(_ sentence: String) -> String {
    guard let last = sentence.last, !".?!".contains(last) else { return sentence }
    return sentence + "."
  }

  /// The species that an example names, else the first that its discriminator is for.
  private static func species(in text: String, of discriminator: Discriminator) -> Species {
    let named = WordForm.runs(of: text).compactMap { Species(describing: $0) }
    if let named = named.first(where: { discriminator.species?.contains($0) ?? true }) { return named }
    return discriminator.species.flatMap { all in Species.allCases.first(where: all.contains) } ?? .dog
  }
}
