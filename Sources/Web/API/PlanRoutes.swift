import Clinical
import Presentation
import VetNet

/// Better plans, and changes of several appointments at once, as JSON.
enum PlanRoutes {
  static let all: [Route] = [plan, rearrange]

  private static let visit = Schema.object(
    ["appointment_id": .string(), "start": .string(), "duration_minutes": .integer, "clinician_id": .string()],
    optional: ["resource_ids": .list(.string())])

  private static let plan = Route(
    "POST", "/day/{date}/plan", .api, .reading,
    "A better plan for a day: what would change and what it is worth. Nothing is written; send the changes to /plan.",
    body: .object([:]),
    answer: .object([
      "date": .string(), "version": .integer, "before": .number, "after": .number, "upper_bound": .number,
      "changes": .list(.any), "unplaced": .list(.string()), "written": .boolean,
    ])
  ) { call in
    let plan = try call.perform(
      OptimizePlan(dates: [call.date()], limits: BookRoutes.planLimits, isDryRun: true))
    return try .json(PlanOutput(plan, zone: call.zone))
  }

  private struct RearrangedOutput: Encodable {
    let appointments: [AppointmentOutput]
    let version: Int64?
  }

  private static let rearrange = Route(
    "POST", "/plan", .api, .writing,
    "Gives several appointments their places as one change, all or none; 412 where the plan has changed since `version`.",
    parameters: [Shapes.idempotencyKey],
    body: .object(["visits": .list(visit)], optional: ["version": .integer, "dry_run": .boolean]),
    answer: .object(["appointments": .list(Shapes.appointment)], optional: ["version": .integer])
  ) { call in
    let fields = try Fields(call, known: ["visits", "version", "dry_run"])
    let version = try fields.integer("version", in: 0...Int(Int32.max))
    let visits = try fields.objects(
      "visits",
      known: [
        "appointment_id", "start", "duration_minutes", "clinician_id", "resource_ids",
      ]
    ).map { visit -> PlacedVisit in
      guard let start = try visit.moment("start"),
        let minutes = try visit.integer("duration_minutes", in: 1...1440)
      else { throw ErrorBody(400, "invalid_field", "each visit needs 'start' and 'duration_minutes'", field: "visits") }
      return PlacedVisit(
        appointmentID: try visit.required("appointment_id"), start: start, minutes: minutes,
        clinicianID: try visit.required("clinician_id"), resourceIDs: try visit.list("resource_ids") ?? [])
    }
    let plan = RearrangeVisits(
      visits: visits, expecting: version.map(Int64.init), isDryRun: try fields.flag("dry_run"))
    return try call.once(plan) { done, _ in
      try .json(
        RearrangedOutput(
          appointments: done.changes.map { AppointmentOutput($0.appointment, zone: call.zone) }, version: done.version))
    }
  }
}
