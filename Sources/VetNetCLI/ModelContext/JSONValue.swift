import FoundationEssentials

/// Any JSON value: what comes in from another program has to be looked at before it is taken for anything.
enum JSONValue: Codable, Equatable {
  case null
  case bool(Bool)
  case integer(Int)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int.self) {
      self = .integer(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([JSONValue].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    }
  }

  /// Nesting beyond this is no message of any use, and is refused before it is taken apart.
  static let depthLimit = 32

  /// A value from one line.
  ///
  /// - Throws: an error for what is no JSON, or nested too deep.
  init(line: [UInt8]) throws {
    var depth = 0
    var isText = false
    var isEscaped = false
    for byte in line {
      if isText {
        if isEscaped {
          isEscaped = false
        } else if byte == 0x5C {
          isEscaped = true
        } else if byte == 0x22 {
          isText = false
        }
      } else if byte == 0x22 {
        isText = true
      } else if byte == 0x7B || byte == 0x5B {
        depth += 1
        guard depth <= Self.depthLimit else { throw TooDeep() }
      } else if byte == 0x7D || byte == 0x5D {
        depth -= 1
      }
    }
    self = try JSONDecoder().decode(JSONValue.self, from: Data(line))
  }

  struct TooDeep: Error {}

  subscript(key: String) -> JSONValue? { if case .object(let values) = self { values[key] } else { nil } }

  var text: String? { if case .string(let value) = self { value } else { nil } }

  /// On one line, keys in order.
  var line: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
  }
}
