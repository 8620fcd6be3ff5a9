import Clinical

// The data types of FHIR R4 (https://hl7.org/fhir/R4/datatypes.html) that records are made of, as small values.

/// Names of VetNet's own identifiers, codes and extensions. `.invalid` leads nowhere (RFC 2606).
package enum FHIRName {
  package static let base = "https://vetnet.invalid/fhir"

  package static func identifier(_ kind: ImportKind) -> String { "\(base)/identifier/\(kind.rawValue)" }
  package static func codes(_ list: String) -> String { "\(base)/CodeSystem/\(list)" }
  package static func `extension`(_ name: String) -> String { "\(base)/StructureDefinition/\(name)" }
  /// The id that other resources' records use, where it differs from the resource's.
  package static let reference = "\(base)/identifier/reference"
  /// Of a resource that is made from others and read from them again.
  package static let derived = JSONValue.members(
    ("tag", [.members(("system", .string(codes("origin"))), ("code", "derived"))]))
}

/// A code with what it means (`CodeableConcept`).
package struct FHIRConcept: Hashable, Sendable {
  package struct Coding: Hashable, Sendable {
    package var system: String?
    package var code: String?
    package var display: String?

    package init(_ system: String?, _ code: String?, _ display: String? = nil) {
      self.system = system
      self.code = code
      self.display = display
    }

    package var json: JSONValue {
      .members(
        ("system", system.map(JSONValue.string)), ("code", code.map(JSONValue.string)),
        ("display", display.map(JSONValue.string)))
    }
  }

  package var codings: [Coding]
  package var text: String?

  package init(_ codings: [Coding] = [], text: String? = nil) {
    self.codings = codings
    self.text = text
  }

  package var json: JSONValue { .members(("coding", .list(codings.map(\.json))), ("text", text.map(JSONValue.string))) }

  init?(_ json: JSONValue?) {
    guard let json, case .object = json else { return nil }
    codings = json.objects("coding").map { Coding($0["system"]?.text, $0["code"]?.text, $0["display"]?.text) }
    text = json["text"]?.text
  }

  /// The words for it: its text, else the first display, else a code.
  var words: String? {
    text ?? codings.lazy.compactMap(\.display).first ?? codings.lazy.compactMap(\.code).first
  }

  func code(in system: String) -> String? { codings.first { $0.system == system }?.code }
}

/// Which other resource is meant (`Reference`).
package struct FHIRReference: Hashable, Sendable {
  package var reference: String?
  package var display: String?

  package init(_ type: String, _ id: String, display: String? = nil) {
    reference = "\(type)/\(FHIRIdentity.encode(id))"
    self.display = display
  }

  package init(display: String) { self.display = display }

  package var json: JSONValue {
    .members(("reference", reference.map(JSONValue.string)), ("display", display.map(JSONValue.string)))
  }

  init?(_ json: JSONValue?) {
    guard let json, case .object = json else { return nil }
    reference = json["reference"]?.text
    display = json["display"]?.text
    if reference == nil, display == nil { return nil }
  }
}

/// Something that FHIR has no element for (`Extension`).
package enum FHIRExtension {
  package static func string(_ name: String, _ value: String) -> JSONValue {
    .members(("url", .string(FHIRName.extension(name))), ("valueString", .string(value)))
  }

  package static func integer(_ name: String, _ value: Int) -> JSONValue {
    .members(("url", .string(FHIRName.extension(name))), ("valueInteger", .number("\(value)")))
  }

  package static func decimal(_ name: String, _ value: Double) -> JSONValue {
    .members(("url", .string(FHIRName.extension(name))), ("valueDecimal", .decimal(value)))
  }

  package static func code(_ name: String, _ value: String) -> JSONValue {
    .members(("url", .string(FHIRName.extension(name))), ("valueCode", .string(value)))
  }

  /// Any value of JSON as extensions within extensions; empty texts, lists and objects are left out.
  package static func nested(_ name: String, _ value: JSONValue) -> JSONValue {
    nested(url: FHIRName.extension(name), value) ?? .object([])
  }

  private static let item = "item"

  private static func nested(url: String, _ value: JSONValue) -> JSONValue? {
    let head = JSONValue.Member("url", .string(url))
    switch value {
    case .null: return nil
    case .string(let text): return text.isEmpty ? nil : .object([head, .init("valueString", value)])
    case .number: return .object([head, .init("valueDecimal", value)])
    case .truth: return .object([head, .init("valueBoolean", value)])
    case .list(let items):
      let inner = items.compactMap { nested(url: item, $0) }
      return inner.isEmpty ? nil : .object([head, .init("extension", .list(inner))])
    case .object(let members):
      let inner = members.compactMap { nested(url: $0.key, $0.value) }
      return inner.isEmpty ? nil : .object([head, .init("extension", .list(inner))])
    }
  }

  /// The value that ``nested(_:_:)`` made extensions of.
  static func value(of extension: JSONValue) -> JSONValue? {
    let inner = `extension`.objects("extension")
    guard inner.isEmpty else {
      if inner.allSatisfy({ $0["url"]?.text == item }) { return .list(inner.compactMap(value)) }
      return .object(
        inner.compactMap { part in
          guard let key = part["url"]?.text, let value = value(of: part) else { return nil }
          return JSONValue.Member(key, value)
        })
    }
    return `extension`["valueString"] ?? `extension`["valueDecimal"] ?? `extension`["valueBoolean"]
      ?? `extension`["valueInteger"] ?? `extension`["valueCode"]
  }
}

/// What a resource is known by.
package enum FHIRIdentity {
  /// An id as FHIR allows it: letters, digits, hyphens and dots, at most 64; another one as a digest of 128 bits.
  package static func encode(_ id: String) -> String {
    if isPlain(id), !id.hasPrefix("x-") { return id }
    let bytes = Array(id.utf8)
    return "x-"
      + [bytes, bytes.reversed()].map { half in
        let digits = String(FNV1a.hash(half), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
      }.joined()
  }

  static func isPlain(_ id: String) -> Bool {
    (1...64).contains(id.utf8.count)
      && id.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x2D
          || byte == 0x2E
      }
  }
}
