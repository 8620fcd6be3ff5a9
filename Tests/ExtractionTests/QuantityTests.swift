import Testing

@testable import Extraction

@Suite struct QuantityTests {
  private func only(_ text: String) throws -> Quantity {
    let all = try Fixtures.extractors.get().quantities.quantities(in: text)
    #expect(all.count == 1, "\(text): \(all)")
    return try #require(all.first)
  }

  static let values: [(String, Double, String)] = [
    ("12.4kg", 12.4, "kg"), ("27 lb", 27, "lb"), ("0.1mg/kg", 0.1, "mg/kg"), ("½ tablet", 0.5, "tablet"),
    ("1½ tabs", 1.5, "tablet"), ("1/2 of 50 mg", 25, "mg"), ("½ x 50mg", 25, "mg"), ("1,200 g", 1200, "g"),
    ("182 umol/L", 182, "µmol/L"), ("182 µmol/l", 182, "µmol/L"), ("95 mg/dL", 95, "mg/dL"), ("101.5F", 101.5, "°F"),
    ("38.6 °C", 38.6, "°C"), ("120 bpm", 120, "/min"), ("8 ml/kg/h", 8, "ml/kg/h"), ("4,5 kg", 4.5, "kg"),
    ("6/12", 0, ""),
  ]

  @Test(arguments: values)
  func `numbers are read with their units`(text: String, value: Double, unit: String) throws {
    guard !unit.isEmpty else {
      #expect(try Fixtures.extractors.get().quantities.quantities(in: text).allSatisfy { $0.unit == "month" })
      return
    }
    let quantity = try only(text)
    #expect(quantity.value == value)
    #expect(quantity.unit == unit)
    #expect(quantity.range == 0..<text.utf8.count)
  }

  @Test(arguments: ["", ".5", ".\(String(repeating: "9", count: 400))"])
  func `what has more digits than any measurement is none`(end: String) throws {
    let digits = String(repeating: "9", count: 400) + end
    #expect(try Fixtures.extractors.get().quantities.quantities(in: "weight \(digits) kg").isEmpty)
  }

  @Test func `ranges keep both ends`() throws {
    let quantity = try only("give 8-12 mg now")
    #expect(quantity.value == 8)
    #expect(quantity.upper == 12)
  }

  @Test func `conversion goes to the base unit and back by hand`() throws {
    let units = try Fixtures.extractors.get().quantities.units
    let pounds = try #require(units.converted(27, from: "lb"))
    #expect(abs(pounds.value - 27 * 0.45359237) < 1e-5)
    #expect(pounds.unit == "kg")
    let fahrenheit = try #require(units.converted(101.5, from: "°F"))
    #expect(abs(fahrenheit.value - (101.5 - 32) * 5 / 9) < 1e-5)
    #expect(units.converted(1, from: "furlong") == nil)
  }
}
