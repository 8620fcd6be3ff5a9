import Clinical
import Testing
import VetNetTestSupport

@testable import Extraction

/// Values of the animal, told from those of its surroundings, and the tests that look like drugs.
@Suite struct MeasurementTests {
  private func facts(_ text: String, _ kind: FactKind) throws -> [Fact] {
    try Fixtures.extractors.get().facts.facts(in: text, kind: .consult).filter { $0.kind == kind }
  }

  @Test(arguments: [
    ("92 g. Bright.", 0.092), ("Wt 1268 g BCS 3/5", 1.268), ("wt 12.4 lb", 5.624545788),
    ("Wt 4 lb 6 oz", 1.98446661875),
    ("wt 9 st 4 lb", 58.967008), ("15.9 oz (451 g)", 0.450756), ("Weigh in: 241 g", 0.241),
    ("Hamster 92 g", 0.092), ("92 g today", 0.092), ("3 oz. Bright.", 0.085048569375),
  ])
  func `weights are read in every unit`(text: String, kilograms: Double) throws {
    let weights = try facts(text, .weight)
    #expect(weights.count == 1)
    let value = try #require(weights.first?.value)
    #expect(abs(value - kilograms) < 1e-5)
  }

  @Test(arguments: [
    "soaked hay 1.5% = 8kg", "Weigh 1x mth", "Weight 0.2 kg less than in April", "pup alive, 410g",
    "fed 640 g of kibble",
    "Hamster 5 g of pellets",
  ])
  func `feed, changes and others' weights are none of the patient's`(text: String) throws {
    #expect(try facts(text, .weight) == [])
  }

  @Test(arguments: [
    ("Weighed again as the owner asked: 3.9 kg on the baby scales.", 3.9),
    ("Weight on the nurse room scales 7.2kg.", 7.2),
    ("Wt on the table scale 6.35. Jolly.", 6.35), ("Her daughter came along. Weighed by the nurse, wt 12.4 kg.", 12.4),
    ("Weighed on the yard weighbridge 612kg.", 612), ("Wt 9.4 kg on the table scales.", 9.4),
  ])
  func `what an animal is weighed on, and who stands by, is no other's weight`(text: String, kilograms: Double) throws {
    let weights = try facts(text, .weight)
    #expect(weights.map(\.value) == [kilograms])
    #expect(weights.allSatisfy { $0.assertion.isActive })
  }

  @Test(arguments: [
    "Her baby weighs 4.1 kg.", "Housemate cat Bella weighed by the nurse, wt 4.2 kg.", "Wt maybe 12 kg, owner guesses.",
    "His sister came too and the nurse weighed her on the scales, wt 5.1 kg.",
    "His brother weighs 14 kg on the same scales.", "Her husband carries a 15 kg bag in.",
    "Wt on Monday, 3 tablets left.",
  ])
  func `a person's weight, a littermate's and a bag's stay theirs`(text: String) throws {
    #expect(try facts(text, .weight).filter { $0.assertion.isActive } == [])
  }

  @Test(arguments: [
    "Warm box at 30 °C", "head over to L 30 deg", "basking 35 °C", "vivarium temp 32 C", "104 °F basking",
  ])
  func `an enclosure's warmth and an angle are no temperature`(text: String) throws {
    #expect(try facts(text, .temperature) == [])
  }

  @Test(arguments: ["Heart 7.6 vertebral units", "HR 7.5 x"])
  func `a rate is a whole number`(text: String) throws {
    #expect(try facts(text, .heartRate) == [])
  }

  @Test func `an earlier weight stands beside the one it is compared with`() throws {
    let weights = try facts("2.55 kg, overweight (4/5), thin. 106 g, was 92 last May", .weight)
    #expect(weights.map(\.value) == [2.55, 0.106, 0.092])
    #expect(weights.map(\.assertion.temporality) == [.current, .current, .historical])
    let bracketed = try facts("241 g (168 in March)", .weight)
    #expect(bracketed.map(\.assertion.temporality) == [.current, .historical])
  }

  @Test(arguments: [
    ("Blood glucose at 10 am four hours fasted 2.3 mmol/L.", [2.3]), ("PCV at 13:00 38 %", [38]),
    ("glucose 6.1 at 10 am", [6.1]), ("glucose four tablets", []),
  ])
  func `the hour of a sample is not its value`(text: String, values: [Double]) throws {
    #expect(try facts(text, .lab).compactMap(\.value) == values)
  }

  @Test func `an earlier result is kept with the result`() throws {
    let lab = try #require(try facts("crea 212 (prev 188)", .lab).first)
    #expect(lab.value == 212)
    #expect(lab.lab?.previous == "188")
  }

  @Test(arguments: [
    ("STT OD 13, OS 16", [13.0, 16], [Laterality.right, .left]), ("IOP R 14 L 15", [14, 15], [.right, .left]),
  ])
  func `each eye has its value`(text: String, values: [Double], sides: [Laterality]) throws {
    let labs = try facts(text, .lab)
    #expect(labs.map(\.value) == values)
    #expect(labs.compactMap { $0.lab?.side } == sides)
  }

  @Test(arguments: [
    ("Glucose 10% 5 ml iv", 0, 1), ("glucose negative", 0, 0), ("Glucose 7.3", 1, 0), ("insulin 2 iu BID", 0, 1),
    ("insulin 3 BID", 0, 1), ("Insulin 96 (fasted <20)", 1, 0), ("Phenobarb 22 mg/L", 1, 0),
    ("phenobarb 30 mg BID", 0, 1),
  ])
  func `a name that is a drug's and a test's is one of them`(text: String, labs: Int, drugs: Int) throws {
    #expect(try facts(text, .lab).count == labs)
    #expect(try facts(text, .drug).count == drugs)
  }

  @Test(arguments: [
    ("PCV at 13:00 38 %", 38.0), ("Chol 250 mg/dL", 6.465), ("Tbil 0.4 mg/dL", 6.84), ("BUN 30 mg/dL", 10.71),
  ])
  func `hours are no values, and American units are converted`(text: String, value: Double) throws {
    let lab = try #require(try facts(text, .lab).first)
    #expect(abs((lab.value ?? 0) - value) < 1e-6)
  }

  @Test(arguments: [
    ("CREA 182 H", 182.0, LabFlag.high), ("ALB 18 L", 18, .low), ("ALT\t220\t10-125", 220, .high),
    ("ALB   18   23-40", 18, .low), ("CREA 182 H 44-159", 182, .high),
  ])
  func `columns without a head are value, mark and range`(text: String, value: Double, flag: LabFlag) throws {
    let labs = try facts(text, .lab)
    #expect(labs.map(\.value) == [value])
    #expect(labs.first?.lab?.flag == flag)
  }

  @Test func `conversion and back gives what was written`() throws {
    let units = try Fixtures.extractors.get().quantities.units
    var random = SplitMix64(seed: 7)
    for unit in units.units where unit.factor != 1 || unit.offset != 0 {
      for _ in 0..<20 {
        let value = Double.random(in: 0.5...500, using: &random)
        let converted = try #require(units.converted(value, from: unit.name)).value
        let back = (converted - unit.offset) / unit.factor
        #expect(abs(back - value) <= 1e-6 / unit.factor, "\(value) \(unit.name)")
      }
    }
  }
}
