/// What is wrong with one field of a row; with the row's place it becomes an ``ImportReject``.
struct FieldError: Error, Equatable {
  let field: String
  let value: String?
  let reason: String
  let hint: String

  init(_ field: String, value: String? = nil, _ reason: String, hint: String) {
    self.field = field
    self.value = value
    self.reason = reason
    self.hint = hint
  }

  static func missing(_ field: String, hint: String) -> FieldError { FieldError(field, "missing", hint: hint) }
}

/// Which values a message may repeat: those of fields that hold no prose, and only when they look the part, since a
/// shifted column can put a note's text under any heading.
enum Harmless {
  static func identifier(_ text: String) -> String? {
    let isPlain = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    return isPlain && !text.isEmpty && text.utf8.count <= 40 ? text : nil
  }

  /// Digits and separators with at most the name of one month.
  static func date(_ text: String) -> String? {
    var letters = 0
    var digits = 0
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39: digits += 1
      case 0x41...0x5A, 0x61...0x7A: letters += 1
      case 0x20, 0x2B, 0x2C, 0x2D, 0x2E, 0x2F, 0x3A: break
      default: return nil
      }
    }
    return digits > 0 && digits <= 20 && letters <= 9 && text.utf8.count <= 32 ? text : nil
  }

  static func number(_ text: String) -> String? {
    let isPlain = text.utf8.allSatisfy { (0x30...0x39).contains($0) || "+-.,eE".utf8.contains($0) }
    return isPlain && !text.isEmpty && text.utf8.count <= 12 ? text : nil
  }

  /// A single word, such as could stand in a list of allowed ones.
  static func word(_ text: String) -> String? {
    let isPlain = text.utf8.allSatisfy {
      (0x61...0x7A).contains($0) || (0x41...0x5A).contains($0) || $0 == 0x5F || $0 == 0x2D
    }
    return isPlain && !text.isEmpty && text.utf8.count <= 24 ? text : nil
  }
}
