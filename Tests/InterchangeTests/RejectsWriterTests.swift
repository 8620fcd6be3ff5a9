import Clinical
import Foundation
import Interchange
import Testing

@Suite struct RejectsWriterTests {
  private let reject = ImportReject(
    at: SourceLocation(file: "a \"b\".csv", line: 3), field: "recorded_at", value: "x", reason: "unreadable date",
    hint: "write dates", raw: RawRow(Array("P,x,\"line\tone\nline two\u{1}é\"".utf8)))

  @Test func `no reject, no file`() throws {
    let folder = try TemporaryFolder()
    let writer = RejectsWriter(path: folder.path + "/r.jsonl")
    try writer.finish()
    #expect(writer.count == 0)
    #expect(!FileManager.default.fileExists(atPath: writer.path))
  }

  @Test func `rows come back byte for byte from a file for its owner only`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("r.jsonl", "older")
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    let writer = RejectsWriter(path: path)
    try writer.write(reject)
    try writer.write(ImportReject(at: SourceLocation(file: "f", line: 2), reason: "too long", hint: "h"))
    try writer.finish()
    #expect(writer.count == 2)
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    let objects = try lines.map { try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:] }
    #expect(lines.first?.hasPrefix(#"{"file":"a \"b\".csv","line":3,"field":"recorded_at","reason":"#) == true)
    #expect(objects.map { $0["row"] as? String } == [String(decoding: reject.raw.bytes, as: UTF8.self), nil])
    #expect(objects[0].keys.sorted() == ["field", "file", "hint", "line", "reason", "row"])
  }

  @Test func `a place that can't be written is an error`() {
    #expect(throws: InterchangeError.self) {
      try RejectsWriter(path: "/nowhere/at/all.jsonl").write(reject)
    }
  }
}
