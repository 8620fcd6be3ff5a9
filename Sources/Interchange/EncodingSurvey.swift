/// Finds out how a file is encoded, from all of its bytes, before a row of it is read.
enum EncodingSurvey {
  enum Finding: Equatable {
    case encoding(TextEncoding)
    /// Where reading must stop. `reason` holds no more of the file than a byte.
    case undecidable(line: Int, column: Int, reason: String)
  }

  /// - Parameters:
  ///   - file: any size; it is read in portions.
  ///   - declared: what a person says; it is checked, not believed.
  /// - Returns: the encoding of all of the file, or the first place that has none.
  /// - Throws: ``InterchangeError`` when the system fails to read.
  static func survey(_ file: InputFile, declared: TextEncoding?) throws(InterchangeError) -> Finding {
    let start = try file.start(count: 1 << 12)
    let announced = TextEncoding.announced(by: start)
    if let declared, let announced, start.starts(with: announced.mark), announced != declared {
      // "utf-16" alone leaves the order of bytes to the mark.
      guard declared == .utf16LittleEndian, announced == .utf16BigEndian else {
        return .undecidable(
          line: 1, column: 1, reason: "the file begins with the mark of \(announced.rawValue), not \(declared.rawValue)"
        )
      }
      return try check(file, announced)
    }
    switch declared ?? announced {
    case .utf16LittleEndian: return try check(file, .utf16LittleEndian)
    case .utf16BigEndian: return try check(file, .utf16BigEndian)
    case .utf8: return try check(file, .utf8)
    case .windows1252: return try singleByte(file, .windows1252)
    case .iso8859Part15: return try singleByte(file, .iso8859Part15)
    case nil: return try guess(file)
    }
  }

  /// Decodes the whole file for its first undecidable byte.
  private static func check(_ file: InputFile, _ encoding: TextEncoding) throws(InterchangeError) -> Finding {
    let decoder = TextDecoder(encoding)
    var place = Place()
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    var offset: Int64 = 0
    var decoded: [UInt8] = []
    while true {
      let count = try file.read(at: offset, into: &buffer)
      offset += Int64(count)
      decoded.removeAll(keepingCapacity: true)
      do throws(TextDecoder.Failure) {
        if count == 0 {
          try decoder.finish()
          return .encoding(encoding)
        }
        try decoder.decode(buffer[..<count], into: &decoded)
        place.advance(over: decoded)
      } catch {
        place.advance(over: decoded)
        return .undecidable(
          line: place.line, column: place.column,
          reason: "\(try byte(file, error.offset)) is no \(encoding.rawValue)")
      }
    }
  }

  private static func guess(_ file: InputFile) throws(InterchangeError) -> Finding {
    if try firstInvalidUTF8Offset(file) == nil { return .encoding(.utf8) }
    let bytes = try HighBytes(file)
    if bytes.validSequences * 10 > bytes.invalid {
      return try undecidable(
        file, bytes.firstInvalid,
        "\(try byte(file, bytes.firstInvalid)) is no UTF-8, although the file is in UTF-8 elsewhere", isUTF8: true)
    }
    if let offset = bytes.firstImplausible {
      return try undecidable(
        file, offset, "\(try byte(file, offset)) makes no sense in Windows-1252 or ISO 8859-15, nor is it UTF-8")
    }
    if bytes.hasPunctuation { return .encoding(.windows1252) }
    switch (bytes.firstLetter, bytes.firstSymbol, bytes.firstDoubtful) {
    case (nil, nil, nil), (nil, _?, _): return .encoding(.windows1252)
    case (_?, nil, _): return .encoding(.iso8859Part15)
    case (let letter?, let symbol?, _):
      return try undecidable(
        file, max(letter, symbol),
        "\(try byte(file, max(letter, symbol))) speaks for another encoding than the bytes before it: "
          + "Windows-1252 or ISO 8859-15?")
    case (nil, nil, let offset?):
      return try undecidable(
        file, offset, "\(try byte(file, offset)) is one character in Windows-1252 and another in ISO 8859-15")
    }
  }

  /// A declared encoding of one byte a character: it may not be UTF-8 in truth, and its bytes must be characters.
  private static func singleByte(_ file: InputFile, _ encoding: TextEncoding) throws(InterchangeError) -> Finding {
    let isUTF8 = try firstInvalidUTF8Offset(file) == nil
    let bytes = try HighBytes(file)
    if isUTF8, bytes.validSequences > 0, let first = bytes.first {
      return try undecidable(
        file, first, "the file is UTF-8 from its first character past ASCII on, not \(encoding.rawValue)", isUTF8: true)
    }
    if encoding == .iso8859Part15, let offset = bytes.firstControl {
      return try undecidable(file, offset, "\(try byte(file, offset)) is no character of ISO 8859-15")
    }
    if encoding == .windows1252, let offset = bytes.firstUndefined {
      return try undecidable(file, offset, "\(try byte(file, offset)) is no character of Windows-1252")
    }
    return .encoding(encoding)
  }

  private static func undecidable(
    _ file: InputFile, _ offset: Int64, _ reason: String, isUTF8: Bool = false
  ) throws(InterchangeError) -> Finding {
    var place = Place(countsBytes: !isUTF8)
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    var read: Int64 = 0
    while read < offset {
      let count = min(Int64(try file.read(at: read, into: &buffer)), offset - read)
      if count == 0 { break }
      place.advance(over: buffer[..<Int(count)])
      read += count
    }
    return .undecidable(line: place.line, column: place.column, reason: reason)
  }

  private static func byte(_ file: InputFile, _ offset: Int64) throws(InterchangeError) -> String {
    var buffer: [UInt8] = [0]
    guard try file.read(at: offset, into: &buffer) == 1 else { return "the end of the file" }
    let digits = Array("0123456789ABCDEF")
    return "the byte 0x\(digits[Int(buffer[0] >> 4)])\(digits[Int(buffer[0] & 15)])"
  }

  private static func firstInvalidUTF8Offset(_ file: InputFile) throws(InterchangeError) -> Int64? {
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    var offset: Int64 = 0
    while true {
      let count = try file.read(at: offset, into: &buffer)
      if count == 0 { return nil }
      let bytes = Array(buffer[..<count])
      guard let invalid = Interchange.firstInvalidUTF8Offset(in: bytes) else {
        offset += Int64(count)
        continue
      }
      // The portion may end within a character: it is looked at again from there, unless it stands at the very beginning.
      guard invalid > 0, count - invalid < 4 else { return offset + Int64(invalid) }
      offset += Int64(invalid)
    }
  }

  /// Line and column, both from 1; a column is a character.
  private struct Place {
    var line = 1
    var column = 1
    /// For encodings of one byte a character.
    var countsBytes = false

    mutating func advance(over bytes: some Sequence<UInt8>) {
      for byte in bytes {
        if byte == 0x0A {
          line += 1
          column = 1
        } else if countsBytes || byte & 0xC0 != 0x80 {
          column += 1
        }
      }
    }
  }
}
