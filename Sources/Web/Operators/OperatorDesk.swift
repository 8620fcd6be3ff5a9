import Clinical
import Synchronization
import VetNet

/// What whoever runs a server has settled.
public struct OperatorSettings: Sendable {
  /// What lets a program read `/metrics`; without one there are none.
  public var metrics: MetricsToken?
  public var log: RequestLog?
  /// Whether figures and lines say which practice, by its name in addresses.
  public var namesPractices = false
  public var proxy: TrustedProxy?

  public init() {}
}

/// What stands before a server's pages: whether it lives and takes work, its figures, and a line for each request.
final class OperatorDesk: Sendable {
  typealias Reply = @Sendable (Response) -> Void

  private enum Phase { case starting, serving, draining }

  private let settings: OperatorSettings
  private let clock: @Sendable () -> Timestamp
  private let beganAt: Timestamp
  /// The practice file, or the folder of several.
  private let path: String
  /// Whether there is such a practice: no other name comes into figures and lines.
  private let knows: @Sendable (String) -> Bool
  private let patterns = RoutePatterns()
  private let meter = RequestMeter()
  private let phase = Mutex(Phase.starting)

  init(
    _ settings: OperatorSettings, path: String, knows: @escaping @Sendable (String) -> Bool = { _ in false },
    clock: @escaping @Sendable () -> Timestamp
  ) {
    self.settings = settings
    self.path = path
    self.knows = knows
    self.clock = clock
    beganAt = clock()
  }

  func beginServing() { phase.withLock { $0 = .serving } }

  /// From now on it says that it takes no more, and takes it all the same, until whoever sends work has heard.
  func beginDraining() { phase.withLock { $0 = .draining } }

  private var isReady: Bool { phase.withLock { $0 == .serving } && FileStanding.canWrite(path) }

  /// Answers what is the operators', and has `next` answer the rest, whose answers are counted.
  /// What the server holds and does now is asked of `standing`.
  func receive(
    _ request: Request, standing: @Sendable () -> ServerStanding, _ reply: @escaping Reply,
    next: (Request, @escaping Reply) -> Void
  ) {
    // Balancers ask by whatever name or address they know: what they are told is no secret.
    switch request.path {
    case ["readyz"] where request.isReading:
      return reply(
        Self.plain(isReady ? .text("ready") : .text("not ready", status: 503)))
    case ["healthz"] where request.isReading: return reply(Self.plain(.text("ok")))
    case ["metrics"] where request.isReading && settings.metrics != nil:
      return reply(Self.plain(metrics(request, standing)))
    default: break
    }
    let began = MonotonicClock.seconds
    let request = settings.proxy?.believed(request) ?? request
    let (path, method) = (request.path, request.method)
    next(request) { [self] response in
      reply(response)
      note(path, method, response, seconds: MonotonicClock.seconds - began)
    }
  }

  private func metrics(_ request: Request, _ standing: () -> ServerStanding) -> Response {
    guard settings.metrics?.isShown(by: request) == true else {
      return ErrorBody(401, "not_permitted", "the figures are for whoever has the token").response
    }
    var now = standing()
    now.isReady = isReady
    let page = MetricsPage(
      counts: meter.counts, standing: now, beganAt: beganAt.seconds, droppedLines: settings.log?.dropped ?? 0)
    return Response(200, type: MetricsPage.type, Array(page.text.utf8))
  }

  private static func plain(_ response: Response) -> Response {
    var response = response
    response.headers += Guard.headers + [("Cache-Control", "no-store")]
    return response
  }

  private func note(_ path: [String], _ method: String, _ response: Response, seconds: Double) {
    let route = patterns.pattern(of: path)
    // What isn't a method of ours could be anything, and so could what isn't a practice.
    let method = RoutePatterns.methods.contains(method) ? method : RoutePatterns.other
    let practice = settings.namesPractices ? RoutePatterns.practice(in: path).flatMap { knows($0) ? $0 : nil } : nil
    var bytes: Int?
    if case .bytes(let body) = response.body { bytes = body.count }
    meter.add(
      .init(route: route, method: method, status: response.status, practice: practice), seconds: seconds,
      bytes: bytes ?? 0)
    settings.log?.add(
      RequestLog.Line(
        time: PracticeTimeZone.utc.iso8601(clock()), method: method, route: route, status: response.status,
        ms: (seconds * 1_000_000).rounded() / 1000, bytes: bytes, practice: practice))
  }
}
