import Clinical
import Testing

@testable import Extraction

/// Prescriptions, vaccinations, ambiguous shorthand and what a note says about itself.
@Suite struct PrescriptionTests {
  private func facts(_ text: String, _ kind: FactKind) throws -> [Fact] {
    try Fixtures.extractors.get().facts.facts(in: text, kind: .consult).filter { $0.kind == kind }
  }

  @Test(arguments: [
    ("half a 16 mg carprofen BID", 8.0), ("1/2 of 50 mg tramadol BID", 25),
    ("pergolide 0.5mg (half of 1mg) daily", 0.5),
    ("procaine 2 g IM", 2000), ("pred half a 5 mg tablet SID", 2.5), ("prednisolone quarter of a 20 mg tablet SID", 5),
  ])
  func `a share of a tablet is what is given`(text: String, milligrams: Double) throws {
    let drug = try #require(try facts(text, .drug).first)
    #expect(drug.value == milligrams)
    #expect(drug.unit == "mg")
  }

  @Test func `one and a half is more than one`() throws {
    let drug = try #require(try facts("amlodipine one and a half tablets SID", .drug).first)
    #expect(drug.value == 1.5)
    #expect(drug.unit == "tablet")
  }

  @Test func `what belongs to another thing is not the drug's`() throws {
    let meloxicam = try #require(try facts("Meloxicam 0.5 mg/kg bid (0.35 ml), fluids 15 ml sc", .drug).first)
    #expect(meloxicam.dosage?.route == nil)
    let acepromazine = try facts("Bute 2 sachets BID 3d, ACP, deep shavings, off grass", .drug).last
    #expect(acepromazine?.action == nil)
    let course = try #require(try facts("Prednisolone 5 mg once daily for 10 days, then off", .drug).first)
    #expect(course.action != .stopped)
  }

  @Test func `a dose without unit is kept as written`() throws {
    let drug = try #require(try facts("gaba 50 BID", .drug).first)
    #expect(drug.dosage?.dose?.text == "50")
    #expect(drug.value == nil)
  }

  @Test func `OD before a frequency is an eye`() throws {
    let drug = try #require(try facts("Ofloxacin 1 drop OD TID x10 d", .drug).first)
    #expect(drug.dosage?.frequency == .every8Hours)
    #expect(drug.dosage?.side == .right)
    #expect(try facts("Apoquel 16 mg OD", .drug).first?.dosage?.frequency == .every24Hours)
  }

  @Test func `a next date does not undo the vaccination before it`() throws {
    let vaccines = try facts("Bstr DHP/L4, nxt 2/22", .vaccination)
    #expect(vaccines.map { $0.action } == [.given, .given])
    #expect(vaccines.map { $0.prevention?.due } == ["2/22", "2/22"])
    #expect(try facts("Booster: lepto due 12 Nov", .vaccination).last?.action == .due)
  }

  @Test func `a disease beside a vaccination is the vaccine`() throws {
    #expect(try facts("Booster, kennel cough for the kennels", .problem) == [])
    #expect(try facts("Booster, kennel cough for the kennels", .vaccination).map(\.name).contains("kennel cough"))
    #expect(try facts("kennel cough confirmed, booster due", .problem).map(\.name) == ["kennel cough"])
  }

  @Test(arguments: [
    ("DM on Caninsulin 4 iu BID", "diabetes mellitus"),
    ("DM, hindlimb ataxia and knuckling", "degenerative myelopathy"),
    ("EPI on Creon, TLI low", "exocrine pancreatic insufficiency"),
  ])
  func `ambiguous shorthand is told by its context`(text: String, name: String) throws {
    #expect(try facts(text, .problem).first?.name == name)
  }

  @Test(arguments: [
    "Booster today: DHP, lepto, parvo (third)", "Parvo (third) and L4 given", "2nd parvo today", "parvo booster due",
  ])
  func `a dose of a vaccine is no disease`(text: String) throws {
    #expect(try facts(text, .problem) == [])
    #expect(try facts(text, .vaccination).map(\.name).contains("parvovirus"))
  }

  @Test(arguments: [
    ("Owner is diabetic and takes insulin 10 units", "insulin"), ("O on warfarin for AF", "warfarin"),
    ("Owner of housemate gives carprofen", "carprofen"),
    ("Husband has epilepsy, on phenobarbital 60 mg", "phenobarbital"),
  ])
  func `what people and other animals take is not the patient's`(text: String, drug: String) throws {
    #expect(try facts(text, .drug).map(\.name) == [drug])
    #expect(try facts(text, .drug).map(\.assertion.experiencer) == [.other])
    #expect(try facts(text, .problem).allSatisfy { $0.assertion.experiencer == .other })
  }

  @Test func `ambiguous shorthand without context keeps its candidates`() throws {
    let fact = try #require(try facts("Known DM.", .problem).first)
    #expect(fact.finding?.candidates == ["diabetes mellitus", "degenerative myelopathy"])
  }

  @Test func `refused food is no decision, and what was not sent is not pending`() throws {
    #expect(try facts("refuses food, vomits", .ownerDecision) == [])
    #expect(try facts("vomits and refuses food", .finding).map(\.assertion.polarity) == [.present, .present])
    #expect(try facts("NOT sent for histology", .pendingResult) == [])
    #expect(try facts("No DNR", .ownerDecision).first?.assertion.polarity == .absent)
    #expect(try facts("insured to 4,000 GBP", .ownerDecision).first?.ownerDecision?.amount == "4,000 GBP")
  }

  @Test func `a note that belongs elsewhere says so`() throws {
    #expect(try facts("Wrong patient - see Bella", .notice).map(\.name) == ["another patient"])
    #expect(try facts("Exam copied from last visit", .notice).map(\.name) == ["copied forward"])
    #expect(try facts("Right patient, bright", .notice) == [])
  }
}
