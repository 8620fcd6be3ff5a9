/// What a request has to be before anything is done for it: for this server by name, and, where it writes, from a page of this
/// server, or from a program that no browser lends its cookies to.
struct Guard: Sendable {
  /// `127.0.0.1:8417`: the one name of this server, which a browser sends as `Host` and, behind the scheme, as `Origin`.
  let authority: String

  var origin: String { "http://\(authority)" }

  static let tokenHeader = "x-vetnet-token"

  /// Nil for a request that may go on.
  func refusal(of request: Request, session: WebSession?) -> ErrorBody? {
    // A name that leads here without being ours (DNS rebinding), none at all, or two.
    guard request.header("host")?.lowercased() == authority else {
      return ErrorBody(421, "wrong_host", "this server is \(authority)", hint: "Open \(origin)/.")
    }
    if request.isReading {
      // Pages may be linked to from anywhere; what programs read may not be asked for by other sites' pages.
      if request.path.first == "api", let site = request.header("sec-fetch-site"), site == "cross-site" {
        return ErrorBody(403, "wrong_origin", "pages of other servers may not read this")
      }
      return nil
    }
    guard request.header("origin") == origin else {
      return ErrorBody(
        403, "wrong_origin", "a write has to come from \(origin)", hint: "Send the header Origin: \(origin).")
    }
    guard request.header("content-type")?.split(separator: ";").first?.lowercased() == "application/json" else {
      return ErrorBody(415, "wrong_type", "a write is JSON", hint: "Send the header Content-Type: application/json.")
    }
    // Browsers say where a request comes from; one of ours also knows the session's token.
    let isBrowser = request.header("sec-fetch-site") != nil || request.headers.contains { $0.name == "cookie" }
    if isBrowser, request.header(Self.tokenHeader) != session?.token {
      return ErrorBody(
        403, "stale_token", "this page is from before the server was started anew", hint: "Load the page again.")
    }
    return nil
  }

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
