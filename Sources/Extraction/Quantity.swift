/// What stands before a number that is only a bound.
public enum Comparison: String, CaseIterable, Codable, Sendable {
  case less = "<"
  case greater = ">"
}

/// A number with a unit, as written and in the unit VetNet works in.
public struct Quantity: Hashable, Codable, Sendable {
  /// The number as written; the lower end of a range.
  public let value: Double
  /// The upper end of "8-12".
  public let upper: Double?
  /// The unit's canonical spelling, such as `lb`; empty without one.
  public let unit: String
  /// What is measured, such as `mass` or `dose rate`; empty without a unit.
  public let dimension: String
  public let comparison: Comparison?
  /// UTF-8 bytes of number and unit.
  public let range: Range<Int>
  /// Whether the unit was not written but follows from the value, as °F at 101.5.
  public let isUnitInferred: Bool

  public init(
    value: Double, upper: Double? = nil, unit: String, dimension: String, comparison: Comparison? = nil,
    range: Range<Int>,
    isUnitInferred: Bool = false
  ) {
    self.value = value
    self.upper = upper
    self.unit = unit
    self.dimension = dimension
    self.comparison = comparison
    self.range = range
    self.isUnitInferred = isUnitInferred
  }
}

/// A value converted to another unit, the original untouched beside it.
public struct ConvertedValue: Hashable, Codable, Sendable {
  public let value: Double
  public let unit: String

  public init(value: Double, unit: String) {
    self.value = value
    self.unit = unit
  }
}
