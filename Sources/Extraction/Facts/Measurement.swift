/// A number that was measured or given, in VetNet's unit.
public struct Amount: Hashable, Sendable {
  public var value: Double
  /// Empty for what has none, as a ratio.
  public var unit: String
  /// The upper end where a range was written ("HR 188-216"), in `unit`.
  public var upper: Double?
  public var comparison: Comparison?
  /// No animal has such a value: it is kept, and counts for nothing.
  public var isImplausible: Bool
  /// The quantity before conversion; nil in facts that were read from a file.
  public var original: Quantity?

  public init(
    value: Double, unit: String, upper: Double? = nil, comparison: Comparison? = nil, isImplausible: Bool = false,
    original: Quantity? = nil
  ) {
    self.value = value
    self.unit = unit
    self.upper = upper
    self.comparison = comparison
    self.isImplausible = isImplausible
    self.original = original
  }
}

/// What was measured in an examination: weight, body condition, vital signs.
public struct Measurement: Hashable, Sendable {
  public var measure: VitalMeasure
  public var amount: Amount

  public init(_ measure: VitalMeasure, _ amount: Amount) {
    self.measure = measure
    self.amount = amount
  }
}

extension VitalMeasure {
  /// The kind of fact that a measured value is.
  public var kind: FactKind {
    switch self {
    case .weight: .weight
    case .bodyCondition: .bodyCondition
    case .temperature: .temperature
    case .heartRate: .heartRate
    case .respiratoryRate: .respiratoryRate
    case .capillaryRefill, .systolicPressure, .oxygenSaturation: .vital
    }
  }
}

/// What a laboratory or a test strip found.
public struct LabResult: Hashable, Sendable {
  /// Nil for tests that answer in words.
  public var amount: Amount?
  /// The answer in words.
  public var result: TestResult?
  /// Whether it lies outside the reference, by the range or the mark beside it.
  public var flag: LabFlag?
  /// Of paired organs.
  public var side: Laterality?
  /// Its place among several values of one line, from 1.
  public var column: Int?
  /// The range printed beside it, in the unit that was written.
  public var reference: ReferenceRange?
  /// The value that the note compares it with, as written.
  public var previous: String?

  public init(amount: Amount? = nil, result: TestResult? = nil) {
    self.amount = amount
    self.result = result
  }
}

/// What is usual, as a laboratory prints it: at least one of its ends.
public struct ReferenceRange: Hashable, Sendable {
  public var low: Double?
  public var high: Double?

  /// Nil without any end.
  public init?(low: Double?, high: Double?) {
    if low == nil, high == nil { return nil }
    self.low = low
    self.high = high
  }
}

/// A test's answer in words.
public enum TestResult: String, CaseIterable, Sendable {
  case positive, negative, equivocal, pending
}

/// On which side of the reference a value lies.
public enum LabFlag: String, CaseIterable, Sendable {
  case high, low
}
