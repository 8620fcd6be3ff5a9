import Assessment
import Clinical
import Foundation
import Store
import Testing
import VetNetTestSupport

@testable import VetNet

/// What is counted by week, against a plain recount of what the practice exports.
struct InsightTests {
  /// An appointment as a file of the export says it.
  private struct Exported: Decodable {
    let patient_id: String?
    let clinician_id: String?
    let start: String
    let duration_minutes: Int
    let actual_minutes: Double?
    let status: String
  }

  /// A clinic with a quarter of a year of visits of every state, drawn by a seed.
  private func clinic(seed: UInt64) throws -> SmallClinic {
    let leave = [
      StaffMember.Leave(
        days: try #require(CalendarDate(iso: "2026-11-25"))...#require(CalendarDate(iso: "2026-12-04")))
    ]
    let clinic = try SmallClinic(
      breaks: (1...5).map { StaffMember.Break(weekday: $0, window: 720..<840, minutes: 30) }, leave: leave)
    var random = SplitMix64(seed: seed)
    let source = try clinic.practice.connection.sources.id(named: "test")
    let first = try #require(CalendarDate(iso: "2026-08-17"))
    for number in 0..<400 {
      let day = first.adding(days: Int.random(in: 0..<140, using: &random))
      let start = SmallClinic.zone.timestamp(of: day, minuteOfDay: Int.random(in: 0..<288, using: &random) * 5)
      let status = try #require(Appointment.Status.allCases.randomElement(using: &random))
      let minutes = Int.random(in: 1...12, using: &random) * 5
      let actual = status == .done && Bool.random(using: &random) ? Double(Int.random(in: 5...90, using: &random)) : nil
      _ = try clinic.practice.connection.appointments.upsert(
        Appointment(
          id: "A\(number)", patientID: number.isMultiple(of: 17) ? nil : "P\(number % 9 + 1)",
          clinicianID: number.isMultiple(of: 11) ? nil : ["V1", "V2"][number % 2], start: start,
          durationMinutes: minutes, actualMinutes: actual, status: status), source: source)
    }
    return clinic
  }

  private func exported(_ clinic: SmallClinic) throws -> [Exported] {
    let folder = clinic.folder.file("out-\(UUID().uuidString)")
    try clinic.practice.perform(
      ExportRecords(request: ExportRequest(.folder, to: folder)), by: .local, at: clinic.now)
    let text = try String(contentsOfFile: folder + "/appointments.jsonl", encoding: .utf8)
    return try text.split(separator: "\n").map { try JSONDecoder().decode(Exported.self, from: Data($0.utf8)) }
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `every count is that of the exported appointments, week by week`(seed: UInt64) throws {
    let clinic = try clinic(seed: seed)
    for span in [(12, 4), (1, 0), (20, 10)] { try expectCounts(in: clinic, over: span) }
  }

  private func expectCounts(in clinic: SmallClinic, over span: (Int, Int)) throws {
    let found = try clinic.practice.perform(
      ShowInsights(past: span.0, ahead: span.1), by: .local, at: clinic.now)
    #expect(found.weeks.count == span.0 + span.1)
    #expect(found.weeks.filter { $0.phase == .present }.map { "\($0.monday)" } == ["2026-11-16"])
    let all = try exported(clinic)
    #expect(all.count == 400)
    for (index, week) in found.weeks.enumerated() {
      // By the date as it is written, in the practice's own time.
      let days = Set((0..<7).map { "\(week.monday.adding(days: $0))" })
      let here = all.filter { days.contains(String($0.start.prefix(10))) }
      for person in found.workload {
        let own = here.filter {
          $0.clinician_id == person.clinicianID && ["booked", "arrived", "in_progress", "done"].contains($0.status)
        }
        #expect(person.weeks[index].visits == own.count)
        #expect(person.weeks[index].bookedMinutes == own.reduce(0) { $0 + $1.duration_minutes })
      }
      let timed = here.filter { $0.status == "done" && $0.actual_minutes != nil }
      let differences = timed.map { ($0.actual_minutes ?? 0) - Double($0.duration_minutes) }
      #expect(found.overruns[index].visits == timed.count)
      #expect(found.overruns[index].over == differences.count { $0 > 0 })
      #expect(found.overruns[index].minutesOver == differences.reduce(0) { $0 + max(0, $1) })
      #expect(found.overruns[index].minutesDifference == differences.reduce(0, +))
      let due = here.filter { $0.status != "requested" && $0.patient_id != nil }
      #expect(found.attendance[index].appointments == due.count)
      #expect(found.attendance[index].noShows == due.count { $0.status == "no_show" })
      #expect(found.attendance[index].cancelled == due.count { $0.status == "cancelled" })
    }
    #expect(found.workload.map(\.clinicianID) == ["V1", "V2", "N1"])
    let counted = found.weeks.indices.reduce(0) { $0 + found.load(week: $1).visits }
    #expect(counted > 0)
  }

  @Test func `minutes of work are those of the day's own book, leave and breaks taken out`() throws {
    let clinic = try clinic(seed: 4)
    let found = try clinic.practice.perform(ShowInsights(past: 2, ahead: 4), by: .local, at: clinic.now)
    for person in found.workload {
      for (index, week) in found.weeks.enumerated() {
        let minutes = try (0..<7).reduce(0) { sum, day in
          let schedule = try clinic.practice.perform(
            ShowDay(date: week.monday.adding(days: day)), by: .local, at: clinic.now)
          return sum + (schedule.workload.first { $0.clinicianID == person.clinicianID }?.workingMinutes ?? 0)
        }
        #expect(person.weeks[index].workingMinutes == minutes, "\(person.clinicianID) \(week.monday)")
      }
    }
    // V2 is away from Wednesday of the week to come.
    #expect(found.workload[1].weeks.map(\.workingMinutes) == [3210, 3210, 900, 960, 3210, 3210])
  }

  @Test func `levels are those that visits were booked with, and those of assessments that were kept`() throws {
    let clinic = try SmallClinic()
    let practice = clinic.practice
    func level(_ urgency: Urgency) -> @Sendable (inout AppointmentOptions) -> Void { { $0.urgency = urgency } }
    try clinic.book("P1", "2026-11-23T10:00", options: level(.red))
    try clinic.book("P2", "2026-11-23T12:00", options: level(.green))
    try clinic.book("P3", "2026-11-30T12:00", options: level(.green))
    try clinic.book("P4", "2026-11-30T14:00")
    let gone = try clinic.book("P5", "2026-11-30T15:00", options: level(.red))
    try practice.perform(CancelAppointment(id: gone.id), by: .local, at: clinic.now)
    let intake = Intake(id: "", receivedAt: clinic.now, text: "Dog, vomiting all night, gums white.")
    let kept = try practice.perform(
      AssessIntake(intake: intake, patient: "P1", saves: true), by: .local, at: clinic.now)
    try practice.perform(
      OverrideTriage(intake: intake, patient: "P2", urgency: .blue, reason: "a joke"), by: .local,
      at: clinic.now.adding(days: -7))
    let found = try practice.perform(ShowInsights(past: 2, ahead: 2), by: .local, at: clinic.now)
    #expect(found.bookedLevels.map(\.counts) == [[:], [:], [.red: 1, .green: 1], [.green: 1]])
    #expect(found.keptLevels.map(\.counts) == [[.blue: 1], [kept.triage.urgency: 1], [:], [:]])
    // What was shown are counts: nobody's record was seen.
    let entries = try practice.perform(ReadAuditLog(), by: .local, at: clinic.now)
    #expect(!entries.contains { $0.operation == ShowInsights.name })
  }

  @Test func `waits are those of people who were seen or left, against what their level allows`() throws {
    let clinic = try SmallClinic()
    let day = "2026-11-23T"
    // Minutes waited; nil for who waits still. The last was tidied up the next morning.
    let waits: [(Int?, Urgency?)] = [
      (10, .orange), (20, .orange), (46, .yellow), (4, nil), (90, nil), (nil, .red), (960, .orange),
    ]
    for (number, (minutes, level)) in waits.enumerated() {
      let id = try clinic.book("P\(number + 1)", "\(day)\(10 + number):00") { $0.urgency = level }.id
      let came = SmallClinic.at("\(day)\(10 + number):00")
      _ = try clinic.practice.reception.advance(id, to: .arrived, expecting: nil, actor: "Ann", now: came)
      guard let minutes else { continue }
      _ = try clinic.practice.reception.advance(
        id, to: number == 0 ? .left : .inConsult, expecting: nil, actor: "Ann", now: came.adding(minutes: minutes))
    }
    let found = try clinic.practice.perform(
      ShowInsights(past: 1, ahead: 0), by: .local, at: SmallClinic.at("2026-11-24T09:00"))
    let week = try #require(found.waiting.first)
    #expect(week.visits == 5 && week.medianMinutes == 20 && week.p90Minutes == 90 && week.tooLong == 2)
  }

  @Test(
    arguments: [
      ([], nil, nil), ([7], 7, 7), ([3, 8], 5.5, 8), (Array(1...10), 5.5, 9), (Array(1...11), 6, 10),
    ] as [([Int], Double?, Double?)])
  func `a median lies in the middle, and nine in ten are not beyond the other`(
    minutes: [Int], median: Double?, p90: Double?
  ) {
    let waiting = Insights.Waiting(minutes.shuffled().map { ($0, nil) })
    #expect(waiting.medianMinutes == median && waiting.p90Minutes == p90 && waiting.tooLong == 0)
  }

  @Test(arguments: [(0, 4), (105, 4), (12, -1), (12, 27)])
  func `more weeks than can be meant are refused`(past: Int, ahead: Int) throws {
    let clinic = try SmallClinic()
    let error = #expect(throws: PracticeError.self) {
      try clinic.practice.perform(ShowInsights(past: past, ahead: ahead), by: .local, at: clinic.now)
    }
    #expect(error?.code == .invalidArgument)
  }

  @Test func `a week begins on the practice's own Monday, when the clocks go back too`() throws {
    let clinic = try SmallClinic()
    let source = try clinic.practice.connection.sources.id(named: "test")
    // The clocks went back on Sunday 25 October 2026 in London.
    for (id, time) in [("A1", "2026-10-25T23:55"), ("A2", "2026-10-26T00:00"), ("A3", "2026-10-18T23:55")] {
      _ = try clinic.practice.connection.appointments.upsert(
        Appointment(
          id: id, patientID: "P1", clinicianID: "V1", start: SmallClinic.at(time), durationMinutes: 5, status: .done),
        source: source)
    }
    let found = try clinic.practice.perform(ShowInsights(past: 6, ahead: 0), by: .local, at: clinic.now)
    #expect(found.weeks.map { "\($0.monday)" }.prefix(4) == ["2026-10-12", "2026-10-19", "2026-10-26", "2026-11-02"])
    #expect(found.attendance.map(\.appointments) == [1, 1, 1, 0, 0, 0])
  }

  @Test func `a case on file counts once, with a person's level before the program's`() throws {
    let clinic = try SmallClinic()
    let practice = clinic.practice
    let intake = Intake(id: "I1", patientID: "P1", receivedAt: clinic.now, text: "Dog, vomiting all night, gums white.")
    _ = try practice.connection.intakes.upsert(intake, source: try practice.connection.sources.id(named: "test"))
    func assess(_ minutes: Int) throws -> Urgency {
      try practice.perform(
        AssessIntake(intake: intake, patient: "P1", saves: true), by: .local, at: clinic.now.adding(minutes: minutes)
      ).triage.urgency
    }
    func kept() throws -> [Urgency: Int]? {
      try practice.perform(ShowInsights(past: 1, ahead: 0), by: .local, at: clinic.now).keptLevels.first?.counts
    }
    let level = try assess(0)
    #expect(try assess(1) == level && kept() == [level: 1])
    try practice.perform(
      OverrideTriage(intake: intake, patient: "P1", urgency: .blue, reason: "a joke"), by: .local, at: clinic.now)
    #expect(try kept() == [.blue: 1])
    _ = try assess(2)
    #expect(try kept() == [.blue: 1])
  }
}
