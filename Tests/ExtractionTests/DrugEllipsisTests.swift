import Clinical
import Testing

@testable import Extraction

/// What a note says of a drug without naming it again, and which of several doses holds.
@Suite struct DrugEllipsisTests {
  private func drugs(_ text: String) throws -> [String] {
    try Fixtures.extractors.get().facts.facts(in: text, kind: .consult).filter {
      $0.kind == .drug && $0.assertion.temporality != .hypothetical
    }.map { fact in
      let dose = fact.dosage?.dose?.text ?? "-"
      return "\(fact.name) \(dose) \(fact.dosage?.frequency?.rawValue ?? "-") \(fact.action?.rawValue ?? "-")"
    }
  }

  @Test(arguments: [
    (
      "Owner ended trilostane in May, drinking again since July. Back on 20mg every day for now.",
      "trilostane 20mg q24h continued"
    ),
    (
      "Hyporexic on pimobendan for weeks. HR 120 today, so down to 1.25mg twice daily. Recheck.",
      "pimobendan 1.25mg q12h changed"
    ),
    ("On amitriptyline since June. Drowsy all day, bumping into things. Stop it.", "amitriptyline - - stopped"),
    ("Benazepril 2.5 mg sid. Cough worse. They were stopped last night.", "benazepril - - stopped"),
  ])
  func `a sentence without a drug goes on about the one before`(text: String, expected: String) throws {
    let found = try drugs(text)
    #expect(found.last == expected, "\(found)")
  }

  @Test(arguments: [
    "Furosemide and pimobendan as before. Back on 20mg every day.",
    "Amitriptyline given. Weight 4.2 kg, eats 50 g twice daily. Bile acids next week.",
    "Trilostane 20mg sid. If he vomits stop it and ring.",
  ])
  func `several drugs, food and conditions leave it open`(text: String) throws {
    #expect(try drugs(text).allSatisfy { !$0.hasSuffix("stopped") && !$0.contains("50 g") })
    #expect(try drugs(text).filter { $0.contains("20mg q24h continued") }.isEmpty)
  }

  @Test(arguments: [
    ("Amlodipine halved, back to 0.625mg once daily.", "amlodipine 0.625mg q24h changed"),
    ("Atenolol tapered over a fortnight and stopped.", "atenolol - - stopped"),
  ])
  func `the last dose or end of a sentence is what holds`(text: String, expected: String) throws {
    let found = try drugs(text)
    #expect(found.last == expected, "\(found)")
  }
}
