import Clinical
import Extraction
import Testing
import VetNetTestSupport

@testable import Assessment

struct VitalRangesTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let text: String
    let species: Species
    var age: String?
    let urgency: Urgency?
    var isImplausible = false

    var testDescription: String { "\(species.rawValue) \(text)" }
  }

  @Test(arguments: [
    Row(text: "T 38.5, HR 90", species: .dog, urgency: nil),
    Row(text: "T 39.8", species: .dog, urgency: .yellow),
    Row(text: "temperature is 41.3", species: .dog, urgency: .red),
    Row(text: "temp 101.5F", species: .dog, urgency: nil),
    Row(text: "temp 106.5F", species: .dog, urgency: .red),
    Row(text: "HR 190", species: .dog, urgency: .orange),
    Row(text: "HR 190", species: .cat, urgency: nil),
    Row(text: "heart rate 72", species: .horse, urgency: .red),
    Row(text: "HR 40", species: .horse, urgency: nil),
    Row(text: "T 37.2", species: .rabbit, urgency: .orange),
    Row(text: "T 39.4", species: .rabbit, urgency: nil),
    Row(text: "T 41.2", species: .bird, urgency: nil),
    Row(text: "RR 72", species: .dog, urgency: .orange),
    Row(text: "T 36.2", species: .dog, age: "1 week", urgency: nil),
    Row(text: "T 54", species: .dog, urgency: nil, isImplausible: true),
    Row(text: "HR 900", species: .cat, urgency: nil, isImplausible: true),
    Row(text: "CRT 3.5s", species: .dog, urgency: .red),
    Row(text: "SpO2 88%", species: .cat, urgency: .red),
  ])
  func `values are judged by species and age`(row: Row) throws {
    let engine = try Shipped.engine()
    let intake = Intake(row.text, species: row.species, age: row.age)
    let reading = engine.reader.reading(of: row.text)
    let facts = PatientFacts(intake, PatientContext(), reading, reader: engine.reader)
    let judgement = engine.vitals.judge(reading, facts)
    #expect(judgement.findings.map(\.level).max() == row.urgency)
    #expect(judgement.implausible.isEmpty == !row.isImplausible)
  }

  @Test func `every species has adult ranges for every sign`() throws {
    let ranges = try Shipped.vitals()
    for species in Species.allCases {
      for measure in VitalMeasure.allCases where measure.letter != nil {
        #expect(ranges.row(measure, species: species, age: nil) != nil)
      }
    }
  }

  @Test func `limits out of order are refused`() throws {
    let head =
      "id\tspecies\tsign\tage_from_days\tage_to_days\tplausible_low\tcritical_low\tnormal_low\tnormal_high\tcritical_high\tplausible_high\tcritical_level\tabnormal_level\tsource"
    let table = try DataTable(
      name: "v.tsv", text: head + "\na\tdog\ttemperature\t0\t\t28\t39\t37\t39.2\t41\t44\tred\tyellow\ts\n")
    #expect(throws: DataTableError.self) { try VitalRanges(table: table) }
  }
}
