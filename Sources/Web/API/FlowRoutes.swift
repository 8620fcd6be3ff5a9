import Clinical
import Presentation
import VetNet

/// Who is where in the practice, as JSON.
enum FlowRoutes {
  static let all: [Route] = [flow, stage]

  private static let stages = Schema.oneOf(VisitStage.allCases.map(\.rawValue))

  private static let steps = Schema.list(.object(["stage": stages, "at": .string(), "by": .string()]))

  private static let flow = Route(
    "GET", "/flow/{date}", .api, .reading,
    "A day's visits by how far they have got; who waits longest with red and orange first.",
    answer: .object([
      "date": .string(),
      "visits": .list(
        .object(
          [
            "appointment_id": .string(), "start": .string(), "stage": stages, "is_overdue": .boolean,
            "revision": .integer, "steps": steps,
          ],
          optional: [
            "patient_id": .string(), "patient_name": .string(), "clinician_id": .string(), "urgency": Shapes.urgency,
            "waited_minutes": .integer, "target_minutes": .integer,
          ])),
    ])
  ) { call in
    try .json(FlowOutput(call.perform(ShowFlow(date: call.date())), zone: call.zone))
  }

  private static let stage = Route(
    "POST", "/appointments/{id}/stage", .api, .writing,
    "Says how far a visit has got, or takes that back. 412 where it was changed since, with what it is now.",
    parameters: [
      .init(name: "If-Match", meaning: "the revision that the change is based on", isRequired: true, isHeader: true)
    ], body: .object(["stage": stages]),
    answer: .object(
      [
        "appointment_id": .string(), "stage": stages, "before": stages, "status": Shapes.status, "revision": .integer,
        "steps": steps,
      ], optional: ["actual_minutes": .number])
  ) { call in
    let id = call.value("id")
    let revision = try BookRoutes.expected(call)
    let word = try Fields(call, known: ["stage"]).required("stage")
    guard let stage = VisitStage(rawValue: word) else {
      throw ErrorBody(
        400, "invalid_field", "'stage' is not known",
        hint: "There are \(VisitStage.allCases.map(\.rawValue).joined(separator: ", ")).", field: "stage")
    }
    do {
      return try call.once(SetVisitStage(id: id, stage: stage, expecting: revision)) { change, _ in
        try .json(StageChangeOutput(change, zone: call.zone), headers: [("ETag", "\"\(change.revision)\"")])
      }
    } catch let error as PracticeError where error.code == .changedMeanwhile {
      var body = ErrorBody(error)
      body.current = RevisedEntry(entry: try call.perform(ShowAppointment(id: id)), zone: call.zone)
      throw body
    }
  }
}
