import Clinical
import Foundation
@testable import Store
import Testing
import VetNetTestSupport

@testable import VetNet

/// Who sees patients: hours, load, regulars and the next free time, from the book.
struct SpecialistsTests {
  /// A Monday morning of a practice that works from 9 to 17 every day.
  private let now = SmallClinic.at("2026-11-23T09:00")

  private func cards(_ clinic: SmallClinic, minutes: Int = 20) throws -> [String: SpecialistCard] {
    let desk = Actor(name: "kim", role: .reception)
    let cards = try clinic.practice.perform(ListSpecialists(minutes: minutes), by: desk, at: now)
    return Dictionary(cards.map { ($0.member.id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  @Test func `booked minutes of today and of the week from Monday to Sunday are what the book says`() throws {
    let clinic = try SmallClinic()
    for (time, minutes) in [("2026-11-23T09:00", 60), ("2026-11-23T11:00", 30), ("2026-11-29T16:00", 30)] {
      try clinic.book("P1", time, minutes: minutes)
    }
    // Of the week behind it.
    try clinic.book("P1", "2026-11-30T09:00", minutes: 45)
    let card = try #require(try cards(clinic)["V1"])
    let today = try #require(card.days.first)
    #expect(card.days.count == 8 && today.date == CalendarDate(year: 2026, month: 11, day: 23))
    #expect(today.load.bookedMinutes == 90 && today.load.visits == 2 && today.load.workingMinutes == 480)
    #expect(today.hours == [540..<1020])
    #expect(card.week.bookedMinutes == 120 && card.week.visits == 3 && card.week.workingMinutes == 7 * 480)
    #expect(card.days.last?.load.bookedMinutes == 45)
    #expect(try Set(cards(clinic).keys) == ["V1", "V2", "N1"])
  }

  @Test func `visits that are done count for the day and the week, and those that are off don't`() throws {
    let clinic = try SmallClinic()
    for (number, status) in [Appointment.Status.done, .done, .cancelled, .noShow, .requested, .arrived].enumerated() {
      var visit = Appointment(
        id: "A\(number)", patientID: "P1", clinicianID: "V1", start: SmallClinic.at("2026-11-23T1\(number):00"),
        durationMinutes: 20)
      visit.status = status
      try clinic.practice.connection.appointments.book(visit)
    }
    let card = try #require(try cards(clinic)["V1"])
    #expect(card.days.first?.load.visits == 3 && card.days.first?.load.bookedMinutes == 60)
    #expect(card.week.visits == 3 && card.week.bookedMinutes == 60)
  }

  @Test(arguments: [
    (20, "2026-11-23T10:00"), (60, "2026-11-23T10:00"), (70, "2026-11-23T11:30"), (400, "2026-11-24T09:00"),
  ])
  func `the next free time is the first that is long enough`(minutes: Int, free: String) throws {
    let clinic = try SmallClinic()
    try clinic.book("P1", "2026-11-23T09:00", minutes: 60)
    try clinic.book("P2", "2026-11-23T11:00", minutes: 30)
    #expect(try cards(clinic, minutes: minutes)["V1"]?.nextFree == SmallClinic.at(free))
  }

  @Test func `who is on leave has no hours, and is free when they are back, if that is within two weeks`() throws {
    func days(_ first: Int, _ last: Int) -> StaffMember.Leave {
      let day = { CalendarDate(year: 2026, month: 11, day: $0) ?? CalendarDate(daysSince1970: 0) }
      return StaffMember.Leave(days: day(first)...day(last))
    }
    let away = try #require(try cards(SmallClinic(leave: [days(20, 24)]))["V2"])
    #expect(away.days.prefix(2).allSatisfy { $0.isOnLeave && $0.hours.isEmpty } && !away.days[2].isOnLeave)
    #expect(away.nextFree == SmallClinic.at("2026-11-25T09:00") && away.leave.count == 1)
    let long = StaffMember.Leave(
      days: CalendarDate(
        daysSince1970: days(1, 1).days.lowerBound.daysSince1970)...CalendarDate(
          daysSince1970: days(30, 30).days.lowerBound.daysSince1970 + 20))
    #expect(try cards(SmallClinic(leave: [long]))["V2"]?.nextFree == nil)
  }

  @Test func `those they know best are counted by finished visits of the last year, and are put on record`() throws {
    let clinic = try SmallClinic()
    func visit(_ id: String, _ patient: String, _ time: String, _ status: Appointment.Status) throws {
      var visit = Appointment(
        id: id, patientID: patient, clinicianID: "V1", start: SmallClinic.at(time), durationMinutes: 20, reason: nil)
      visit.status = status
      try clinic.practice.connection.appointments.book(visit)
    }
    try visit("A1", "P3", "2026-10-01T10:00", .done)
    try visit("A2", "P3", "2026-10-08T10:00", .done)
    try visit("A3", "P4", "2026-11-02T10:00", .done)
    try visit("A4", "P5", "2026-10-01T11:00", .cancelled)
    try visit("A5", "P6", "2024-10-01T11:00", .done)
    let regulars = try #require(try cards(clinic)["V1"]).regulars
    #expect(regulars.map(\.patient.id) == ["P3", "P4"] && regulars.map(\.visits) == [2, 1])
    let seen = try clinic.practice.perform(ReadAuditLog(patient: "P3", accessOnly: true), by: .local, at: now)
    #expect(seen.contains { $0.operation == "staff.specialists" && $0.actor == "kim" })
  }
}

/// Calendars to subscribe to, as operations.
struct CalendarFeedTests {
  private let now = SmallClinic.at("2026-11-23T09:00")

  @Test func `one made while the practice had no users leads nowhere once it has some`() throws {
    let clinic = try SmallClinic()
    let made = try clinic.practice.perform(AddCalendarFeed(clinician: "V1"), by: .local, at: now)
    #expect(try clinic.practice.exchange.holder(of: made.secret)?.actor == .local)
    let passphrase = Passphrase("four words, or five")
    let verifier = try PassphraseVerifier(of: passphrase, cost: .least)
    try clinic.practice.perform(
      AddUser(name: "ann", role: .administrator, verifier: verifier), by: .local, at: now)
    #expect(try clinic.practice.exchange.holder(of: made.secret) == nil)
    let other = try #require(FeedSecret(text: String(repeating: "a", count: 64)))
    #expect(try clinic.practice.exchange.holder(of: other) == nil)
  }

  @Test func `somebody has twenty at most, and what is not on file has none`() throws {
    let clinic = try SmallClinic()
    for _ in 0..<20 { try clinic.practice.perform(AddCalendarFeed(), by: .local, at: now) }
    #expect(throws: PracticeError.self) {
      try clinic.practice.perform(AddCalendarFeed(), by: .local, at: now)
    }
    try clinic.practice.perform(WithdrawCalendarFeed(id: "feed-3"), by: .local, at: now)
    for wrong in [AddCalendarFeed(clinician: "V9"), AddCalendarFeed(room: "R9"), AddCalendarFeed(user: "nobody")] {
      #expect(throws: PracticeError.self) { try clinic.practice.perform(wrong, by: .local, at: now) }
    }
    try clinic.practice.perform(AddCalendarFeed(room: "R1", hasNames: false), by: .local, at: now)
    let feeds = try clinic.practice.perform(ListCalendarFeeds(), by: .local, at: now)
    #expect(feeds.count == 20 && feeds.last?.name == "Room R1" && feeds.last?.hasNames == false)
    for id in ["feed-3", "feed-99", "x", ""] {
      let error = #expect(throws: PracticeError.self) {
        try clinic.practice.perform(WithdrawCalendarFeed(id: id), by: .local, at: now)
      }
      #expect(error?.code == .notFound)
    }
  }
}
