import Clinical
import Store
import Testing
import VetNetTestSupport

@testable import VetNet

/// What was read before is given again only while it would be read the same.
struct ReadingMemoTests {
  private static let actor = Actor(name: "vet", role: .owner)
  private static let now = SmallClinic.at("2026-11-23T08:00")

  /// Each of the readings that are repeatable, once.
  private static func readAll(_ practice: Practice, at now: Timestamp = now) throws {
    try practice.perform(ShowDay(date: SmallClinic.zone.date(of: now)), by: actor, at: now)
    try practice.perform(ListWaiting(), by: actor, at: now)
    try practice.perform(ShowPatient(reference: "P1"), by: actor, at: now)
    try practice.perform(ListTimeline(reference: "P1"), by: actor, at: now)
    try practice.perform(ChartPatient(reference: "P1"), by: actor, at: now)
    try practice.perform(BriefPatient(reference: "P1"), by: actor, at: now)
  }

  private static let readings = 6

  /// What somebody else may do meanwhile that a day, a patient or a chart shows.
  private static let changes: [(name: String, change: @Sendable (SmallClinic) throws -> Void)] = [
    (
      "a note",
      {
        try $0.practice.perform(
          AddNote(patient: "P1", kind: .consult, text: "Vomiting. Weight 12.4 kg.", recordedAt: now.adding(days: -1)),
          by: actor, at: now)
      }
    ),
    ("a tag", { try $0.practice.perform(TagRecord(tag: "nervous", target: .patient("P1")), by: actor, at: now) }),
    ("the share of time that is reserved", { try $0.practice.perform(SetReserve(quantile: 0.6), by: actor, at: now) }),
    (
      "a booking",
      {
        _ = try $0.practice.connection.appointments.book(
          Appointment(
            id: "A9", patientID: "P2", clinicianID: "V1", start: SmallClinic.at("2026-11-23T16:00"),
            durationMinutes: 30, reason: "itchy", status: .booked))
      }
    ),
    ("a wish", { try $0.ask("W9", "P3", "2026-11-23T15:00", reason: "itchy ears") }),
    (
      "what a calendar says of a visit",
      { clinic in
        let connection = clinic.practice.connection
        let row = try #require(try connection.recordIDs.row(.appointment, "A1"))
        try connection.transaction { () throws(StoreError) in
          try connection.execute(
            "INSERT INTO calendar_event (appointment_id, calendar, series, is_case, gone_at) VALUES (?, 'c', 'u', 1, 5)",
            row)
        }
      }
    ),
  ]

  @Test
  func
    `a reading is given again within its second, stands on record once for each who reads, and is made anew after any change`()
    throws
  {
    let clinic = try SmallClinic()
    _ = try clinic.practice.connection.appointments.book(
      Appointment(
        id: "A1", patientID: "P1", clinicianID: "V1", start: SmallClinic.at("2026-11-23T11:00"), durationMinutes: 30,
        reason: "recheck ears", status: .booked))
    let practice = try Practice.open(at: clinic.folder.file("p.vetnet"), models: clinic.models, access: .read)
    func accesses() throws -> Int {
      try practice.connection.first("SELECT count(*) FROM audit_entry WHERE kind = 'access'") { Int($0.int64(0)) } ?? 0
    }
    try Self.readAll(practice)
    #expect(practice.door.readings.repeated == 0)
    let before = try accesses()
    try Self.readAll(practice)
    #expect(practice.door.readings.repeated == Self.readings)
    #expect(try accesses() == before)
    try practice.perform(ShowPatient(reference: "P1"), by: Actor(name: "kim", role: .reception), at: Self.now)
    try practice.perform(ShowPatient(reference: "P1"), by: Actor(name: "kim", role: .reception), at: Self.now)
    #expect(try accesses() == before + 1)
    let repeatedSoFar = practice.door.readings.repeated
    try Self.readAll(practice, at: Timestamp(seconds: Self.now.seconds + 1))
    #expect(practice.door.readings.repeated == repeatedSoFar, "a second later")
    #expect(try accesses() == before + 1 + Self.readings)
    for (name, change) in Self.changes {
      try Self.readAll(practice)
      let repeated = practice.door.readings.repeated
      try change(clinic)
      try Self.readAll(practice)
      #expect(practice.door.readings.repeated == repeated, "after \(name)")
      try Self.readAll(practice)
      #expect(practice.door.readings.repeated == repeated + Self.readings, "after \(name)")
    }
  }

  @Test func `whoever writes reads what they wrote`() throws {
    let clinic = try SmallClinic()
    try Self.readAll(clinic.practice)
    try Self.readAll(clinic.practice)
    #expect(clinic.practice.door.readings.repeated == 0)
  }
}
