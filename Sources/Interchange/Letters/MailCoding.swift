import Clinical
import Glibc

/// How messages spell bytes in letters.
enum MailCoding {
  private static func sextet(_ byte: UInt8) -> UInt32? {
    switch byte {
    case 0x41...0x5A: UInt32(byte - 0x41)
    case 0x61...0x7A: UInt32(byte - 0x61) + 26
    case 0x30...0x39: UInt32(byte - 0x30) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }

  /// What base 64 stands for; everything that is no letter of it is passed over, as RFC 2045 wants.
  static func base64(_ text: some Sequence<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var bits: UInt32 = 0
    var count = 0
    for byte in text {
      if byte == UInt8(ascii: "=") { break }
      guard let value = sextet(byte) else { continue }
      bits = bits << 6 | value
      count += 6
      if count >= 8 {
        count -= 8
        result.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return result
  }

  static func quotedPrintable(_ text: ArraySlice<UInt8>, isWord: Bool = false) -> [UInt8] {
    var result: [UInt8] = []
    var index = text.startIndex
    while index < text.endIndex {
      let byte = text[index]
      index += 1
      if byte == UInt8(ascii: "_"), isWord {
        result.append(0x20)
      } else if byte == UInt8(ascii: "=") {
        let rest = text[index...].prefix(2)
        if rest.first == 0x0A {
          index += 1
        } else if rest == [0x0D, 0x0A] {
          index += 2
        } else if rest.count == 2, let value = UInt8(String(decoding: rest, as: UTF8.self), radix: 16) {
          result.append(value)
          index += 2
        } else {
          result.append(byte)
        }
      } else {
        result.append(byte)
      }
    }
    return result
  }

  /// A head's field with its encoded words read: `=?utf-8?Q?J=C3=B6rg?=`.
  static func words(_ text: String) -> String {
    var result = ""
    var rest = text[...]
    var isAfterWord = false
    while let start = rest.firstRange(of: "=?") {
      let before = rest[..<start.lowerBound]
      let parts = rest[start.upperBound...].split(separator: "?", maxSplits: 3, omittingEmptySubsequences: false)
      guard parts.count == 4, parts[3].first == "=", parts[1].count == 1 else {
        result += rest[..<start.upperBound]
        rest = rest[start.upperBound...]
        isAfterWord = false
        continue
      }
      // White space between two of them belongs to neither.
      if !(isAfterWord && before.allSatisfy(\.isWhitespace)) { result += before }
      let bytes =
        parts[1].lowercased() == "b" ? base64(parts[2].utf8) : quotedPrintable(Array(parts[2].utf8)[...], isWord: true)
      result += MailCharset.text(bytes, parts[0].split(separator: "*").first.map(String.init))
      rest = parts[3].dropFirst()
      isAfterWord = true
    }
    return result + rest
  }

  /// `utf-8'en'J%C3%B6rg`, or a later piece without what stands before the second apostrophe.
  static func percent(_ text: String) -> String {
    let parts = text.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
    let (charset, value) = parts.count == 3 ? (String(parts[0]), parts[2]) : (nil, text[...])
    var bytes: [UInt8] = []
    var letters = Array(value.utf8)[...]
    while let byte = letters.popFirst() {
      if byte == UInt8(ascii: "%"), letters.count >= 2,
        let value = UInt8(String(decoding: letters.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        letters = letters.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return MailCharset.text(bytes, charset)
  }
}

/// Bytes in whatever character set a message names, by the C library.
enum MailCharset {
  static func text(_ bytes: [UInt8], _ charset: String?) -> String {
    let name = charset?.trimmingSpaces().lowercased() ?? "utf-8"
    if ["utf-8", "utf8", "us-ascii", "ascii"].contains(name), firstInvalidUTF8Offset(in: bytes) == nil {
      return String(decoding: bytes, as: UTF8.self)
    }
    let isSafe =
      name.utf8.count <= 40
      && name.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) || [0x2D, 0x2E, 0x3A, 0x5F].contains(byte)
      }
    // What browsers do: Latin 1 is Windows-1252.
    let known = ["iso-8859-1", "latin1", "us-ascii", "utf-8"].contains(name) ? "CP1252" : name
    return (isSafe ? converted(bytes, known) : nil) ?? converted(bytes, "CP1252")
      ?? String(decoding: bytes, as: UTF8.self)
  }

  /// Nil where the character set isn't known; what means nothing in it becomes a replacement character.
  private static func converted(_ bytes: [UInt8], _ charset: String) -> String? {
    let handle = iconv_open("UTF-8", charset)
    guard handle != iconv_t(bitPattern: -1) else { return nil }
    defer { iconv_close(handle) }
    var output: [UInt8] = []
    var input = bytes[...]
    var room = [UInt8](repeating: 0, count: 1 << 14)
    while !input.isEmpty {
      let before = input.count
      var source = Array(input.prefix(1 << 12))
      let (read, written): (Int, Int) = source.withUnsafeMutableBytes { source in
        room.withUnsafeMutableBytes { target in
          var from = source.baseAddress?.assumingMemoryBound(to: CChar.self)
          var left = source.count
          var to = target.baseAddress?.assumingMemoryBound(to: CChar.self)
          var free = target.count
          _ = iconv(handle, &from, &left, &to, &free)
          return (source.count - left, target.count - free)
        }
      }
      output += room[..<written]
      input = input.dropFirst(read)
      if input.count == before {
        output += Array("\u{FFFD}".utf8)
        input = input.dropFirst()
      }
    }
    return String(decoding: output, as: UTF8.self)
  }
}

/// The day and time of a message's head.
enum MailDate {
  /// `Mon, 23 Nov 2026 09:30:00 +0100`; nil for what is none.
  static func read(_ text: String) -> LetterFile.ISOStamp? {
    var words = text.split { $0 == " " || $0 == "," || $0 == "\t" }.map(String.init)
    if words.first?.first?.isLetter == true { words.removeFirst() }
    guard words.count >= 4, let day = Int(words[0]), (1...31).contains(day),
      let month = DateReader.month(named: words[1][...]), let year = Int(words[2]), (1970...9999).contains(year),
      let time = DateReader.parseTime(words[3])
    else { return nil }
    var offset = 0
    if words.count > 4, let zone = Int(words[4].drop { $0 == "+" }), words[4].count == 5 {
      offset = (abs(zone) / 100 * 60 + abs(zone) % 100) * (zone < 0 ? -1 : 1)
    }
    return .init(
      date: "\(year)-\(twoDigits(month))-\(twoDigits(day))", time: clock(time.minuteOfDay), offsetMinutes: offset)
  }
}
