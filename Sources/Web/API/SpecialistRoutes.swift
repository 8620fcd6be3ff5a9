import Clinical
import VetNet

/// Who sees patients, as JSON.
enum SpecialistRoutes {
  static let all: [Route] = [list]

  private static let load: Schema = .object([
    "visits": .integer, "booked_minutes": .integer, "working_minutes": .integer,
  ])

  private static let shape: Schema = .object(
    [
      "id": .string(), "name": .string(), "role": .string(),
      "skills": .list(.object(["name": .string(), "competence": .number])),
      "credentials": .list(.object(["name": .string()], optional: ["expires": .string()])),
      "days": .list(
        .object([
          "date": .string(), "hours": .list(.list(.integer)), "on_leave": .boolean, "load": load,
        ])), "week": load, "leave": .list(.object(["from": .string(), "to": .string()])),
      "regulars": .list(.object(["patient_id": .string(), "visits": .integer, "last": .string()])),
    ], optional: ["next_free": .string()])

  private static let list = Route(
    "GET", "/specialists", .api, .reading,
    "Veterinarians and nurses: fields of work, hours of today and the next seven days, how full they are, whom they know, when they are free.",
    parameters: [
      .init(name: "skill", meaning: "only those with some competence in this field of work"),
      .init(name: "minutes", meaning: "of the visit that a free time is looked for (default 20)"),
    ], answer: .object(["specialists": .list(shape)])
  ) { call in
    let minutes = try Paging.number(call.request, "minutes", 5...480) ?? 20
    let skill = call.request.parameter("skill")
    let cards = try call.perform(ListSpecialists(minutes: minutes)).filter { card in
      skill.map { card.member.skills[$0] ?? 0 > 0 } ?? true
    }
    return try .json(["specialists": cards.map { SpecialistOutput($0, zone: call.zone) }])
  }
}

struct SpecialistOutput: Encodable {
  struct Skill: Encodable {
    let name: String
    let competence: Double
  }

  struct Credential: Encodable {
    let name: String
    let expires: String?
  }

  struct Load: Encodable {
    let visits: Int
    let booked_minutes: Int
    let working_minutes: Int

    init(_ load: SpecialistCard.Load) {
      visits = load.visits
      booked_minutes = load.bookedMinutes
      working_minutes = load.workingMinutes
    }
  }

  struct Day: Encodable {
    let date: String
    let hours: [[Int]]
    let on_leave: Bool
    let load: Load
  }

  struct Leave: Encodable {
    let from: String
    let to: String
  }

  struct Regular: Encodable {
    let patient_id: String
    let visits: Int
    let last: String
  }

  let id: String
  let name: String
  let role: String
  let skills: [Skill]
  let credentials: [Credential]
  let days: [Day]
  let week: Load
  let leave: [Leave]
  let regulars: [Regular]
  let next_free: String?

  init(_ card: SpecialistCard, zone: PracticeTimeZone) {
    let member = card.member
    id = member.id
    name = member.name
    role = member.role.rawValue
    skills = member.skills.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map {
      Skill(name: $0.key, competence: $0.value)
    }
    credentials = member.credentials.map { Credential(name: $0.name, expires: $0.expires.map { "\($0)" }) }
    days = card.days.map { day in
      Day(
        date: "\(day.date)", hours: day.hours.map { [$0.lowerBound, $0.upperBound] }, on_leave: day.isOnLeave,
        load: Load(day.load))
    }
    week = Load(card.week)
    leave = card.leave.map { Leave(from: "\($0.lowerBound)", to: "\($0.upperBound)") }
    regulars = card.regulars.map {
      Regular(patient_id: $0.patient.id, visits: $0.visits, last: zone.iso8601($0.last))
    }
    next_free = card.nextFree.map(zone.iso8601)
  }
}
