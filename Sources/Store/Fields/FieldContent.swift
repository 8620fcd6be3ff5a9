import Clinical
import FoundationEssentials

extension FieldContent {
  /// For hashes: different contents never give the same bytes.
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
