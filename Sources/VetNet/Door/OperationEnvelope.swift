/// An operation with its name and version, as it is kept and sent: `{"operation": "note.amend", "version": 1, "values": {…}}`.
public struct OperationEnvelope: Codable, Sendable {
  public let operation: any Operation

  public init(_ operation: any Operation) { self.operation = operation }

  private enum CodingKeys: String, CodingKey { case operation, version, values }

  /// - Throws: `DecodingError` for an operation that isn't known here, or of a later version.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let name = try container.decode(String.self, forKey: .operation)
    guard let type = OperationRegistry.type(named: name) else {
      throw DecodingError.dataCorruptedError(
        forKey: .operation, in: container, debugDescription: "there is no operation '\(name)'")
    }
    let version = try container.decode(Int.self, forKey: .version)
    guard version <= type.version else {
      throw DecodingError.dataCorruptedError(
        forKey: .version, in: container, debugDescription: "'\(name)' is of the later version \(version)")
    }
    operation = try type.init(from: container.superDecoder(forKey: .values))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(type(of: operation).name, forKey: .operation)
    try container.encode(type(of: operation).version, forKey: .version)
    try operation.encode(to: container.superEncoder(forKey: .values))
  }
}

extension OperationRegistry {
  private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

  public static func type(named name: String) -> (any Operation.Type)? { byName[name] }

  /// The table of every operation, as Markdown: what it needs, reads and changes, how it is kept whole, and who may.
  public static var table: String {
    func words(_ kinds: Set<RecordKind>) -> String {
      kinds.isEmpty ? "–" : RecordKind.allCases.filter(kinds.contains).map(\.rawValue).joined(separator: ", ")
    }
    let roles = Role.allCases.map(\.rawValue)
    var lines = [
      "| operation | version | reads | changes | conduct | needs | \(roles.joined(separator: " | ")) |",
      "|---|---|---|---|---|---|\(roles.map { _ in "---|" }.joined())",
    ]
    for type in all {
      let who = Role.allCases.map { $0.may(type.permission) ? "●" : "–" }.joined(separator: " | ")
      lines.append(
        "| `\(type.name)` | \(type.version) | \(words(type.reads)) | \(words(type.changes)) | \(type.conduct.rawValue) | \(type.permission.rawValue) | \(who) |"
      )
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
