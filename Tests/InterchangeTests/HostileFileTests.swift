import Clinical
import Foundation
@testable import Interchange
import Testing

/// Files that somebody made to be read badly: nothing of them is imported but whole rows, what is wrong is said, and it takes neither long
/// nor much memory. A reader that compares each thing with all before it, or holds a tree of everything, doesn't end here in time.
struct HostileFileTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let name: String
    /// Words of the reason that is given.
    let says: String
    var records = 0
    let contents: @Sendable () -> [UInt8]
  }

  private static func text(_ parts: String...) -> [UInt8] { Array(parts.joined().utf8) }
  private static func many(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

  private static func calendar(_ inside: String) -> [UInt8] {
    text("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n", inside, "END:VCALENDAR\r\n")
  }

  private static func event(_ more: String = "", zone: String = "Here") -> String {
    "BEGIN:VEVENT\r\nUID:1\r\nDTSTART;TZID=\(zone):20261124T090000\r\nDURATION:PT30M\r\n\(more)END:VEVENT\r\n"
  }

  private static func zone(_ rule: String, before: String = "") -> String {
    "BEGIN:VTIMEZONE\r\nTZID:Here\r\n\(before)BEGIN:STANDARD\r\nDTSTART:19700101T000000\r\n\(rule)\r\nTZOFFSETFROM:+0100\r\nTZOFFSETTO:+0000\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n"
  }

  private static let note = #"{"id":"N1","patient_id":"P1","recorded_at":"2026-11-20T10:00","text":"x"}"# + "\n"
  private static let head = "id,patient_id,recorded_at,text"

  static let cases: [Case] = [
    // JSON
    Case(testDescription: "lists within lists", name: "notes.jsonl", says: "not valid JSON", records: 1) {
      text(note, many("[", 500_000), "\n")
    },
    Case(testDescription: "objects within objects", name: "notes.jsonl", says: "not valid JSON", records: 1) {
      text(note, #"{"id":"N2","text":"#, many(#"{"a":"#, 300_000), "1", many("}", 300_000), "}\n")
    },
    Case(testDescription: "a line without an end", name: "notes.jsonl", says: "bytes", records: 1) {
      text(note, #"{"id":"N2","text":""#, many("a", 9 << 20), "\n")
    },
    Case(testDescription: "half a character", name: "notes.jsonl", says: "UTF-8", records: 0) {
      text(note) + text(#"{"id":"N2","patient_id":"P1","recorded_at":"2026-11-20T10:00","text":"ä "#) + [0xC3, 0x28]
        + text("\"}\n")
    },
    Case(testDescription: "nothing but zero bytes", name: "notes.jsonl", says: "") {
      [UInt8](repeating: 0, count: 4 << 20)
    },
    Case(testDescription: "a hundred thousand keys", name: "notes.jsonl", says: "", records: 1) {
      text("{", (0..<100_000).map { "\"k\($0)\":1," }.joined(), note.dropFirst().description)
    },
    // CSV
    Case(testDescription: "a million columns", name: "notes.csv", says: "cells", records: 1) {
      text(head, "\n", many(",", 1_000_000), "\nN1,P1,2026-11-20 10:00,x\n")
    },
    Case(testDescription: "a head line of a million columns", name: "notes.csv", says: "names no column") {
      text(head, many(",c", 1_000_000), "\nN1,P1,2026-11-20 10:00,x\n")
    },
    Case(testDescription: "a quote that is never closed", name: "notes.csv", says: "never closed", records: 0) {
      text(head, "\nN1,P1,2026-11-20 10:00,\"", many("x\n", 30_000))
    },
    Case(testDescription: "a quote that opens again and again", name: "notes.csv", says: "closing quote") {
      text(head, "\n", many("\"a\nb\"c\n", 3_000))
    },
    // Texts
    Case(testDescription: "front matter of many lines", name: "note.md", says: "more than 1000 lines") {
      text("---\n", (0..<50_000).map { "k\($0): v\n" }.joined(), "---\nWords.\n")
    },
    Case(testDescription: "front matter longer than a note may be", name: "note.md", says: "more than 8388608 bytes") {
      text("---\n", many("a: bcdefgh\n", 800_000))
    },
    Case(testDescription: "front matter without an end", name: "note.md", says: "never ends") {
      text("---\n", many("#\n", 100_000))
    },
    // Calendars
    Case(testDescription: "clocks that change every second", name: "a.ics", says: "more often than every month") {
      calendar(zone("RRULE:FREQ=SECONDLY") + event())
    },
    Case(testDescription: "the same, folded and in other letters", name: "a.ics", says: "more often than every month") {
      calendar(zone("RRu\r\n Le;X=1:FR\r\n\tEQ=secondly") + event())
    },
    Case(testDescription: "the same behind a component that seems to end", name: "a.ics", says: "more often") {
      calendar(zone("RRULE:FREQ=SECONDLY", before: "BEGIN:X\r\nEND:VTIMEZONE\r\n") + event())
    },
    Case(testDescription: "every second of a year", name: "a.ics", says: "more often than every month") {
      calendar(zone("RRULE:FREQ=YEARLY;BYMINUTE=1,2,3,4;BYSECOND=1,2,3,4") + event())
    },
    Case(testDescription: "an event that never ends repeating", name: "a.ics", says: "repeats") {
      calendar(event("RRULE:FREQ=SECONDLY\r\n", zone: "Europe/London"))
    },
    Case(testDescription: "a property with a hundred thousand parameters", name: "a.ics", says: "parameters") {
      calendar(event("SUMMARY\(many(";A=1", 100_000)):x\r\n", zone: "Europe/London"))
    },
    Case(testDescription: "components within components", name: "a.ics", says: "within more than 50") {
      calendar(many("BEGIN:VEVENT\r\n", 200_000))
    },
    Case(testDescription: "a zero byte, behind which a reader of C sees nothing", name: "a.ics", says: "zero byte") {
      calendar(event(zone: "Europe/London") + "X-A:\0\r\n" + event(zone: "Europe/London"))
    },
    // FHIR
    Case(testDescription: "a resource of lists within lists", name: "a.json", says: "nested too deeply") {
      text(#"{"resourceType":"Patient","id":"1","x":"#, many("[", 1_000_000))
    },
    Case(testDescription: "a resource without an end", name: "a.json", says: "") {
      text(#"{"resourceType":"Patient","id":"1","x":""#, many("a", 9 << 20))
    },
  ]

  @Test(arguments: cases)
  func `a hostile file is refused in words, in time, and takes nothing whole with it`(hostile: Case) throws {
    let clock = ContinuousClock()
    let contents = hostile.contents()
    var found: ImportResult?
    let took = try clock.measure { found = try ImportResult(hostile.name, contents) }
    let result = try #require(found)
    let words = result.rejects.map(\.reason) + result.problems.map(\.message)
    #expect(words.contains { hostile.says.isEmpty || $0.contains(hostile.says) }, "\(words.prefix(3))")
    #expect(result.records.count == hostile.records)
    // An unoptimised build on a busy machine; what is quadratic takes minutes.
    #expect(took < .seconds(20))
    // No more is said than can be read.
    #expect(words.count < 100_100 && words.allSatisfy { $0.count < 300 })
  }

  @Test func `calendars as programs write them have nothing that is refused`() {
    let zones = (1970..<2070).map { year in
      "BEGIN:DAYLIGHT\r\nDTSTART:\(year)0329T010000\r\nTZOFFSETFROM:+0000\r\nTZOFFSETTO:+0100\r\nRDATE:\(year)0329T010000\r\nEND:DAYLIGHT\r\n"
    }
    let yearly = Self.zone("RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU")
    let events = Self.many(Self.event("ATTENDEE;CN=\"a;b:c\";ROLE=CHAIR:mailto:x\r\nSUMMARY:a;b;c\r\n"), 1000)
    let calendar = Self.calendar("BEGIN:VTIMEZONE\r\nTZID:A\r\n\(zones.joined())END:VTIMEZONE\r\n\(yearly)\(events)")
    #expect(CalendarCheck.flaw(in: calendar) == nil)
    // More lines than libical has room for are refused before it sees them.
    #expect(CalendarCheck.flaw(in: calendar, maximumLines: 1000)?.line == 1001)
  }

  @Test func `links that lead out of a folder are named and not followed`() throws {
    let folder = try TemporaryFolder()
    let outside = try TemporaryFolder()
    let secret = try outside.write("notes.jsonl", Self.note)
    try folder.write("in/patients.jsonl", #"{"id":"P1","name":"Rex","species":"dog"}"# + "\n")
    let inside = folder.path + "/in"
    for (name, target) in [
      ("notes.jsonl", secret), ("more.jsonl", "../../\((outside.path as NSString).lastPathComponent)/notes.jsonl"),
      ("clients.jsonl", "/etc/passwd"), ("staff.jsonl", "staff.jsonl"), ("resources.jsonl", "/dev/zero"),
      ("below", outside.path), ("again.jsonl", "patients.jsonl"),
    ] {
      try FileManager.default.createSymbolicLink(atPath: "\(inside)/\(name)", withDestinationPath: target)
    }
    let found = try ImportDiscovery.find([inside], kind: nil, format: nil, vocabulary: try shippedVocabulary.get())
    #expect(found.sources.count == 1 && found.sources[0].kind == .patients)
    let said = found.problems.first { $0.message.contains("links that lead out") }
    #expect(said?.count == 6)
    // What a person names is theirs to name.
    let named = try ImportDiscovery.find(
      ["\(inside)/notes.jsonl"], kind: nil, format: nil, vocabulary: try shippedVocabulary.get())
    #expect(named.sources.count == 1)
  }
}
