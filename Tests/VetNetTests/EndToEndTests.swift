import Foundation
import Testing
import VetNetTestSupport

/// The built program on the sample practice: real processes, real files.
@Suite struct EndToEndTests {
  /// One imported practice, shared by the tests that only read.
  static let shared: Result<SamplePractice, any Error> = Result { try SamplePractice() }

  struct SamplePractice: Sendable {
    let folder: TemporaryFolder
    let vetnet: VetNetProcess

    init() throws {
      folder = try TemporaryFolder()
      vetnet = try SampleCorpus.practice(at: folder.file("practice.vetnet"))
    }
  }

  struct Question: CustomTestStringConvertible, Sendable {
    let patient: String
    let text: String
    let answerClass: String
    /// At least one of these is cited; empty where nothing should be.
    let evidence: [String]
    /// Stands in the answer, any case.
    var mentions: String? = nil
    var testDescription: String { "\(patient): \(text)" }
  }

  // The answers were taken from the notes by their writers, before there was a program to ask.
  @Test(arguments: [
    Question(
      patient: "P001", text: "why was meloxicam stopped?", answerClass: "found", evidence: ["N0004"],
      mentions: "gastropathy"),
    Question(
      patient: "P009", text: "what was T4 at diagnosis?", answerClass: "found", evidence: ["N0051", "N0052"],
      mentions: "92"),
    Question(patient: "P002", text: "was Babesia found?", answerClass: "negative", evidence: ["N0016"]),
    Question(patient: "P008", text: "was she ever seen for ringworm?", answerClass: "not_recorded", evidence: []),
    Question(
      patient: "P012", text: "has he tested positive for FIV?", answerClass: "found", evidence: ["N0073", "N0074"]),
  ])
  func `a question about a patient is answered with its source`(question: Question) throws {
    let vetnet = try Self.shared.get().vetnet
    let outcome = try vetnet.run(
      "ask", question.text, "--patient", question.patient, "--asked-at", "2026-11-20T18:00", "--json")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let answer = try outcome.json()
    #expect(answer["answer_class"] as? String == question.answerClass)
    let citations = try #require(answer["citations"] as? [[String: Any]])
    let cited = Set(citations.compactMap { $0["note_id"] as? String })
    if question.evidence.isEmpty {
      #expect(cited.isEmpty)
    } else {
      #expect(!cited.isDisjoint(with: question.evidence), "cited \(cited)")
    }
    if let mentions = question.mentions {
      #expect((answer["answer"] as? String)?.lowercased().contains(mentions.lowercased()) == true)
    }
  }

  @Test func `every citation is the text at its place, counted in code points`() throws {
    let vetnet = try Self.shared.get().vetnet
    for (patient, question) in [
      ("P005", "when did the fits start?"), ("P010", "was he blocked?"), ("P020", "any colic?"),
    ] {
      let answer = try vetnet.run("ask", question, "--patient", patient, "--asked-at", "2026-11-20", "--json").json()
      let citations = try #require(answer["citations"] as? [[String: Any]])
      #expect(!citations.isEmpty, "\(question)")
      for citation in citations {
        let id = try #require(citation["note_id"] as? String)
        let start = try #require(citation["start"] as? Int), end = try #require(citation["end"] as? Int)
        let shown = try vetnet.run("note", "show", id, "--range", "\(start):\(end)", "--json").json()
        #expect(shown["text"] as? String == citation["quote"] as? String)
      }
    }
  }

  @Test func `a name that two patients share is asked back with exit code 5`() throws {
    let vetnet = try Self.shared.get().vetnet
    let outcome = try vetnet.run("ask", "What is Bella on for her thyroid?", "--json")
    #expect(outcome.status == 5)
    let answer = try outcome.json()
    #expect(answer["answer_class"] as? String == "ambiguous_patient")
    #expect(
      (answer["candidates"] as? [[String: Any]])?.compactMap { $0["id"] as? String }.sorted() == ["P001", "P009"])
  }

  @Test func `a shared name lists its candidates in the JSON error too`() throws {
    let outcome = try Self.shared.get().vetnet.run("patient", "show", "Bella", "--json")
    #expect(outcome.status == 5)
    let error = try #require(try JSONSerialization.jsonObject(with: Data(outcome.errors.utf8)) as? [String: Any])
    #expect((error["candidates"] as? [[String: Any]])?.compactMap { $0["id"] as? String }.sorted() == ["P001", "P009"])
  }

  // The first fit was on 10 April 2023, the second in November.
  @Test(arguments: [("2023-01-01", false), ("2023-05-01", true)])
  func `a question as of an earlier day does not see later notes`(day: String, isOnRecord: Bool) throws {
    let vetnet = try Self.shared.get().vetnet
    let answer = try vetnet.run("ask", "any fits?", "--patient", "P005", "--asked-at", day, "--json").json()
    let dates = try #require(answer["citations"] as? [[String: Any]]).compactMap { $0["recorded_at"] as? String }
    #expect(dates.isEmpty == !isOnRecord, "\(dates)")
    #expect(dates.allSatisfy { $0 < "\(day)T24" }, "\(dates)")
  }

  @Test func `importing twice changes nothing`() throws {
    let folder = try TemporaryFolder()
    let vetnet = try VetNetProcess(practice: folder.file("p.vetnet"))
    try vetnet.run("init", "--time-zone", "Europe/London")
    let first = try vetnet.run("import", projectDirectory + "/Corpus", "--json").json()
    let before = try vetnet.run("status", "--json").output
    let second = try vetnet.run("import", projectDirectory + "/Corpus", "--json").json()
    let firstNotes = try #require((first["records"] as? [String: Any])?["notes"] as? [String: Any])
    #expect(firstNotes["inserted"] as? Int == 520)
    for (kind, counts) in try #require(second["records"] as? [String: [String: Any]]) {
      #expect(counts["inserted"] as? Int == 0, "\(kind)")
      #expect(counts["updated"] as? Int == 0, "\(kind)")
    }
    #expect(second["indexed_notes"] as? Int == 0)
    #expect(try vetnet.run("status", "--json").output == before)
  }

  @Test func `a triaged intake has every key of the contract and explains itself`() throws {
    let vetnet = try Self.shared.get().vetnet
    let outcome = try vetnet.run(
      "triage", "--text", "He has been in and out of the tray all morning, squatting, and only a drop of blood came",
      "--species", "cat", "--sex", "MN", "--json")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let triage = try outcome.json()
    #expect(["red", "orange"].contains(triage["urgency"] as? String))
    for key in [
      "target_minutes", "action", "questions", "abcde", "complexity", "duration_minutes", "visit_type", "specialties",
      "explanation", "model_versions",
    ] {
      #expect(triage[key] != nil, "\(key)")
    }
    let letters = try #require(triage["abcde"] as? [String: String])
    #expect(letters["airway"] == "not stated")
    let minutes = try #require(triage["duration_minutes"] as? [String: Double])
    #expect((minutes["p50"] ?? 0) <= (minutes["p80"] ?? 0) && (minutes["p80"] ?? 0) <= (minutes["p90"] ?? 0))
  }

  @Test func `intakes in a file are triaged one by one`() throws {
    let vetnet = try Self.shared.get().vetnet
    let lines = try vetnet.run(
      "triage", projectDirectory + "/Corpus/intakes.jsonl", "--json", "--now", "2026-11-20T18:00"
    ).jsonLines()
    #expect(lines.count == 62)
    #expect(Set(lines.compactMap { $0["id"] as? String }).count == 62)
  }

  @Test func `every booked patient of a day gets a brief in which nothing lacks a source`() throws {
    let vetnet = try Self.shared.get().vetnet
    let briefs = try vetnet.run("brief", "--date", "2026-11-23", "--format", "json", "--now", "2026-11-20T18:00")
      .jsonLines()
    let booked = try vetnet.run("schedule", "show", "--date", "2026-11-23", "--json").jsonLines().filter {
      $0["status"] as? String == "booked"
    }
    #expect(briefs.count == booked.count)
    let notes = try Self.corpusNotes()
    #expect(notes.count > 300)
    for brief in briefs {
      for section in try #require(brief["sections"] as? [[String: Any]]) {
        for line in try #require(section["lines"] as? [[String: Any]]) {
          let cited = (line["citations"] as? [Int])?.isEmpty == false
          let referred = (line["references"] as? [[String: Any]])?.isEmpty == false
          // A chart line without a note is one about a message.
          #expect(cited || referred, "\(section["title"] ?? ""): \(line["text"] ?? "")")
        }
      }
      for citation in try #require(brief["citations"] as? [[String: Any]]) {
        let id = try #require(citation["note_id"] as? String)
        let start = try #require(citation["start"] as? Int), end = try #require(citation["end"] as? Int)
        // Letters and tables are read by other tests.
        guard let text = notes[id] else { continue }
        let scalars = Array(text.unicodeScalars)[start..<end]
        #expect(String(String.UnicodeScalarView(scalars)) == citation["quote"] as? String, "\(id)")
      }
    }
  }

  /// The notes as the corpus has them, by id: read again, not through the program.
  private static func corpusNotes() throws -> [String: String] {
    var notes: [String: String] = [:]
    for file in try FileManager.default.contentsOfDirectory(atPath: projectDirectory + "/Corpus")
    where file.hasPrefix("notes") && file.hasSuffix(".jsonl") {
      let text = try String(contentsOfFile: projectDirectory + "/Corpus/" + file, encoding: .utf8)
      for line in text.split(separator: "\n") {
        let row = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        if let id = row?["id"] as? String, let words = row?["text"] as? String { notes[id] = words }
      }
    }
    return notes
  }

  @Test func `an appointment that gets no brief is named with the reason`() throws {
    let folder = try TemporaryFolder()
    let vetnet = try VetNetProcess(practice: folder.file("p.vetnet"))
    try vetnet.run("init", "--time-zone", "Europe/London")
    try folder.write(
      #"{"id":"P1","name":"Rex","species":"dog"}"# + "\n"
        + #"{"id":"P2","name":"Mog","species":"cat","deceased_at":"2026-10-01"}"#, to: "export/patients.jsonl")
    let day = "2026-11-23T"
    let rows = [
      ("A1", #""P1""#, "09:00", "booked"), ("A2", #""P2""#, "09:20", "booked"), ("A3", "null", "09:40", "booked"),
      ("A4", #""P1""#, "10:00", "cancelled"), ("A5", #""P1""#, "10:20", "no_show"), ("A6", #""P1""#, "08:40", "done"),
    ]
    try folder.write(
      rows.map {
        #"{"id":"\#($0.0)","patient_id":\#($0.1),"start":"\#(day)\#($0.2)","duration_minutes":15,"status":"\#($0.3)"}"#
      }.joined(separator: "\n"), to: "export/appointments.jsonl")
    #expect(try vetnet.run("import", folder.file("export")).status == 0)
    let outcome = try vetnet.run("brief", "--date", "2026-11-23", "--json", "--now", "2026-11-20T18:00")
    #expect(outcome.status == 0)
    #expect(try outcome.jsonLines().count == 1)
    #expect(
      outcome.errors.split(separator: "\n") == [
        "09:20 A2: no brief, P2 died on 2026-10-01", "09:40 A3: no brief, the appointment names no patient",
        "10:00 A4: no brief, cancelled", "10:20 A5: no brief, did not come",
      ])
  }

  @Test func `a brief is one screen, and says how much it left out`() throws {
    let vetnet = try Self.shared.get().vetnet
    let day = ["brief", "--date", "2026-11-23", "--now", "2026-11-20T18:00"]
    for brief in try vetnet.start(day).wait().output.components(separatedBy: "\n\n") {
      let lines = brief.split(separator: "\n")
      #expect(lines.count <= 45 && lines.allSatisfy { $0.count <= 100 }, "\(lines.first ?? "")")
    }
  }

  @Test func `proposed slots can be booked, and only once`() throws {
    let folder = try TemporaryFolder()
    let vetnet = try SampleCorpus.practice(at: folder.file("p.vetnet"), .records)
    let now = "2026-11-20T18:00"
    let proposals = try vetnet.run(
      "schedule", "propose", "--text", "sore eye, half shut since this morning", "--patient", "P003", "--now", now,
      "--json"
    ).json()
    let best = try #require((proposals["proposals"] as? [[String: Any]])?.first)
    let start = try #require(best["start"] as? String), clinician = try #require(best["clinician_id"] as? String)
    let minutes = try #require(best["minutes"] as? Int)
    func book() throws -> VetNetProcess.Outcome {
      try vetnet.run(
        "schedule", "book", "--patient", "P003", "--at", start, "--with", clinician, "--minutes", "\(minutes)", "--now",
        now, "--json")
    }
    #expect(try book().status == 0)
    #expect(try book().status == 1)
  }

  @Test func `optimising a day writes a plan without conflicts`() throws {
    let folder = try TemporaryFolder()
    let vetnet = try SampleCorpus.practice(at: folder.file("p.vetnet"), .records)
    let outcome = try vetnet.run(
      "schedule", "optimize", "--date", "2026-11-26", "--iterations", "2000", "--now", "2026-11-20T18:00", "--json")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let plan = try outcome.json()
    #expect((plan["after"] as? Double ?? 0) >= (plan["before"] as? Double ?? 1))
    #expect((plan["after"] as? Double ?? 0) <= (plan["upper_bound"] as? Double ?? 0) + 0.001)
    #expect((try vetnet.run("status", "--json").json())["conflicts"] as? Int == 0)
  }
}
