import Clinical
import Foundation
import Testing

@testable import Interchange

@Suite struct LineReaderTests {
  struct Example: CustomTestStringConvertible {
    let text: String
    let lines: [String]
    var testDescription: String { text.debugDescription }
  }

  private func items(
    _ bytes: [UInt8], maximumLength: Int = 1000, bufferSize: Int = 1 << 16
  ) throws -> [LineReader.Item] {
    let folder = try TemporaryFolder()
    let path = try folder.write("file", bytes)
    let reader = try LineReader(path: path, maximumLength: maximumLength, bufferSize: bufferSize)
    var items: [LineReader.Item] = []
    while let item = try reader.next() { items.append(item) }
    #expect(reader.bytesRead == Int64(bytes.count))
    #expect(reader.totalBytes == Int64(bytes.count))
    return items
  }

  private func texts(_ items: [LineReader.Item]) -> [String] {
    items.map { item in
      switch item {
      case .line(let line): String(decoding: line.bytes, as: UTF8.self)
      case .tooLong(_, let length): "<\(length)>"
      }
    }
  }

  @Test(arguments: [
    Example(text: "", lines: []),
    Example(text: "\n", lines: [""]),
    Example(text: "a", lines: ["a"]),
    Example(text: "a\n", lines: ["a"]),
    Example(text: "a\r\nb\r\n", lines: ["a", "b"]),
    Example(text: "a\rb\n", lines: ["a\rb"]),
    Example(text: "\u{FEFF}a\n\u{FEFF}b", lines: ["a", "\u{FEFF}b"]),
    Example(text: "\n\na\n\nb", lines: ["", "", "a", "", "b"]),
  ])
  func `lines are the same whatever the buffer holds`(example: Example) throws {
    for size in [1, 2, 3, 7, 4096] {
      #expect(texts(try items(Array(example.text.utf8), bufferSize: size)) == example.lines)
    }
  }

  @Test func `a line's end and number are told`() throws {
    let items = try items(Array("a\nb\r\nc".utf8))
    let lines: [LineReader.Line] = items.compactMap { if case .line(let line) = $0 { line } else { nil } }
    #expect(lines.map(\.ending) == [.lf, .crlf, .none])
    #expect(lines.map(\.number) == [1, 2, 3])
  }

  @Test func `only lines past the limit are walked over`() throws {
    let text = "\u{FEFF}1234567890\r\n12345678901\n1234567890\n" + String(repeating: "x", count: 5000) + "\nend"
    for size in [1, 5, 64, 1 << 16] {
      #expect(
        texts(try items(Array(text.utf8), maximumLength: 10, bufferSize: size))
          == ["1234567890", "<11>", "1234567890", "<5000>", "end"])
    }
  }

  @Test func `random bytes split as they do at once`() throws {
    var generator = SplitMix64(seed: 7)
    for _ in 0..<50 {
      let bytes = (0..<Int.random(in: 0...200, using: &generator)).map { _ in
        [0x0A, 0x0D, 0x61, 0x62, 0xFF].randomElement(using: &generator) ?? 0x61 as UInt8
      }
      var expected = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
      if expected.last == [] { expected.removeLast() }
      expected = expected.map { $0.last == 0x0D ? $0.dropLast() : $0 }
      let got = try items(bytes, bufferSize: Int.random(in: 1...20, using: &generator)).map { item in
        if case .line(let line) = item { line.bytes } else { [] as [UInt8] }
      }
      #expect(got == expected)
    }
  }

  @Test func `a missing file is named`() {
    #expect(throws: InterchangeError(.notFound, path: "/nowhere/notes.jsonl", systemError: ENOENT)) {
      _ = try LineReader(path: "/nowhere/notes.jsonl", maximumLength: 10)
    }
  }
}
