import Extraction
import Interchange

/// A measured value as an Observation tells it.
struct FHIRMeasurement {
  /// The element's name and value.
  let value: (String, JSONValue?)
  let category: String
  let codings: [FHIRConcept.Coding]
  /// What is usual, as it was printed beside the value.
  let reference: JSONValue?

  /// Nil for a fact that is no number.
  init?(_ fact: Fact) {
    let amount: Amount
    switch fact.content {
    case .measurement(let measurement):
      amount = measurement.amount
      category = "vital-signs"
      codings = Self.codings(measurement.measure)
      reference = nil
    case .lab(let result):
      guard let measured = result.amount else { return nil }
      amount = measured
      category = "laboratory"
      codings = []
      reference = result.reference.map {
        .members(
          ("low", $0.low.map { .members(("value", .decimal($0))) }),
          ("high", $0.high.map { .members(("value", .decimal($0))) }))
      }
    default: return nil
    }
    let low = Self.quantity(amount.value, amount)
    value =
      amount.upper.map { upper in
        ("valueRange", .members(("low", low), ("high", Self.quantity(upper, amount))))
      } ?? ("valueQuantity", Self.compared(low, amount.comparison))
  }

  private static func quantity(_ value: Double, _ amount: Amount) -> JSONValue {
    guard let code = ucum(amount.unit) else { return .members(("value", .decimal(value))) }
    return .members(
      ("value", .decimal(value)), ("unit", .string(amount.unit)), ("system", "http://unitsofmeasure.org"),
      ("code", .string(code)))
  }

  private static func compared(_ quantity: JSONValue, _ comparison: Comparison?) -> JSONValue {
    guard let comparison, case .object(let members) = quantity else { return quantity }
    return .object(members + [JSONValue.Member("comparator", .string(comparison.rawValue))])
  }

  /// The unit as UCUM (https://ucum.org) spells it; nil for none. What is counted, such as tablets, stands in braces.
  static func ucum(_ unit: String) -> String? {
    if unit.isEmpty { return nil }
    if unit == "°C" { return "Cel" }
    if unit == "mmHg" { return "mm[Hg]" }
    let isCounted = !unit.contains("/") && unit.utf8.count > 3 && unit.allSatisfy(\.isLetter)
    if isCounted { return "{\(unit)}" }
    return unit.replacing("µ", with: "u").replacing("mcg", with: "ug").replacing("x10^", with: "10*")
      .replacing("iu", with: "[iU]").replacing("ml", with: "mL")
  }

  /// LOINC's codes for what an examination measures.
  private static func codings(_ measure: VitalMeasure) -> [FHIRConcept.Coding] {
    let code: String? =
      switch measure {
      case .weight: "29463-7"
      case .temperature: "8310-5"
      case .heartRate: "8867-4"
      case .respiratoryRate: "9279-1"
      case .systolicPressure: "8480-6"
      case .oxygenSaturation: "2708-6"
      case .capillaryRefill: "44963-7"
      case .bodyCondition: nil
      }
    return code.map { [.init("http://loinc.org", $0)] } ?? []
  }
}
