import Clinical
import Foundation
import Glibc
import Testing

@testable import Interchange

@Suite struct EncodingTests {
  private static let head = "id,patient_id,date,notes\nN1,P,2024-03-05,"

  /// A table of one note whose text is given in bytes.
  private func table(_ bytes: [UInt8]) -> [UInt8] { Array(Self.head.utf8) + bytes + [0x0A] }

  struct Row: CustomTestStringConvertible, Sendable {
    let name: String
    let bytes: [UInt8]
    let text: String
    let encoding: TextEncoding
    var testDescription: String { name }
  }

  @Test(arguments: [
    Row(name: "ASCII", bytes: Array("plain".utf8), text: "plain", encoding: .utf8),
    Row(name: "UTF-8", bytes: Array("Müller’s 38.6 °C".utf8), text: "Müller’s 38.6 °C", encoding: .utf8),
    Row(name: "smart quotes", bytes: [0x93, 0x66, 0x92, 0x94], text: "“f’”", encoding: .windows1252),
    Row(name: "euro of Windows", bytes: [0x80, 0x35], text: "€5", encoding: .windows1252),
    Row(name: "letters alike", bytes: [0x4D, 0xFC, 0x6C, 0x6C], text: "Müll", encoding: .windows1252),
    Row(name: "half a tablet", bytes: [0x31, 0xBD, 0x20, 0x74], text: "1½ t", encoding: .windows1252),
    Row(name: "an apostrophe", bytes: [0x6E, 0xB4, 0x74], text: "n´t", encoding: .windows1252),
    Row(name: "euro of ISO", bytes: [0xA4, 0x35, 0x20, 0xFC], text: "€5 ü", encoding: .iso8859Part15),
    Row(name: "within a word", bytes: [0x63, 0xBD, 0x75, 0x72], text: "cœur", encoding: .iso8859Part15),
    Row(name: "a Czech name", bytes: [0x54, 0x6F, 0x6D, 0xE1, 0xA8, 0x20], text: "Tomáš ", encoding: .iso8859Part15),
  ])
  func `the encoding of a table is found out, and said where it isn't UTF-8`(row: Row) throws {
    let result = try ImportResult("notes.csv", table(row.bytes))
    #expect(result.notes.map(\.text) == [row.text])
    let said = result.problems.filter { $0.code == .encoding }.map(\.message)
    #expect(said == (row.encoding == .utf8 ? [] : ["read as \(row.encoding.rawValue)"]))
  }

  private func utf16(_ text: String, isBig: Bool) -> [UInt8] {
    text.utf16.flatMap { unit -> [UInt8] in
      let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
      return isBig ? [high, low] : [low, high]
    }
  }

  @Test(arguments: [true, false], [true, false])
  func `UTF-16 is read in both orders, with its mark and without`(isBig: Bool, hasMark: Bool) throws {
    let text = Self.head + "Müller’s 🐕 at 38.6 °C\n"
    let bytes = utf16((hasMark ? "\u{FEFF}" : "") + text, isBig: isBig)
    for name in ["notes.csv", "export.csv"] {
      let result = try ImportResult(name, bytes)
      #expect(result.notes.map(\.text) == ["Müller’s 🐕 at 38.6 °C"])
      #expect(result.notes.map(\.id) == ["N1"])
    }
    let json = #"{"id":"N","patient_id":"P","recorded_at":"2024-03-05","text":"ü"}"#
    #expect(try ImportResult("notes.jsonl", utf16("\u{FEFF}" + json, isBig: isBig)).notes.map(\.text) == ["ü"])
    let letter = utf16("\u{FEFF}---\npatient_id: P\ndate: 2024-03-05\n---\nü", isBig: isBig)
    #expect(try ImportResult("letter.txt", letter).notes.map(\.text) == ["ü"])
  }

  struct Bad: CustomTestStringConvertible, Sendable {
    let name: String
    let bytes: [UInt8]
    var declared: TextEncoding?
    let line: Int
    let column: Int
    var testDescription: String { name }
  }

  @Test(arguments: [
    Bad(name: "a byte nobody has", bytes: [0x61, 0x81, 0x62], line: 2, column: 18),
    Bad(name: "an umlaut of DOS", bytes: [0x4D, 0x81, 0x6C], line: 2, column: 18),
    Bad(name: "an a with dots of DOS", bytes: [0x42, 0x84, 0x72], line: 2, column: 18),
    Bad(name: "a letter of the Macintosh", bytes: [0x4B, 0x8A, 0x73, 0x65], line: 2, column: 18),
    Bad(name: "one of two", bytes: [0x20, 0xBD, 0x64, 0x65], line: 2, column: 18),
    Bad(name: "both of two", bytes: [0xA4, 0x20, 0xBD, 0x20], line: 2, column: 19),
    Bad(
      name: "damaged UTF-8", bytes: Array("ü é ñ".utf8) + [0xFF], line: 2, column: 22),
    Bad(name: "declared UTF-8", bytes: [0xFC], declared: .utf8, line: 2, column: 17),
    Bad(name: "declared ISO", bytes: [0x61, 0x92], declared: .iso8859Part15, line: 2, column: 18),
    Bad(name: "declared Windows", bytes: Array("Mü".utf8), declared: .windows1252, line: 2, column: 18),
    Bad(name: "half a character", bytes: [0xC3], declared: .utf8, line: 2, column: 17),
  ])
  func `undecidable bytes are named by line and column, and nothing of the file is imported`(bad: Bad) throws {
    let bytes = Array("\(Self.head)".utf8) + bad.bytes + Array("\nN2,P,2024-03-05,sound\n".utf8)
    let result = try ImportResult("notes.csv", bytes, options: try importOptions(encoding: bad.declared))
    #expect(result.records == [] && result.rejects == [])
    let problem = try #require(result.problems.first)
    #expect(problem.code == .undecidable && problem.isFailure)
    #expect(problem.line == bad.line)
    #expect(problem.message.hasPrefix("column \(bad.column): "), "\(problem.message)")
    #expect(problem.hint.contains("--encoding"))
  }

  @Test func `what is declared decides what the bytes leave open`() throws {
    let bytes = table([0x20, 0xBD, 0x64, 0x65])
    for (encoding, text) in [(TextEncoding.windows1252, " ½de"), (.iso8859Part15, " œde")] {
      let result = try ImportResult("notes.csv", bytes, options: try importOptions(encoding: encoding))
      #expect(result.notes.map(\.text) == [text])
    }
  }

  @Test(arguments: [1, 2, 3, 5, 64])
  func `characters that a buffer cuts are whole again`(size: Int) throws {
    let folder = try TemporaryFolder()
    let text = "Müller’s 🐕\nä\n"
    for (encoding, bytes) in [
      (TextEncoding.utf16LittleEndian, utf16(text, isBig: false)), (.utf16BigEndian, utf16(text, isBig: true)),
      (.windows1252, [0x4D, 0xFC, 0x0A, 0xE4, 0x0A]),
    ] {
      let file = try InputFile(try folder.write("f", bytes))
      let reader = LineReader(file, encoding: encoding, maximumLength: 100, bufferSize: size)
      var lines: [String] = []
      while case .line(let line)? = try reader.next() { lines.append(String(decoding: line.bytes, as: UTF8.self)) }
      #expect(lines == (encoding == .windows1252 ? ["Mü", "ä"] : ["Müller’s 🐕", "ä"]))
    }
  }

  @Test func `a byte far into a large file is found, and a character on the border of two portions is none`() throws {
    let filler = Array(String(repeating: "N,P,2024-03-05,vomiting\n", count: 12_000).utf8)
    let head = Array("id,patient_id,date,notes\n".utf8)
    for shift in 0..<4 {
      let start = head + filler
      let pad = [UInt8](repeating: 0x78, count: (1 << 18) * 2 - start.count - 2 + shift)
      let result = try ImportResult("notes.csv", start + pad + Array("🐕\n".utf8))
      #expect(result.problems.allSatisfy { $0.code != .undecidable && $0.code != .encoding })
    }
    let late = try ImportResult("notes.csv", head + filler + Array("N,P,2024-03-05,a\u{0020}".utf8) + [0x81, 0x0A])
    #expect(late.problems.first?.line == 12_002)
    #expect(late.records == [])
  }

  @Test func `a pipe is surveyed like a file, its last bytes too`() throws {
    let folder = try TemporaryFolder()
    let pipe = folder.path + "/pipe"
    for last in [[UInt8](), [0x4D, 0x81, 0x6C]] {
      try #require(mkfifo(pipe, 0o600) == 0)
      let rows = (0..<20_000).map { "N\($0),P,03/04/2025,t\n" }.joined() + "Z,P,28/04/2025,"
      let bytes = Array("id,patient_id,date,notes\n\(rows)".utf8) + last + [0x78, 0x0A]
      let writer = Thread {
        if let handle = FileHandle(forWritingAtPath: pipe) { try? handle.write(contentsOf: Data(bytes)) }
      }
      writer.start()
      let result = try ImportResult(try ImportReader([pipe], kind: .notes, format: .csv, options: try importOptions()))
      #expect(result.notes.count == (last.isEmpty ? 20_001 : 0))
      #expect(result.rejects == [])
      #expect(result.problems.map(\.code) == (last.isEmpty ? [] : [.undecidable]))
      unlink(pipe)
    }
  }

  @Test(arguments: [
    ("UTF-8", TextEncoding.utf8), ("utf16", .utf16LittleEndian), ("cp1252", .windows1252), ("latin-1", .windows1252),
    ("ISO_8859-15", .iso8859Part15), ("Latin9", .iso8859Part15), ("UTF-16BE", .utf16BigEndian),
  ])
  func `encodings go by their common names`(name: String, encoding: TextEncoding) {
    #expect(TextEncoding(named: name) == encoding)
    #expect(TextEncoding(named: name + "x") == nil)
  }
}
