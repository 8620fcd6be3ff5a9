import Clinical

/// Addresses within the workspace.
enum Link {
  static func day(_ date: CalendarDate) -> String { "/day/\(date)" }
  static func flow(_ date: CalendarDate) -> String { "/flow/\(date)" }
  static func week(_ date: CalendarDate) -> String { "/week/\(date)" }
  static func month(_ date: CalendarDate) -> String { "/month/\(date)" }
  static func briefs(_ date: CalendarDate) -> String { "/brief/\(date)" }
  static func patient(_ id: String) -> String { path(["patient", id]) }
  static func inbox(_ id: String) -> String { path(["inbox", id]) }
  static func encounter(_ id: String) -> String { path(["encounter", id]) }
  /// A blank encounter of a patient, for one of its visits where that is known.
  static func newEncounter(of patient: String, visit: String? = nil) -> String {
    "/encounter/new?patient=\(encoded(patient))" + (visit.map { "&appointment=\(encoded($0))" } ?? "")
  }
  static func visit(_ id: String) -> String { path(["visit", id]) }

  /// A note, with the words that are meant, in code points.
  static func note(_ id: String, words: Range<Int>? = nil) -> String {
    path(["note", id]) + (words.map { "?start=\($0.lowerBound)&end=\($0.upperBound)" } ?? "")
  }

  /// Segments percent-encoded: whatever an id holds, it stays one segment.
  static func path(_ segments: [String]) -> String { segments.map { "/" + encoded($0) }.joined() }

  /// What somebody asked for, to come back to.
  static func target(_ request: Request) -> String {
    let query = request.query.map { "\(encoded($0.name))=\(encoded($0.value))" }.joined(separator: "&")
    return (request.path.isEmpty ? "/" : path(request.path)) + (query.isEmpty ? "" : "?\(query)")
  }

  static func encoded(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
        UInt8(ascii: "~"):
        bytes.append(byte)
      default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
