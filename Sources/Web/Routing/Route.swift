import Clinical
import VetNet

/// Something that can be asked for, as data: the same table routes, is documented, and is checked against what is answered.
struct Route: Sendable {
  enum Kind: Sendable {
    /// JSON under `/api/v1`, documented.
    case api
    /// A page, or a piece of one.
    case page
    /// Anything else.
    case plain
  }

  /// Who may ask for it.
  enum Access: Sendable {
    /// Whoever is signed in; the practice says what their role may.
    case session
    /// As ``session``, and asked for by pages by themselves: nobody's session goes on by that.
    case unattended
    /// A browser that shows its secret, whoever is signed in there or not.
    case browser
    /// Whoever signs in by it.
    case signIn
    /// Whoever is signed in, and is no more then.
    case signOut
    /// Whoever is signed in and shows the passphrase so far.
    case passphrase
    /// A machine that takes part, which signs each request, and acts as its user.
    case device
    /// A machine that nobody knows yet.
    case stranger
  }

  /// What stands in the path or the query.
  struct Parameter: Sendable {
    let name: String
    let meaning: String
    var isRequired = false
    var isHeader = false
  }

  let method: String
  /// `/appointments/{id}`, behind `/api/v1` for the API.
  let pattern: String
  let segments: [String]
  let kind: Kind
  let access: Access
  /// What a page needs to be of any use, where what it shows at first doesn't ask for that.
  let needs: Permission?
  let lane: WorkerPool.Lane
  let summary: String
  var parameters: [Parameter] = []
  var body: Schema?
  var answer: Schema = .any
  var status = 200
  /// Long work that comes before and changes nothing, on a reading thread: what it makes is the call's ``Call/made``.
  let before: (@Sendable (Call) throws -> any Sendable)?
  let handle: @Sendable (Call) throws -> Response

  init(
    _ method: String, _ pattern: String, _ kind: Kind, _ lane: WorkerPool.Lane = .reading, _ summary: String = "",
    access: Access = .session, needs: Permission? = nil, parameters: [Parameter] = [], body: Schema? = nil,
    answer: Schema = .any,
    status: Int = 200, before: (@Sendable (Call) throws -> any Sendable)? = nil,
    handle: @escaping @Sendable (Call) throws -> Response
  ) {
    self.method = method
    self.pattern = (kind == .api ? "/api/v1" : "") + pattern
    segments = self.pattern.split(separator: "/").map(String.init)
    self.kind = kind
    self.access = access
    self.needs = needs
    self.lane = lane
    self.summary = summary
    self.parameters = parameters
    self.body = body
    self.answer = answer
    self.status = status
    self.before = before
    self.handle = handle
  }

  /// What the path says of this route's names; nil where it is another's.
  func match(_ path: [String]) -> [String: String]? {
    guard path.count == segments.count else { return nil }
    var values: [String: String] = [:]
    for (segment, value) in zip(segments, path) {
      if segment.hasPrefix("{") {
        guard !value.isEmpty else { return nil }
        values[String(segment.dropFirst().dropLast())] = value
      } else if segment != value {
        return nil
      }
    }
    return values
  }
}

/// A request on the thread that works on it, with the practice.
struct Call {
  let request: Request
  let values: [String: String]
  let session: WebSession
  let practice: Practice
  let now: Timestamp
  let site: Site
  let jobs: JobRunner
  let ceremonies: Ceremonies
  let presence: PresenceBoard
  /// By ``Route/before``.
  var made: (any Sendable)?

  var zone: PracticeTimeZone { practice.timeZone }
  var today: CalendarDate { zone.date(of: now) }

  /// Does an operation as whoever is logged in.
  @discardableResult
  func perform<Wanted: VetNet.Operation>(_ operation: Wanted) throws -> Wanted.Outcome {
    try practice.perform(operation, by: session.actor, at: now)
  }

  static let keyHeader = "idempotency-key"

  /// Does an operation once for all requests with this one's key, and answers them alike; `answer` makes what is answered, and must
  /// perform nothing. A header that says more than the body does is named by `alsoSaid`.
  func once<Wanted: VetNet.Operation>(
    _ operation: Wanted, alsoSaid header: String? = nil, _ answer: (Wanted.Outcome, AnswerContext) throws -> Response
  ) throws -> Response {
    var mark: RequestMark?
    if let key = request.header(Self.keyHeader), !key.isEmpty {
      guard key.utf8.count <= 200 else {
        throw ErrorBody(400, "invalid_field", "an idempotency key has 200 bytes at most", field: "Idempotency-Key")
      }
      mark = RequestMark(
        key: key, purpose: "\(request.method) \(Link.target(request))", by: session.actor,
        asking: request.body + (header.flatMap { request.header($0) }.map { Array($0.utf8) } ?? []))
    }
    let kept = try practice.perform(operation, by: session.actor, at: now, as: mark) { outcome, context in
      let response = try answer(outcome, context)
      guard case .bytes(let body) = response.body else { throw ErrorBody(500, "failed", "a stream can't be kept") }
      return KeptAnswer(
        status: response.status, headers: Dictionary(response.headers.map { ($0.name, $0.value) }) { $1 }, body: body)
    }
    var response = Response(kept.status, type: "application/json", kept.body)
    response.headers = kept.headers.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    return response
  }

  /// Whether lines of JSON are asked for, which are sent as they are found.
  var wantsLines: Bool { request.header("accept")?.hasPrefix(Pieces.linesType) == true }

  /// What an operation gives, or nil where whoever is logged in may not have it.
  func permitted<Wanted: VetNet.Operation>(_ operation: Wanted) throws -> Wanted.Outcome? {
    do {
      return try perform(operation)
    } catch let error as PracticeError where error.code == .notPermitted {
      return nil
    }
  }

  func value(_ name: String) -> String { values[name] ?? "" }

  /// The day that the path names; `today` and `tomorrow` too.
  func date(_ name: String = "date") throws -> CalendarDate {
    switch value(name) {
    case "today": return today
    case "tomorrow": return today.adding(days: 1)
    default:
      guard let date = CalendarDate(iso: value(name)) else {
        throw ErrorBody(
          404, "not_found", "'\(value(name).prefix(40))' is not a date", hint: "Write 2026-11-23.", field: name)
      }
      return date
    }
  }
}

/// What all pages share.
struct Site: Sendable {
  let practiceName: String
  let isDemo: Bool
  /// What the addresses of its pages begin with: `https://desk.practice.lan`.
  let origin: String
  /// Nil for a practice that is served alone.
  var place: GroupPlace?
}
