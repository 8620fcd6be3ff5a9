/// What a field of a record holds, in the types of JSON, so that values of any field can be compared, shown, kept and sent.
public enum FieldContent: Hashable, Sendable {
  case none
  case number(Double)
  case text(String)
  case list([FieldContent])
  case object([String: FieldContent])

  public var text: String? { if case .text(let text) = self { text } else { nil } }

  public var number: Double? { if case .number(let number) = self { number } else { nil } }

  public var integer: Int? { number.flatMap { Int(exactly: $0) } }

  /// What an object holds under a key.
  public subscript(_ key: String) -> FieldContent {
    if case .object(let values) = self { values[key] ?? .none } else { .none }
  }
}

extension FieldContent: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .none
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else if let items = try? container.decode([FieldContent].self) {
      self = .list(items)
    } else {
      self = .object(try container.decode([String: FieldContent].self))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .none: try container.encodeNil()
    case .number(let value): try container.encode(value)
    case .text(let value): try container.encode(value)
    case .list(let items): try container.encode(items)
    case .object(let values): try container.encode(values)
    }
  }
}
