/// The shape of JSON, as much of JSON Schema as the description needs.
indirect enum Schema: Sendable, Encodable {
  case any
  case string(String = "")
  case integer
  case number
  case boolean
  case nothing
  case oneOf([String])
  case list(Schema)
  case nullable(Schema)
  /// Values that are always there, and those that may be missing or null.
  case object([String: Schema], optional: [String: Schema] = [:])

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    func put(_ name: String, _ value: some Encodable) throws {
      try container.encode(value, forKey: Key(stringValue: name))
    }
    switch self {
    case .any: break
    case .string(let meaning):
      try put("type", "string")
      if !meaning.isEmpty { try put("description", meaning) }
    case .integer: try put("type", "integer")
    case .number: try put("type", "number")
    case .boolean: try put("type", "boolean")
    case .oneOf(let values):
      try put("type", "string")
      try put("enum", values)
    case .list(let element):
      try put("type", "array")
      try put("items", element)
    case .nullable(let schema): try put("anyOf", [schema, .nothing])
    case .nothing: try put("type", "null")
    case .object(let needed, let optional):
      try put("type", "object")
      if !needed.isEmpty { try put("required", needed.keys.sorted()) }
      var properties = needed
      for (name, schema) in optional { properties[name] = .nullable(schema) }
      if !properties.isEmpty { try put("properties", properties) }
    }
  }
}
