/// What is measured in an examination.
public enum VitalMeasure: String, CaseIterable, Codable, Sendable {
  case temperature
  case heartRate = "heart-rate"
  case respiratoryRate = "respiratory-rate"
  case weight
  /// Capillary refill time.
  case capillaryRefill = "crt"
  /// Body condition score, of five or nine.
  case bodyCondition = "bcs"
  case systolicPressure = "systolic-pressure"
  case oxygenSaturation = "oxygen-saturation"
}

/// A measured value with its place in the text.
public struct VitalSign: Hashable, Codable, Sendable {
  public let measure: VitalMeasure
  /// In `unit`.
  public let value: Double
  /// The upper end when a range was written ("HR 188-216"), in `unit`.
  public let upper: Double?
  /// °C, /min, kg, s, /9 or /5, mmHg, %.
  public let unit: String
  /// As written, before conversion.
  public let original: Quantity
  /// UTF-8 bytes from the announcing word, if there is one, to the unit.
  public let range: Range<Int>
  /// Whether any animal could have this value; implausible ones are kept and flagged.
  public let isPlausible: Bool

  public init(
    measure: VitalMeasure, value: Double, upper: Double? = nil, unit: String, original: Quantity, range: Range<Int>,
    isPlausible: Bool
  ) {
    self.measure = measure
    self.value = value
    self.upper = upper
    self.unit = unit
    self.original = original
    self.range = range
    self.isPlausible = isPlausible
  }
}
