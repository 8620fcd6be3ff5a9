import Clinical

/// Looks a calendar over before libical takes it apart, which holds all of it, ends at a zero byte without a word, compares each parameter
/// with all before it, and spells out the changes of a time zone one by one.
struct CalendarCheck {
  struct Flaw: Equatable {
    /// From 1.
    let line: Int
    let message: String
    let hint: String
  }

  /// libical needs some 400 bytes a line.
  static let maximumLines = 1_000_000
  static let maximumDepth = 50
  /// Of one property.
  static let maximumParameters = 200
  /// All lines of time zones together.
  static let maximumZoneLines = 20_000

  private let maximumLines: Int
  private var line = 0
  private var zoneLines = 0
  /// The open components, each with whether it is a time zone or within one; libical ends the innermost, whatever name an END has.
  private var open: [Bool] = []

  /// What keeps a calendar from being read; nil where nothing does.
  ///
  /// - Complexity: O(bytes).
  static func flaw(in bytes: [UInt8], maximumLines: Int = Self.maximumLines) -> Flaw? {
    var check = CalendarCheck(maximumLines: maximumLines)
    return bytes.withUnsafeBufferPointer { check.look($0) }
  }

  private init(maximumLines: Int) { self.maximumLines = maximumLines }

  private mutating func look(_ bytes: UnsafeBufferPointer<UInt8>) -> Flaw? {
    var property = Property()
    var start = 0
    while start < bytes.count {
      var end = start
      while end < bytes.count, bytes[end] != 0x0A {
        if bytes[end] == 0 {
          return Flaw(line: line + 1, message: "a zero byte", hint: "export it as iCalendar (.ics)")
        }
        end += 1
      }
      let isFolded = bytes[start] == 0x20 || bytes[start] == 0x09
      if !isFolded, let flaw = finish(property) { return flaw }
      line += 1
      guard line <= maximumLines else {
        return Flaw(line: line, message: "more than \(maximumLines) lines", hint: "export a shorter time")
      }
      if !isFolded { property = Property() }
      property.add(UnsafeBufferPointer(rebasing: bytes[(isFolded ? start + 1 : start)..<end]))
      if property.parameters > Self.maximumParameters {
        return Flaw(line: line, message: "a property with more than \(Self.maximumParameters) parameters", hint: "")
      }
      if open.last == true { zoneLines += 1 }
      if zoneLines > Self.maximumZoneLines {
        return Flaw(
          line: line, message: "time zones of more than \(Self.maximumZoneLines) lines",
          hint: "export with the names of time zones, or in UTC")
      }
      start = end + 1
    }
    return finish(property)
  }

  /// Takes a property that has ended.
  private mutating func finish(_ property: Property) -> Flaw? {
    guard property.mayMatter else { return nil }
    let text = property.head.uppercased()
    if text.hasPrefix("BEGIN:") {
      guard open.count < Self.maximumDepth else {
        return Flaw(line: line, message: "components within more than \(Self.maximumDepth) others", hint: "")
      }
      let name = text.dropFirst(6).trimmingSpaces()
      open.append(open.last == true || name == "VTIMEZONE")
    } else if text.hasPrefix("END:") {
      _ = open.popLast()
    } else if open.last == true, text.hasPrefix("RRULE"), !isYearly(text) {
      return Flaw(
        line: line, message: "a time zone whose clocks change more often than every month",
        hint: "export with the names of time zones, or in UTC")
    }
    return nil
  }

  private func isYearly(_ rule: String) -> Bool {
    let parts = rule.split { $0 == ";" || $0 == ":" }.map { $0.trimmingSpaces() }
    return parts.contains { $0 == "FREQ=YEARLY" || $0 == "FREQ=MONTHLY" }
      && !parts.contains { part in
        ["BYHOUR=", "BYMINUTE=", "BYSECOND="].contains(where: part.hasPrefix)
          || part.hasPrefix("FREQ=") && part != "FREQ=YEARLY" && part != "FREQ=MONTHLY"
      }
  }
}

/// The beginning of a property, its lines put together.
private struct Property {
  private static let length = 2048
  private var bytes: [UInt8] = []
  private(set) var parameters = 0
  private var isValue = false
  private var isQuoted = false

  mutating func add(_ line: UnsafeBufferPointer<UInt8>) {
    for byte in line {
      if bytes.count < Self.length, byte != 0x0D { bytes.append(byte) }
      if isValue { continue }
      switch byte {
      case UInt8(ascii: "\""): isQuoted.toggle()
      case UInt8(ascii: ";"): parameters += 1
      // Within quotes too it may be the value's beginning to libical: the parameters that follow were counted or are none.
      case UInt8(ascii: ":"): isValue = !isQuoted
      default: break
      }
    }
  }

  /// Whether it may be a BEGIN, an END or an RRULE.
  var mayMatter: Bool { bytes.first.map { "BbEeRr".utf8.contains($0) } ?? false }

  var head: String { String(decoding: bytes, as: UTF8.self) }
}
