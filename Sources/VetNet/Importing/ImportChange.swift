import Clinical
import Store

/// One field that an import overwrites: what is on file, and what the file says.
///
/// Of a note's text only the lengths and the first difference are told: it may be long, and it is nobody's log entry.
public struct ImportChange: Encodable, Sendable {
  /// As the import format calls it, such as `patients`.
  public let kind: String
  public let id: String
  public let field: String
  let old: FieldContent
  let new: FieldContent
  /// Code points before the first difference of two texts; nil for other fields.
  let differsFrom: Int?

  init(kind: String, id: String, _ change: FieldChange, zone: PracticeTimeZone) {
    self.kind = kind
    self.id = id
    field = change.field
    let isText = change.field == "text"
    let isMoment = ["start", "recorded_at", "received_at"].contains(change.field)
    func shown(_ content: FieldContent) -> FieldContent {
      switch content {
      case .text(let text) where isText: .object(["characters": .number(Double(text.unicodeScalars.count))])
      case .number(let seconds) where isMoment: .text(zone.iso8601(Timestamp(seconds: Int64(seconds))))
      default: content
      }
    }
    old = shown(change.old)
    new = shown(change.new)
    if isText, case .text(let before) = change.old, case .text(let after) = change.new {
      differsFrom = zip(before.unicodeScalars, after.unicodeScalars).prefix { $0 == $1 }.reduce(0) { count, _ in
        count + 1
      }
    } else {
      differsFrom = nil
    }
  }

  private enum CodingKeys: String, CodingKey {
    case kind, id, field, old, new
    case differsFrom = "differs_from"
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(kind, forKey: .kind)
    try container.encode(id, forKey: .id)
    try container.encode(field, forKey: .field)
    try container.encode(old, forKey: .old)
    try container.encode(new, forKey: .new)
    try container.encodeIfPresent(differsFrom, forKey: .differsFrom)
  }

  /// For a person: `patients P1 weight_kg: 31.2 → 30`.
  public var description: String {
    if let differsFrom {
      let lengths = [old, new].map { Self.words($0["characters"]) }.joined(separator: " → ")
      return "\(kind) \(id) \(field): \(lengths) characters, other from character \(differsFrom + 1) on"
    }
    if field == "text" { return "\(kind) \(id) text: another one" }
    return "\(kind) \(id) \(field): \(Self.words(old)) → \(Self.words(new))"
  }

  /// A value on one line.
  static func words(_ content: FieldContent) -> String {
    switch content {
    case .none: "nothing"
    case .number(let value): Int(exactly: value).map(String.init) ?? String(value)
    case .text(let text):
      text.unicodeScalars.count > 60
        ? String(String.UnicodeScalarView(text.unicodeScalars.prefix(57))) + "…" : text
    case .list(let items): items.isEmpty ? "nothing" : items.map(words).joined(separator: ", ")
    case .object(let values):
      values.sorted { $0.key < $1.key }.filter { $0.value != .none }.map {
        ["label", "number", "blake2b"].contains($0.key) ? words($0.value) : "\($0.key) \(words($0.value))"
      }.joined(separator: " ")
    }
  }
}
