import Clinical
import PracticeTestSupport
import Store
import VetNetTestSupport

@testable import VetNet

/// A practice file with two vets, a nurse, two rooms and a few animals, on London time.
final class SmallClinic {
  static let zone = PracticeTimeZone(identifier: "Europe/London") ?? .utc

  let folder: TemporaryFolder
  let models: ModelDirectory
  var practice: Practice
  /// A Friday evening; Monday is the 23rd.
  let now = SmallClinic.at("2026-11-20T18:00")

  static func at(_ text: String) -> Timestamp {
    ISODateTime(text).map { zone.timestamp(of: $0) } ?? Timestamp(seconds: 0)
  }

  init(
    hours: Range<Int> = 540..<1020, breaks: [StaffMember.Break] = [], leave: [StaffMember.Leave] = []
  ) throws {
    folder = try TemporaryFolder()
    models = try shippedModels()
    try Practice.create(at: folder.file("p.vetnet"), name: "Test", timeZone: Self.zone, now: now)
    practice = try Practice.open(at: folder.file("p.vetnet"), models: models, access: .write)
    let connection = practice.connection
    let source = try connection.sources.id(named: "test")
    let week = (1...7).map { StaffMember.WorkingHours(weekday: $0, minutes: hours) }
    for (id, skill) in [("V1", 0.9), ("V2", 0.8)] {
      _ = try connection.staff.upsert(
        StaffMember(
          id: id, name: "Dr \(id)", role: .veterinarian, skills: ["general practice": skill, "emergency": skill],
          workingHours: week, breaks: breaks, leave: id == "V2" ? leave : []), source: source)
    }
    _ = try connection.staff.upsert(
      StaffMember(id: "N1", name: "Nurse", role: .nurse, workingHours: week), source: source)
    for id in ["R1", "R2"] {
      _ = try connection.resources.upsert(
        Resource(id: id, name: "Room \(id)", kind: "room", cleaningMinutes: 5), source: source)
    }
    _ = try connection.clients.upsert(Client(id: "C1", name: "Mrs Ash", phone: "01234 567"), source: source)
    for number in 1...9 {
      _ = try connection.patients.upsert(
        Patient(id: "P\(number)", name: "Animal \(number)", species: .dog, ownerID: "C1"), source: source)
    }
  }

  /// Another session on the same file.
  func reopen() throws {
    practice = try Practice.open(at: folder.file("p.vetnet"), models: models, access: .write)
  }

  @discardableResult
  func book(
    _ patient: String, _ time: String, with clinician: String = "V1", minutes: Int = 30,
    options: (@Sendable (inout AppointmentOptions) -> Void)? = nil
  ) throws -> Appointment {
    var booking = Booking(patient: patient, start: Self.at(time), minutes: minutes, clinicianID: clinician)
    booking.options = options
    return try practice.calendar.book(booking, now: now).appointment
  }

  /// Asked for, without a slot.
  @discardableResult
  func ask(_ id: String, _ patient: String, _ time: String, minutes: Int = 30, reason: String? = nil) throws -> Int64 {
    try practice.connection.appointments.book(
      Appointment(
        id: id, patientID: patient, start: Self.at(time), durationMinutes: minutes, reason: reason, status: .requested)
    ).rowID
  }

  func appointment(_ id: String) throws -> Appointment { try practice.calendar.storedAppointment(id).value }

  /// Every appointment as it stands, by id.
  func book() throws -> [String: Appointment] {
    let all = Timestamp(seconds: 0)..<Timestamp(seconds: 1 << 40)
    return Dictionary(
      try practice.connection.appointments.appointments(startingIn: all).map { ($0.value.id, $0.value) },
      uniquingKeysWith: { first, _ in first })
  }

  func isSound() throws -> Bool { try practice.connection.appointments.rowsWithWrongSlots().isEmpty }
}
