import Testing

@testable import Extraction

@Suite struct VitalsTests {
  struct Row: CustomTestStringConvertible {
    let text: String
    let expected: [(VitalMeasure, Double)]
    var testDescription: String { text }
  }

  @Test(arguments: [
    Row(text: "T 38.6 HR 120 RR 24", expected: [(.temperature, 38.6), (.heartRate, 120), (.respiratoryRate, 24)]),
    Row(text: "T38.6 HR120 RR24", expected: [(.temperature, 38.6), (.heartRate, 120), (.respiratoryRate, 24)]),
    Row(text: "TPR 38.5/120/24", expected: [(.temperature, 38.5), (.heartRate, 120), (.respiratoryRate, 24)]),
    Row(text: "T 38.5 P 60 R 16", expected: [(.temperature, 38.5), (.heartRate, 60), (.respiratoryRate, 16)]),
    Row(text: "Temp: 101.5", expected: [(.temperature, 38.611111)]),
    Row(text: "temp was 39.9C", expected: [(.temperature, 39.9)]),
    Row(text: "wt 12.4kg", expected: [(.weight, 12.4)]), Row(text: "12.4 kg.", expected: [(.weight, 12.4)]),
    Row(text: "BW 4.2", expected: [(.weight, 4.2)]), Row(text: "27lb", expected: [(.weight, 12.246994)]),
    Row(text: "weighs 450 g", expected: [(.weight, 0.45)]), Row(text: "HR 188-216", expected: [(.heartRate, 188)]),
    Row(text: "HR 140s", expected: [(.heartRate, 140)]), Row(text: "CRT <2s", expected: [(.capillaryRefill, 2)]),
    Row(text: "BCS 4-5/9", expected: [(.bodyCondition, 4)]), Row(text: "BCS 3/5", expected: [(.bodyCondition, 3)]),
    Row(text: "BP 160 mmHg", expected: [(.systolicPressure, 160)]),
    Row(text: "Doppler 212. Retina flat.", expected: [(.systolicPressure, 212)]),
    Row(text: "LVOT Doppler 210 cm/s.", expected: []),
    Row(text: "SRR 28", expected: [(.respiratoryRate, 28)]),
    Row(text: "T4 58", expected: []), Row(text: "P: 1. Prednisolone", expected: []),
    Row(text: "lost 2 kg since May", expected: []), Row(text: "0.1 mg/kg", expected: []),
    Row(text: "Target 31-32 kg", expected: []), Row(text: "a 5 kg bag", expected: []),
    Row(text: "Reg no. T2130328L", expected: []),
    Row(text: "policy T900417B, T38.4C", expected: [(.temperature, 38.4)]),
    Row(text: "Weight down to 0.98kg", expected: [(.weight, 0.98)]),
    Row(text: "wt up to 14.8 kg, happy", expected: [(.weight, 14.8)]),
    Row(text: "aim to get weight down to 12 kg", expected: []),
    Row(text: "BCS 3/5, 441 g. Egg palpable.", expected: [(.bodyCondition, 3), (.weight, 0.441)]),
    Row(text: "Seen today, 441 g fed.", expected: []),
    Row(text: "Invoice 1,840 pounds, unpaid", expected: []), Row(text: "a budget of 300 pounds", expected: []),
    Row(text: "Weighs 27 pounds", expected: [(.weight, 12.246994)]),
    Row(text: "Metacam 37kg SID", expected: []),
    Row(text: "Temp not taken", expected: []), Row(text: "wt 12/03", expected: []),
  ])
  func `vital signs are read as they are written`(row: Row) throws {
    let signs = try Fixtures.extractors.get().vitals.vitals(in: row.text)
    #expect(signs.map(\.measure) == row.expected.map(\.0))
    for (sign, expected) in zip(signs, row.expected) { #expect(abs(sign.value - expected.1) < 1e-6) }
  }

  @Test func `the original stays beside the converted value`() throws {
    let sign = try #require(try Fixtures.extractors.get().vitals.vitals(in: "Temp 101.5").first)
    #expect(sign.original.value == 101.5)
    #expect(sign.original.unit == "°F")
    #expect(sign.original.isUnitInferred)
    #expect(sign.unit == "°C")
  }

  @Test func `impossible values are kept and marked`() throws {
    let sign = try #require(try Fixtures.extractors.get().vitals.vitals(in: "HR 2000").first)
    #expect(!sign.isPlausible)
  }
}
