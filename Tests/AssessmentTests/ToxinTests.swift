import Clinical
import Testing
import VetNetTestSupport

@testable import Assessment

struct ToxinTests {
  struct Dose: CustomTestStringConvertible, Sendable {
    let text: String
    var species = Species.dog
    let weight: Double?
    let urgency: Urgency
    /// Milligrams per kilogram, worked by hand from the table's contents.
    let dose: Double?

    var testDescription: String { text }
  }

  /// Dark chocolate 5.5 mg/g, milk 2.3, baking 16; limits 20, 40, 60 mg/kg.
  @Test(arguments: [
    Dose(text: "ate 100 g of dark chocolate", weight: 10, urgency: .orange, dose: 55),
    Dose(text: "ate 100g of dark chocolate", weight: 30, urgency: .green, dose: 18.33),
    Dose(text: "ate 200g dark chocolate", weight: 18, urgency: .red, dose: 61.1),
    Dose(text: "ate 100g of milk chocolate", weight: 10, urgency: .yellow, dose: 23),
    Dose(text: "ate half a 100g bar of milk chocolate", weight: 10, urgency: .green, dose: 11.5),
    Dose(text: "ate 50g baking chocolate", weight: 20, urgency: .orange, dose: 40),
    Dose(text: "ate 4 oz of milk chocolate", weight: 10, urgency: .yellow, dose: 26.08),
    Dose(text: "ate 2 bars of dark chocolate", weight: 9, urgency: .red, dose: 244.44),
    Dose(text: "ate 6 squares of dark chocolate", weight: 9, urgency: .yellow, dose: 29.33),
    Dose(text: "ate some dark chocolate", weight: 10, urgency: .orange, dose: nil),
    Dose(text: "ate 100g of dark chocolate", weight: nil, urgency: .orange, dose: nil),
    Dose(text: "ate two 200mg ibuprofen tablets", weight: 10, urgency: .orange, dose: 40),
    Dose(text: "swallowed 2 x 200 mg ibuprofen", weight: 10, urgency: .orange, dose: 40),
    Dose(text: "ate ten 200mg ibuprofen tablets", weight: 10, urgency: .red, dose: 200),
    Dose(text: "had one 500mg paracetamol", species: .cat, weight: 4, urgency: .orange, dose: 125),
    Dose(text: "ate one 500mg paracetamol tablet", weight: 30, urgency: .green, dose: 16.67),
  ])
  func `doses follow from amount, content and weight`(row: Dose) throws {
    let findings = try Shipped.toxinFindings(row.text, species: row.species, weight: row.weight)
    let finding = try #require(findings.first)
    #expect(finding.judgement.level == row.urgency, "\(finding.judgement.reason)")
    if let dose = row.dose {
      #expect(abs((finding.judgement.dose ?? .nan) - dose) < 0.06, "\(finding.judgement)")
    } else {
      #expect(finding.judgement.dose == nil)
    }
  }

  @Test func `signs make a small dose urgent`() throws {
    let engine = try Shipped.engine()
    let text = "ate 20g milk chocolate and is now shaking"
    #expect(engine.assess(Intake(text, species: .dog, weight: 30)).urgency == .red)
  }

  @Test(arguments: [
    ("he has eaten my neighbour's rat poison", true), ("she ate my ibuprofen", true),
    ("the puppy chewed up my husband's blood pressure tablets", true),
    ("our other dog ate rat poison last year, this one is here for her booster", false),
    ("my neighbour's dog ate rat poison, ours is fine", false),
    ("he ate the other dog's ibuprofen", true), ("she got into next door's rat poison", true),
    // Another animal of the writer's is a patient too.
    ("eating fine but my other dog ate rat poison", true),
    ("she is eating well, my neighbour's dog had rat poison", false),
  ])
  func `who ate it counts, not whose it was`(text: String, counts: Bool) throws {
    let result = try Shipped.engine().assess(Intake(text, species: .dog))
    #expect(result.fired.contains { $0.id.hasPrefix("toxin-") } == counts, "\(result.fired.map(\.id))")
  }

  @Test(arguments: [
    "he ran into the garden, next door's dog is bleeding badly", "she ate well; our old cat was hit by a car",
    "eating and drinking well, my friend's dog has bloody diarrhoea", "he plays while next door's dog has collapsed",
  ])
  func `what another animal suffers is not the eater's`(text: String) throws {
    let result = try Shipped.engine().assess(Intake(text, species: .dog))
    #expect(!result.fired.contains { $0.level >= .orange }, "\(result.fired.map(\.id))")
  }

  @Test func `every row's example is found and its negative example is not`() throws {
    let engine = try Shipped.engine()
    for row in try modelTable("triage/toxins.tsv").rows where row["kind"] == "toxin" {
      let species = row.list("species").first.flatMap { Species(rawValue: $0) } ?? .dog
      let hit = engine.assess(Intake(row["example"], species: species))
      #expect(hit.fired.contains { $0.id == "toxin-" + row["id"] }, "\(row["id"]): \(hit.fired.map(\.id))")
      let miss = engine.assess(Intake(row["negative_example"], species: species))
      #expect(!miss.fired.contains { $0.id == "toxin-" + row["id"] }, "\(row["id"]) by \(row["negative_example"])")
    }
  }
}
