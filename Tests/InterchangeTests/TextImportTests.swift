import Clinical
import Interchange
import Testing

@Suite struct TextImportTests {
  @Test func `a text with front matter is a note, its text byte for byte`() throws {
    let body = "\r\n  S: quiet\r\n---\nO: T 38.6 °C  \n\n"
    let folder = try TemporaryFolder()
    try folder.write(
      "letters/2024/one.md",
      "\u{FEFF}---\r\n# from the old system\r\npatient: \"Bella\"\r\ndate: 2024-03-05T10:40\r\nkind: Referral letter\r\n"
        + "author: 'Harrowdale: Cardiology'\r\ntitle: x\r\n---\r\n" + body)
    let result = try ImportResult(try ImportReader([folder.path], options: try importOptions()))
    let recorded = try #require(utc("2024-03-05T10:40Z"))
    #expect(
      result.records == [
        .note(
          ClinicalNote(
            id: "letters/2024/one.md", patientID: "Bella", recordedAt: recorded, author: "Harrowdale: Cardiology",
            kind: .referral, text: body), of: .nameOrID("Bella"))
      ])
    #expect(result.problems.map(\.code) == [.unknownField])
  }

  @Test func `ids in the front matter win, and a file alone is known by its name`() throws {
    let text = "---\npatient_id: P1\nrecorded_at: 2024-03-05\n---\nbody"
    #expect(try ImportResult("visit.txt", text).notes.map(\.id) == ["visit.txt"])
    #expect(try ImportResult("visit.txt", text.replacing("---\np", with: "---\nid: N9\np")).notes.map(\.id) == ["N9"])
    #expect(try ImportResult("visit.txt", text).notes.map(\.text) == ["body"])
  }

  struct Bad: CustomTestStringConvertible {
    let text: String
    let line: Int
    var field: String?
    let reason: String
    var testDescription: String { text.debugDescription }
  }

  @Test(arguments: [
    Bad(text: "just text", line: 1, reason: "no front matter"),
    Bad(text: "---\npatient_id: P\nbody without an end", line: 3, reason: "not 'key: value'"),
    Bad(text: "---\npatient_id: P\n", line: 1, reason: "the front matter never ends"),
    Bad(text: "---\npatient_id: P\npatient_id: Q\n---\nx", line: 3, reason: "the key stands there twice"),
    Bad(text: "---\npatient_id: P\n---\nx", line: 1, field: "recorded_at", reason: "missing"),
    Bad(text: "---\ndate: 2024-03-05\n---\nx", line: 1, field: "patient_id", reason: "missing"),
    Bad(text: "---\npatient_id: P\ndate: 31/31/2024\n---\nx", line: 3, field: "recorded_at", reason: "no such day"),
    Bad(text: "---\npatient_id: P\ndate: 2024-03-05\n---\n \n", line: 1, field: "text", reason: "missing"),
  ])
  func `front matter that says too little is refused with its line`(bad: Bad) throws {
    let result = try ImportResult("note.md", bad.text)
    #expect(result.records == [])
    let reject = try #require(result.rejects.first)
    #expect(reject.location.line == bad.line)
    #expect(reject.field == bad.field)
    #expect(reject.reason.hasPrefix(bad.reason), "\(reject.reason)")
  }

  @Test func `bytes that mean nothing, too many bytes, and none are refused`() throws {
    let head = Array("---\npatient_id: P\ndate: 2024-03-05\n---\nab".utf8)
    let result = try ImportResult("note.md", head + [0x81])
    #expect(result.records == [] && result.rejects == [])
    #expect(result.problems.map(\.code) == [.undecidable])
    #expect(result.problems.map(\.line) == [5])
    #expect(result.problems.first?.message.hasPrefix("column 3: the byte 0x81") == true)
    let long = try ImportResult("note.md", head, options: try importOptions(maximumLineLength: 20))
    #expect(long.rejects.map(\.reason) == ["the file has more than 20 bytes"])
    #expect(try ImportResult("note.md", "").problems.map(\.code) == [.empty])
  }
}
