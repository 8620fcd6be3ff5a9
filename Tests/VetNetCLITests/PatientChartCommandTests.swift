import Foundation
import Testing
import VetNetTestSupport

/// `vetnet patient chart` on a real practice file: what a note says, and no longer says once it is gone.
struct PatientChartCommandTests {
  let folder: TemporaryFolder
  let vetnet: VetNetProcess

  init() throws {
    folder = try TemporaryFolder()
    vetnet = try VetNetProcess(practice: folder.file("p.vetnet"))
    try vetnet.run("init", "--time-zone", "UTC")
    let patients =
      #"{"id":"P1","name":"Rex","species":"dog"}"# + "\n" + #"{"id":"P2","name":"Tom","species":"cat"}"# + "\n"
    try vetnet.run("import", "-", "--kind", "patients", input: patients)
    let text = "Vomited twice on day four of meloxicam, stopped it. No blood. Weight 12.4 kg."
    let note =
      #"{"id":"N1","patient_id":"P1","recorded_at":"2025-03-01T10:00:00","author":"V","kind":"consult","text":"\#(text)"}"#
    try vetnet.run("import", "-", "--kind", "notes", input: note + "\n")
  }

  private func treatments(_ patient: String) throws -> [String: [String: Any]] {
    let outcome = try vetnet.run("patient", "chart", patient, "--json")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let reactions = try #require(outcome.json()["reactions"] as? [[String: Any]])
    return Dictionary(uniqueKeysWithValues: try reactions.map { (try #require($0["treatment"] as? String), $0) })
  }

  @Test func `a chart shows a state with the words it rests on, at their place`() throws {
    let meloxicam = try #require(try treatments("P1")["meloxicam"])
    #expect(meloxicam["state"] as? String == "reaction")
    let evidence = try #require((meloxicam["evidence"] as? [[String: Any]])?.first)
    #expect(evidence["note_id"] as? String == "N1")
    #expect((evidence["quote"] as? String)?.contains("meloxicam") == true)
    #expect(try #require(evidence["end"] as? Int) > (try #require(evidence["start"] as? Int)))
    let shown = try vetnet.run("patient", "chart", "Rex").output
    #expect(shown.contains("REACTION meloxicam") && shown.contains("2025-03-01"), "\(shown)")
    #expect(try vetnet.run("patient", "chart", "P2").output.contains("says nothing of how treatments were borne"))
  }

  @Test func `a chart shows what is given, with its beginning and the word that ended it`() throws {
    func add(_ id: String, _ day: String, _ text: String) throws {
      let note =
        #"{"id":"\#(id)","patient_id":"P2","recorded_at":"\#(day)T10:00:00","author":"V","kind":"consult","text":"\#(text)"}"#
      try vetnet.run("import", "-", "--kind", "notes", input: note + "\n")
    }
    try add("N2", "2026-01-05", "Started amlodipine 0.625mg once daily. BP 182.")
    try add("N3", "2026-02-05", "Amlodipine up to 1.25mg sid.")
    func first() throws -> [String: Any] {
      let outcome = try vetnet.run("patient", "chart", "P2", "--json", "--now", "2026-03-01T09:00")
      return try #require((outcome.json()["drugs"] as? [[String: Any]])?.first)
    }
    let current = try first()
    #expect(current["drug"] as? String == "amlodipine" && current["state"] as? String == "current")
    #expect((current["begun"] as? [String: Any])?["note_id"] as? String == "N2")
    #expect((current["regimen"] as? [String: Any])?["quote"] as? String == "Amlodipine up to 1.25mg sid.")
    try add("N4", "2026-02-20", "Wobbly, BP 110. Stop the amlodipine.")
    let ended = try first()
    #expect(ended["state"] as? String == "ended")
    #expect((ended["latest"] as? [String: Any])?["note_id"] as? String == "N4")
    let shown = try vetnet.run("patient", "chart", "P2", "--now", "2026-03-01T09:00").output
    #expect(shown.contains("ENDED amlodipine, since 2026-01-05"), "\(shown)")
  }

  @Test func `a chart shows problems and prevention by the last word on each, with its source`() throws {
    func add(_ id: String, _ day: String, _ text: String) throws {
      let note =
        #"{"id":"\#(id)","patient_id":"P2","recorded_at":"\#(day)T10:00:00","author":"V","kind":"consult","text":"\#(text)"}"#
      try vetnet.run("import", "-", "--kind", "notes", input: note + "\n")
    }
    try add("N5", "2025-11-05", "Suspect hyperthyroidism, T4 sent. Rabies vaccine given, next due 5/11/26.")
    try add("N6", "2025-11-12", "Hyperthyroidism confirmed.")
    func chart() throws -> (problem: [String: Any]?, rabies: [String: Any]?) {
      let json = try vetnet.run("patient", "chart", "P2", "--json", "--now", "2026-12-01T09:00").json()
      let problems = try #require(json["problems"] as? [[String: Any]])
      let prevention = try #require(json["prevention"] as? [[String: Any]])
      return (
        problems.first { $0["problem"] as? String == "hyperthyroidism" },
        prevention.first { $0["protection"] as? String == "rabies" }
      )
    }
    let (problem, rabies) = try chart()
    #expect(problem?["state"] as? String == "confirmed")
    #expect((problem?["begun"] as? [String: Any])?["note_id"] as? String == "N6")
    #expect(rabies?["state"] as? String == "given" && rabies?["due_on"] as? String == "2026-11-05")
    #expect(rabies?["is_past_due"] as? Bool == true && rabies?["due_by"] as? String == "written")
    let shown = try vetnet.run("patient", "chart", "P2", "--now", "2026-12-01T09:00").output
    #expect(shown.contains("CONFIRMED hyperthyroidism, since 2025-11-12"), "\(shown)")
    #expect(shown.contains("GIVEN rabies, was due 2026-11-05"), "\(shown)")
    try vetnet.run("note", "retract", "N6", "--reason", "entered in error")
    #expect(try chart().problem?["state"] as? String == "suspected")
  }

  @Test func `a note that is moved or retracted takes its reactions along`() throws {
    try vetnet.run("note", "move", "N1", "--patient", "P2", "--reason", "filed under the wrong animal")
    #expect(try treatments("P1").isEmpty)
    #expect(try treatments("P2")["meloxicam"] != nil)
    try vetnet.run("note", "retract", "N1", "--reason", "entered in error")
    #expect(try treatments("P2").isEmpty)
  }
}
