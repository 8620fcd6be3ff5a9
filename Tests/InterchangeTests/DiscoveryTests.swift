import Clinical
import Foundation
import Testing

@testable import Interchange

@Suite struct DiscoveryTests {
  private let note = #"{"id":"N","patient_id":"P","recorded_at":"2024-03-05","text":"t"}"#

  private func find(_ paths: [String], kind: ImportKind? = nil) throws -> ImportDiscovery {
    try ImportDiscovery.find(paths, kind: kind, vocabulary: try shippedVocabulary.get())
  }

  @Test func `a folder's files come in order of dependency, then of name`() throws {
    let folder = try TemporaryFolder()
    for name in ["notes.jsonl", "appointments.csv", "intakes.jsonl", "staff.jsonl", "clients.csv", "Patients.JSONL"] {
      try folder.write(name, name == "notes.jsonl" ? note : "x")
    }
    try folder.write("a-more.jsonl", note)
    try folder.write("resources.jsonl", "x")
    try folder.write("letters/b.md", "---\n---\n")
    try folder.write("letters/a.txt", "---\n---\n")
    let found = try find([folder.path + "/"])
    #expect(
      found.sources.map { $0.path.dropFirst(folder.path.count + 1) } == [
        "clients.csv", "Patients.JSONL", "staff.jsonl", "resources.jsonl", "a-more.jsonl", "letters/a.txt",
        "letters/b.md", "notes.jsonl", "intakes.jsonl", "appointments.csv",
      ])
    #expect(found.problems == [])
    #expect(found == (try find([folder.path + "/"])))
  }

  @Test func `what is left out is said, once a group`() throws {
    let folder = try TemporaryFolder()
    try folder.write("notes.jsonl", note)
    try folder.write("corpus.jsonl", #"{"_id":"1","title":"a","text":"b"}"#)
    try folder.write("README.md", "# About " + String(repeating: "this practice ", count: 30))
    try folder.write("letter.md", "Dear colleague, " + String(repeating: "thank you ", count: 30))
    try folder.write("deeper/notes.jsonl", note)
    try folder.write("scan.pdf", "x")
    try folder.write("photo.jpg", "x")
    try folder.write(".hidden.jsonl", note)
    try folder.write("notes.rejects.jsonl", note)
    try folder.write("nothing.jsonl", "")
    let found = try find([folder.path])
    #expect(found.sources.map(\.kind) == [.notes])
    #expect(found.problems.map(\.code) == [.empty, .leftOut, .leftOut, .leftOut, .leftOut])
    #expect(found.problems.map(\.count) == [1, 1, 1, 1, 2])
    #expect(found.problems.filter(\.isFailure).count == 1)
  }

  @Test func `the same file is read once, whatever it is called`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("notes.jsonl", note)
    try FileManager.default.createSymbolicLink(atPath: folder.path + "/again.jsonl", withDestinationPath: path)
    try FileManager.default.createSymbolicLink(atPath: folder.path + "/loop", withDestinationPath: folder.path)
    #expect(try find([path, folder.path, path]).sources.map(\.path) == [path])
  }

  @Test func `paths that can't be imported are errors`() throws {
    let folder = try TemporaryFolder()
    let strange = try folder.write("strange.jsonl", #"{"a":1}"#)
    let picture = try folder.write("picture.png", "x")
    let codes: [(path: String, code: InterchangeError.Code)] = [
      (folder.path + "/missing.jsonl", .notFound), (strange, .notRecognised), (picture, .notRecognised),
      ("-", .kindNeeded), (folder.path, .nothingToImport),
    ]
    for (path, code) in codes {
      #expect {
        try find([path])
      } throws: {
        ($0 as? InterchangeError)?.code == code
      }
    }
  }

  @Test func `a kind said by the caller needs no name`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("export.dat", note)
    let source = try #require(try find([path], kind: .notes).sources.first)
    #expect(source.format == .jsonLines)
    #expect(try ImportResult(try ImportReader([path], kind: .notes, options: try importOptions())).records.count == 1)
  }

  @Test(arguments: ImportKind.allCases)
  func `a row with every key of its kind is recognised`(kind: ImportKind) throws {
    let recognizer = KindRecognizer(vocabulary: try shippedVocabulary.get())
    #expect(recognizer.kind(ofKeys: Set(kind.fields)) == kind)
    #expect(recognizer.kind(ofHeader: Array(kind.fields.joined(separator: ";").utf8)) == kind)
  }

  @Test func `labelled cases for measuring are not taken for records`() throws {
    let recognizer = KindRecognizer(vocabulary: try shippedVocabulary.get())
    for keys in [
      ["id", "text", "target", "start", "end", "polarity", "temporality", "experiencer"],
      ["id", "patient_id", "asked_at", "question", "answer_class", "must_contain", "evidence", "type"],
      [
        "id", "started_at", "text", "visit_type", "clinician", "species", "age_years", "slot_minutes", "actual_minutes",
      ],
      ["_id", "title", "text", "patient_id"],
    ] {
      #expect(recognizer.kind(ofKeys: Set(keys)) == nil, "\(keys)")
    }
  }

  @Test func `standard input is read under the kind that is said`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("input", note + "\n" + note)
    let saved = dup(STDIN_FILENO)
    defer {
      dup2(saved, STDIN_FILENO)
      close(saved)
    }
    let input = open(path, O_RDONLY)
    dup2(input, STDIN_FILENO)
    close(input)
    let result = try ImportResult(try ImportReader(["-"], kind: .notes, options: try importOptions()))
    #expect(result.records.count == 2)
  }

  @Test func `a pipe is read to its end`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/pipe"
    #expect(mkfifo(path, 0o600) == 0)
    let text = String(repeating: note + "\n", count: 5000)
    let writer = Thread {
      let handle = FileHandle(forWritingAtPath: path)
      try? handle?.write(contentsOf: Data(text.utf8))
      try? handle?.close()
    }
    writer.start()
    let reader = try ImportReader([path], kind: .notes, options: try importOptions())
    #expect(reader.progress.totalBytes == nil)
    #expect(try ImportResult(reader).records.count == 5000)
  }

  @Test func `progress ends at the size of the files`() throws {
    let folder = try TemporaryFolder()
    try folder.write("notes.jsonl", String(repeating: note + "\n", count: 10_000))
    try folder.write("patients.csv", "id,name,species\n1,A,dog\n")
    let reader = try ImportReader([folder.path], options: try importOptions())
    let total = try #require(reader.progress.overallTotalBytes)
    var last: Int64 = 0
    while try reader.next() != nil {
      #expect(reader.progress.overallBytesRead >= last)
      last = reader.progress.overallBytesRead
    }
    #expect(last == total)
    #expect(reader.progress.fileCount == 2)
  }

  @Test func `a file that vanishes or may not be read is a problem of its own`() throws {
    let folder = try TemporaryFolder()
    let first = try folder.write("patients.jsonl", #"{"id":1,"name":"A","species":"dog"}"#)
    try folder.write("notes.jsonl", note)
    let reader = try ImportReader([folder.path], options: try importOptions())
    try FileManager.default.removeItem(atPath: first)
    let result = try ImportResult(reader)
    #expect(result.problems.map(\.code) == [.unreadable])
    #expect(result.records.count == 1)
  }
}
