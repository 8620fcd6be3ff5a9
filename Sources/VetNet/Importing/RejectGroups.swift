import Interchange

/// Rejected rows and lost fields, gathered by their reason, so that a person reads one line where a thousand rows have the
/// same fault.
struct RejectGroups {
  /// One reason and the rows that have it.
  struct Group: Encodable, Sendable {
    /// Of record; empty where the file doesn't say.
    let kind: String
    let field: String?
    /// The word from a fixed list that all of them have; nil for dates and numbers, which differ.
    let value: String?
    let reason: String
    let hint: String
    /// Whether the rows are on file, without the field.
    let isKept: Bool
    fileprivate(set) var count = 0
    /// File and line of the first rows.
    fileprivate(set) var examples: [String] = []
    /// The same rows, each in full.
    fileprivate var lines: [String] = []

    private enum CodingKeys: String, CodingKey {
      case kind, field, value, reason, hint, count, examples
      case isKept = "kept"
    }

    /// For a person: each row of a few, all at once of many.
    var messages: [String] {
      guard count > RejectGroups.exampleCount else { return lines }
      let complaint = ([field, value.map { "'\($0)'" }].compactMap { $0 } + [reason]).joined(separator: " ")
      let places = examples.joined(separator: ", ") + " and \(count - examples.count) more"
      return [
        "\(count) rows: \(complaint)\(isKept ? "; kept without it" : ""); \(places)\(hint.isEmpty ? "" : "; \(hint)")"
      ]
    }
  }

  private struct Key: Hashable {
    let kind: String
    let field: String?
    let value: String?
    let reason: String
    let isKept: Bool
  }

  static let exampleCount = 3
  /// A file may give every row a reason of its own: beyond so many they are gathered by field.
  private static let limit = 200

  private var groups: [Group] = []
  private var positions: [Key: Int] = [:]

  var all: [Group] { groups }

  mutating func add(_ reject: ImportReject, isKept: Bool) {
    let kind = reject.raw.origin?.kind.rawValue ?? ""
    // A list's place is no reason of its own.
    let field = reject.field.map { String($0.prefix { $0 != "[" }) }
    let isWord = reject.reason.hasPrefix("is unknown")
    var key = Key(
      kind: kind, field: field, value: isWord ? reject.value : nil, reason: reject.reason, isKept: isKept)
    if positions[key] == nil, groups.count >= Self.limit {
      key = Key(kind: kind, field: field, value: nil, reason: "can't be used, for further reasons", isKept: isKept)
    }
    let position = positions[key] ?? groups.count
    if position == groups.count {
      positions[key] = position
      groups.append(
        Group(
          kind: kind, field: field, value: key.value, reason: key.reason, hint: reject.hint, isKept: isKept))
    }
    groups[position].count += 1
    guard groups[position].examples.count < Self.exampleCount else { return }
    let shown = isWord ? nil : reject.value
    groups[position].examples.append("\(reject.location)" + (shown.map { " (\($0))" } ?? ""))
    groups[position].lines.append("\(reject)" + (isKept ? "; the row is kept without it" : ""))
  }
}
