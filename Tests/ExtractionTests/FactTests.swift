import Clinical
import Testing

@testable import Extraction

@Suite struct FactTests {
  private func facts(_ text: String, _ kind: FactKind, note: NoteKind = .consult) throws -> [Fact] {
    try Fixtures.extractors.get().facts.facts(in: text, kind: note).filter { $0.kind == kind }
  }

  // MARK: - Drugs

  @Test func `a drug has dose, route, frequency and action`() throws {
    let drug = try #require(try facts("Started Metacam 0.1mg/kg SID PO for 7 days", .drug).first)
    #expect(drug.name == "meloxicam")
    #expect(drug.value == 0.1)
    #expect(drug.unit == "mg/kg")
    #expect(drug.drugEvent?.brand == "Metacam")
    #expect(drug.dosage?.frequency == .every24Hours)
    #expect(drug.dosage?.route == .oral)
    #expect(drug.action == .started)
    #expect(drug.dosage?.duration?.text == "7 days")
  }

  @Test(arguments: [
    ("Stop carprofen today", TreatmentAction.stopped), ("pred stopped", .stopped), ("O declined gabapentin", .declined),
    ("continue furosemide 20 mg BID", .continued), ("increase pimobendan to 5 mg", .changed),
    ("maropitant given SC", .given), ("Disp: doxycycline x20", .dispensed), ("Metacam not given", .notGiven),
  ])
  func `what was done with a drug is told`(text: String, action: TreatmentAction) throws {
    #expect(try facts(text, .drug).first?.action == action)
  }

  @Test func `each of two drugs keeps its own dose and action`() throws {
    let drugs = try facts("Stop carprofen, start gabapentin 10mg/kg TID", .drug)
    #expect(drugs.map(\.name) == ["carprofen", "gabapentin"])
    #expect(drugs.map { $0.action } == [.stopped, .started])
    #expect(drugs.map(\.value) == [nil, 10])
    #expect(drugs.map(\.assertion.temporality) == [.historical, .current])
  }

  @Test func `half of a tablet is half its strength`() throws {
    let drug = try #require(try facts("1/2 of 50 mg tramadol BID", .drug).first)
    #expect(drug.value == 25)
    #expect(drug.unit == "mg")
  }

  @Test func `look-alikes are told apart`() throws {
    #expect(try facts("Vetmedin 5 mg BID", .drug).map(\.name) == ["pimobendan"])
    #expect(try facts("Vetoryl 30 mg SID", .drug).map(\.name) == ["trilostane"])
    #expect(try facts("the same as before", .drug) == [])
  }

  @Test func `the kind of note says what an unmarked drug means`() throws {
    #expect(try facts("Doxycycline 20 mg", .drug, note: .prescription).first?.action == .dispensed)
    #expect(try facts("Doxycycline 20 mg", .drug).first?.action == nil)
  }

  // MARK: - Measurements

  static let values: [(String, String, Double, String)] = [
    ("creat 182 umol/L", "creatinine", 182.0, "µmol/L"), ("creatinine 2.1 mg/dL", "creatinine", 185.682, "µmol/L"),
    ("Creat 2.1", "creatinine", 2.1 * 88.42, "µmol/L"), ("T4: 58 nmol/L (10-60)", "total T4", 58, "nmol/L"),
    ("T4 3.9 ug/dL", "total T4", 3.9 * 12.87, "nmol/L"), ("ALT  245 U/L  (10-125)", "ALT", 245, "U/L"),
    ("Glu 95 mg/dL", "glucose", 95 * 0.05551, "mmol/L"), ("BG 5.2", "glucose", 5.2, "mmol/L"),
    ("USG 1.022", "urine specific gravity", 1.022, ""), ("K 4.1", "potassium", 4.1, "mmol/L"),
    ("PCV 43%", "PCV", 43, "%"), ("ALT  U/L                41            14 - 80", "ALT", 41, "U/L"),
  ]

  @Test(arguments: values)
  func `laboratory values are converted`(text: String, name: String, value: Double, unit: String) throws {
    let labs = try facts(text, .lab)
    #expect(labs.map(\.name) == [name])
    let lab = try #require(labs.first)
    #expect(abs((lab.value ?? 0) - value) < 1e-6)
    #expect(lab.unit == unit)
  }

  @Test func `a reference range gives limits and flag`() throws {
    let lab = try #require(try facts("ALT  245 U/L  (10-125)", .lab).first)
    #expect(lab.lab?.reference?.low == 10)
    #expect(lab.lab?.reference?.high == 125)
    #expect(lab.lab?.flag == .high)
    #expect(try facts("HCT   41   30-52 %", .lab).first?.lab?.flag == nil)
  }

  @Test func `a serial table gives one value per dated column`() throws {
    let text = "             4/3    6/3    8/3\nPCV %        17     15     19\nUrea mmol/l  9.8    -      7.1"
    let pcv = try facts(text, .lab).filter { $0.name == "PCV" }
    #expect(pcv.map(\.value) == [17, 15, 19])
    #expect(pcv.map { $0.writtenDate } == ["4/3", "6/3", "8/3"])
  }

  @Test func `a test that answers yes or no has a result`() throws {
    #expect(try facts("FIV neg, FeLV pos", .lab).map { $0.lab?.result } == [.negative, .positive])
    #expect(try facts("Urine culture: no growth", .lab).first?.lab?.result == .negative)
  }

  @Test func `weights and body condition are facts`() throws {
    #expect(try facts("Wt 27lb BCS 6/9", .weight).first?.original?.unit == "lb")
    #expect(try facts("Wt 27lb BCS 6/9", .bodyCondition).first?.unit == "/9")
    #expect(try facts("HR 2000", .heartRate).first?.isImplausible == true)
  }

  // MARK: - The rest of a record

  @Test func `vaccinations have action and due date`() throws {
    let vaccines = try facts("DHP+L4 given. L4 next due 11/22.", .vaccination)
    #expect(vaccines.count == 3)
    #expect(vaccines.map { $0.action } == [.given, .given, .due])
    #expect(vaccines.last?.prevention?.due == "11/22")
    #expect(try facts("Booster declined", .vaccination).first?.action == .declined)
    #expect(try facts("FeLV antigen negative", .vaccination) == [])
    #expect(try facts("Wormed today", .parasiteControl).first?.action == .given)
  }

  @Test(arguments: [
    ("CKD stage 2", ProblemStatus.active), ("Addison's ruled out", .ruledOut), ("?pancreatitis", .suspected),
    ("pneumonia resolved", .resolved),
  ])
  func `problems have a status`(text: String, status: ProblemStatus) throws {
    #expect(try facts(text, .problem).first?.problemStatus == status)
  }

  @Test func `sides belong to their finding`() throws {
    #expect(try facts("Lame LH. R ear discharge", .finding).map { $0.finding?.side } == [.left, .right])
  }

  @Test(arguments: [
    ("No known allergies except amoxicillin.", "amoxicillin"),
    ("NKDA apart from Synulox. Nails clipped.", "amoxicillin clavulanate"),
    ("No known drug allergies, except grass pollen.", "grass pollen"),
  ])
  func `what a denial of allergies leaves out is one`(text: String, name: String) throws {
    let allergies = try facts(text, .allergy)
    #expect(allergies.map(\.name) == [name] && allergies.allSatisfy { $0.assertion.polarity == .present })
    #expect(allergies.allSatisfy { $0.allergy?.subject != nil })
  }

  @Test func `an exception of another sentence leaves nothing out`() throws {
    let allergies = try facts("No known allergies. Nothing found except tartar.", .allergy)
    #expect(allergies.map(\.assertion.polarity) == [.absent])
  }

  @Test func `allergies name their drug, and none known is said`() throws {
    #expect(try facts("Allergic to penicillin", .allergy).first?.name == "penicillin")
    #expect(try facts("V+ after Metacam", .allergy).map(\.name) == ["meloxicam"])
    #expect(try facts("Vomited after breakfast", .allergy) == [])
    #expect(try facts("NKDA", .allergy).first?.assertion.polarity == .absent)
  }

  @Test func `owner decisions and pending results are kept with their subject`() throws {
    let declined = try #require(try facts("O declined dental", .ownerDecision).first)
    #expect(declined.name == "declined")
    #expect(declined.ownerDecision?.subject == "dental")
    #expect(try facts("Budget £2,500", .ownerDecision).first?.ownerDecision?.amount == "£2,500")
    #expect(try facts("Histology pending", .pendingResult).first?.name == "histology")
  }

  @Test func `lines of a copied history give their date`() throws {
    let text = "16/07/18  1st vacc DHP. 4.0kg\n14/02/19  Castrated. 11.8kg"
    #expect(try facts(text, .weight).map { $0.writtenDate } == ["16/07/18", "14/02/19"])
  }

  /// What is told for one name is told of no other.
  @Test(arguments: [
    ("Positive for FIV, negative for FeLV.", ["FIV": TestResult.positive, "FeLV": .negative]),
    ("Snap: FIV POSITIVE, FeLV neg.", ["FIV": .positive, "FeLV": .negative]),
    ("PCR positive for Tritrichomonas and negative for Giardia.", ["Giardia": .negative]),
    ("Giardia negative, FeLV positive.", ["Giardia": .negative, "FeLV": .positive]),
  ])
  func `a result told for a name is that name's`(text: String, results: [String: TestResult]) throws {
    let facts = try facts(text, .lab)
    let found = Dictionary(facts.compactMap { fact in fact.lab?.result.map { (fact.name, $0) } }) { first, _ in first }
    #expect(found == results)
    for fact in facts {
      #expect((fact.assertion.polarity == .absent) == (fact.lab?.result == .negative), "\(fact.name)")
    }
  }
}
