/// What a request has to be before anything is done for it: for this server by name, and, where it writes, from a page of this
/// server, or from a program that no browser lends its cookies to.
struct Guard: Sendable {
  let names: ServedNames

  static let tokenHeader = "x-vetnet-token"

  /// Whether a file may be the body of what is posted there.
  static func takesFile(_ path: [String]) -> Bool {
    [["api", "v1", "imports"], ["api", "v1", "photos"]].contains(path)
  }

  /// Whether what a device changed may be the body of what is posted there.
  static func takesChanges(_ path: [String]) -> Bool { path == ["api", "v1", "sync", "push"] }

  /// Nil for a request that may go on, as far as it can be told without knowing whose it is.
  func refusal(of request: Request) -> ErrorBody? {
    guard let authority = names.authority(of: request) else {
      return ErrorBody(421, "wrong_host", "this server is \(names.authority)", hint: "Open \(names.origin)/.")
    }
    if request.isReading {
      // Pages may be linked to from anywhere; what programs read may not be asked for by other sites' pages.
      if request.path.first == "api", let site = request.header("sec-fetch-site"), site == "cross-site" {
        return ErrorBody(403, "wrong_origin", "pages of other servers may not read this")
      }
      return nil
    }
    let origin = names.origin(of: authority)
    guard request.header("origin") == origin else {
      return ErrorBody(
        403, "wrong_origin", "a write has to come from \(origin)", hint: "Send the header Origin: \(origin).")
    }
    let type = request.header("content-type")?.split(separator: ";").first?.lowercased()
    let isFile = type == "application/octet-stream" && Self.takesFile(request.path)
    guard type == "application/json" || isFile else {
      return ErrorBody(415, "wrong_type", "a write is JSON", hint: "Send the header Content-Type: application/json.")
    }
    return nil
  }

  /// Nil for a request whose page is one of this session's.
  func refusal(of request: Request, from session: WebSession) -> ErrorBody? {
    guard !request.isReading else { return nil }
    // Browsers say where a request comes from; one of ours also knows the session's token.
    let isBrowser = request.header("sec-fetch-site") != nil || request.headers.contains { $0.name == "cookie" }
    guard isBrowser, request.header(Self.tokenHeader) != session.token else { return nil }
    return Self.stale
  }

  static let stale = ErrorBody(
    403, "stale_token", "this page is from before the server was started anew, or another person signed in",
    hint: "Load the page again.")

  /// Of every answer.
  static let headers: [(name: String, value: String)] = [
    (
      "Content-Security-Policy",
      "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; object-src 'none'"
    ),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    ("Referrer-Policy", "same-origin"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Permissions-Policy", "camera=(), microphone=(), geolocation=()"),
  ]
}
