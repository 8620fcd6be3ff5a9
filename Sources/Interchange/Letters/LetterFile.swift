/// A letter as it came: what it says, and what the file says about it.
public struct LetterFile: Hashable, Sendable {
  public enum Format: String, CaseIterable, Hashable, Sendable {
    case docx, pdf, rtf, eml, text

    public var mediaType: String {
      switch self {
      case .docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
      case .pdf: "application/pdf"
      case .rtf: "application/rtf"
      case .eml: "message/rfc822"
      case .text: "text/plain"
      }
    }
  }

  public let format: Format
  /// With a line for each paragraph.
  public let text: String
  /// Of a message.
  public var subject: String?
  /// Of a message: whom it says it is from.
  public var sender: String?
  /// Of a message: when it says it was sent.
  public var sentAt: ISOStamp?
  /// Of a message: the names of what is attached, which is not read.
  public var attachments: [String] = []

  /// A day and a time with its distance from UTC, as a message's head has them.
  public struct ISOStamp: Hashable, Sendable {
    /// `2026-11-23`
    public let date: String
    /// `09:30`
    public let time: String
    public let offsetMinutes: Int
  }

  init(format: Format, text: String) {
    self.format = format
    self.text = text
  }

  /// More is no letter, in bytes.
  public static let longestFile = 32 << 20
  /// More is no letter's text, in bytes of UTF-8.
  public static let longestText = 1 << 20

  /// Reads a letter.
  ///
  /// - Parameters:
  ///   - bytes: the file.
  ///   - pdfText: makes text of a PDF, in UTF-8; run by the caller, who may start programs.
  /// - Returns: its text, and what its head says.
  /// - Throws: ``LetterError`` for a file that is none of the formats, is damaged or too long, and where what reads the format is
  ///   not installed; what `pdfText` throws.
  public static func read(_ bytes: [UInt8], pdfText: ([UInt8]) throws -> [UInt8]) throws -> LetterFile {
    guard bytes.count <= longestFile else {
      throw LetterError("the file has more than \(longestFile >> 20) MB", hint: "no letter is so long")
    }
    guard !bytes.isEmpty else { throw LetterError("the file is empty") }
    var letter: LetterFile
    switch format(of: bytes) {
    case .docx: letter = LetterFile(format: .docx, text: try DocxText.read(bytes))
    case .pdf: letter = LetterFile(format: .pdf, text: String(decoding: try pdfText(bytes), as: UTF8.self))
    case .rtf: letter = LetterFile(format: .rtf, text: try RTFText.read(bytes))
    case .eml: letter = try MailMessage(bytes).letter
    case .text: letter = LetterFile(format: .text, text: try plainText(bytes))
    }
    letter = letter.tidied
    guard letter.text.contains(where: { !$0.isWhitespace }) else {
      throw LetterError(
        "no text is in it",
        hint: letter.format == .pdf
          ? "it may be a scanned picture, which is not read: type what matters with note add"
          : letter.attachments.isEmpty ? "look at it yourself" : "save what is attached, and import that")
    }
    guard letter.text.utf8.count <= longestText else {
      throw LetterError("it has more than \(longestText >> 20) MB of text", hint: "no letter is so long")
    }
    return letter
  }

  private static func format(of bytes: [UInt8]) -> Format {
    // Some programs put a few bytes before it.
    if bytes.prefix(1024).firstRange(of: Array("%PDF-".utf8)) != nil { return .pdf }
    if bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) { return .docx }
    if bytes.starts(with: Array("{\\rtf".utf8)) { return .rtf }
    return MailMessage.begins(bytes) ? .eml : .text
  }

  private static func plainText(_ bytes: [UInt8]) throws(LetterError) -> String {
    if let format = foreignFormat(of: Array(bytes.prefix(8))) {
      throw LetterError(
        "the file is \(format), not a letter that can be read", hint: "save it as .docx, .pdf, .rtf, .eml or text")
    }
    if let announced = TextEncoding.announced(by: bytes.prefix(4096)) {
      return try decoded(
        Array(bytes.dropFirst(bytes.starts(with: announced.mark) ? announced.mark.count : 0)), announced)
    }
    return firstInvalidUTF8Offset(in: bytes) == nil
      ? String(decoding: bytes, as: UTF8.self) : try decoded(bytes, .windows1252)
  }

  static func decoded(_ bytes: [UInt8], _ encoding: TextEncoding) throws(LetterError) -> String {
    var output: [UInt8] = []
    let decoder = TextDecoder(encoding)
    do throws(TextDecoder.Failure) {
      try decoder.decode(bytes, into: &output)
      try decoder.finish()
    } catch {
      throw LetterError("byte \(error.offset + 1) is no text in \(encoding.rawValue)", hint: "save it as UTF-8")
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// Without control characters, with one kind of line end, and no more than one empty line together.
  private var tidied: LetterFile {
    var lines: [String] = []
    let text = text.replacing("\r\n", with: "\n").replacing("\r", with: "\n").replacing("\u{C}", with: "\n")
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let kept = String.UnicodeScalarView(
        line.unicodeScalars.filter { ($0.value >= 0x20 && $0.value != 0x7F) || $0 == "\t" })
      let line = String(kept).trimmingTrailingSpaces()
      if line.isEmpty, lines.last?.isEmpty ?? true { continue }
      lines.append(line)
    }
    while lines.last?.isEmpty == true { lines.removeLast() }
    var result = LetterFile(format: format, text: lines.joined(separator: "\n") + (lines.isEmpty ? "" : "\n"))
    (result.subject, result.sender, result.sentAt) = (subject, sender, sentAt)
    result.attachments = attachments
    return result
  }
}

/// Why a letter can't be read; never what it says.
public struct LetterError: Error, Equatable, Sendable, CustomStringConvertible {
  public let reason: String
  public let hint: String

  public init(_ reason: String, hint: String = "") {
    self.reason = reason
    self.hint = hint
  }

  public var description: String { hint.isEmpty ? reason : "\(reason); \(hint)" }
}

extension String {
  fileprivate func trimmingTrailingSpaces() -> String {
    var end = endIndex
    while end > startIndex, self[index(before: end)].isWhitespace { end = index(before: end) }
    return String(self[..<end])
  }
}
