import Clinical
import Foundation
import Testing
import VetNetTestSupport

@testable import Assessment

struct RoutingTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let text: String
    var species = Species.dog
    var age: String?
    let visitType: VisitType
    let specialty: Specialty

    var testDescription: String { text }
  }

  @Test(arguments: [
    Row(text: "booster due", visitType: .vaccination, specialty: .generalPractice),
    Row(text: "nails need clipping", visitType: .nurseClinic, specialty: .generalPractice),
    Row(
      text: "first vaccination for our new puppy", age: "8 weeks", visitType: .puppyOrKittenVisit,
      specialty: .generalPractice),
    Row(text: "repeat prescription of metacam please", visitType: .repeatPrescription, specialty: .generalPractice),
    Row(text: "he has collapsed, gums white", visitType: .emergency, specialty: .emergency),
    Row(text: "we think it is time to put her to sleep", visitType: .euthanasia, specialty: .generalPractice),
    Row(text: "eye half closed and weepy", visitType: .ophthalmic, specialty: .ophthalmology),
    Row(
      text: "itchy for four months, steroids didn't help", visitType: .dermatologyWorkUp, specialty: .dermatology),
    Row(text: "separation anxiety, howls when left alone", visitType: .behaviour, specialty: .behaviour),
    Row(text: "bearded dragon off food", species: .reptile, visitType: .exoticConsult, specialty: .exotics),
    Row(text: "stitches out on Friday, wound clean", visitType: .recheck, specialty: .generalPractice),
    Row(text: "flu and tetanus jab", species: .horse, visitType: .vaccination, specialty: .equine),
  ])
  func `kind of visit and field follow from the words`(row: Row) throws {
    let assessment = try Shipped.assessor().assess(Intake(row.text, species: row.species, age: row.age))
    #expect(assessment.visitType.visitType == row.visitType, "\(assessment.visitType.explanation)")
    #expect(
      assessment.specialties.prefix(2).contains { $0.specialty == row.specialty },
      "\(assessment.specialties.map { ($0.specialty.rawValue, $0.score) })")
  }

  @Test func `specialty scores add up to one and are ordered`() throws {
    let specialties = try Shipped.assessor().assess(Intake("seizure and a heart murmur, limping", species: .dog))
      .specialties
    #expect(abs(specialties.reduce(0) { $0 + $1.score } - 1) < 1e-9)
    #expect(zip(specialties, specialties.dropFirst()).allSatisfy { $0.score >= $1.score })
  }

  @Test func `people are ranked by their skill in what the case needs`() throws {
    let specialties = try Shipped.assessor().assess(Intake("eye half closed and weepy", species: .dog)).specialties
    let staff = [
      StaffMember(id: "a", name: "A", role: .veterinarian, skills: ["cardiology": 1]),
      StaffMember(id: "b", name: "B", role: .veterinarian, skills: ["ophthalmology": 0.9]),
      StaffMember(id: "c", name: "C", role: .nurse, skills: ["ophthalmology": 1]),
    ]
    let rules = try StaffRanking(table: modelTable("specialties/people.tsv"))
    let ranking = rules.ranking(specialties, people: staff.map { StaffSituation(member: $0) }, minutes: 15)
    #expect(ranking.map(\.staffID) == ["b", "a"])
    #expect(ranking.allSatisfy { (0...1).contains($0.score) && $0.score == $0.explanation.value })
  }

  @Test func `of two as skilled the one who knows the patient comes first, and then the one with time`() throws {
    let specialties = try Shipped.assessor().assess(Intake("itchy ears", species: .dog)).specialties
    let rules = try StaffRanking(table: modelTable("specialties/people.tsv"))
    func person(_ id: String, _ continuity: Double, booked: Double) -> StaffSituation {
      StaffSituation(
        member: StaffMember(id: id, name: id, role: .veterinarian), continuity: continuity, workingMinutes: 480,
        bookedMinutes: booked)
    }
    let people = [person("full", 0, booked: 480), person("free", 0, booked: 60), person("known", 0.8, booked: 240)]
    let ranking = rules.ranking(specialties, people: people, minutes: 20)
    #expect(ranking.map(\.staffID) == ["known", "free", "full"])
  }

  @Test func `the JSON has the contract's keys and offsets in code points`() throws {
    let text = "Ça va mal: 🐶 gums are blue"
    let assessment = try Shipped.assessor().assess(Intake(text, species: .dog))
    let object = try #require(
      JSONSerialization.jsonObject(with: JSONEncoder().encode(assessment)) as? [String: Any])
    for key in [
      "urgency", "target_minutes", "action", "questions", "abcde", "complexity", "duration_minutes", "visit_type",
      "specialties", "explanation", "model_versions", "discriminators", "suppressed",
    ] { #expect(object[key] != nil, "\(key)") }
    #expect(object["urgency"] as? String == "red" && object["target_minutes"] as? Int == 0)
    #expect((object["abcde"] as? [String: String])?.count == 5)
    let scalars = Array(text.unicodeScalars)
    for finding in try #require(object["discriminators"] as? [[String: Any]]) {
      let start = try #require(finding["start"] as? Int)
      let end = try #require(finding["end"] as? Int)
      var quoted = String.UnicodeScalarView()
      quoted.append(contentsOf: scalars[start..<end])
      #expect(String(quoted) == finding["quote"] as? String)
    }
  }
}
