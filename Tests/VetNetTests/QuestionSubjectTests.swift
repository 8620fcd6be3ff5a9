import Clinical
import Store
import Testing
import VetNetTestSupport

@testable import VetNet

/// Which patient a question is about: a name that several share is asked back, never guessed.
@Suite struct QuestionSubjectTests {
  private struct Row: Sendable {
    let question: String
    /// By id; several are asked back, none is the whole practice.
    let patients: [String]
    init(_ question: String, _ patients: String...) {
      self.question = question
      self.patients = patients
    }
  }

  private func clinic() throws -> SmallClinic {
    let clinic = try SmallClinic()
    let source = try clinic.practice.connection.sources.id(named: "test")
    for (id, name, species, owner) in [
      ("A1", "Juno", Species.cat, "Maud Tile"), ("A2", "Juno", .dog, "Anil Rao"),
      ("A3", "Sugar", .cat, "Maud Tile"),
      ("A4", "Sugar", .dog, "Eve Dahl"), ("A5", "Honey", .dog, "Eve Dahl"), ("A6", "May", .dog, "Anil Rao"),
      ("A7", "Bella Rose", .dog, "Anil Rao"), ("A8", "Bella", .cat, "Eve Dahl"), ("A9", "Fin", .other, "Eve Dahl"),
      ("A10", "Fin", .cat, "Maud Tile"), ("A11", "Bärli", .dog, "Jörg Müller"), ("A12", "Kasia", .cat, "Pat O’Brien"),
      ("A13", "Lumi", .cat, "Ann Mc Donald"),
    ] {
      _ = try clinic.practice.connection.patients.upsert(
        Patient(id: id, name: name, species: species, ownerID: nil, ownerName: owner), source: source)
    }
    return clinic
  }

  private static let rows = [
    Row("Juno's teeth?", "A1", "A2"), Row("which tablets does juno get", "A1", "A2"),
    // "Can" is short for canine in a field, and a verb in a question.
    Row("can Juno be fed tonight?", "A1", "A2"), Row("whom can we ring about juno", "A1", "A2"),
    Row("any other meds for Fin?", "A9", "A10"),
    // The apostrophe is often left out, and the capital.
    Row("what are junos tablets for", "A1", "A2"), Row("sugars eyes?", "A3", "A4"),
    Row("sugar, when was the op", "A3", "A4"), Row("is sugar chipped", "A3", "A4"),
    Row("is honey insured?", "A5"), Row("honey's weight", "A5"),
    // Narrowed by what stands beside the name.
    Row("is Juno the dog insured", "A2"), Row("Juno Tile's bloods", "A1"), Row("Bella Rose vaccination?", "A7"),
    Row("bella weight", "A8"),
    // However the name is typed.
    Row("is Baerli insured", "A11"), Row("Barli's weight", "A11"), Row("Mr Mueller's dog, any allergies?", "A11"),
    Row("Mrs OBrien's cat", "A12"), Row("Mrs O'Brien cat vaccination", "A12"), Row("Ms McDonald's cat", "A13"),
    Row("Ms Mc Donald's cat", "A13"),
    // Everyday words are no names where none would stand.
    Row("which cats are on honey for wounds?"), Row("may she have grapes?"), Row("who is on honey"),
    Row("how many dogs had low sugar"),
  ]

  @Test func `a question is about whom it names`() throws {
    let clinic = try clinic()
    for row in Self.rows {
      switch try clinic.practice.answers.subject(of: row.question, reference: nil) {
      case .patient(let patient): #expect([patient.value.id] == row.patients, "\(row.question)")
      case .ambiguous(let patients):
        #expect(patients.map(\.id).sorted() == row.patients.sorted() && patients.count > 1, "\(row.question)")
      case .practice: #expect(row.patients.isEmpty, "\(row.question)")
      }
    }
  }

  private static let rowsOfChosen = [
    // Of a patient that was chosen before: another one's name is asked back, in whatever letters.
    Row("what does juno weigh? is juno lame", "A1", "A2", "A8"), Row("junos weight", "A1", "A2", "A8"),
    Row("Juno's weight", "A1", "A2", "A8"),
    Row("what is bella on", "A8"), Row("last weight?", "A8"), Row("honey dressing when?", "A8"),
    Row("is she good with juno", "A8"), Row("RED eye since when?", "A8"),
  ]

  @Test func `a chosen patient stays until another is named`() throws {
    let clinic = try clinic()
    for row in Self.rowsOfChosen {
      switch try clinic.practice.answers.subject(of: row.question, reference: "A8") {
      case .patient(let patient): #expect([patient.value.id] == row.patients, "\(row.question)")
      case .ambiguous(let patients):
        #expect(patients.map(\.id).sorted() == row.patients.sorted() && patients.count > 1, "\(row.question)")
      case .practice: Issue.record("the chosen patient was lost: \(row.question)")
      }
    }
  }
}
