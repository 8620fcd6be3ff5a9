/// Which values a message may repeat: those of fields that hold no prose, and only when they look the part, since a
/// shifted column can put a note's text, a name or a phone number under any heading.
enum Harmless {
  /// A value as a message may show it: itself where `rule` allows it, otherwise no more than how long it is.
  static func described(_ text: String, as rule: (String) -> String?) -> String {
    rule(text) ?? "(\(text.count) characters, not shown)"
  }

  /// Three groups that could be day, month and year, then perhaps a time.
  static func date(_ text: String) -> String? {
    guard text.utf8.count <= 40, let groups = groups(text), (3...10).contains(groups.count) else { return nil }
    let isDay = groups.prefix(3).allSatisfy { $0.utf8.count <= 2 || isYear($0) || isMonth($0) }
    let isTime = groups.dropFirst(3).allSatisfy { $0.utf8.count <= 2 || ($0.utf8.count == 3 && isNumber($0)) }
    return isDay && isTime ? text : nil
  }

  /// `25:00`, `9:5 pm`.
  static func time(_ text: String) -> String? {
    guard text.utf8.count <= 12, text.contains(":"), let groups = groups(text) else { return nil }
    return groups.allSatisfy { $0.utf8.count <= 2 } ? text : nil
  }

  /// Shorter than a phone number.
  static func number(_ text: String) -> String? {
    let isPlain = text.utf8.allSatisfy { (0x30...0x39).contains($0) || "+-.,eE".utf8.contains($0) }
    let digits = text.utf8.count { (0x30...0x39).contains($0) }
    return isPlain && (1...6).contains(digits) && text.utf8.count <= 8 ? text : nil
  }

  static func number(_ value: Double) -> String? { number(Int(exactly: value).map(String.init) ?? "\(value)") }

  /// A single word, such as could stand in a list of allowed ones.
  static func word(_ text: String) -> String? {
    let isPlain = text.utf8.allSatisfy { isLetter($0) || $0 == 0x5F || $0 == 0x2D }
    return isPlain && !text.isEmpty && text.utf8.count <= 24 ? text : nil
  }

  /// A key as programs name them.
  static func key(_ text: String) -> String? { text.utf8.contains(0x20) ? nil : heading(text) }

  /// A column as people's spreadsheets name them, rather than a cell of a table without a head line.
  static func heading(_ text: String) -> String? {
    let isPlain = text.utf8.allSatisfy {
      isLetter($0) || (0x30...0x39).contains($0) || " _-./()[]#".utf8.contains($0)
    }
    let digits = text.utf8.count { (0x30...0x39).contains($0) }
    return isPlain && !text.isEmpty && digits <= 4 && text.utf8.count <= 40 && text.split(separator: " ").count <= 4
      ? text : nil
  }

  /// Runs of digits and of letters; nil when there is anything but these and a date's separators.
  private static func groups(_ text: String) -> [String]? {
    var groups: [[UInt8]] = []
    var previous: Int?
    for byte in text.utf8 {
      let sort: Int? = (0x30...0x39).contains(byte) ? 0 : isLetter(byte) ? 1 : nil
      guard let sort else {
        guard " +,-./:".utf8.contains(byte) else { return nil }
        previous = nil
        continue
      }
      if sort != previous { groups.append([]) }
      groups[groups.count - 1].append(byte)
      previous = sort
    }
    return groups.map { String(decoding: $0, as: UTF8.self) }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }

  private static func isNumber(_ text: String) -> Bool { text.utf8.allSatisfy { (0x30...0x39).contains($0) } }

  private static func isYear(_ text: String) -> Bool { text.utf8.count == 4 && isNumber(text) }

  private static func isMonth(_ text: String) -> Bool { DateReader.month(named: text[...]) != nil }
}
