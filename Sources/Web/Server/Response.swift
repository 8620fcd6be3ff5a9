import FoundationEssentials

/// What is answered.
struct Response: Sendable {
  enum Body: Sendable {
    case bytes([UInt8])
    /// Every change behind a place in the audit log, for as long as somebody listens; first what happened before.
    case events(behind: Int64, first: [UInt8], owner: WebSession?)
    /// Sent while the rest of it is made.
    case pieces(Pieces)
    /// What another thread writes.
    case flow(Outflow)
  }

  var status: Int
  var headers: [(name: String, value: String)]
  var body: Body
  /// Who tells the events of a stream, where a server has several.
  var hub: EventHub?

  init(_ status: Int, type: String, _ bytes: [UInt8], headers: [(name: String, value: String)] = []) {
    self.status = status
    self.headers = [("Content-Type", type)] + headers
    body = .bytes(bytes)
  }

  static func events(behind place: Int64, first: [UInt8], to owner: WebSession? = nil) -> Response {
    var response = Response(200, type: "text/event-stream; charset=utf-8", [])
    response.body = .events(behind: place, first: first, owner: owner)
    return response
  }

  static func pieces(_ pieces: Pieces) -> Response {
    var response = Response(200, type: pieces.type, [])
    response.body = .pieces(pieces)
    return response
  }

  static func text(_ text: String, status: Int = 200) -> Response {
    Response(status, type: "text/plain; charset=utf-8", Array(text.utf8))
  }

  /// As the program prints it with `--json`.
  static func json(
    _ value: some Encodable, status: Int = 200, headers: [(name: String, value: String)] = []
  ) throws -> Response {
    Response(status, type: "application/json", try JSONText.bytes(value), headers: headers)
  }

  static func page(_ page: HTML, status: Int = 200) -> Response {
    Response(status, type: "text/html; charset=utf-8", Array(page.markup.utf8))
  }

  /// To look elsewhere, within this server.
  static func redirect(to path: String, status: Int = 303) -> Response {
    Response(status, type: "text/plain; charset=utf-8", [], headers: [("Location", path)])
  }
}

enum JSONText {
  static func bytes(_ value: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return [UInt8](try encoder.encode(value))
  }
}
