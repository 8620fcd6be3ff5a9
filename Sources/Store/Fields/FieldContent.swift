import FoundationEssentials

/// What a field of a record holds, in the types of JSON, so that values of any field can be compared, shown and kept.
public enum FieldContent: Hashable, Sendable {
  case none
  case number(Double)
  case text(String)
  case list([FieldContent])
  case object([String: FieldContent])

  var canonical: CanonicalBytes {
    var bytes = CanonicalBytes()
    append(to: &bytes)
    return bytes
  }

  private func append(to bytes: inout CanonicalBytes) {
    switch self {
    case .none: bytes.appendNull()
    case .number(let value): bytes.append(value)
    case .text(let value): bytes.append(value)
    case .list(let items):
      bytes.append("[")
      bytes.append(Int64(items.count))
      for item in items { item.append(to: &bytes) }
    case .object(let values):
      bytes.append("{")
      bytes.append(Int64(values.count))
      for (key, value) in values.sorted(by: { $0.key < $1.key }) {
        bytes.append(key)
        value.append(to: &bytes)
      }
    }
  }

  var text: String? { if case .text(let text) = self { text } else { nil } }

  var number: Double? { if case .number(let number) = self { number } else { nil } }

  var integer: Int? { number.flatMap { Int(exactly: $0) } }

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

/// JSON of fields by name, as the journal keeps it.
enum FieldJSON {
  static func encode(_ value: some Encodable) throws(StoreError) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return String(decoding: try encoder.encode(value), as: UTF8.self)
    } catch {
      throw StoreError(.statementFailed, context: "writing fields as JSON")
    }
  }

  static func decode<Value: Decodable>(_ text: String, as: Value.Type) throws(StoreError) -> Value {
    do {
      return try JSONDecoder().decode(Value.self, from: Data(text.utf8))
    } catch {
      throw StoreError(.corrupt, context: "fields that an import kept")
    }
  }
}
