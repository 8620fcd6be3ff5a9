import Clinical

/// Builds one line of JSON in the order in which keys are given, as Foundation's encoder can't.
struct JSONText {
  private(set) var bytes: [UInt8] = []
  private var needsComma = false

  mutating func object(_ body: (inout JSONText) -> Void) {
    open(UInt8(ascii: "{"))
    body(&self)
    close(UInt8(ascii: "}"))
  }

  mutating func list<Element>(_ elements: [Element], _ body: (inout JSONText, Element) -> Void) {
    open(UInt8(ascii: "["))
    for element in elements { body(&self, element) }
    close(UInt8(ascii: "]"))
  }

  mutating func key(_ name: String) {
    separate()
    quote(name)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  mutating func text(_ value: String) {
    separate()
    quote(value)
  }

  mutating func number(_ value: Double) {
    separate()
    if let whole = Int(exactly: value) {
      bytes += Array("\(whole)".utf8)
    } else {
      bytes += Array((value.isFinite ? "\(value)" : "null").utf8)
    }
  }

  mutating func truth(_ value: Bool) {
    separate()
    bytes += Array((value ? "true" : "false").utf8)
  }

  /// A value that is JSON already.
  mutating func raw(_ value: [UInt8]) {
    separate()
    bytes += value
  }

  mutating func value(_ value: FieldValue) {
    switch value {
    case .cell(let text), .text(let text): self.text(text)
    case .number(_, let text): raw(Array(text.utf8))
    case .truth(let truth): self.truth(truth)
    case .list(let items): list(items) { $0.value($1) }
    case .object(let object): self.object { json in json.pairs(object) }
    }
  }

  mutating func pairs(_ object: [String: FieldValue]) {
    for name in object.keys.sorted() {
      guard let value = object[name] else { continue }
      key(name)
      self.value(value)
    }
  }

  mutating func null() {
    separate()
    bytes += Array("null".utf8)
  }

  /// A key and its text; nothing at all for nil.
  mutating func pair(_ name: String, _ value: String?) {
    guard let value else { return }
    key(name)
    text(value)
  }

  /// A key and its number; nothing at all for nil.
  mutating func pair(_ name: String, _ value: Double?) {
    guard let value else { return }
    key(name)
    number(value)
  }

  private mutating func open(_ byte: UInt8) {
    separate()
    bytes.append(byte)
    needsComma = false
  }

  private mutating func close(_ byte: UInt8) {
    bytes.append(byte)
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
  }

  private mutating func quote(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""): bytes += [UInt8(ascii: "\\"), UInt8(ascii: "\"")]
      case UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), UInt8(ascii: "\\")]
      case 0x0A: bytes += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
      case 0x0D: bytes += [UInt8(ascii: "\\"), UInt8(ascii: "r")]
      case 0x09: bytes += [UInt8(ascii: "\\"), UInt8(ascii: "t")]
      case 0x00..<0x20, 0x7F:
        let digits = Array("0123456789abcdef".utf8)
        bytes += Array("\\u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
