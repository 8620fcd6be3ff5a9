import Answering
import Assessment
import Clinical
import Presentation
import VetNet

/// Patients, notes, questions, triage and briefs as JSON.
enum RecordRoutes {
  static let all: [Route] = [
    patients, patient, chart, timeline, note, ask, triage, assessment, briefs, events,
  ]

  private static let patients = Route(
    "GET", "/patients", .api, .reading, "Patients by id, microchip, name or owner.",
    parameters: [.init(name: "q", meaning: "part of a name, an owner's name, a microchip or an id", isRequired: true)]
      + Shapes.paging, answer: Shapes.page("patients", Shapes.patient)
  ) { call in
    guard let words = call.request.parameter("q"), words.contains(where: { !$0.isWhitespace }) else {
      throw ErrorBody(400, "invalid_field", "'q' is needed: words to look for", field: "q")
    }
    let page = try Paging(call.request)
    let found = try call.perform(FindPatients(words: String(words.prefix(200)), shown: page.places))
    return try .json(PageOutput("patients", found, page) { PatientOutput(found[$0], on: call.today) })
  }

  private static let patient = Route(
    "GET", "/patients/{id}", .api, .reading, "A patient with owner, notes counted, and what is booked.",
    answer: .object(
      ["patient": Shapes.patient, "note_count": .integer, "upcoming": .list(Shapes.appointment)],
      optional: ["owner": .any, "owner_phone": .string(), "last_note_at": .string()])
  ) { call in
    let overview = try call.perform(ShowPatient(reference: call.value("id")))
    return try .json(PatientOverviewOutput(overview, zone: call.zone, today: call.today))
  }

  private static let chart = Route(
    "GET", "/patients/{id}/chart", .api, .reading,
    "What the record says of problems, drugs, prevention, and how treatments were borne.",
    answer: .object([
      "patient_id": .string(), "reactions": .list(.any), "problems": .list(.any), "prevention": .list(.any),
      "drugs": .list(.any),
    ])
  ) { call in
    let charted = try call.perform(ChartPatient(reference: call.value("id")))
    return try .json(PatientChartOutput(charted, at: call.now, zone: call.zone))
  }

  private static let timeline = Route(
    "GET", "/patients/{id}/timeline", .api, .reading, "Notes and appointments, the newest first.",
    parameters: Shapes.paging,
    answer: Shapes.page(
      "entries", .object(["at": .string(), "kind": .string(), "id": .string(), "title": .string()]))
  ) { call in
    let entries = Array(try call.perform(ListTimeline(reference: call.value("id"))).reversed())
    return try .json(
      PageOutput("entries", entries, Paging(call.request)) { TimelineOutput(entries[$0], zone: call.zone) })
  }

  private static let note = Route(
    "GET", "/notes/{id}", .api, .reading, "A note as it was written.",
    answer: .object(
      ["id": .string(), "patient_id": .string(), "recorded_at": .string(), "kind": .string(), "text": .string()],
      optional: ["author": .string()])
  ) { call in
    let shown = try call.perform(ShowNote(id: call.value("id")))
    var output = NoteOutput(
      shown.history.note, text: shown.history.note.text, zone: call.zone, history: shown.history, withVersions: true)
    output.damaged = shown.isIntact ? nil : true
    return try .json(output)
  }

  private static let ask = Route(
    "POST", "/ask", .api, .reading, "Answers a question from the record, with citations.",
    parameters: [Shapes.lines("the answer, then `hits`: cases of others that resemble what it rests on")],
    body: .object(
      ["question": .string()],
      optional: ["patient_id": .string(), "asked_at": .string(), "explain": .boolean]), answer: Shapes.answer
  ) { call in
    let fields = try Fields(call, known: ["question", "patient_id", "asked_at", "explain"])
    let answer = try answer(fields, call)
    let explains = try fields.flag("explain")
    guard call.wantsLines else {
      return try .json(AnswerOutput(answer, zone: call.zone, today: call.today, explains: explains))
    }
    return .pieces(
      .lines { call, send in
        try send(AnswerOutput(answer, zone: call.zone, today: call.today, explains: explains))
        try send(SimilarOutput(SimilarCases.resembling(answer, call), zone: call.zone, explains: false))
      })
  }

  /// The question of a body, answered.
  static func answer(_ fields: Fields, _ call: Call) throws -> Answer {
    try call.perform(
      Ask(
        question: fields.required("question", atMost: 2000), patient: fields.text("patient_id", atMost: 200),
        askedAt: fields.moment("asked_at") ?? call.now))
  }

  private static let triage = Route(
    "POST", "/triage", .api, .reading,
    "Assesses a case in words: urgency, ABCDE, complexity, minutes, specialties, each explained. Nothing is kept.",
    body: CaseFields.shape(beside: [:], needsText: true), answer: Shapes.assessment
  ) { call in
    let fields = try Fields(call, known: CaseFields.names)
    return try .json(
      call.perform(
        AssessIntake(intake: CaseFields.intake(fields, call), patient: fields.text("patient_id", atMost: 200))))
  }

  private static let assessment = Route(
    "POST", "/assessments", .api, .writing,
    "Assesses a case and keeps it; with `urgency` and `reason`, at a person's level instead of the program's.",
    parameters: [Shapes.idempotencyKey],
    body: CaseFields.shape(
      beside: [
        "urgency": Shapes.urgency, "reason": .string(),
        "answers": .string("to guided questions: id=yes;id=no;id=unknown"),
      ], needsText: true),
    answer: Shapes.assessment, status: 201
  ) { call in
    let fields = try Fields(call, known: CaseFields.names.union(["urgency", "reason", "answers"]))
    let intake = try CaseFields.intake(fields, call)
    let patient = try fields.text("patient_id", atMost: 200)
    let settled =
      try fields.text("answers", atMost: 4000) == nil
      ? nil : GuidedAnswers(fields).session(intake, patient, call).conclusion
    guard let urgency = try fields.urgency("urgency") else {
      return try call.once(
        AssessIntake(intake: intake, patient: patient, settled: settled, saves: true)
      ) { assessed, _ in try .json(assessed, status: 201) }
    }
    guard let reason = try fields.text("reason") else {
      throw ErrorBody(400, "invalid_field", "a person's level needs a reason", field: "reason")
    }
    return try call.once(
      OverrideTriage(intake: intake, patient: patient, settled: settled, urgency: urgency, reason: reason)
    ) { overridden, _ in try .json(overridden, status: 201) }
  }

  private static let briefs = Route(
    "GET", "/briefs/{date}", .api, .reading, "The briefs of a day's appointments, in their order.",
    parameters: [
      .init(name: "clinician", meaning: "only this clinician's"), Shapes.lines("each brief as soon as it is made"),
    ] + Shapes.paging,
    answer: Shapes.page("briefs", .object(["patient": Shapes.patient, "sections": .list(.any)]))
  ) { call in
    let clinician = call.request.parameter("clinician")
    if call.wantsLines {
      let day = try call.perform(ListBriefed(date: call.date(), clinicianID: clinician))
      return .pieces(
        .lines { call, send in
          for visit in day.visits {
            do {
              try send(BriefOutput(call.perform(BriefAppointment(id: visit.appointment.id)), zone: call.zone))
            } catch let error as PracticeError where BriefPage.isAboutOne(error) {
              try send(ErrorBody(error))
            }
          }
        })
    }
    let day = try call.perform(BriefDay(date: call.date(), clinicianID: clinician))
    return try .json(
      PageOutput("briefs", day.briefs, Paging(call.request)) { BriefOutput(day.briefs[$0], zone: call.zone) })
  }

  private static let events = Route(
    "GET", "/events", .api, .reading,
    "Server-Sent Events: each committed change of whatever program, as an operation with the ids of its records.",
    access: .unattended,
    parameters: [
      .init(name: "Last-Event-ID", meaning: "where to go on; what was missed comes first", isHeader: true)
    ]
  ) { call in
    let asked = call.request.header("last-event-id") ?? call.request.parameter("after")
    let place = asked.flatMap { Int64($0) }.flatMap { $0 >= 0 ? $0 : nil }
    let found = try call.perform(ListChanges(after: place))
    return .events(behind: found.last, first: EventHub.greeting(found), to: call.session)
  }
}
