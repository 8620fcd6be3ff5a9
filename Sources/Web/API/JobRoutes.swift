import Clinical
import VetNet

/// Long work: what runs, beginning it, and cancelling it.
enum JobRoutes {
  static let all: [Route] = [list, job, report, begin, upload, cancel]

  static let shape: Schema = .object(
    [
      "id": .integer, "kind": .oneOf(["import", "reindex", "optimize", "evaluate", "backup"]),
      "state": .oneOf(["running", "done", "failed", "cancelled", "broken_off"]), "started_at": .string(),
      "seen_at": .string(), "done": .integer, "can_cancel": .boolean,
    ], optional: ["total": .integer, "detail": .string(), "message": .string()])

  private static let list = Route(
    "GET", "/jobs", .api, .reading, "Long work, the newest first; what runs is told as `job` events too.",
    answer: .object(["jobs": .list(shape)])
  ) { call in
    try .json(["jobs": call.perform(ListJobs()).map { JobOutput($0, call) }])
  }

  private static let job = Route("GET", "/jobs/{id}", .api, .reading, "One job.", answer: shape) { call in
    try .json(found(call))
  }

  private static let report = Route(
    "GET", "/jobs/{id}/report", .api, .reading,
    "What came of a comparison of triage with people's levels in full: levels against levels, and the cases taken for less urgent.",
    answer: .object([
      "cases": .integer, "same": .integer, "lower": .integer, "higher": .integer, "urgent": .integer,
      "urgent_found": .integer, "levels": .any, "versions": .any,
      "lowest": .list(.object(["id": .string(), "person": .string(), "program": .string()])),
    ])
  ) { call in
    guard let id = Int64(call.value("id")) else {
      throw ErrorBody(404, "not_found", "there is no job '\(call.value("id").prefix(20))'")
    }
    return try .json(call.perform(ShowEvaluation(job: id)))
  }

  private static func found(_ call: Call) throws -> JobOutput {
    guard let job = try call.perform(ListJobs()).first(where: { "\($0.id)" == call.value("id") }) else {
      throw ErrorBody(404, "not_found", "there is no job '\(call.value("id").prefix(20))'")
    }
    return JobOutput(job, call)
  }

  private static let begin = Route(
    "POST", "/jobs", .api, .reading,
    "Begins one: re-indexing, improving the plan of some days, judging anew what people gave a level of their own, or a backup.",
    body: .object(
      ["kind": .oneOf(["reindex", "optimize", "evaluate", "backup"])],
      optional: ["all": .boolean, "dates": .list(.string()), "seconds": .integer]), answer: shape, status: 202
  ) { call in
    let fields = try Fields(call, known: ["kind", "all", "dates", "seconds"])
    let id: Int64
    switch try fields.required("kind") {
    case "reindex":
      let options = ReindexOptions(rebuildsAll: try fields.flag("all"), trains: false, resumes: true)
      id = try call.jobs.begin(.reindex, Reindex(options: options), by: call.session.actor) { summary in
        "\(summary.indexedNotes) notes indexed"
          + (summary.failures.isEmpty ? "" : ", \(summary.failures.count) could not be")
      }
    case "optimize":
      var limits = SearchLimits()
      limits.seconds = Double(try fields.integer("seconds", in: 1...60) ?? 10)
      let dates = try (fields.list("dates") ?? ["\(call.today)"]).map { text in
        guard let date = CalendarDate(iso: text) else {
          throw ErrorBody(
            400, "invalid_field", "'dates' has what is no date", hint: "Write 2026-11-23.", field: "dates")
        }
        return date
      }
      guard (1...14).contains(dates.count) else {
        throw ErrorBody(400, "invalid_field", "'dates' has 1 to 14 days", field: "dates")
      }
      id = try call.jobs.begin(.optimize, OptimizePlan(dates: dates, limits: limits), by: call.session.actor) { plan in
        plan.isWritten ? "the plan of \(plan.dates.count) days is better now" : "nothing better was found"
      }
    case "evaluate":
      id = try call.jobs.begin(.evaluate, EvaluateTriage(), by: call.session.actor, summary: \.line, report: \.encoded)
    case "backup":
      id = try call.jobs.begin(.backup, BackUp(destination: nil), by: call.session.actor) { report in
        "\(report.file), \(report.records ?? 0) records: restored beside and found to be what was backed up"
      }
    default:
      throw ErrorBody(
        400, "invalid_field", "'kind' is not known",
        hint: "Send reindex, optimize, evaluate or backup; a file goes to /api/v1/imports.",
        field: "kind")
    }
    return try started(id, call)
  }

  private static let upload = Route(
    "POST", "/imports", .api, .reading,
    "Imports a file, which is the body, of type application/octet-stream and \(Limits.upload >> 20) MiB at most.",
    parameters: [
      .init(name: "name", meaning: "the file's name, by which its kind is known", isRequired: true),
      .init(name: "kind", meaning: "what it holds, where the name doesn't say: notes, patients, …"),
      .init(name: "source", meaning: "where its records come from; ids are unique within a source"),
    ], answer: shape, status: 202
  ) { call in
    guard !call.request.body.isEmpty else {
      throw ErrorBody(400, "invalid_field", "the file is empty", hint: "Send it as the body.")
    }
    let file = try Upload(call.request.parameter("name") ?? "", call.request.body)
    let options = ImportOptions(
      source: call.request.parameter("source"), kind: call.request.parameter("kind"))
    let id = try call.jobs.begin(
      .imports, ImportRecords(paths: [file.path], options: options), by: call.session.actor, summary: words,
      finally: { file.remove() })
    return try started(id, call)
  }

  /// `patients: 3 new, 1 changed; 2 rows rejected`
  private static func words(_ summary: ImportSummary) -> String {
    let counts = summary.records.sorted { $0.key < $1.key }.map { kind, counts in
      "\(kind): \(counts.inserted) new, \(counts.updated + counts.moved) changed, \(counts.unchanged) unchanged"
    }
    let rejected =
      summary.rejected > 0
      ? ["\(summary.rejected) \(summary.rejected == 1 ? "row" : "rows") rejected, kept beside the practice file"] : []
    let refused = summary.refusedFiles > 0 ? ["the file was not imported"] : []
    return (counts + rejected + refused).joined(separator: "; ")
  }

  private static func started(_ id: Int64, _ call: Call) throws -> Response {
    let job = try call.perform(ListJobs()).first { $0.id == id }
    guard let job else { throw ErrorBody(500, "failed", "the job is not on file") }
    return try .json(
      JobOutput(job, call), status: 202, headers: [("Location", Link.path(["api", "v1", "jobs", "\(id)"]))])
  }

  private static let cancel = Route(
    "DELETE", "/jobs/{id}", .api, .reading, "Has a job stop where it can; what it did by then stands.", answer: shape
  ) { call in
    let job = try found(call)
    guard call.session.actor.role.may(job.permission) else {
      throw ErrorBody(lacking: job.permission, call.session.actor.role, for: "to cancel a job of this kind")
    }
    guard job.state == PracticeJob.State.running.rawValue else {
      throw ErrorBody(409, "failed", "the job runs no more")
    }
    guard call.jobs.cancel(job.id) else {
      throw ErrorBody(409, "failed", "the job is run by another program", hint: "End that program.")
    }
    return try .json(found(call))
  }
}

struct JobOutput: Encodable {
  let id: Int64
  let kind: String
  let state: String
  let started_at: String
  let seen_at: String
  let done: Int
  let total: Int?
  let detail: String?
  let message: String?
  let can_cancel: Bool
  let permission: Permission

  private enum CodingKeys: String, CodingKey {
    case id, kind, state, started_at, seen_at, done, total, detail, message, can_cancel
  }

  init(_ job: PracticeJob, _ call: Call) {
    let live = call.jobs.live(job.id)
    id = job.id
    kind = job.kind.rawValue
    state = job.state.rawValue
    started_at = call.zone.iso8601(job.startedAt)
    seen_at = call.zone.iso8601(job.seenAt)
    done = live?.done ?? job.doneCount
    total = live.map { $0.total > 0 ? $0.total : nil } ?? job.totalCount
    detail = live?.detail
    message = job.message
    permission =
      switch job.kind {
      case .imports, .reindex, .backup: .keep
      case .optimize: .writeBook
      case .evaluate: .readRecord
      }
    can_cancel = live != nil && call.session.actor.role.may(permission)
  }
}
