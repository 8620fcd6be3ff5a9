import CCurl
import Glibc

/// Requests to one server, over TLS, by libcurl.
///
/// It is told by what the server's key is recognised and asks nobody else: no authority, no proxy, no name server, no other address
/// that an answer may name. What comes back is bounded.
final class HubClient {
  struct Answer {
    let status: Int
    /// The last of each name, in lower case.
    let headers: [String: String]
    let body: [UInt8]
  }

  /// Why there is no answer.
  struct Failure: Error {
    let code: Int32
    /// In the library's words.
    let words: String
    /// Of the connection that could not be made; 0 where it could.
    let systemError: Int32

    var isWrongKey: Bool { code == Int32(VETNET_CURL_PIN_DIFFERS) }
    /// More came than was wanted.
    var isTooLarge: Bool { code == Int32(VETNET_CURL_WRITE_ERROR) }
  }

  let url: HubURL
  private let dialer: Dialer
  private var library: vetnet_curl
  private let handle: UnsafeMutableRawPointer
  private let arriving = Arriving()

  /// Seconds in which less than a byte a second arrives or leaves, after which a request is given up; a server may take its time to think.
  private static let patience = 120

  /// What the library's callbacks fill; it belongs to the client's thread.
  private final class Arriving {
    var body: [UInt8] = []
    var headers: [String: String] = [:]
    var limit = 0
    var dialer: Dialer?
    var systemError: Int32 = 0

    /// As many bytes as were announced; what comes in chunks says itself where it ends.
    var isWhole: Bool {
      headers["transfer-encoding"] != nil || headers["content-length"].flatMap { Int($0) } == body.count
    }
  }

  /// - Parameters:
  ///   - hub: where the server is, and its key's pin.
  ///   - dialer: what connects to it.
  /// - Throws: ``PracticeError`` where libcurl isn't installed, or it isn't known by what to recognise the server.
  init(_ hub: HubAddress, _ dialer: Dialer) throws {
    guard let text = hub.urls.first else { throw PracticeError(.invalidArgument, "no server is named") }
    url = try HubURL(text, pin: hub.pin)
    guard !url.isSecure || hub.pin != nil else {
      throw PracticeError(
        .invalidArgument, "it isn't known by what the server at \(url) is recognised",
        hint: "Maybe ask for an invitation: vetnet device enroll NAME, where the practice is served.")
    }
    guard let library = Self.loaded, let handle = library.easy_init() else {
      throw PracticeError(
        .failed, "to sync over a network libcurl is needed, which isn't installed, or can't be loaded",
        hint: "Maybe run: apt-get install libcurl4. A folder or stick needs none: vetnet sync --with DIR.")
    }
    self.dialer = dialer
    self.library = library
    self.handle = handle
    arriving.dialer = dialer
    configure(pin: hub.pin)
  }

  deinit {
    library.easy_cleanup(handle)
    library.list_free(connectTo)
  }

  /// Addresses of functions, which every thread may call; nil where the library isn't installed.
  nonisolated(unsafe) private static let loaded: vetnet_curl? = {
    let room = UnsafeMutablePointer<vetnet_curl>.allocate(capacity: 1)
    defer { room.deallocate() }
    return vetnet_curl_load(room) ? room.pointee : nil
  }()

  private func set(_ option: some BinaryInteger, _ value: Int) {
    let result = vetnet_curl_set_number(&library, handle, Int32(option), value)
    precondition(result == VETNET_CURL_OK, "libcurl refused the option \(option)")
  }

  /// The library copies what it is given.
  private func set(_ option: some BinaryInteger, _ text: String) {
    let result = vetnet_curl_set_pointer(&library, handle, Int32(option), text)
    precondition(result == VETNET_CURL_OK, "libcurl refused the option \(option)")
  }

  private func configure(pin: String?) {
    set(VETNET_CURL_NOSIGNAL, 1)
    set(VETNET_CURL_PROTOCOLS, Int(url.isSecure ? VETNET_CURL_HTTPS : VETNET_CURL_HTTP))
    set(VETNET_CURL_FOLLOWLOCATION, 0)
    set(VETNET_CURL_PROXY, "")
    set(VETNET_CURL_NOPROXY, "*")
    set(VETNET_CURL_HTTP_VERSION, Int(VETNET_CURL_HTTP_1_1))
    set(VETNET_CURL_CONNECTTIMEOUT, 30)
    set(VETNET_CURL_LOW_SPEED_LIMIT, 1)
    set(VETNET_CURL_LOW_SPEED_TIME, Self.patience)
    set(VETNET_CURL_SSLVERSION, Int(VETNET_CURL_TLS_1_2))
    if let pin {
      // The key alone says who it is: a practice's server has a certificate of its own making, for a name of its own network.
      set(VETNET_CURL_SSL_VERIFYPEER, 0)
      set(VETNET_CURL_SSL_VERIFYHOST, 0)
      set(VETNET_CURL_PINNEDPUBLICKEY, "sha256//\(pin)")
    }
    let context = Unmanaged.passUnretained(arriving).toOpaque()
    for option in [VETNET_CURL_WRITEDATA, VETNET_CURL_HEADERDATA, VETNET_CURL_OPENSOCKETDATA, VETNET_CURL_SOCKOPTDATA] {
      _ = vetnet_curl_set_pointer(&library, handle, Int32(option), context)
    }
    _ = vetnet_curl_set_take(&library, handle, Int32(VETNET_CURL_WRITEFUNCTION)) { bytes, size, count, context in
      guard let context else { return 0 }
      let arriving = Unmanaged<Arriving>.fromOpaque(context).takeUnretainedValue()
      guard arriving.body.count + size * count <= arriving.limit else { return 0 }
      arriving.body.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: size * count))
      return size * count
    }
    _ = vetnet_curl_set_take(&library, handle, Int32(VETNET_CURL_HEADERFUNCTION)) { bytes, size, count, context in
      guard let context else { return 0 }
      let arriving = Unmanaged<Arriving>.fromOpaque(context).takeUnretainedValue()
      let line = String(decoding: UnsafeRawBufferPointer(start: bytes, count: size * count), as: UTF8.self)
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, arriving.headers.count < 100 else { return size * count }
      arriving.headers[parts[0].lowercased()] = String(parts[1].drop { $0 == " " }.prefix { !$0.isNewline })
      return size * count
    }
    _ = vetnet_curl_set_open(&library, handle) { context, _, _ in
      guard let context else { return -1 }
      let arriving = Unmanaged<Arriving>.fromOpaque(context).takeUnretainedValue()
      let socket = arriving.dialer?.dial() ?? -1
      arriving.systemError = socket < 0 ? errno : 0
      return socket
    } _: { _, _, _ in
      Int32(VETNET_CURL_CONNECTED)
    }
    // Whatever is named, the connection is the dialer's: a number in place of the name keeps the library from looking it up.
    guard let list = library.list_append(nil, "::127.0.0.1:\(url.port)") else { return }
    connectTo = list
    _ = vetnet_curl_set_pointer(&library, handle, Int32(VETNET_CURL_CONNECT_TO), list)
  }

  private var connectTo: UnsafeMutableRawPointer?

  /// Sends one request and waits for its answer.
  ///
  /// - Parameters:
  ///   - target: a path, with what stands behind its question mark.
  ///   - body: JSON; nil to read only.
  ///   - headers: beside those that every request has.
  ///   - limit: as many bytes as an answer may have.
  /// - Returns: whatever the server answered, errors of its own included.
  /// - Throws: ``Failure`` where there is no whole answer.
  func send(
    _ target: String, _ body: [UInt8]?, headers: [(name: String, value: String)] = [], limit: Int
  ) throws -> Answer {
    arriving.body = []
    arriving.headers = [:]
    arriving.limit = limit
    arriving.systemError = 0
    set(VETNET_CURL_URL, url.description + target)
    var list: UnsafeMutableRawPointer?
    // Without "Expect" a body goes at once, instead of after an answer that isn't given.
    let common = ["Expect:", "Accept: application/json", "Origin: \(url.origin)", "Content-Type: application/json"]
    for line in common + headers.map({ "\($0.name): \($0.value)" }) { list = library.list_append(list, line) }
    defer { library.list_free(list) }
    _ = vetnet_curl_set_pointer(&library, handle, Int32(VETNET_CURL_HTTPHEADER), list)
    var words = [CChar](repeating: 0, count: Int(VETNET_CURL_ERROR_SIZE))
    let result = words.withUnsafeMutableBufferPointer { words in
      _ = vetnet_curl_set_pointer(&library, handle, Int32(VETNET_CURL_ERRORBUFFER), words.baseAddress)
      return perform(body)
    }
    _ = vetnet_curl_set_pointer(&library, handle, Int32(VETNET_CURL_ERRORBUFFER), nil)
    _ = vetnet_curl_set_pointer(&library, handle, Int32(VETNET_CURL_HTTPHEADER), nil)
    guard result == Int32(VETNET_CURL_OK) else {
      throw Failure(
        code: result, words: String(decoding: words.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self),
        systemError: arriving.systemError)
    }
    // The library takes a connection that ends among the headers for an answer without a body.
    guard arriving.isWhole else {
      throw Failure(code: Int32(VETNET_CURL_PARTIAL), words: "the answer broke off", systemError: 0)
    }
    return Answer(
      status: vetnet_curl_status(&library, handle), headers: arriving.headers, body: arriving.body)
  }

  private func perform(_ body: [UInt8]?) -> Int32 {
    guard let body else {
      set(VETNET_CURL_HTTPGET, 1)
      return library.easy_perform(handle)
    }
    return body.withUnsafeBytes { bytes in
      // Null would mean that the body is read from elsewhere.
      let start = bytes.baseAddress ?? UnsafeRawPointer(Unmanaged.passUnretained(arriving).toOpaque())
      _ = vetnet_curl_set_pointer(&library, handle, Int32(VETNET_CURL_POSTFIELDS), start)
      set(VETNET_CURL_POSTFIELDSIZE, bytes.count)
      return library.easy_perform(handle)
    }
  }
}
