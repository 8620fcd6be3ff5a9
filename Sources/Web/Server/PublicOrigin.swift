import VetNet

/// What browsers call a server that something else stands before: `https://vets.example`.
public struct PublicOrigin: Sendable, Hashable {
  let isSecure: Bool
  /// `vets.example`, or `vets.example:8443`: in lower case, without the scheme's own port.
  let authority: String

  /// - Throws: ``PracticeError`` with `invalidArgument` for what is no origin: a scheme, a name and maybe a port, and nothing behind them.
  public init(_ text: String) throws {
    let lower = text.lowercased()
    let scheme = ["https://", "http://"].first { lower.hasPrefix($0) }
    var rest = scheme.map { lower.dropFirst($0.count) } ?? ""
    if rest.hasSuffix("/") { rest = rest.dropLast() }
    let parts = rest.split(separator: ":", omittingEmptySubsequences: false)
    let isHost =
      parts.first.map { host in
        !host.isEmpty && host.utf8.count <= 253
          && host.utf8.allSatisfy {
            (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "-")
              || $0 == UInt8(ascii: ".")
          }
      } ?? false
    let port = parts.count == 2 ? Int(parts[1]) : nil
    guard let scheme, isHost, parts.count == 1 || (parts.count == 2 && port.map { (1...65_535).contains($0) } == true)
    else {
      throw PracticeError(
        .invalidArgument, "'\(text.prefix(60))' is not what a browser calls a server",
        hint: "Write https://vets.example, without a path.")
    }
    isSecure = scheme == "https://"
    let isUsual = port == (isSecure ? 443 : 80)
    authority = port == nil || isUsual ? String(parts[0]) : String(rest)
  }
}
