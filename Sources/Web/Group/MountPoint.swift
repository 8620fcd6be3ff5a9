/// Where the pages of one practice lie on a server of many: below `/p/NAME`.
///
/// A practice's own pages, scripts and routes know nothing of it: they write `/day/today`. What goes out is put below the base here, and
/// scripts do the same with what they ask for. An address that begins with `/./` is the server's and no practice's.
struct MountPoint: Sendable, Hashable {
  /// As it stands in addresses.
  let name: String
  /// `/p/NAME`.
  let base: String

  static let segment = "p"

  init(name: String) {
    self.name = name
    base = "/\(Self.segment)/\(name)"
  }

  /// Names that can be a segment of an address, a part of a cookie's name and a label as they are.
  static func isName(_ text: String) -> Bool {
    guard (1...63).contains(text.utf8.count), let first = text.utf8.first, Self.isAlphanumeric(first) else {
      return false
    }
    return text.utf8.allSatisfy { isAlphanumeric($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }

  /// The path within a practice, whichever it is; the path itself where it is none of a practice.
  static func inner(_ path: [String]) -> [String] {
    path.count >= 2 && path[0] == segment ? Array(path.dropFirst(2)) : path
  }

  /// An address as browsers write it.
  func address(_ path: String) -> String {
    guard path.hasPrefix("/"), !path.hasPrefix("//") else { return path }
    return path.hasPrefix("/./") ? String(path.dropFirst(2)) : base + path
  }

  /// What is answered, with the addresses of links, forms, pictures, scripts and of where to go on.
  func response(_ response: Response) -> Response {
    var response = response
    for index in response.headers.indices where response.headers[index].name == "Location" {
      response.headers[index].value = address(response.headers[index].value)
    }
    if case .bytes(let bytes) = response.body, Self.isMarkup(response) { response.body = .bytes(markup(bytes)) }
    return response
  }

  static func isMarkup(_ response: Response) -> Bool {
    response.headers.contains { $0.name == "Content-Type" && $0.value.hasPrefix("text/html") }
  }

  /// What is sent piece by piece.
  func pieces(_ pieces: Pieces) -> Pieces {
    guard pieces.type.hasPrefix("text/html") else { return pieces }
    return Pieces(
      type: pieces.type, first: markup(pieces.first), last: markup(pieces.last), problem: pieces.problem,
      rest: { call, send in try pieces.rest(call) { try send(markup($0)) } })
  }

  private static let attributes = [" href", " src", " action"].map { Array($0.utf8) }

  /// Markup of ``HTML``: no text in it holds a quotation mark as it is, so that `href="/` begins an address and nothing else does.
  func markup(_ bytes: [UInt8]) -> [UInt8] {
    let (quote, slash, equals, dot) = (UInt8(ascii: "\""), UInt8(ascii: "/"), UInt8(ascii: "="), UInt8(ascii: "."))
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + bytes.count / 16)
    let prefix = Array(base.utf8)
    var taken = 0
    var index = 2
    while index < bytes.count {
      defer { index += 1 }
      guard bytes[index] == slash, bytes[index - 1] == quote, bytes[index - 2] == equals,
        Self.attributes.contains(where: { bytes[..<(index - 2)].suffix($0.count).elementsEqual($0) })
      else { continue }
      let next = index + 1 < bytes.count ? bytes[index + 1] : 0
      if next == slash { continue }
      result += bytes[taken..<index]
      if next == dot, index + 2 < bytes.count, bytes[index + 2] == slash {
        taken = index + 2
      } else {
        result += prefix
        taken = index
      }
    }
    if taken == 0 { return bytes }
    result += bytes[taken...]
    return result
  }
}
