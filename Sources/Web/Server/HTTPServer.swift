import CMicroHTTPD
import Glibc
import Synchronization
import VetNet

/// The listening side: takes requests whole, has them worked on elsewhere, and sends what is answered.
///
/// libmicrohttpd's own threads never work: a request that has arrived is suspended, and resumed when its answer is there.
/// Safe to share: nothing of it changes once it listens, and the library's calls that are made here may come from any thread.
final class HTTPServer: @unchecked Sendable {
  /// Is given each request with what to answer it by, once; from the library's threads, so that it must not take long.
  typealias Receiver = @Sendable (Request, @escaping @Sendable (Response) -> Void) -> Void
  typealias Admission = @Sendable (Request) -> Bool

  let address: ListenAddress
  /// What was bound, where the address left it open.
  let port: Int
  private let library: vetnet_httpd
  private let daemon: OpaquePointer
  private let core: Core
  private let reaper: PlatformThread
  /// The library points into it as long as it runs.
  private let certificate: ServerCertificate?

  /// What the library's callbacks work with: constants, and what guards itself.
  final class Core: @unchecked Sendable {
    let library: vetnet_httpd
    let receive: Receiver
    /// Ends every stream of events, with what is said last.
    let endStreams: @Sendable () -> Void
    let connections: ConnectionTable
    let inFlight = Monitor(0)
    let isStopping = Mutex(false)
    /// Answers that are sent while they are made.
    let flows = Monitor<[ObjectIdentifier: Outflow]>([:])
    /// Says by its headers whether a request may bring a file.
    let mayUpload: Admission
    /// Files that are on their way.
    let uploads = Mutex(0)

    init(
      library: vetnet_httpd, receive: @escaping Receiver, mayUpload: @escaping Admission,
      endStreams: @escaping @Sendable () -> Void, arrivalSeconds: Double
    ) {
      self.library = library
      self.receive = receive
      self.mayUpload = mayUpload
      connections = ConnectionTable(arrivalSeconds: arrivalSeconds)
      self.endStreams = endStreams
    }
  }

  /// - Throws: ``PracticeError`` where the library is missing, or the address can't be listened on.
  init(
    _ listening: Listening, endStreams: @escaping @Sendable () -> Void, mayUpload: @escaping Admission,
    receive: @escaping Receiver
  ) throws {
    guard let library = HTTPLibrary.loaded else {
      throw PracticeError(
        .failed, "libmicrohttpd is not installed, or can't be loaded",
        hint: "Maybe run: apt-get install libmicrohttpd12")
    }
    core = Core(
      library: library, receive: receive, mayUpload: mayUpload, endStreams: endStreams,
      arrivalSeconds: listening.arrivalSeconds)
    self.library = library
    let (address, certificate) = (listening.address, listening.certificate)
    self.address = address
    self.certificate = certificate
    // One descriptor a connection, beside the practice's own.
    var limit = rlimit()
    if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_cur < 8192 {
      limit.rlim_cur = min(8192, limit.rlim_max)
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
    let context = Unmanaged.passUnretained(core).toOpaque()
    let daemon = address.withSocketAddress { socketAddress -> OpaquePointer? in
      var options = Self.options(socketAddress, certificate, context: context)
      var flags =
        UInt32(MHD_USE_EPOLL.rawValue) | UInt32(MHD_USE_INTERNAL_POLLING_THREAD.rawValue)
        | UInt32(MHD_ALLOW_SUSPEND_RESUME.rawValue)
      if address.isIPv6 { flags |= UInt32(MHD_USE_IPv6.rawValue) }
      if certificate != nil { flags |= UInt32(MHD_USE_TLS.rawValue) }
      var table = library
      return vetnet_httpd_start(&table, flags, handleRequest, context, &options)
    }
    guard let daemon else {
      if certificate != nil, address.isFree {
        throw PracticeError(
          .failed, "the certificate and the key can't be used together",
          hint: "Both are PEM files; the certificate has to be made for this key.")
      }
      throw PracticeError(
        .failed, "can't listen on \(address.host):\(address.port)",
        hint: "Maybe another program does; name another with --listen 127.0.0.1:PORT, or :0 for any that is free.")
    }
    self.daemon = daemon
    var table = library
    port = Int(vetnet_httpd_port(&table, daemon))
    reaper = PlatformThread { [connections = core.connections] in connections.reap() }
  }

  private static func options(
    _ address: UnsafeMutableRawPointer, _ certificate: ServerCertificate?, context: UnsafeMutableRawPointer
  ) -> [MHD_OptionItem] {
    func item(_ option: MHD_OPTION, _ value: Int, _ pointer: UnsafeMutableRawPointer? = nil) -> MHD_OptionItem {
      MHD_OptionItem(option: option, value: value, ptr_value: pointer)
    }
    let completed: MHD_RequestCompletedCallback = requestIsOver
    let connection: MHD_NotifyConnectionCallback = connectionChanged
    let target:
      @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?)
        -> UnsafeMutableRawPointer? = requestBegins
    return [
      item(.SOCK_ADDR, 0, address),
      item(.THREAD_POOL_SIZE, 2),
      item(.CONNECTION_LIMIT, Limits.connections),
      item(.CONNECTION_TIMEOUT, Limits.idleSeconds),
      item(.STRICT_FOR_CLIENT, 1),
      item(.NOTIFY_COMPLETED, unsafeBitCast(completed, to: Int.self), context),
      item(.NOTIFY_CONNECTION, unsafeBitCast(connection, to: Int.self), context),
      item(.URI_LOG_CALLBACK, unsafeBitCast(target, to: Int.self), context),
    ]
      + (certificate.map {
        [
          item(.HTTPS_MEM_CERT, 0, $0.chain), item(.HTTPS_MEM_KEY, 0, $0.key),
          item(.HTTPS_PRIORITIES, 0, $0.priorities),
        ]
      } ?? []) + [item(.END, 0)]
  }

  /// Takes no more connections, ends the streams, lets what is under way be answered, and closes.
  ///
  /// - Parameter patience: how long what is under way may take, in seconds; streams of bytes get a quarter of it more. What takes longer
  ///   is answered while the process lasts.
  func stop(patience: Double = 20) {
    let listening = library.quiesce_daemon(daemon)
    // Connections that are kept open bring requests still; who is told of a stream's end asks at once.
    core.isStopping.withLock { $0 = true }
    core.endStreams()
    var isQuiet = core.inFlight.wait(seconds: patience) { $0 == 0 ? true : nil } != nil
    if !isQuiet {
      for flow in core.flows.withLock({ Array($0.values) }) { flow.end() }
      isQuiet = core.inFlight.wait(seconds: patience / 4) { $0 == 0 ? true : nil } != nil
    }
    core.connections.stop()
    reaper.join()
    if listening >= 0 { close(listening) }
    if isQuiet {
      library.stop_daemon(daemon)
    } else {
      // The library ends the process where it is stopped while a connection is suspended, so it goes on without listening, with
      // what its callbacks point into.
      Self.unfinished.withLock { $0.append(self) }
    }
  }

  /// Servers that were stopped while something was under way.
  private static let unfinished = Mutex<[HTTPServer]>([])
}

/// One request on its way. The library's thread of its connection fills it, and hands it over whole; from then on only ``phase``
/// changes, behind its lock.
private final class Exchange: @unchecked Sendable {
  enum Phase {
    case arriving
    case working
    case answered(Response)
    case sent
  }

  let target: String?
  var method = ""
  var headers: [(name: String, value: String)] = []
  var body: [UInt8] = []
  var peer = ""
  /// How many bytes of a body are taken.
  var limit = Limits.body
  var isUpload = false
  /// What is said instead of a limit to a file that isn't let in for other reasons than its size.
  var turnedAway: ErrorBody?
  var isTooLarge = false
  var isUnreadable = false
  var hasBegun = false
  let phase = Mutex(Phase.arriving)

  init(target: String?) {
    self.target = target
  }
}

/// A connection, for the threads that resume it, which the library allows to any thread as long as it is suspended.
private struct Connection: @unchecked Sendable {
  let pointer: OpaquePointer
}

private func core(_ context: UnsafeMutableRawPointer?) -> HTTPServer.Core? {
  context.map { Unmanaged<HTTPServer.Core>.fromOpaque($0).takeUnretainedValue() }
}

/// The target as it was sent, before the library decodes it.
private func requestBegins(
  _ context: UnsafeMutableRawPointer?, _ target: UnsafePointer<CChar>?, _ connection: OpaquePointer?
) -> UnsafeMutableRawPointer? {
  Unmanaged.passRetained(Exchange(target: target.flatMap { String(validatingCString: $0) })).toOpaque()
}

private func handleRequest(
  _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ url: UnsafePointer<CChar>?,
  _ method: UnsafePointer<CChar>?, _ version: UnsafePointer<CChar>?, _ data: UnsafePointer<CChar>?,
  _ size: UnsafeMutablePointer<Int>?, _ state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
  guard let core = core(context), let connection, let size, let held = state?.pointee else { return .NO }
  let exchange = Unmanaged<Exchange>.fromOpaque(held).takeUnretainedValue()
  guard exchange.hasBegun else {
    exchange.hasBegun = true
    exchange.method = method.flatMap { String(validatingCString: $0) } ?? ""
    _ = core.library.get_connection_values(connection, .HEADER_KIND, collectHeader, held)
    core.admitUpload(exchange, on: connection)
    return .YES
  }
  if size.pointee > 0 {
    if let data, !exchange.isTooLarge {
      if exchange.body.count + size.pointee > exchange.limit {
        exchange.isTooLarge = true
        exchange.body = []
      } else {
        exchange.body.append(contentsOf: UnsafeRawBufferPointer(start: data, count: size.pointee))
      }
    }
    size.pointee = 0
    return .YES
  }
  let answer = exchange.phase.withLock { phase -> Response?? in
    switch phase {
    case .arriving:
      phase = .working
      return .some(nil)
    case .answered(let response):
      phase = .sent
      return response
    case .working, .sent: return nil
    }
  }
  guard let answer else { return .YES }
  if let answer { return send(answer, on: connection, core, isHead: exchange.method == "HEAD") }
  core.inFlight.change { $0 += 1 }
  // Counted first: whoever stops the server waits for it, or has said before that nothing is taken any more.
  if core.isStopping.withLock({ $0 }) {
    core.inFlight.change { $0 -= 1 }
    return .NO
  }
  core.connections.set(connection, to: .working)
  exchange.peer = core.peer(of: connection)
  core.library.suspend_connection(connection)
  let resumed = Connection(pointer: connection)
  core.receiveWhole(exchange) { response in
    // What is still being written keeps its place until its connection leaves it, so that no stop comes in between.
    var isWhole = true
    if case .flow(let flow) = response.body {
      isWhole = false
      core.flows.change { $0[ObjectIdentifier(flow)] = flow }
      flow.onLeave { core.leave(flow) }
    }
    exchange.phase.withLock { $0 = .answered(response) }
    core.library.resume_connection(resumed.pointer)
    if isWhole { core.inFlight.change { $0 -= 1 } }
  }
  return .YES
}

extension HTTPServer.Core {
  /// Lets a request bring a file, where few others do and it comes from somebody who may.
  fileprivate func admitUpload(_ exchange: Exchange, on connection: OpaquePointer) {
    guard exchange.method == "POST", let target = exchange.target.flatMap({ RequestTarget($0) }) else { return }
    let path = MountPoint.inner(target.path)
    let takesChanges = Guard.takesChanges(path)
    guard Guard.takesFile(path) || takesChanges else { return }
    let request = Request(method: "POST", path: target.path, query: [], headers: exchange.headers)
    // Few changes are a request like any other.
    if takesChanges, let length = request.header("content-length").flatMap({ Int($0) }), length <= Limits.body {
      return
    }
    guard mayUpload(request) else {
      exchange.turnedAway = takesChanges ? DeviceDesk.oldNonce : Guard.stale
      return
    }
    exchange.isUpload = uploads.withLock { count in
      guard count < Limits.uploads else { return false }
      count += 1
      return true
    }
    guard exchange.isUpload else {
      exchange.turnedAway = ErrorBody(
        503, "busy", "\(Limits.uploads) files are on their way already", hint: "Try again in a moment.")
      return
    }
    exchange.limit = Limits.upload
    connections.set(connection, to: .uploading)
  }

  fileprivate func receiveWhole(_ exchange: Exchange, _ reply: @escaping @Sendable (Response) -> Void) {
    if exchange.isTooLarge {
      if let turnedAway = exchange.turnedAway { return reply(turnedAway.response) }
      return reply(ErrorBody(413, "too_large", "a request has \(exchange.limit) bytes at most").response)
    }
    guard !exchange.isUnreadable, let target = exchange.target.flatMap({ RequestTarget($0) }) else {
      return reply(ErrorBody(400, "bad_request", "the request's target or headers can't be read").response)
    }
    receive(
      Request(
        method: exchange.method, path: target.path, query: target.query, headers: exchange.headers, body: exchange.body,
        peer: exchange.peer),
      reply)
  }

  fileprivate func peer(of connection: OpaquePointer) -> String {
    var table = library
    return vetnet_httpd_peer(&table, connection).map(PeerAddress.text) ?? ""
  }
}

private func collectHeader(
  _ held: UnsafeMutableRawPointer?, _ kind: MHD_ValueKind, _ name: UnsafePointer<CChar>?, _ value: UnsafePointer<CChar>?
) -> MHD_Result {
  guard let held else { return .NO }
  let exchange = Unmanaged<Exchange>.fromOpaque(held).takeUnretainedValue()
  guard let name = name.flatMap({ String(validatingCString: $0) }) else {
    exchange.isUnreadable = true
    return .YES
  }
  guard let value = value.map({ String(validatingCString: $0) }) ?? "" else {
    exchange.isUnreadable = true
    return .YES
  }
  exchange.headers.append((name.lowercased(), value))
  return .YES
}

private func requestIsOver(
  _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
  _ state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ reason: MHD_RequestTerminationCode
) {
  guard let state, let held = state.pointee else { return }
  let exchange = Unmanaged<Exchange>.fromOpaque(held).takeRetainedValue()
  // Whoever went before it could be sent leaves nobody who would read on.
  if case .answered(let response) = exchange.phase.withLock({ $0 }), case .flow(let flow) = response.body {
    flow.leave()
  }
  if exchange.isUpload { core(context)?.uploads.withLock { $0 -= 1 } }
  state.pointee = nil
  if let connection { core(context)?.connections.set(connection, to: .arriving) }
}

private func connectionChanged(
  _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
  _ state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ code: MHD_ConnectionNotificationCode
) {
  guard let core = core(context), let connection else { return }
  if code == .CONNECTION_NOTIFY_STARTED {
    var table = core.library
    core.connections.add(connection, socket: vetnet_httpd_socket(&table, connection))
  } else {
    core.connections.remove(connection)
  }
}

private func send(
  _ response: Response, on connection: OpaquePointer, _ core: HTTPServer.Core, isHead: Bool
) -> MHD_Result {
  let library = core.library
  let made: OpaquePointer?
  switch response.body {
  case .bytes(let bytes):
    made = bytes.withUnsafeBytes {
      library.create_response_from_buffer(
        $0.count, UnsafeMutableRawPointer(mutating: $0.baseAddress), .RESPMEM_MUST_COPY)
    }
    core.connections.set(connection, to: .leaving)
  case .events(let place, let first, let owner):
    guard let hub = response.hub else { return .NO }
    let flow = Outflow(first: first, limit: Limits.unreadEvents)
    core.inFlight.change { $0 += 1 }
    flow.onLeave {
      hub.remove(flow)
      core.inFlight.change { $0 -= 1 }
    }
    made = core.response(flowing: flow, to: connection)
    if made != nil, !hub.add(flow, owner: owner, behind: place) { flow.end() }
    core.connections.set(connection, to: .streaming)
  case .flow(let flow):
    made = core.response(flowing: flow, to: connection)
    core.connections.set(connection, to: .streaming)
  case .pieces:
    // The workspace makes a flow of them.
    return .NO
  }
  guard let made else { return .NO }
  for header in response.headers { _ = library.add_response_header(made, header.name, header.value) }
  let result = library.queue_response(connection, UInt32(response.status), made)
  library.destroy_response(made)
  return result
}

extension HTTPServer.Core {
  fileprivate func leave(_ flow: Outflow) {
    flows.change { $0[ObjectIdentifier(flow)] = nil }
    inFlight.change { $0 -= 1 }
  }

  /// A response whose bytes come as they are written, without a length.
  fileprivate func response(flowing flow: Outflow, to connection: OpaquePointer) -> OpaquePointer? {
    let held = Connection(pointer: connection)
    flow.attach(
      Outflow.Line(
        suspend: { [self] in library.suspend_connection(held.pointer) },
        resume: { [self] in library.resume_connection(held.pointer) },
        // Making it takes its time; taking what is made has a limit.
        ends: { [self] in connections.set(held.pointer, to: .leaving) }))
    let retained = Unmanaged.passRetained(flow)
    let made = library.create_response_from_callback(UInt64.max, 16 << 10, readFlow, retained.toOpaque(), leaveFlow)
    if made == nil {
      flow.leave()
      retained.release()
    }
    return made
  }
}

private func readFlow(
  _ context: UnsafeMutableRawPointer?, _ position: UInt64, _ room: UnsafeMutablePointer<CChar>?, _ size: Int
) -> Int {
  guard let context, let room else { return -1 }
  let flow = Unmanaged<Outflow>.fromOpaque(context).takeUnretainedValue()
  // -1 is the end of a stream.
  return flow.read(into: UnsafeMutableRawBufferPointer(start: room, count: size)) ?? -1
}

private func leaveFlow(_ context: UnsafeMutableRawPointer?) {
  guard let context else { return }
  Unmanaged<Outflow>.fromOpaque(context).takeRetainedValue().leave()
}
