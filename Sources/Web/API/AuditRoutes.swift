import Clinical
import VetNet

/// Who did and saw what, as JSON.
enum AuditRoutes {
  static let all: [Route] = [log, subject, verification, days, compact]

  private static let log = Route(
    "GET", "/audit", .api, .reading, "Who did and saw what, the latest first. That somebody reads it is on record too.",
    parameters: [
      .init(name: "patient", meaning: "only what is about this patient, by id or name"),
      .init(name: "user", meaning: "only what this user did"),
      .init(name: "since", meaning: "only from this day on"),
      .init(name: "access", meaning: "1 for who saw records and who was refused alone"),
      .init(name: "before", meaning: "only entries before this number, to go on where a page ended"),
      .init(name: "limit", meaning: "how many at most (default 50)"),
    ],
    answer: .object(
      [
        "entries": .list(
          .object(
            ["sequence": .integer, "subjects": .list(.object(["kind": .string(), "id": .string()]))],
            optional: ["at": .string(), "actor": .string(), "role": .string(), "kind": .string()]))
      ], optional: ["next_before": .integer])
  ) { call in try .json(AuditPage(call)) }

  private static let subject = Route(
    "POST", "/audit/patient", .api, .reading,
    "The id of the patient that some words mean, be it on file or only in the log: names stand in no address.",
    needs: .readAudit, body: .object(["patient": .string()]), answer: .object(["id": .string()])
  ) { call in
    let words = try Fields(call, known: ["patient"]).required("patient", atMost: 200).trimming(while: \.isWhitespace)
    return try call.about("patient") {
      do {
        return try .json(["id": call.perform(IdentifyPatient(reference: words)).id])
      } catch let error as PracticeError where error.code == .notFound {
        guard try !call.perform(ReadAuditLog(patient: words, limit: 1)).isEmpty else { throw error }
        return try .json(["id": words])
      }
    }
  }

  private static let verification = Route(
    "GET", "/audit/verification", .api, .reading, "Whether the audit log is what was written: reads all of it.",
    answer: .object(["ok": .boolean, "entries": .integer, "keyed": .boolean], optional: ["problem": .string()])
  ) { call in try .json(call.perform(VerifyAudit())) }
}

extension AuditRoutes {
  fileprivate static let daysShape = Schema.object([:], optional: ["days": .integer])

  fileprivate static let days = Route(
    "PATCH", "/audit/days", .api, .writing,
    "How many days the content of accesses is kept, \(ShowAccessDays.least) at least; null for as long as the practice file is.",
    body: daysShape, answer: daysShape
  ) { call in
    let fields = try Fields(call, known: ["days"])
    let days = try fields.integer("days", in: 1...100_000)
    try call.about("days") { try call.perform(KeepAccesses(days: days)) }
    return try .json(["days": days])
  }

  fileprivate static let compact = Route(
    "POST", "/audit/compaction", .api, .writing,
    "Takes the content of accesses out that are older than is to be kept; the chain stays one.", body: .object([:]),
    answer: .object(["entries": .integer])
  ) { call in
    _ = try Fields(call, known: [])
    return try .json(["entries": call.perform(CompactAudit())])
  }
}

/// A page of the audit log, as an address asks for it.
struct AuditPage: Encodable {
  let entries: [AuditLine]
  /// Where the next page begins; nil at the end.
  let next_before: Int64?

  /// What an address asks for.
  struct Filter {
    let patient: String?
    let user: String?
    let since: String?
    let accessOnly: Bool

    init(_ request: Request) {
      func words(_ name: String) -> String? {
        let text = (request.parameter(name) ?? "").trimming(while: \.isWhitespace)
        return text.isEmpty ? nil : String(text.prefix(200))
      }
      patient = words("patient")
      user = words("user")
      since = words("since")
      accessOnly = request.parameter("access") == "1"
    }
  }

  init(_ call: Call, standardLimit: Int = 50) throws {
    let filter = Filter(call.request)
    let since = try filter.since.map { text -> Timestamp in
      guard let date = CalendarDate(iso: text) else {
        throw ErrorBody(400, "invalid_field", "'since' is no day", hint: "Write 2026-11-23.", field: "since")
      }
      return call.zone.interval(of: date).lowerBound
    }
    func number(_ name: String, _ range: ClosedRange<Int>) throws -> Int? {
      guard let text = call.request.parameter(name), !text.isEmpty else { return nil }
      guard let number = Int(text), range.contains(number) else {
        throw ErrorBody(400, "invalid_field", "'\(name)' is no number that can be meant", field: name)
      }
      return number
    }
    let limit = try number("limit", 1...500) ?? standardLimit
    let before = try number("before", 1...Int.max)
    // One more than is shown says whether there is a next page.
    let found = try call.about("patient") {
      try call.perform(
        ReadAuditLog(
          patient: filter.patient, user: filter.user, since: since, accessOnly: filter.accessOnly, limit: limit + 1,
          before: before.map(Int64.init)))
    }
    entries = Array(found.prefix(limit))
    next_before = found.count > limit ? entries.last?.sequence : nil
  }
}
