import VetNet

/// The description of the API, made from its routes (OpenAPI 3.1).
struct OpenAPI: Encodable {
  let routes: [Route]
  /// What the paths are behind: `https://desk.practice.lan`.
  let server: String

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  private struct ParameterOutput: Encodable {
    let name: String
    let `in`: String
    let required: Bool
    let description: String
    let schema = Schema.string()
  }

  func encode(to encoder: any Encoder) throws {
    var root = encoder.container(keyedBy: Key.self)
    try root.encode("3.1.0", forKey: Key("openapi"))
    try root.encode(["title": "VetNet workspace", "version": VetNetVersion.current], forKey: Key("info"))
    try root.encode([["url": server]], forKey: Key("servers"))
    var paths = root.nestedContainer(keyedBy: Key.self, forKey: Key("paths"))
    for pattern in Set(routes.map(\.pattern)).sorted() {
      var path = paths.nestedContainer(keyedBy: Key.self, forKey: Key(pattern))
      for route in routes where route.pattern == pattern {
        var operation = path.nestedContainer(keyedBy: Key.self, forKey: Key(route.method.lowercased()))
        try encode(route, into: &operation)
      }
    }
  }

  private func encode(_ route: Route, into operation: inout KeyedEncodingContainer<Key>) throws {
    try operation.encode(route.summary, forKey: Key("summary"))
    let inPath = route.segments.filter { $0.hasPrefix("{") }.map {
      ParameterOutput(name: String($0.dropFirst().dropLast()), in: "path", required: true, description: "")
    }
    let others = route.parameters.map {
      ParameterOutput(
        name: $0.name, in: $0.isHeader ? "header" : "query", required: $0.isRequired, description: $0.meaning)
    }
    if !(inPath + others).isEmpty { try operation.encode(inPath + others, forKey: Key("parameters")) }
    if let body = route.body {
      var request = operation.nestedContainer(keyedBy: Key.self, forKey: Key("requestBody"))
      try request.encode(true, forKey: Key("required"))
      try request.encode(["application/json": ["schema": body]], forKey: Key("content"))
    }
    var responses = operation.nestedContainer(keyedBy: Key.self, forKey: Key("responses"))
    var good = responses.nestedContainer(keyedBy: Key.self, forKey: Key("\(route.status)"))
    try good.encode("as asked", forKey: Key("description"))
    let type = route.pattern.hasSuffix("/events") ? "text/event-stream" : "application/json"
    try good.encode([type: ["schema": route.answer]], forKey: Key("content"))
    var bad = responses.nestedContainer(keyedBy: Key.self, forKey: Key("default"))
    try bad.encode("what is wrong, and what to do", forKey: Key("description"))
    try bad.encode(["application/json": ["schema": Shapes.error]], forKey: Key("content"))
  }
}
