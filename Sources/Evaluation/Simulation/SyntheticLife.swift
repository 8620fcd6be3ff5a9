import Clinical
import Foundation
import VetNet

/// The life of one synthetic patient, visit after visit.
struct SyntheticLife {
  private let simulator: PracticeSimulator
  private let client: Client
  private var patient: Patient
  private let speciesWord: String
  private let conditions: [SimulationLexicon.Condition]
  private let kilograms: Double
  private let firstDay: CalendarDate
  private let lastDay: CalendarDate
  private var text: SyntheticText

  init(_ simulator: PracticeSimulator, number: Int, using generator: inout SplitMix64) {
    self.simulator = simulator
    let lexicon = simulator.lexicon
    let animal = lexicon.animals[generator.place(lexicon.animals.map(\.share))]
    speciesWord = animal.species
    kilograms = animal.kilograms * exp(animal.deviation * generator.normal())
    let until = simulator.configuration.until
    let years = animal.lifespanYears * (0.6 + 0.5 * Double.random(in: 0..<1, using: &generator))
    let birth = until.adding(days: -Int.random(in: 60...7300, using: &generator))
    let end = birth.adding(days: Int(years * 365.25))
    let owner = generator.pick(lexicon.names["owner"] ?? [])
    client = Client(
      id: "C\(number)", name: generator.pick(["Mr", "Mrs", "Ms", "Miss", "Dr"]) + " " + owner,
      phone: "01632 960\(100 + number % 900)")
    patient = Patient(
      id: "P\(number)", name: generator.pick(lexicon.names["animal"] ?? []),
      species: Species(describing: animal.species) ?? .other, breed: animal.breed,
      sex: [Sex.male, .female, .maleNeutered, .femaleSpayed][generator.place([1, 1, 3, 3])], dateOfBirth: birth,
      deceasedAt: end < until ? end : nil, weightKilograms: (kilograms * 100).rounded() / 100, ownerID: client.id,
      ownerName: client.name, microchip: "999\(Int.random(in: 100_000_000_000...999_999_999_999, using: &generator))")
    let fitting = lexicon.conditions.filter { $0.species.contains(animal.species) }
    var chosen: [SimulationLexicon.Condition] = []
    if !fitting.isEmpty {
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        chosen.append(fitting[generator.place(fitting.map(\.share))])
      }
    }
    conditions = chosen
    firstDay = birth.adding(days: Int.random(in: 40...120, using: &generator))
    lastDay = min(end, until)
    text = SyntheticText(lexicon: lexicon, patient: patient, client: client, kilograms: kilograms)
  }

  mutating func records(using generator: inout SplitMix64) -> PracticeRecords {
    var records = PracticeRecords(clients: [client], patients: [patient])
    let span = lastDay.daysSince1970 - firstDay.daysSince1970
    guard span > 0 else { return records }
    let wanted = simulator.configuration.notesPerPatient
    let count = max(1, Int((wanted * exp(0.5 * generator.normal() - 0.125)).rounded()))
    var moments: [(day: Int, minute: Int)] = []
    for _ in 0..<count {
      var day = Int.random(in: 0...span, using: &generator)
      // Closed on Sundays.
      if day > 0, firstDay.adding(days: day).weekday == 7 { day -= 1 }
      moments.append((day, 540 + 5 * Int.random(in: 0...95, using: &generator)))
    }
    for (index, (offset, minute)) in moments.sorted(by: { $0 < $1 }).enumerated() {
      let share = Double(offset) / Double(max(1, span))
      let visit = visit(at: share, using: &generator)
      let day = firstDay.adding(days: offset)
      let moment = PracticeTimeZone.utc.interval(of: day).lowerBound.adding(minutes: minute)
      let clinician = simulator.staff[Int.random(in: 0..<simulator.staff.count, using: &generator)]
      let id = "\(patient.id)-\(index + 1)"
      records.notes.append(
        ClinicalNote(
          id: "N\(id)", patientID: patient.id, recordedAt: moment, author: clinician.id, kind: visit.kind,
          text: text.note(visit.template, visit.condition, on: day, using: &generator)))
      guard let type = visit.type else { continue }
      let slot = visit.slotMinutes
      // Lengths spread about the slot, more for some clinicians than for others.
      let speed = 0.85 + 0.3 * Double(clinician.id.utf8.reduce(0) { $0 &+ Int($1) } % 5) / 4
      let minutes = max(3, (Double(slot) * speed * exp(0.4 * generator.normal())).rounded())
      records.appointments.append(
        Appointment(
          id: "A\(id)", patientID: patient.id, clinicianID: clinician.id, resourceIDs: [], start: moment,
          durationMinutes: slot, actualMinutes: minutes, visitType: type,
          reason: visit.condition.map { "\(patient.name) \($0.name)" } ?? "\(patient.name) \(type.rawValue)",
          status: .done))
    }
    return records
  }

  private struct Visit {
    let template: String
    let kind: NoteKind
    let type: VisitType?
    let slotMinutes: Int
    let condition: SimulationLexicon.Condition?
  }

  /// What the patient comes for when a share of its life has passed; chronic illness comes in the second half.
  private func visit(at share: Double, using generator: inout SplitMix64) -> Visit {
    let ill = conditions.filter { !$0.isChronic || share > 0.45 }
    guard !ill.isEmpty else {
      return generator.place([3, 1]) == 0
        ? Visit(template: "vaccination", kind: .consult, type: .vaccination, slotMinutes: 15, condition: nil)
        : Visit(template: "nurse", kind: .nurse, type: .nurseClinic, slotMinutes: 10, condition: nil)
    }
    let condition = ill[Int.random(in: 0..<ill.count, using: &generator)]
    switch generator.place([3, 7, 5, condition.labs.isEmpty ? 0 : 3, 2, 1.5, 1.5]) {
    case 0: return Visit(template: "vaccination", kind: .consult, type: .vaccination, slotMinutes: 15, condition: nil)
    case 1:
      return Visit(
        template: "consult", kind: .consult, type: .standardConsult, slotMinutes: 15, condition: condition)
    case 2: return Visit(template: "recheck", kind: .consult, type: .recheck, slotMinutes: 10, condition: condition)
    case 3: return Visit(template: "lab", kind: .lab, type: nil, slotMinutes: 0, condition: condition)
    case 4: return Visit(template: "phone", kind: .phone, type: nil, slotMinutes: 0, condition: condition)
    case 5: return Visit(template: "nurse", kind: .nurse, type: .nurseClinic, slotMinutes: 10, condition: condition)
    default:
      return Visit(template: "prescription", kind: .prescription, type: nil, slotMinutes: 0, condition: condition)
    }
  }
}
