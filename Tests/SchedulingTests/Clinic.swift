import Clinical
import VetNetTestSupport

@testable import Scheduling

/// A small practice to schedule in: two vets and a nurse, two rooms and a theatre, Monday to Friday in London.
enum Clinic {
  static let zone = PracticeTimeZone(identifier: "Europe/London") ?? .utc

  static func rules() throws -> SchedulingRules {
    try SchedulingRules(
      weights: modelTable("scheduling/weights.tsv", uniqueKey: "id"),
      parameters: modelTable("scheduling/parameters.tsv", uniqueKey: "id"),
      visitResources: modelTable("scheduling/visit-resources.tsv", uniqueKey: "id"),
      speciesSkills: modelTable("scheduling/species-skills.tsv", uniqueKey: "id"))
  }

  /// A Tuesday in winter, when London is at UTC.
  static let tuesday = date(2026, 1, 13)

  static func date(_ year: Int, _ month: Int, _ day: Int) -> CalendarDate {
    CalendarDate(year: year, month: month, day: day) ?? CalendarDate(daysSince1970: 0)
  }

  /// `at(9, 30)` is half past nine, local time.
  static func at(_ hour: Int, _ minute: Int = 0, on date: CalendarDate = tuesday) -> Timestamp {
    zone.timestamp(of: date, minuteOfDay: hour * 60 + minute)
  }

  static func member(
    _ id: String, role: StaffMember.Role = .veterinarian, skills: [String: Double] = ["general practice": 0.8],
    hours: Range<Int> = 540..<1020, breaks: [StaffMember.Break] = [], leave: [StaffMember.Leave] = []
  ) -> StaffMember {
    StaffMember(
      id: id, name: "Dr \(id)", role: role, skills: skills,
      workingHours: (1...7).map { .init(weekday: $0, minutes: hours) }, breaks: breaks, leave: leave)
  }

  static let staff = [
    member("ana", skills: ["general practice": 0.9, "dermatology": 0.9]),
    member("ben", skills: ["general practice": 0.7, "emergency": 0.9]),
    member("nia", role: .nurse, skills: [:]),
  ]

  static let resources = [
    Resource(id: "room-1", name: "Room 1", kind: "room", cleaningMinutes: 5),
    Resource(id: "room-2", name: "Room 2", kind: "room", cleaningMinutes: 5),
    Resource(id: "theatre", name: "Theatre", kind: "theatre", cleaningMinutes: 15),
  ]

  static func day(
    _ dates: [CalendarDate] = [tuesday], staff: [StaffMember] = staff, resources: [Resource] = resources,
    appointments: [Appointment] = []
  ) -> PracticeDay {
    PracticeDay(dates: dates, timeZone: zone, staff: staff, resources: resources, appointments: appointments)
  }

  static func appointment(
    _ id: String, _ clinician: String?, _ start: Timestamp, _ minutes: Int, rooms: [String] = [],
    status: Appointment.Status = .booked
  ) -> Appointment {
    Appointment(
      id: id, clinicianID: clinician, resourceIDs: rooms, start: start, durationMinutes: minutes, status: status)
  }

  static func request(
    _ id: String = "case", _ urgency: Urgency? = nil, minutes: Double = 20, sigma: Double = 0,
    visitType: VisitType = .standardConsult, specialty: Specialty? = nil, clinicians: [String]? = nil,
    wished: Timestamp? = nil, window: Range<Timestamp>? = nil, received: Timestamp = at(8)
  ) -> VisitRequest {
    VisitRequest(
      id: id, urgency: urgency, visitType: visitType, specialty: specialty,
      duration: PredictedDuration(p50: minutes, sigma: sigma), clinicianIDs: clinicians, wishedStart: wished,
      window: window, receivedAt: received)
  }

  /// Whether visits, booked and proposed, share a clinician or a unit of a resource, cleaning included.
  static func collides(
    _ visits: [(clinician: String, rooms: [String], start: Timestamp, minutes: Int)], resources: [Resource] = resources
  ) -> Bool {
    for (index, one) in visits.enumerated() {
      for other in visits[(index + 1)...] {
        if one.clinician == other.clinician, overlap(one.start, one.minutes, other.start, other.minutes) { return true }
        for room in one.rooms where other.rooms.contains(room) {
          let resource = resources.first { $0.id == room }
          let cleaning = resource?.cleaningMinutes ?? 0
          if resource?.capacity == 1,
            overlap(one.start, one.minutes + cleaning, other.start, other.minutes + cleaning)
          {
            return true
          }
        }
      }
    }
    return false
  }

  private static func overlap(_ first: Timestamp, _ length: Int, _ second: Timestamp, _ other: Int) -> Bool {
    first < second.adding(minutes: other) && second < first.adding(minutes: length)
  }
}
