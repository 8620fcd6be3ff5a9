import VetNet

/// How a browser shows who is signed in.
///
/// Under TLS the name begins with `__Host-`: browsers then take the cookie from this host over TLS only, and no other can set it.
/// Cookies ignore ports, so that without TLS the port is in the name. That of one practice among several goes to its addresses only, where
/// browsers take no `__Host-`.
struct SessionCookie: Sendable {
  let name: String
  private let attributes: String

  init(isSecure: Bool, port: Int, mount: MountPoint? = nil) {
    let own = mount.map { "-\($0.name)" } ?? ""
    name = isSecure ? "\(mount == nil ? "__Host" : "__Secure")-vetnet\(own)" : "vetnet-\(port)\(own)"
    attributes = "; Path=\(mount?.base ?? "/"); HttpOnly; SameSite=Strict\(isSecure ? "; Secure" : "")"
  }

  /// The token that a request shows; nil for none, for several, and for what is no token.
  func token(of request: Request) -> SessionToken? {
    guard let header = request.header("cookie") else { return nil }
    let values = header.split(separator: ";").compactMap { pair -> String? in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, parts[0].trimming(while: { $0 == " " }) == name else { return nil }
      return parts[1].trimming(while: { $0 == " " })
    }
    return values.count == 1 ? SessionToken(text: values[0]) : nil
  }

  /// Kept until the browser ends, or the session does.
  func setting(_ token: SessionToken) -> (name: String, value: String) {
    ("Set-Cookie", "\(name)=\(token.text)\(attributes)")
  }

  var removal: (name: String, value: String) { ("Set-Cookie", "\(name)=\(attributes); Max-Age=0") }
}
