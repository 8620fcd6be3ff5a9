/// A resource's place in its file.
struct FHIRPlace: Hashable {
  let offset: Int64
  let length: Int
  /// From 1, where it begins.
  let line: Int
}

/// Why nothing of a file can be read.
struct FHIRFileError: Error {
  let line: Int
  let message: String
  let hint: String
}

/// Takes a file apart into resources without holding it: the entries of a Bundle, the lines of NDJSON, or the one resource there is.
struct FHIRSplitter {
  enum Item {
    case resource(JSONValue, fullURL: String?, FHIRPlace)
    /// A line that is no JSON, or something too long to be held.
    case unreadable(FHIRPlace, reason: String, hint: String)
  }

  /// More resources in one file are refused: their places have to be held.
  static let maximumCount = 2_000_000

  let file: InputFile
  let maximumLength: Int
  /// Whether each line is a resource of its own.
  let isLines: Bool

  /// Calls `body` with each resource, in order.
  ///
  /// - Throws: ``FHIRFileError`` for a document that is no JSON, or cut off, perhaps after some calls.
  func forEach(_ body: (Item) -> Void) throws(FHIRFileError) {
    if isLines { try lines(body) } else { try document(body) }
  }

  /// Reads one resource again, with the full URL of its entry.
  func resource(at place: FHIRPlace) throws(FHIRFileError) -> (resource: JSONValue, url: String?)? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: min(1 << 16, place.length))
    while bytes.count < place.length {
      let count = try read(at: place.offset + Int64(bytes.count), into: &buffer)
      if count == 0 { break }
      bytes += buffer[..<min(count, place.length - bytes.count)]
    }
    guard let value = try? JSONParser.parse(bytes) else {
      throw FHIRFileError(line: place.line, message: "the file changed while it was read", hint: "import it again")
    }
    if value["resourceType"] != nil { return (value, nil) }
    return value["resource"].map { ($0, value["fullUrl"]?.text) }
  }

  private func read(at offset: Int64, into buffer: inout [UInt8]) throws(FHIRFileError) -> Int {
    do throws(InterchangeError) {
      return try file.read(at: offset, into: &buffer)
    } catch {
      throw FHIRFileError(line: 1, message: "reading failed", hint: "")
    }
  }

  // MARK: NDJSON

  private func lines(_ body: (Item) -> Void) throws(FHIRFileError) {
    var scan = Scan()
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = try read(at: scan.offset, into: &buffer)
      if count == 0 { break }
      for byte in buffer[..<count] {
        scan.offset += 1
        if byte == 0x0A {
          try endLine(&scan, isWhole: true, body)
        } else {
          scan.add(byte, limit: maximumLength)
        }
      }
    }
    try endLine(&scan, isWhole: false, body)
  }

  private func endLine(_ scan: inout Scan, isWhole: Bool, _ body: (Item) -> Void) throws(FHIRFileError) {
    let place = FHIRPlace(offset: scan.start, length: scan.length, line: scan.line)
    if scan.isTooLong {
      body(.unreadable(place, reason: tooLong(scan.length), hint: "look for a missing line break"))
    } else if !scan.bytes.allSatisfy(isJSONSpace) {
      do throws(JSONSyntaxError) {
        body(.resource(try JSONParser.parse(scan.bytes.withoutMark), fullURL: nil, place.withoutMark(scan.bytes)))
      } catch {
        let isCut = !isWhole && error.reason == .cutOff
        body(
          .unreadable(
            place, reason: isCut ? "truncated line: the file ends in the middle of a resource" : error.words,
            hint: isCut ? "the file was not copied or written to its end" : "write one resource a line"))
      }
    }
    scan.count += 1
    try refuseTooMany(scan)
    scan.begin(at: scan.offset, line: scan.line + (isWhole ? 1 : 0))
  }

  private func tooLong(_ length: Int) -> String {
    "the resource has \(length) bytes, at most \(maximumLength) are read"
  }

  private func refuseTooMany(_ scan: Scan) throws(FHIRFileError) {
    guard scan.count > Self.maximumCount else { return }
    throw FHIRFileError(
      line: scan.line, message: "more than \(Self.maximumCount) resources", hint: "split the file")
  }

  // MARK: A document

  private func document(_ body: (Item) -> Void) throws(FHIRFileError) {
    var scan = Scan()
    var state = DocumentState()
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = try read(at: scan.offset, into: &buffer)
      if count == 0 { break }
      for byte in buffer[..<count] {
        let step = state.take(byte)
        if step == .begins { scan.begin(at: scan.offset, line: scan.line) }
        scan.offset += 1
        if step != .outside { scan.add(byte, limit: maximumLength) } else { state.keep(byte) }
        if state.head.count > maximumLength {
          throw FHIRFileError(line: scan.line, message: tooLong(state.head.count), hint: "write a Bundle or NDJSON")
        }
        if step == .ends {
          try endEntry(&scan, body)
          state.stand(inFor: scan.line)
        }
        if byte == 0x0A { scan.line += 1 }
      }
    }
    let head: JSONValue
    do throws(JSONSyntaxError) {
      head = try JSONParser.parse(state.head.withoutMark)
    } catch {
      let isCut = error.reason == .cutOff
      throw FHIRFileError(
        line: isCut ? scan.line : state.line(at: error.offset), message: error.words,
        hint: isCut ? "the file was not copied or written to its end" : "export it again as JSON")
    }
    guard let type = head["resourceType"]?.text else {
      throw FHIRFileError(line: 1, message: "JSON, but no resource of FHIR", hint: "it has no resourceType")
    }
    if type != "Bundle" {
      let mark = Int64(state.head.count - state.head.withoutMark.count)
      body(.resource(head, fullURL: nil, FHIRPlace(offset: mark, length: Int(scan.offset - mark), line: 1)))
    }
  }

  private func endEntry(_ scan: inout Scan, _ body: (Item) -> Void) throws(FHIRFileError) {
    let place = FHIRPlace(offset: scan.start, length: scan.length, line: scan.startLine)
    scan.count += 1
    try refuseTooMany(scan)
    if scan.isTooLong {
      body(.unreadable(place, reason: tooLong(scan.length), hint: "leave large attachments out"))
      return
    }
    do throws(JSONSyntaxError) {
      let entry = try JSONParser.parse(scan.bytes)
      if let resource = entry["resource"] { body(.resource(resource, fullURL: entry["fullUrl"]?.text, place)) }
    } catch {
      throw FHIRFileError(
        line: scan.startLine + scan.bytes.prefix(error.offset).count { $0 == 0x0A }, message: error.words,
        hint: "export it again as JSON")
    }
  }

  /// What is being gathered, and where.
  private struct Scan {
    var offset: Int64 = 0
    var line = 1
    var start: Int64 = 0
    var startLine = 1
    var length = 0
    var bytes: [UInt8] = []
    var isTooLong = false
    var count = 0

    mutating func begin(at offset: Int64, line: Int) {
      (start, startLine, self.line, length, isTooLong) = (offset, line, line, 0, false)
      bytes.removeAll(keepingCapacity: true)
    }

    mutating func add(_ byte: UInt8, limit: Int) {
      length += 1
      if length > limit {
        isTooLong = true
        bytes = []
      } else {
        bytes.append(byte)
      }
    }
  }
}

/// Where in a document a byte stands: within an object of its top-level `entry`, or not.
private struct DocumentState {
  enum Step { case outside, begins, inside, ends }

  /// All that is not within an entry.
  var head: [UInt8] = []
  private var depth = 0
  private var isInText = false
  private var isEscaped = false
  /// The last text at the top level, while it may be `entry`.
  private var text: [UInt8] = []
  private var isEntryList = false
  private var isInEntry = false
  /// Where in ``head`` entries were left out, and in which line each ended.
  private var ends: [(offset: Int, line: Int)] = []

  /// Keeps a byte outside of entries, of white space between words one.
  mutating func keep(_ byte: UInt8) {
    let isBlank = byte == 0x20 || byte == 0x09 || byte == 0x0D
    if isBlank, !isInText, head.last == 0x20 { return }
    head.append(isBlank && !isInText ? 0x20 : byte)
  }

  /// Puts a number in an entry's place.
  mutating func stand(inFor line: Int) {
    head.append(UInt8(ascii: "0"))
    ends.append((head.count, line))
  }

  /// The line in the file of a place in ``head``.
  func line(at offset: Int) -> Int {
    let before = ends.last { $0.offset <= offset } ?? (0, 1)
    return before.line + head[before.offset..<min(offset, head.count)].count { $0 == 0x0A }
  }

  mutating func take(_ byte: UInt8) -> Step {
    if isInText {
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isInText = false
      }
      if depth == 1, isInText, text.count < 8 { text.append(byte) }
      return isInEntry ? .inside : .outside
    }
    switch byte {
    case UInt8(ascii: "\""):
      isInText = true
      if depth == 1 { text = [] }
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      if depth == 1, byte == UInt8(ascii: "["), text == Array("entry".utf8) { isEntryList = true }
      depth += 1
      if depth == 3, isEntryList, !isInEntry, byte == UInt8(ascii: "{") {
        isInEntry = true
        return .begins
      }
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      depth -= 1
      if isInEntry, depth == 2 {
        isInEntry = false
        return .ends
      }
      if depth <= 1 { isEntryList = false }
    case UInt8(ascii: ","): if depth == 1 { text = [] }
    default: break
    }
    return isInEntry ? .inside : .outside
  }
}

extension JSONSyntaxError {
  /// Never what stands there.
  var words: String { "not valid JSON: \(reason.rawValue)" }
}

extension [UInt8] {
  fileprivate var withoutMark: [UInt8] { starts(with: byteOrderMark) ? Array(dropFirst(byteOrderMark.count)) : self }
}

extension FHIRPlace {
  fileprivate func withoutMark(_ bytes: [UInt8]) -> FHIRPlace {
    let mark = bytes.starts(with: byteOrderMark) ? byteOrderMark.count : 0
    return FHIRPlace(offset: offset + Int64(mark), length: length - mark, line: line)
  }
}
