public import Assessment
public import Clinical
import Foundation
import TextAnalysis
public import VetNet

/// The metamorphic test of triage's floor, on what ships: every example of every red and orange discriminator beside sentences that
/// reassure, play down or book, before it, behind it and on both sides. A red one may not end below orange, an orange one not below
/// yellow. A second set of variants joins them in one sentence, opens with a polite condition, and fills in the form.
///
/// - Source: T. Y. Chen et al., "Metamorphic testing: a review of challenges and opportunities", ACM Comput Surv 2018;51(1):4.
public struct FloorGrid: Sendable {
  /// Where a phrase stands.
  public enum Place: String, CaseIterable, Sendable {
    case before, after, both
    /// "…, and could we also book his nails"
    case commaAnd = "comma and"
    /// "… and could we also book his nails"
    case and
    /// "… plus he's due his jab"
    case plus
    /// "If you have a slot today, … .", with the phrase behind.
    case condition

    /// In sentences of their own.
    static let sentences: [Place] = [.before, .after, .both]
  }

  /// What the form says beside the message.
  public enum Form: String, CaseIterable, Sendable {
    /// The species alone.
    case bare
    /// Channel, and age and sex where the finding doesn't depend on them.
    case filled
  }

  /// How an example and a phrase are put together.
  public struct Variant: Hashable, Sendable {
    public let place: Place
    public let form: Form

    /// Sentences of their own on an empty form: the grid that `floor_violations` counts.
    public static let sentences = Place.sentences.map { Variant(place: $0, form: .bare) }
    /// All others, which `floor_violations_joined` counts.
    public static let joined = Form.allCases.flatMap { form in
      Place.allCases.map { Variant(place: $0, form: form) }
    }.filter { !sentences.contains($0) }
  }

  /// One combination.
  public struct Cell: Sendable {
    public let discriminator: String
    /// Of the discriminator.
    public let level: Urgency
    public let species: Species
    public let variant: Variant
    public let text: String
    /// Whether the finding depends on age or sex, which the form then leaves out: it would contradict the example.
    let asksAboutPatient: Bool

    public var place: Place { variant.place }

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

  private let examples: [(discriminator: Discriminator, species: Species, text: String)]
  private let phrases: [String]
  private let variants: [Variant]

  /// - Parameters:
  ///   - triageProtocol: whose examples are taken.
  ///   - phrases: sentences; what ends without a mark gets a full stop.
  ///   - variants: how they are put together.
  public init(_ triageProtocol: TriageProtocol, phrases: [String], variants: [Variant] = Variant.sentences) {
    self.phrases = phrases
    self.variants = variants
    examples = triageProtocol.discriminators.filter { $0.level >= .orange }.flatMap { discriminator in
      discriminator.examples.map { text in
        (discriminator, Self.species(in: text, of: discriminator), text)
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
  public var count: Int { examples.count * phrases.count * variants.count }

  /// Combination `index` of ``count``.
  public func cell(_ index: Int) -> Cell {
    let variant = variants[index % variants.count]
    let number = index / variants.count % phrases.count
    let phrase = phrases[number]
    let example = examples[index / variants.count / phrases.count]
    func joined(by word: String) -> [String] { [Self.open(example.text) + word + Self.continued(phrase)] }
    let parts: [String] =
      switch variant.place {
      case .before: [phrase, example.text]
      case .after: [example.text, phrase]
      case .both: [phrase, example.text, phrase]
      case .commaAnd: joined(by: ", and ")
      case .and: joined(by: " and ")
      case .plus: joined(by: " plus ")
      case .condition:
        [Self.conditions[number % Self.conditions.count] + ", " + Self.continued(example.text), phrase]
      }
    return Cell(
      discriminator: example.discriminator.id, level: example.discriminator.level, species: example.species,
      variant: variant, text: parts.map(Self.closed).joined(separator: " "),
      asksAboutPatient: example.discriminator.asksAboutPatient)
  }

  /// Polite conditions, on which nothing hangs.
  private static let conditions = [
    "If you have a slot today", "If it isn't too much trouble", "Whenever you're free", "If possible",
    "No rush, whenever suits", "Should you have time", "If somebody could see us", "Unless you're fully booked",
  ]

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
      CaseEvaluator.Case(intake: Self.intake(cell))
    }
    let failed = zip(cells, evaluator.assessments(of: cases)).compactMap { cell, assessment in
      assessment.triage.urgency < cell.floor ? Violation(cell: cell, given: assessment.triage.urgency) : nil
    }
    return (cells.count, failed)
  }

  private static func intake(_ cell: Cell) -> Intake {
    switch cell.variant.form {
    case .bare: Intake(id: "cell", species: cell.species, text: cell.text)
    case .filled:
      Intake(
        id: "cell", channel: "phone", species: cell.species, age: cell.asksAboutPatient ? nil : "7 years",
        sex: cell.asksAboutPatient ? .unknown : .maleNeutered, text: cell.text)
    }
  }

  /// What a run of a grid gives.
  public typealias Result = (judged: Int, violations: [Violation])

  /// The metrics of a report, as they are shown.
  public static let metricNames = ["floor_violations", "floor_violations_joined"]

  /// The run of both grids as a report, whose metrics ``metricNames`` count the cells that failed.
  ///
  /// - Parameters:
  ///   - sentences: of ``violations(_:sample:seed:)`` on ``Variant/sentences``.
  ///   - joined: of the same on ``Variant/joined``.
  ///   - evaluator: that judged.
  ///   - seed: of the draw, and for the interval.
  /// - Returns: the report of the suite `floors`; `n` counts the cells of both.
  public static func report(
    sentences: Result, joined: Result, _ evaluator: CaseEvaluator, seed: UInt64
  ) -> SuiteReport {
    func total(_ result: Result) -> MetricValues {
      let failed = result.violations.count
      return .total([Double](repeating: 1, count: failed) + [Double](repeating: 0, count: result.judged - failed))
    }
    return SuiteReport(
      suite: "floors", n: sentences.judged + joined.judged,
      systems: ["default": ["floor_violations": total(sentences), "floor_violations_joined": total(joined)]],
      baselines: [:], versions: evaluator.versions, seed: seed)
  }

  /// Without its full stop.
  private static func open(_ sentence: String) -> String {
    sentence.last.map { ".?!".contains($0) } ?? false ? String(sentence.dropLast()) : sentence
  }

  /// As it goes on behind a joining word: with a small letter, unless it begins with "I" or an abbreviation.
  private static func continued(_ sentence: String) -> String {
    let first = sentence.prefix { $0.isLetter }
    guard first.count > 1, !first.dropFirst().contains(where: \.isUppercase) else { return sentence }
    return sentence.prefix(1).lowercased() + sentence.dropFirst()
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
