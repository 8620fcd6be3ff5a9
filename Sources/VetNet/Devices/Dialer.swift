import CSandbox
import Glibc
import Synchronization

/// Connections to one server and to nobody else.
///
/// The server's name is looked up once, when this is made, and a child that knows the addresses connects to them whenever it is
/// asked to. So whoever asks can have given up sockets for good: ``Confinement`` takes them from the commands that sync.
public final class Dialer: Sendable {
  /// Names by which the server goes.
  public let urls: [HubURL]
  private let gate: Int32

  /// Seconds that each address is given to answer.
  private static let patience: Int32 = 10

  /// - Parameter urls: as somebody named them; the first that is found is tried first.
  /// - Throws: ``PracticeError`` where none of the names is known, or the child can't be started.
  public init(_ urls: [HubURL]) throws {
    var addresses: [vetnet_address] = []
    for url in urls { addresses += Self.addresses(of: url) }
    addresses = Array(addresses.prefix(Int(VETNET_MOST_ADDRESSES)))
    guard !addresses.isEmpty else {
      throw PracticeError(
        .failed, "no machine is known as \(urls.map(\.host).joined(separator: " or "))",
        hint: "Maybe it is switched off or in another network; nothing is lost, sync later.")
    }
    gate = vetnet_start_dialer(addresses, Int32(addresses.count), Self.patience)
    guard gate >= 0 else {
      throw PracticeError(.failed, "can't start what connects: \(String(cString: strerror(errno)))")
    }
    self.urls = urls
  }

  deinit { close(gate) }

  /// A connection, whose owner the caller is; -1 with the reason in `errno`.
  func dial() -> Int32 { vetnet_dial(gate) }

  private static func addresses(of url: HubURL) -> [vetnet_address] {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(url.host, String(url.port), &hints, &list) == 0 else { return [] }
    defer { freeaddrinfo(list) }
    var found: [vetnet_address] = []
    for entry in sequence(first: list, next: { $0?.pointee.ai_next }) {
      guard let info = entry?.pointee, let source = info.ai_addr else { break }
      var address = vetnet_address()
      let size = Int(info.ai_addrlen)
      guard size <= MemoryLayout.size(ofValue: address.bytes) else { continue }
      withUnsafeMutableBytes(of: &address.bytes) {
        $0.copyMemory(from: UnsafeRawBufferPointer(start: source, count: size))
      }
      address.size = UInt32(size)
      found.append(address)
    }
    return found
  }

  // MARK: For a process that gave up sockets

  private static let held = Mutex<Result<Dialer, PracticeError>?>(nil)

  /// Made while there are sockets, for what the command does later.
  static func hold(_ urls: [HubURL]) {
    let made: Result<Dialer, PracticeError>
    do {
      made = .success(try Dialer(urls))
    } catch {
      made = .failure((error as? PracticeError) ?? PracticeError(.failed, "\(error)"))
    }
    held.withLock { $0 = made }
  }

  /// What reaches a server: what was made when the command began, if that is for the same one, or one that is made now.
  ///
  /// - Throws: ``PracticeError`` as ``init(_:)``.
  public static func reaching(_ urls: [HubURL]) throws -> Dialer {
    if let held = held.withLock({ $0 }) {
      let dialer = try held.get()
      if dialer.urls == urls { return dialer }
    }
    return try Dialer(urls)
  }
}
