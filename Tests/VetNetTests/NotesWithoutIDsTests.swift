import Clinical
import Foundation
import Store
import Testing
import VetNetTestSupport

@testable import VetNet

/// Rows of notes and intakes without ids: a text that is there is known again, another is a record of its own, and only the file
/// that a note came from moves or corrects it.
struct NotesWithoutIDsTests {
  private static let animals = ("patients.csv", "id,name,species\nP1,Rex,dog\nP2,Bella,dog\nP3,Max,dog\n")
  private static let header = "patient_id,date,text\n"
  private static let vaccinated = "2024-06-05,Second vaccination given. No concerns.\n"

  private struct Step {
    let file: String
    let text: String
    /// Of each note, in order.
    let notes: [String]
    var says: String?
  }

  private func run(_ steps: [Step]) throws {
    let bench = try ImportBench()
    try bench.load([Self.animals])
    for step in steps {
      bench.forgetMessages()
      try bench.load(step.file, step.text)
      #expect(try notes(bench) == step.notes, "\(step.file)")
      if let says = step.says { #expect(bench.messages.contains { $0.contains(says) }, "\(bench.messages)") }
      let before = try bench.state()
      let again = try bench.load(step.file, step.text)
      #expect(again.importID == nil, "\(step.file) again")
      #expect(try bench.state() == before)
    }
  }

  private func notes(_ bench: ImportBench) throws -> [String] {
    try bench.practice.connection.rows("SELECT id FROM note ORDER BY id", read: { $0.int64(0) }).compactMap {
      try bench.practice.connection.notes.note(row: $0).map { "\($0.value.patientID) \($0.value.text)" }
    }
  }

  @Test func `another text of the same patient and time is a note of its own, in whatever file`() throws {
    let day = "P1,2024-03-11,"
    let both = ["P1 Morning: bitten by dog", "P1 Evening: wound stitched"]
    try run([
      Step(file: "jan/notes.csv", text: Self.header + day + "Morning: bitten by dog\n", notes: [both[0]]),
      Step(file: "feb/notes.csv", text: Self.header + day + "Evening: wound stitched\n", notes: both),
      // An export that overlaps with both, in another order.
      Step(
        file: "mar/notes.csv",
        text: Self.header + day + "Evening: wound stitched\n" + day + "Morning: bitten by dog\n", notes: both),
      Step(
        file: "jan/notes.csv", text: Self.header + day + "Night: quiet and eating\n",
        notes: both + ["P1 Night: quiet and eating"]),
    ])
    func letter(_ patient: String, _ date: String, _ text: String) -> String {
      "---\npatient_id: \(patient)\ndate: \(date)\n---\n\(text)"
    }
    try run([
      Step(
        file: "P1/letter.md", text: letter("P1", "2024-04-28", "Cardiology report"), notes: ["P1 Cardiology report"]),
      Step(
        file: "P2/letter.md", text: letter("P2", "2025-04-28", "Other letter"),
        notes: ["P1 Cardiology report", "P2 Other letter"]),
      // Under the same path it is the same letter, as long as it is much the same.
      Step(
        file: "P1/letter.md", text: letter("P1", "2024-04-29", "Cardiology report."),
        notes: ["P1 Cardiology report.", "P2 Other letter"]),
      Step(
        file: "P1/letter.md", text: letter("P3", "2026-01-02", "Eyes fine"),
        notes: ["P1 Cardiology report.", "P2 Other letter", "P3 Eyes fine"]),
    ])
  }

  @Test func `a corrected text changes its note where its file is the same list, and is told`() throws {
    let rest = "P2,2024-03-11,Nails clipped.\nP2,2024-03-12,Ears cleaned.\n"
    let others = ["P2 Nails clipped.", "P2 Ears cleaned."]
    try run([
      Step(
        file: "notes.csv", text: Self.header + rest + "P1,2024-03-11,Weight 3 kg\n", notes: others + ["P1 Weight 3 kg"]),
      Step(
        file: "notes.csv", text: Self.header + rest + "P1,2024-03-11,Weight 30 kg\n",
        notes: others + ["P1 Weight 30 kg"], says: "the old text is kept as a version"),
      // What came since the last export, under the same name: nothing of it is a correction.
      Step(
        file: "notes.csv", text: Self.header + "P1,2024-03-11,Weight 31 kg\nP1,2024-03-13,Quiet.\n",
        notes: others + ["P1 Weight 30 kg", "P1 Quiet.", "P1 Weight 31 kg"]),
      // Another file corrects nothing.
      Step(
        file: "copy/notes.csv", text: Self.header + "P2,2024-03-12,Ears cleaned twice.\n",
        notes: others + ["P1 Weight 30 kg", "P1 Quiet.", "P1 Weight 31 kg", "P2 Ears cleaned twice."]),
    ])
  }

  @Test func `littermates keep their notes, and the same words elsewhere are told`() throws {
    let said = ["P1", "P2", "P3"].map { "\($0) Second vaccination given. No concerns." }
    try run([
      Step(file: "pup1-notes.csv", text: Self.header + "P1," + Self.vaccinated, notes: Array(said.prefix(1))),
      Step(
        file: "pup2-notes.csv", text: Self.header + "P2," + Self.vaccinated, notes: Array(said.prefix(2)),
        says: "kept as a note of its own"),
      Step(file: "pup3-notes.csv", text: Self.header + "P3," + Self.vaccinated, notes: said),
      // The file that filed it does not list it any more.
      Step(
        file: "pup3-notes.csv", text: Self.header + "P1,2024-06-05,Third.\nP3," + Self.vaccinated,
        notes: said + ["P1 Third."]),
    ])
    // A list of what came since: the puppy of the morning is not the one of the afternoon.
    let morning = Self.header + "P1," + Self.vaccinated + "P3,2024-06-05,Nails clipped.\nP3,2024-06-05,Ears cleaned.\n"
    try run([
      Step(file: "notes.csv", text: morning, notes: [said[0], "P3 Nails clipped.", "P3 Ears cleaned."]),
      Step(
        file: "notes.csv", text: Self.header + "P2," + Self.vaccinated,
        notes: [said[0], "P3 Nails clipped.", "P3 Ears cleaned.", said[1]], says: "kept as a note of its own"),
    ])
  }

  @Test func `a row that breaks off makes no short copy of a note that is there`() throws {
    let bench = try ImportBench()
    try bench.load([Self.animals, ("notes.csv", Self.header + "P1,2024-03-11,Right hind lame since Monday\n")])
    let cut = try bench.load("notes.csv", Self.header + "P1,2024-03-11,Right hind la")
    #expect(cut.rejected == 1)
    #expect(try notes(bench) == ["P1 Right hind lame since Monday"])
  }

  @Test func `a note without an id that was corrected here is known by what its source said`() throws {
    let bench = try ImportBench()
    let file = Self.header + "P1,2024-03-11,Weight 3 kg\nP1,2024-03-11,Fed twice.\n"
    try bench.load([Self.animals, ("notes.csv", file)])
    _ = try bench.practice.records.amendNote(
      "csv:P1:2024-03-11T00:00:1", text: "Weight 30 kg", reason: "slip", now: bench.now)
    _ = try bench.practice.records.moveNote(
      "csv:P1:2024-03-11T00:00:2", to: try bench.practice.records.patient("P2"), reason: "misfiled", now: bench.now)
    let before = try bench.state()
    for name in ["notes.csv", "copy/notes.csv"] {
      #expect(try bench.load(name, file).records["notes"] == .init(unchanged: 2))
      #expect(try bench.state() == before)
    }
  }

  @Test func `rows rejected in two months are corrected without touching each other`() throws {
    let bench = try ImportBench()
    try bench.load([Self.animals])
    var expected: [String] = []
    for (month, text) in [("01", "January."), ("02", "February.")] {
      let rejects = bench.folder.file("r\(month).jsonl")
      var options = ImportOptions(rejectsPath: rejects)
      options.indexes = false
      let path = try bench.folder.write(
        Self.header + "P1,2024-\(month)-41,\(text)\n", to: "\(month)/notes.csv")
      _ = try bench.practice.exchange.importFiles([path], options: options, now: bench.now, progress: { _ in }) { _ in }
      let corrected = try String(contentsOfFile: rejects, encoding: .utf8).replacing("-41", with: "-11")
      expected.append("P1 \(text)")
      for round in 1...2 {
        let summary = try bench.load("c.rejects.jsonl", corrected)
        #expect(summary.records["notes"] == (round == 1 ? .init(inserted: 1) : .init(unchanged: 1)))
        #expect(try notes(bench) == expected)
      }
    }
  }

  @Test func `intakes of the same minute are intakes of their own`() throws {
    let bench = try ImportBench()
    let header = "received_at,channel,text\n"
    for (name, row) in [("a", "Cat choking"), ("b", "Rabbit not eating"), ("c", "Cat choking")] {
      try bench.load("\(name)/intakes.csv", header + "2024-03-05T09:00,phone,\(row)\n")
    }
    let both = header + "2024-03-05T09:00,phone,Rabbit not eating\n2024-03-05T09:00,web form,Cat choking\n"
    #expect(try bench.load("d/intakes.csv", both).records["intakes"] == .init(updated: 1, unchanged: 1))
    let intakes = try bench.practice.connection.intakes.list().map { "\($0.value.channel ?? "") \($0.value.text)" }
    #expect(intakes == ["web form Cat choking", "phone Rabbit not eating"])
    // Two equal rows of one file are two.
    let twins = header + "2024-03-06T09:00,phone,Same\n2024-03-06T09:00,phone,Same\n"
    #expect(try bench.load("e/intakes.csv", twins).records["intakes"] == .init(inserted: 2))
    #expect(try bench.load("f/intakes.csv", twins).records["intakes"] == .init(unchanged: 2))
  }
}
