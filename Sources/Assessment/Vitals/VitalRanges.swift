public import Clinical
public import Extraction

/// What temperature, heart rate and breathing rate mean for an animal of a kind and age.
///
/// - Source: general knowledge; the rows of `vitals.tsv` name works of `Models/SOURCES.md` where there are any.
public struct VitalRanges: Sendable {
  struct Row: Sendable {
    let species: Species?
    let sign: VitalMeasure
    /// Days of age; half-open.
    let ages: Range<Double>
    let limits: Limits
    /// The level beyond the critical limits.
    let criticalLevel: Urgency
    /// The level between normal and critical.
    let abnormalLevel: Urgency
  }

  /// The limits of a row, for whoever shows a value beside them. Ends are within.
  public struct Limits: Hashable, Sendable {
    /// The row of `triage/vitals.tsv`.
    public let id: String
    public let source: String
    public let normal: ClosedRange<Double>
    public let critical: ClosedRange<Double>
    public let plausible: ClosedRange<Double>
  }

  /// A value outside its normal range.
  struct Finding: Sendable {
    let id: String
    let level: Urgency
    let standing: Standing
    let sign: VitalMeasure
    let isHigh: Bool
    /// What it says of the primary survey.
    let survey: (letter: ABCDELetter, status: ABCDEStatus)
    let words: Range<Int>
    let reason: String
  }

  struct Judgement: Sendable {
    var findings: [Finding] = []
    var normal: [(letter: ABCDELetter, words: Range<Int>)] = []
    var implausible: [String] = []
  }

  let rows: [Row]
  /// The version of the table.
  public let version: String

  /// - Parameter table: `vitals.tsv`.
  /// - Throws: ``DataTableError`` for unknown species, signs and levels, and for limits out of order.
  public init(table: DataTable) throws(DataTableError) {
    version = table.metadata["version"] ?? ""
    var rows: [Row] = []
    for row in table.rows {
      guard let sign = VitalMeasure(rawValue: row["sign"]), sign.letter != nil else {
        throw row.error("sign", "is no vital sign")
      }
      var species: Species?
      if row["species"] != "all" {
        guard let known = Species(rawValue: row["species"]) else { throw row.error("species", "is unknown") }
        species = known
      }
      var limits: [Double] = []
      for column in [
        "plausible_low", "critical_low", "normal_low", "normal_high", "critical_high", "plausible_high",
      ] {
        limits.append(try row.number(column))
      }
      guard limits == limits.sorted() else { throw row.error("normal_low", "and the other limits are not in order") }
      guard let critical = Urgency(rawValue: row["critical_level"]) else {
        throw row.error("critical_level", "is no urgency")
      }
      guard let abnormal = Urgency(rawValue: row["abnormal_level"]) else {
        throw row.error("abnormal_level", "is no urgency")
      }
      let from = try row.number("age_from_days")
      let to = row["age_to_days"].isEmpty ? Double.infinity : try row.number("age_to_days")
      guard from < to else { throw row.error("age_to_days", "is not after age_from_days") }
      rows.append(
        Row(
          species: species, sign: sign, ages: from..<to,
          limits: Limits(
            id: row["id"], source: row["source"], normal: limits[2]...limits[3], critical: limits[1]...limits[4],
            plausible: limits[0]...limits[5]),
          criticalLevel: critical, abnormalLevel: abnormal))
    }
    self.rows = rows
  }

  /// What is normal of a vital sign; nil where no row is of the species, nor for all.
  ///
  /// - Parameters:
  ///   - sign: temperature in °C, rates per minute.
  ///   - species: of the animal.
  ///   - days: its age; an adult's range where it is not known.
  /// - Returns: both ends normal.
  public func normal(_ sign: VitalMeasure, in species: Species, days: Double?) -> ClosedRange<Double>? {
    row(sign, species: species, age: days)?.limits.normal
  }

  /// What ``normal(_:in:days:)`` takes its range from; nil where no row is of the species, nor for all.
  public func limits(_ sign: VitalMeasure, in species: Species, days: Double?) -> Limits? {
    row(sign, species: species, age: days)?.limits
  }

  func row(_ sign: VitalMeasure, species: Species?, age: Double?) -> Row? {
    // Adults where the age is unknown: the first row of a species that reaches into old age.
    let fitting = rows.filter { row in
      row.sign == sign && row.species == species
        && (age.map { row.ages.contains($0) } ?? (row.ages.upperBound == .infinity))
    }
    if let row = fitting.first { return row }
    return species == nil ? nil : self.row(sign, species: nil, age: age)
  }

  /// The values of a text, judged. With the species unknown a value is taken to be a dog's or a cat's, whichever is worse.
  func judge(_ reading: IntakeReading, _ facts: PatientFacts) -> Judgement {
    var judgement = Judgement()
    let candidates: [Species?] = facts.species.map { [$0] } ?? [.dog, .cat]
    for value in reading.vitals {
      let rows = candidates.compactMap { row(value.measure, species: $0, age: facts.age) }
      guard let letter = value.measure.letter, let words = reading.words(in: value.range), !rows.isEmpty else {
        continue
      }
      guard rows.contains(where: { $0.limits.plausible.contains(value.value) }) else {
        judgement.implausible.append("\(value.measure.rawValue) \(value.value) \(value.unit)")
        continue
      }
      let standing = reading.standing(ofWords: words)
      let abnormal = rows.filter { !$0.limits.normal.contains(value.value) }
      guard let worst = abnormal.max(by: { level($0, value.value) < level($1, value.value) }) else {
        if standing.counts { judgement.normal.append((letter, words)) }
        continue
      }
      judgement.findings.append(
        Finding(
          id: worst.limits.id, level: level(worst, value.value), standing: standing, sign: value.measure,
          isHigh: value.value > worst.limits.normal.upperBound,
          survey: (letter, worst.limits.critical.contains(value.value) ? .abnormal : .critical), words: words,
          reason:
            "\(value.value) \(value.unit), normal \(worst.limits.normal.lowerBound) to \(worst.limits.normal.upperBound)"
        ))
    }
    return judgement
  }

  private func level(_ row: Row, _ value: Double) -> Urgency {
    row.limits.critical.contains(value) ? row.abnormalLevel : row.criticalLevel
  }
}

extension VitalMeasure {
  /// The letter of the primary survey that the measure is about; nil for weight and condition.
  var letter: ABCDELetter? {
    switch self {
    case .temperature: .exposure
    case .heartRate, .capillaryRefill, .systolicPressure: .circulation
    case .respiratoryRate, .oxygenSaturation: .breathing
    case .weight, .bodyCondition: nil
    }
  }

  /// The concept of the lexicon that a value out of range stands for, so that patterns can combine it with words.
  func concept(isHigh: Bool) -> String? {
    let prefix: String
    switch self {
    case .temperature: prefix = "temp"
    case .heartRate: prefix = "hr"
    case .respiratoryRate: prefix = "rr"
    default: return nil
    }
    return prefix + (isHigh ? "raised" : "low")
  }
}
