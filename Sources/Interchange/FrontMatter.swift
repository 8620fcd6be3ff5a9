import Clinical

/// The `key: value` lines between the two lines of dashes with which a text begins, and where the text goes on.
struct FrontMatter: Equatable {
  struct Entry: Equatable {
    let key: String
    let value: String
    /// In the file, from 1.
    let line: Int
  }

  enum Failure: Error, Equatable {
    case none
    case unclosed
    case notAnEntry(line: Int)
    case repeatedKey(line: Int)
    case tooManyEntries(line: Int)
  }

  /// A letter has a dozen; a file that has more than this is none.
  static let maximumEntries = 1000

  let entries: [Entry]
  /// Where the text begins: the byte after the end of the closing line.
  let bodyStart: Int

  /// - Parameter bytes: a file in UTF-8, without a byte order mark.
  /// - Throws: ``Failure`` for a file that doesn't begin with well-formed front matter.
  init(_ bytes: [UInt8]) throws(Failure) {
    var entries: [Entry] = []
    var keys: Set<String> = []
    var start = 0
    var number = 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
      let line = String(decoding: bytes[start..<end], as: UTF8.self).trimmingSpaces()
      start = min(end + 1, bytes.count)
      number += 1
      if number == 1 {
        guard line == "---" else { throw .none }
        continue
      }
      if line == "---" || line == "..." {
        self.entries = entries
        bodyStart = start
        return
      }
      if line.isEmpty || line.hasPrefix("#") { continue }
      guard let colon = line.firstIndex(of: ":") else { throw .notAnEntry(line: number) }
      let key = line[..<colon].trimmingSpaces()
      guard !key.isEmpty else { throw .notAnEntry(line: number) }
      guard keys.insert(key).inserted else { throw .repeatedKey(line: number) }
      guard entries.count < Self.maximumEntries else { throw .tooManyEntries(line: number) }
      let value = Self.unquote(line[line.index(after: colon)...].trimmingSpaces())
      entries.append(Entry(key: key, value: value, line: number))
    }
    throw number == 0 ? .none : .unclosed
  }

  /// The note as one object, its text under `text`, as the rejects file keeps it.
  func asJSON(text: some Collection<UInt8>) -> [UInt8] {
    var json = JSONText()
    json.object { json in
      for entry in entries where entry.key != "text" { json.pair(entry.key, entry.value) }
      json.pair("text", String(decoding: text, as: UTF8.self))
    }
    return json.bytes
  }

  /// Whether a file that begins with `bytes` means to have front matter.
  static func begins(_ bytes: [UInt8]) -> Bool {
    let mark = [TextEncoding.utf8, .utf16LittleEndian, .utf16BigEndian].first { bytes.starts(with: $0.mark) }?.mark
    let text = bytes.dropFirst(mark?.count ?? 0)
    guard text.starts(with: Array("---".utf8)) else { return false }
    let rest = text.dropFirst(3).drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
    return rest.first == 0x0A
  }

  private static func unquote(_ value: String) -> String {
    for quote in ["\"", "'"] where value.utf8.count >= 2 && value.hasPrefix(quote) && value.hasSuffix(quote) {
      return String(value.dropFirst().dropLast())
    }
    return value
  }
}
