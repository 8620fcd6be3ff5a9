import Clinical

/// A message as mail programs save it: its head, its readable text, and the names of what is attached.
///
/// - Source: RFC 5322 (messages), RFC 2045 to 2047 (MIME parts, encodings, words in heads), RFC 2231 (names of attachments).
struct MailMessage {
  private let head: MailHead
  private let plain: String?
  private let html: String?
  private let attachments: [String]

  /// Parts in parts, and parts at all: more is made to be hard to read.
  private static let deepest = 8
  private static let mostParts = 200

  /// Whether a file begins like a message: several lines of a head, one of which names a sender, a recipient or a day.
  static func begins(_ bytes: [UInt8]) -> Bool {
    let lines = bytes.prefix(8192).split(separator: 0x0A, maxSplits: 40, omittingEmptySubsequences: false)
    var names: Set<String> = []
    for line in lines {
      if line.isEmpty || line == [0x0D] { break }
      if line.first == 0x20 || line.first == 0x09 { continue }
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return false }
      let name = line[..<colon]
      guard !name.isEmpty, name.allSatisfy({ (0x21...0x7E).contains($0) }) else { return false }
      names.insert(String(decoding: name, as: UTF8.self).lowercased())
    }
    return names.count >= 3 && !names.isDisjoint(with: ["mime-version", "message-id", "received", "content-type"])
      || names.isSuperset(of: ["from", "date", "subject"])
  }

  init(_ bytes: [UInt8]) throws(LetterError) {
    var gathering = Gathering()
    let part = MailPart(bytes[...])
    try gathering.add(part, depth: 0)
    head = part.head
    plain = gathering.plain
    html = gathering.html
    attachments = gathering.attachments
  }

  private struct Gathering {
    var plain: String?
    var html: String?
    var attachments: [String] = []
    private var count = 0

    init() {}

    mutating func add(_ part: MailPart, depth: Int) throws(LetterError) {
      count += 1
      guard depth <= MailMessage.deepest, count <= MailMessage.mostParts else {
        throw LetterError("the message has too many parts in each other")
      }
      let type = part.head.type
      if type.name.hasPrefix("multipart/") {
        guard let boundary = type.parameters["boundary"], !boundary.isEmpty else {
          throw LetterError("the message's parts have no boundary", hint: "save it anew in the mail program")
        }
        for inner in part.parts(boundary) { try add(inner, depth: depth + 1) }
        return
      }
      if let name = part.attachmentName {
        attachments.append(name)
      } else if type.name == "text/html" {
        if html == nil { html = HTMLText.read(part.text) }
      } else if type.name == "text/plain" {
        plain = [plain, part.text].compactMap { $0 }.joined(separator: "\n")
      } else {
        attachments.append("(\(type.name))")
      }
    }
  }

  var letter: LetterFile {
    let readable = plain.flatMap { $0.contains { !$0.isWhitespace } ? $0 : nil } ?? html ?? ""
    var letter = LetterFile(format: .eml, text: readable)
    letter.subject = head["subject"]
    letter.sender = head["from"]
    letter.sentAt = head["date"].flatMap(MailDate.read)
    letter.attachments = attachments
    return letter
  }
}

/// A part of a message, or the whole of it.
struct MailPart {
  let head: MailHead
  private let body: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) {
    var start = bytes.startIndex
    var lines: [ArraySlice<UInt8>] = []
    while start < bytes.endIndex {
      let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.endIndex
      var line = bytes[start..<end]
      if line.last == 0x0D { line = line.dropLast() }
      start = min(end + 1, bytes.endIndex)
      if line.isEmpty { break }
      lines.append(line)
    }
    head = MailHead(lines)
    body = bytes[start...]
  }

  /// What stands between the lines of a boundary.
  func parts(_ boundary: String) -> [MailPart] {
    let mark = Array("--\(boundary)".utf8)
    var parts: [MailPart] = []
    var opened: Int?
    var start = body.startIndex
    while start < body.endIndex {
      let end = body[start...].firstIndex(of: 0x0A) ?? body.endIndex
      if body[start..<end].starts(with: mark) {
        if let opened { parts.append(MailPart(body[opened..<max(opened, start)])) }
        let rest = body[start..<end].dropFirst(mark.count)
        if rest.starts(with: Array("--".utf8)) { return parts }
        opened = min(end + 1, body.endIndex)
      }
      start = end + 1
    }
    // One that was cut off is read as far as it goes.
    if let opened { parts.append(MailPart(body[opened...])) }
    return parts
  }

  /// The name of what is attached; nil for text that is the message.
  var attachmentName: String? {
    let disposition = head.disposition
    let name = disposition.parameters["filename"] ?? head.type.parameters["name"]
    guard disposition.name == "attachment" || name != nil else { return nil }
    let shown = (name ?? "unnamed").split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? "unnamed"
    return shown.shortened
  }

  var text: String { MailCharset.text(decoded, head.type.parameters["charset"]) }

  private var decoded: [UInt8] {
    switch head["content-transfer-encoding"]?.lowercased() {
    case "base64": MailCoding.base64(body)
    case "quoted-printable": MailCoding.quotedPrintable(body)
    default: Array(body)
    }
  }
}

/// The lines before a part's body.
struct MailHead {
  /// A value with its parameters: `text/plain; charset=utf-8`.
  struct Value {
    let name: String
    let parameters: [String: String]
  }

  private var fields: [String: String] = [:]

  init(_ lines: [ArraySlice<UInt8>]) {
    var name: String?
    for line in lines.prefix(2000) {
      let text =
        firstInvalidUTF8Offset(in: Array(line)) == nil
        ? String(decoding: line, as: UTF8.self) : ((try? LetterFile.decoded(Array(line), .windows1252)) ?? "")
      if line.first == 0x20 || line.first == 0x09 {
        if let name { fields[name]? += " " + text.trimmingSpaces() }
      } else if let colon = text.firstIndex(of: ":") {
        let key = text[..<colon].trimmingSpaces().lowercased()
        // The first stands: what comes later with the same name was added on the way.
        name = fields[key] == nil ? key : nil
        if let name { fields[name] = text[text.index(after: colon)...].trimmingSpaces() }
      }
    }
  }

  /// A field as a person reads it.
  subscript(field: String) -> String? { fields[field].map { MailCoding.words($0.trimmingSpaces()) } }

  var type: Value {
    let value = Self.value(fields["content-type"] ?? "text/plain")
    return value.name.contains("/") ? value : Value(name: "text/plain", parameters: value.parameters)
  }

  var disposition: Value { Self.value(fields["content-disposition"] ?? "") }

  private static func value(_ text: String) -> Value {
    var pieces: [String] = [""]
    var isQuoted = false
    var isEscaped = false
    for character in text {
      if isEscaped {
        pieces[pieces.count - 1].append(character)
        isEscaped = false
      } else if character == "\\", isQuoted {
        isEscaped = true
      } else if character == "\"" {
        isQuoted.toggle()
      } else if character == ";", !isQuoted {
        pieces.append("")
      } else {
        pieces[pieces.count - 1].append(character)
      }
    }
    var parameters: [String: String] = [:]
    for piece in pieces.dropFirst() {
      guard let equals = piece.firstIndex(of: "=") else { continue }
      var key = piece[..<equals].trimmingSpaces().lowercased()
      var value = piece[piece.index(after: equals)...].trimmingSpaces()
      if let star = key.firstIndex(of: "*") {
        // A long name in pieces, with a character set before the first.
        key = String(key[..<star])
        value = MailCoding.percent(value)
        parameters[key, default: ""] += value
      } else if parameters[key] == nil {
        parameters[key] = MailCoding.words(value)
      }
    }
    return Value(name: pieces[0].trimmingSpaces().lowercased(), parameters: parameters)
  }
}
