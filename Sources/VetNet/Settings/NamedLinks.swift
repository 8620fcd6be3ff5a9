/// Places of the workspace that a practice gave names, for the field that finds everything: `Recalls=/patients; Yard days=/week/today`.
public struct NamedLinks: Hashable, Sendable, CustomStringConvertible {
  public struct Link: Hashable, Sendable {
    public let name: String
    /// Within the workspace.
    public let path: String
  }

  public let links: [Link]

  /// What an address may say beside its path: ids, days and choices; never words of a note, which would stay in histories and logs.
  public static let allowedKeys: Set<String> = [
    "patient", "kind", "state", "by", "colour", "clinician", "location", "hide", "open", "date",
  ]
  public static let mostLinks = 20

  /// Nil for what names no links, or leads out of the workspace.
  public init?(_ text: String) {
    var links: [Link] = []
    for part in text.split(whereSeparator: { $0 == ";" || $0.isNewline }) {
      guard let sign = part.firstIndex(of: "=") else { return nil }
      let name = part[..<sign].split(whereSeparator: \.isWhitespace).joined(separator: " ")
      let path = part[part.index(after: sign)...].split(whereSeparator: \.isWhitespace).joined()
      guard (1...40).contains(name.count), Self.isPlace(path), !links.contains(where: { $0.name == name }) else {
        return nil
      }
      links.append(Link(name: name, path: path))
    }
    guard (1...Self.mostLinks).contains(links.count) else { return nil }
    self.links = links
  }

  public var description: String { links.map { "\($0.name)=\($0.path)" }.joined(separator: "; ") }

  private static func isPlace(_ path: String) -> Bool {
    let allowed = path.utf8.allSatisfy { byte in
      (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte) || (0x30...0x39).contains(byte)
        || "/-_.?=&%".utf8.contains(byte)
    }
    guard allowed, path.utf8.count <= 200, path.hasPrefix("/"), !path.hasPrefix("//"), !path.contains(".."),
      !path.hasPrefix("/api/")
    else { return false }
    let parts = path.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return true }
    return parts[1].split(separator: "&").allSatisfy { pair in
      pair.split(separator: "=", maxSplits: 1).first.map { allowedKeys.contains(String($0)) } ?? false
    }
  }
}
