/// A value of JSON with its members in order and its numbers as they are written.
package indirect enum JSONValue: Hashable, Sendable {
  case string(String)
  /// As JSON writes it.
  case number(String)
  case truth(Bool)
  case list([JSONValue])
  case object([Member])
  case null

  package struct Member: Hashable, Sendable {
    package let key: String
    package let value: JSONValue

    package init(_ key: String, _ value: JSONValue) {
      self.key = key
      self.value = value
    }
  }

  /// An object of the members that have a value: nil, and an empty list or object, is none.
  package static func members(_ members: (String, JSONValue?)...) -> JSONValue { .of(members) }

  package static func of(_ members: [(String, JSONValue?)]) -> JSONValue {
    .object(
      members.compactMap { key, value in
        guard let value, !value.isEmpty else { return nil }
        return Member(key, value)
      })
  }

  /// A number, without a point where it is whole.
  package static func decimal(_ value: Double) -> JSONValue {
    .number(Int(exactly: value).map { "\($0)" } ?? "\(value)")
  }

  package var isEmpty: Bool {
    switch self {
    case .list(let items): items.isEmpty
    case .object(let members): members.isEmpty
    case .string, .number, .truth, .null: false
    }
  }

  /// The first value under a key of an object.
  package subscript(_ key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// Text that is not empty.
  package var text: String? {
    if case .string(let text) = self, !text.isEmpty { text } else { nil }
  }

  package var double: Double? {
    if case .number(let text) = self { Double(text) } else { nil }
  }

  package var truth: Bool? {
    if case .truth(let truth) = self { truth } else { nil }
  }

  /// The items of a list; none of anything else.
  package var items: [JSONValue] {
    if case .list(let items) = self { items } else { [] }
  }

  /// The objects under a key: those of a list, or a single one.
  package func objects(_ key: String) -> [JSONValue] {
    switch self[key] {
    case .list(let items): items.filter { if case .object = $0 { true } else { false } }
    case .object(let members): [.object(members)]
    default: []
    }
  }

  /// As one line of JSON in UTF-8.
  package var bytes: [UInt8] {
    var json = JSONText()
    json.value(self)
    return json.bytes
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
  package init(stringLiteral value: String) { self = .string(value) }
  package init(arrayLiteral elements: JSONValue...) { self = .list(elements) }
}

extension JSONText {
  mutating func value(_ value: JSONValue) {
    switch value {
    case .string(let text): self.text(text)
    case .number(let text): raw(Array(text.utf8))
    case .truth(let truth): self.truth(truth)
    case .list(let items): list(items) { $0.value($1) }
    case .object(let members):
      object { json in
        for member in members {
          json.key(member.key)
          json.value(member.value)
        }
      }
    case .null: null()
    }
  }
}

extension FieldValue {
  /// Nil for null, which is the same as a missing key.
  init?(_ value: JSONValue) {
    switch value {
    case .string(let text): self = .text(text)
    case .number(let text):
      guard let number = Double(text) else { return nil }
      self = .number(number, text)
    case .truth(let truth): self = .truth(truth)
    case .list(let items): self = .list(items.compactMap(FieldValue.init))
    case .object(let members):
      self = .object(
        Dictionary(
          members.compactMap { member in FieldValue(member.value).map { (member.key, $0) } },
          uniquingKeysWith: { first, _ in first }))
    case .null: return nil
    }
  }
}

extension JSONValue {
  init(_ value: FieldValue) {
    switch value {
    case .cell(let text), .text(let text): self = .string(text)
    case .number(_, let text): self = .number(text)
    case .truth(let truth): self = .truth(truth)
    case .list(let items): self = .list(items.map(JSONValue.init))
    case .object(let object):
      self = .object(
        object.keys.sorted().compactMap { key in object[key].map { Member(key, JSONValue($0)) } })
    }
  }
}
