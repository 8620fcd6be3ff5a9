/// Why bytes are not JSON, and where.
package struct JSONSyntaxError: Error, Equatable, Sendable {
  package enum Reason: String, Sendable {
    case cutOff = "it ends in the middle of a value"
    case unexpected = "this can't stand here"
    case badEscape = "no such escape"
    case controlCharacter = "a control character that is not escaped"
    case badNumber = "not a number of JSON"
    case tooDeep = "nested too deeply"
    case trailing = "more after the end of the value"
    case notUTF8 = "not UTF-8"
  }

  package let reason: Reason
  /// In bytes from the beginning.
  package let offset: Int
}

/// Reads one value of JSON (RFC 8259), nothing more and nothing less.
///
/// Nesting is bounded, so that no input can exhaust the stack.
package struct JSONParser {
  /// Deeper values are refused. FHIR's own reach about thirty.
  package static let maximumDepth = 100

  private let bytes: [UInt8]
  private var position = 0

  /// - Throws: ``JSONSyntaxError`` with the first fault.
  package static func parse(_ bytes: [UInt8]) throws(JSONSyntaxError) -> JSONValue {
    if let offset = firstInvalidUTF8Offset(in: bytes) { throw JSONSyntaxError(reason: .notUTF8, offset: offset) }
    var parser = JSONParser(bytes)
    parser.skipSpace()
    let value = try parser.value(depth: 0)
    parser.skipSpace()
    guard parser.position == bytes.count else { throw parser.fault(.trailing) }
    return value
  }

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  private func fault(_ reason: JSONSyntaxError.Reason) -> JSONSyntaxError {
    JSONSyntaxError(reason: position >= bytes.count ? .cutOff : reason, offset: position)
  }

  private mutating func skipSpace() {
    while position < bytes.count, isJSONSpace(bytes[position]) { position += 1 }
  }

  private mutating func value(depth: Int) throws(JSONSyntaxError) -> JSONValue {
    guard depth < Self.maximumDepth else { throw JSONSyntaxError(reason: .tooDeep, offset: position) }
    guard position < bytes.count else { throw fault(.cutOff) }
    switch bytes[position] {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try list(depth: depth)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .truth(true))
    case UInt8(ascii: "f"): return try word("false", .truth(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return try number()
    }
  }

  private mutating func word(_ word: StaticString, _ value: JSONValue) throws(JSONSyntaxError) -> JSONValue {
    for index in 0..<word.utf8CodeUnitCount {
      guard position < bytes.count, bytes[position] == word.utf8Start[index] else { throw fault(.unexpected) }
      position += 1
    }
    return value
  }

  private mutating func object(depth: Int) throws(JSONSyntaxError) -> JSONValue {
    position += 1
    var members: [JSONValue.Member] = []
    skipSpace()
    if take(UInt8(ascii: "}")) { return .object([]) }
    while true {
      skipSpace()
      guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else { throw fault(.unexpected) }
      let key = try string()
      skipSpace()
      guard take(UInt8(ascii: ":")) else { throw fault(.unexpected) }
      skipSpace()
      members.append(JSONValue.Member(key, try value(depth: depth + 1)))
      skipSpace()
      if take(UInt8(ascii: "}")) { return .object(members) }
      guard take(UInt8(ascii: ",")) else { throw fault(.unexpected) }
    }
  }

  private mutating func list(depth: Int) throws(JSONSyntaxError) -> JSONValue {
    position += 1
    var items: [JSONValue] = []
    skipSpace()
    if take(UInt8(ascii: "]")) { return .list([]) }
    while true {
      skipSpace()
      items.append(try value(depth: depth + 1))
      skipSpace()
      if take(UInt8(ascii: "]")) { return .list(items) }
      guard take(UInt8(ascii: ",")) else { throw fault(.unexpected) }
    }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  private mutating func string() throws(JSONSyntaxError) -> String {
    position += 1
    let start = position
    while position < bytes.count, bytes[position] >= 0x20, bytes[position] != UInt8(ascii: "\""),
      bytes[position] != UInt8(ascii: "\\")
    {
      position += 1
    }
    var text = Array(bytes[start..<position])
    while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"):
        position += 1
        try escape(into: &text)
      case 0..<0x20: throw fault(.controlCharacter)
      default:
        text.append(byte)
        position += 1
      }
    }
    throw fault(.cutOff)
  }

  private mutating func escape(into text: inout [UInt8]) throws(JSONSyntaxError) {
    guard position < bytes.count else { throw fault(.cutOff) }
    let byte = bytes[position]
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"):
      var code = try hexadecimal()
      if (0xD800..<0xDC00).contains(code), position + 1 < bytes.count, bytes[position] == UInt8(ascii: "\\"),
        bytes[position + 1] == UInt8(ascii: "u")
      {
        let before = position
        position += 2
        let low = try hexadecimal()
        if (0xDC00..<0xE000).contains(low) {
          code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
        } else {
          position = before
        }
      }
      // Half of a pair stands for no character.
      let scalar = Unicode.Scalar(code) ?? "\u{FFFD}"
      text += Array(String(Character(scalar)).utf8)
    default:
      position -= 1
      throw fault(.badEscape)
    }
  }

  private mutating func hexadecimal() throws(JSONSyntaxError) -> UInt32 {
    var code: UInt32 = 0
    for _ in 0..<4 {
      guard position < bytes.count, let digit = Character(Unicode.Scalar(bytes[position])).hexDigitValue else {
        throw fault(.badEscape)
      }
      code = code << 4 | UInt32(digit)
      position += 1
    }
    return code
  }

  private mutating func number() throws(JSONSyntaxError) -> JSONValue {
    let start = position
    _ = take(UInt8(ascii: "-"))
    if !take(UInt8(ascii: "0")) { try digits() }
    if take(UInt8(ascii: ".")) { try digits() }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
      try digits()
    }
    return .number(String(decoding: bytes[start..<position], as: UTF8.self))
  }

  private mutating func digits() throws(JSONSyntaxError) {
    let start = position
    while position < bytes.count, (0x30...0x39).contains(bytes[position]) { position += 1 }
    guard position > start else { throw fault(.badNumber) }
  }
}
