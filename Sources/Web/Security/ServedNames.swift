/// What this server is called: what a browser sends as `Host`, and, behind the scheme, as `Origin`. The first is the one that it is
/// sent to.
struct ServedNames: Sendable {
  let isSecure: Bool
  /// `127.0.0.1:8417`, `desk.practice.lan`: in lower case.
  let authorities: [String]

  /// `hosts` are names without a port; of none, the address is the name.
  init(_ address: ListenAddress, port: Int, isSecure: Bool, hosts: [String]) {
    let ending = port == (isSecure ? 443 : 80) ? "" : ":\(port)"
    var names = hosts.map { $0.lowercased() + ending }
    if !address.isWildcard { names.append(address.name.lowercased() + ending) }
    self.isSecure = isSecure
    authorities = names
  }

  /// Under which names it listens, or under the one that stands before it.
  init(_ listening: Listening, port: Int) {
    let own = ServedNames(
      listening.address, port: port, isSecure: listening.certificate != nil, hosts: listening.hosts)
    isSecure = listening.origin?.isSecure ?? own.isSecure
    authorities = listening.origin.map { [$0.authority] } ?? own.authorities
  }

  var authority: String { authorities[0] }
  var origin: String { "\(isSecure ? "https" : "http")://\(authority)" }

  /// The authority that a request is sent to; nil where that isn't this server by name: one that leads here without being ours (DNS
  /// rebinding), none at all, or two.
  func authority(of request: Request) -> String? {
    request.header("host").map { $0.lowercased() }.flatMap { authorities.contains($0) ? $0 : nil }
  }

  func origin(of authority: String) -> String { "\(isSecure ? "https" : "http")://\(authority)" }
}
