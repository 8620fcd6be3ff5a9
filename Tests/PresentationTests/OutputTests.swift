import Clinical
import Foundation
import Interchange
import Presentation
import Testing
import VetNet

/// What programs read: keys of the import format, so that output can be read back.
struct OutputTests {
  private let zone: PracticeTimeZone
  private let today: CalendarDate
  private let moment = Timestamp(seconds: 1_780_000_200)

  init() throws {
    zone = try #require(PracticeTimeZone(identifier: "Europe/London"))
    today = try #require(CalendarDate(year: 2026, month: 11, day: 23))
  }

  private func object(_ value: some Encodable) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: JSONEncoder().encode(value)) as? [String: Any])
  }

  /// Everything said, so that no key is left out.
  private var bella: Patient {
    Patient(
      id: "P1", name: "Bella", species: .dog, breed: "Labrador", sex: .femaleSpayed,
      dateOfBirth: CalendarDate(year: 2014, month: 5, day: 1), deceasedAt: CalendarDate(year: 2026, month: 5, day: 2),
      weightKilograms: 31.2, ownerID: "C1", ownerName: "Mrs Ash", microchip: "985112345678909")
  }

  @Test func `records have the keys that an import reads`() throws {
    let patient = try object(PatientOutput(bella, on: today))
    #expect(Set(patient.keys) == Set(ImportKind.patients.fields + ["age_years"]))
    #expect(patient["age_years"] as? Double == 12, "an age ends with the life")

    let appointment = Appointment(
      id: "A1", patientID: "P1", clinicianID: "S1", resourceIDs: ["R1"], start: moment, durationMinutes: 20,
      actualMinutes: 25, visitType: .recheck, reason: "limping")
    let keys = Set(try object(AppointmentOutput(appointment, zone: zone)).keys)
    #expect(keys.isSubset(of: ImportKind.appointments.fields))
    #expect(Set(ImportKind.appointments.fields).subtracting(keys) == ["actual_minutes"])

    let note = ClinicalNote(id: "N1", patientID: "P1", recordedAt: moment, author: "Dr Roe", kind: .lab, text: "T4 low")
    #expect(Set(try object(NoteOutput(note, text: note.text, zone: zone)).keys) == Set(ImportKind.notes.fields))
  }

  @Test func `moments are the practice's own, with their offset`() throws {
    let appointment = Appointment(id: "A1", start: moment, durationMinutes: 20)
    let start = try #require(object(AppointmentOutput(appointment, zone: zone))["start"] as? String)
    #expect(start.hasSuffix("+01:00") && ISODateTime(start).map { zone.timestamp(of: $0) } == moment, "\(start)")
  }

  @Test func `a line about an animal says what isn't known`() {
    #expect(
      bella.summary(on: today) == "Bella · dog, Labrador, FS, 12 years, 31.2 kg · Mrs Ash · died 2026-05-02")
    #expect(
      Patient(id: "P2", name: "Tom", species: .cat).summary(on: today) == "Tom · cat, sex unknown, age unknown")
  }

  @Test func `limits of an appointment are said in full, and none is said too`() {
    var options = AppointmentOptions()
    #expect(options.words(in: zone) == "no limits" && options.words(in: zone, brief: true).isEmpty)
    options.keepsTime = true
    options.afterID = "A7"
    options.lagMinutes = 30
    options.travelBefore = 15
    options.locationID = "L2"
    options.urgency = .orange
    #expect(
      options.words(in: zone)
        == "keeps time, after A7 + 30 min, travel 15 + 0 min, at L2, triaged orange")
    #expect(!options.words(in: zone, brief: true).contains("triaged"))
  }
}
