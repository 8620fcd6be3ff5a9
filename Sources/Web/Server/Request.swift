/// What somebody asks for: path and query decoded, headers as they came.
struct Request: Sendable {
  let method: String
  /// The path's segments, percent-decoded: `/patient/P%201` is `["patient", "P 1"]`; empty for `/`.
  let path: [String]
  let query: [(name: String, value: String)]
  /// Names in lower case, in the order in which they came.
  let headers: [(name: String, value: String)]
  var body: [UInt8] = []
  /// The address it came from; empty where that isn't known.
  var peer = ""
  /// Who signed in to the group whose practice it is for, as the server of many practices found; never what a header says.
  var entry: GroupEntry?

  /// The value of a header that stands once; nil where it is missing or stands several times.
  func header(_ name: String) -> String? {
    let found = headers.filter { $0.name == name }
    return found.count == 1 ? found[0].value : nil
  }

  func parameter(_ name: String) -> String? { query.first { $0.name == name }?.value }

  /// Whether a page asks for it by itself, and nobody did anything for it.
  var isUnattended: Bool { header("x-vetnet-unattended") != nil || path == ["api", "v1", "events"] }

  /// Whether it can only read.
  var isReading: Bool { method == "GET" || method == "HEAD" }
}

/// A request's target, `/day/2026-11-26?part=grid`, taken apart. The library hands out paths decoded and cut at a zero byte, so
/// that this reads the target as it was sent.
struct RequestTarget {
  let path: [String]
  let query: [(name: String, value: String)]

  /// Nil for what no page has: broken escapes, bytes that are no UTF-8, control characters, `..`, slashes within a segment.
  init?(_ target: String) {
    let bytes = Array(target.utf8)
    guard bytes.first == UInt8(ascii: "/"), bytes.count <= Limits.target else { return nil }
    let mark = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.count
    var path: [String] = []
    if mark > 1 {
      for part in bytes[1..<mark].split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
        guard let segment = Self.decoded(part, plusIsSpace: false), segment != ".", segment != "..",
          !segment.contains("/"), !segment.contains("\\")
        else { return nil }
        path.append(segment)
      }
    }
    var query: [(name: String, value: String)] = []
    for part in bytes[min(mark + 1, bytes.count)...].split(separator: UInt8(ascii: "&")) {
      let equals = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
      guard let name = Self.decoded(part[..<equals], plusIsSpace: true),
        let value = Self.decoded(part[min(equals + 1, part.endIndex)...], plusIsSpace: true)
      else { return nil }
      query.append((name, value))
    }
    self.path = path
    self.query = query
  }

  private static func decoded(_ bytes: ArraySlice<UInt8>, plusIsSpace: Bool) -> String? {
    var result: [UInt8] = []
    var index = bytes.startIndex
    while index < bytes.endIndex {
      var byte = bytes[index]
      index += 1
      if byte == UInt8(ascii: "%") {
        guard index + 1 < bytes.endIndex, let high = digit(bytes[index]), let low = digit(bytes[index + 1]) else {
          return nil
        }
        byte = high * 16 + low
        index += 2
      } else if plusIsSpace, byte == UInt8(ascii: "+") {
        byte = UInt8(ascii: " ")
      }
      guard byte >= 0x20, byte != 0x7F else { return nil }
      result.append(byte)
    }
    return String(validating: result, as: UTF8.self)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

/// What a request may ask of the server.
enum Limits {
  /// Bytes of a target.
  static let target = 8192
  /// Bytes of a body: far above any note or intake.
  static let body = 1 << 20
  /// Bytes of a file to import, of which so many may be on their way at once, for so many seconds each.
  static let upload = 32 << 20
  static let uploads = 2
  static let uploadSeconds = 300.0
  /// Seconds for a request to arrive, and for an answer to be taken, whole.
  static let arrivalSeconds = 15.0
  static let departureSeconds = 60.0
  /// Seconds in which nothing at all happens on a connection.
  static let idleSeconds = 30
  static let connections = 2000
  /// Requests that wait to be worked on.
  static let waiting = 1000
  /// Bytes of events that a reader may lie behind.
  static let unreadEvents = 256 << 10
}
