import Foundation
import Testing
import VetNetTestSupport

/// Corrections at the command line: imports taken back, notes amended, moved and retracted.
struct CorrectionTests {
  let folder: TemporaryFolder
  let vetnet: VetNetProcess

  init() throws {
    folder = try TemporaryFolder()
    vetnet = try VetNetProcess(practice: folder.file("p.vetnet"))
    try vetnet.run("init", "--time-zone", "Europe/London")
    let clients = try folder.write(
      "Client ID,Owner name,Telephone,Mobile,Email\nC1,Ann Smith,01632 960001,07700 900001,ann@example.org\n",
      to: "clients.csv")
    let patients = try folder.write(
      "id,name,species,owner_id,deceased_at,weight_kg\nP1,Rex,dog,C1,,31\nP2,Bella,dog,,2026-10-01,8\n",
      to: "patients.csv")
    let notes = try folder.write(
      #"{"id":"N1","patient_id":"P1","recorded_at":"2026-03-05T10:40","text":"Booster given. Weight 31 kg."}"# + "\n"
        + #"{"id":"N2","patient_id":"P1","recorded_at":"2026-04-05T10:40","text":"Facial swelling after amoxicillin: allergic to penicillins. Not to be given again."}"#
        + "\n", to: "notes.jsonl")
    let imported = try vetnet.run("import", clients, patients, notes)
    #expect(imported.status == 0, "\(imported.errors)")
  }

  /// The notes that an answer about an allergy rests on.
  private func cited(_ patient: String = "P1") throws -> Set<String> {
    let answer = try vetnet.run(
      "ask", "any allergies?", "--patient", patient, "--asked-at", "2026-11-20", "--json"
    ).json()
    let citations = try #require(answer["citations"] as? [[String: Any]])
    return Set(citations.compactMap { $0["note_id"] as? String })
  }

  @Test func `reception sees every number and the e-mail of a patient's owner`() throws {
    let shown = try vetnet.run("patient", "show", "P1", "--json").json()
    let owner = try #require(shown["owner"] as? [String: Any])
    #expect(owner["name"] as? String == "Ann Smith" && owner["email"] as? String == "ann@example.org")
    #expect(
      owner["phones"] as? [[String: String]] == [
        ["label": "Telephone", "number": "01632 960001"], ["label": "Mobile", "number": "07700 900001"],
      ])
    let text = try vetnet.run("patient", "show", "P1").output
    #expect(text.contains("Telephone 01632 960001") && text.contains("Mobile 07700 900001"))
    #expect(text.contains("ann@example.org"))
  }

  @Test func `a partial file leaves a dead dog dead, and its import is listed and taken back`() throws {
    let part = try folder.write("id,name,weight_kg\nP2,Bella,9\n", to: "more/patients.csv")
    let dry = try vetnet.run("import", part, "--dry-run")
    #expect(dry.output.contains("patients P2 weight_kg: 8 → 9"), "\(dry.output)")
    #expect(try vetnet.run("import", part).output.contains("1 changed"))
    let brief = try vetnet.run("brief", "--patient", "P2", "--now", "2026-11-20T18:00")
    #expect(brief.status != 0 && brief.output.isEmpty && brief.errors.contains("died"))
    let log = try vetnet.run("import", "log", "--json").jsonLines()
    #expect(log.compactMap { $0["id"] as? Int } == [2, 1])
    #expect((log.first?["records"] as? [String: [String: Int]]) == ["patients": ["updated": 1]])
    #expect(try vetnet.run("import", "log", "2").output.contains("patients P2 weight_kg: 8 → 9"))
    let undone = try vetnet.run("import", "undo", "--json").json()
    #expect(undone["import"] as? Int == 2 && (undone["restored"] as? [String: Int]) == ["patients": 1])
    let shown = try vetnet.run("patient", "show", "P2", "--json").json()
    #expect((shown["patient"] as? [String: Any])?["weight_kg"] as? Double == 8)
    #expect(try vetnet.run("import", "undo", "2").status == 1)
    #expect(try vetnet.run("import", "undo", "two").status == 64)
    // A file of that name is still to be had.
    #expect(try vetnet.run("import", "--help").output.contains("./log"))
  }

  @Test func `a retracted note is kept with its reason and not answered from, until it stands again`() throws {
    #expect(try cited() == ["N2"])
    #expect(try vetnet.run("note", "retract", "N2").status == 64)
    #expect(try vetnet.run("note", "retract", "N2", "--reason", "about another dog").status == 0)
    #expect(try cited() == [])
    let brief = try vetnet.run("brief", "--patient", "P1", "--now", "2026-11-20T18:00", "--full")
    #expect(brief.status == 0 && !brief.output.contains("amoxicillin"))
    let shown = try vetnet.run("note", "show", "N2", "--json").json()
    #expect((shown["retracted"] as? [String: String])?["reason"] == "about another dog")
    #expect((shown["text"] as? String)?.contains("amoxicillin") == true)
    #expect(try vetnet.run("note", "show", "N2").output.contains("RETRACTED"))
    #expect(try vetnet.run("patient", "show", "P1").output.contains("1 notes and 1 retracted"))
    #expect(try vetnet.run("reindex", "--all").status == 0)
    #expect(try cited() == [])
    #expect(try vetnet.run("note", "retract", "N2", "--undo", "--reason", "it was right").status == 0)
    #expect(try cited() == ["N2"])
    #expect(try vetnet.run("doctor").status == 0)
  }

  @Test func `an amended note answers with its new text and shows the old one as superseded`() throws {
    let amended = try vetnet.run(
      "note", "amend", "N2", "--text", "Vomited once after amoxicillin; no allergy known.", "--reason", "misread")
    #expect(amended.status == 0, "\(amended.errors)")
    let shown = try vetnet.run("note", "show", "N2", "--versions").output
    #expect(shown.contains("SUPERSEDED") && shown.contains("misread") && shown.contains("Facial swelling"))
    #expect(
      shown.range(of: "Vomited once")?.lowerBound ?? shown.endIndex < shown.range(of: "SUPERSEDED")?.lowerBound
        ?? shown.startIndex)
    let versions = try #require(
      try vetnet.run("note", "show", "N2", "--versions", "--json").json()["versions"] as? [[String: Any]])
    #expect(versions.count == 1 && versions[0]["cause"] as? String == "amended")
    let answer = try vetnet.run("ask", "any allergies?", "--patient", "P1", "--asked-at", "2026-11-20").output
    #expect(!answer.contains("Facial swelling"))
    // The export that brought it says what it said before: no news.
    let again = try vetnet.run("import", folder.file("notes.jsonl"), "--json").json()
    #expect(((again["records"] as? [String: Any])?["notes"] as? [String: Int])?["unchanged"] == 2)
    #expect(try vetnet.run("note", "show", "N2").output.contains("Vomited once"))
    #expect(try vetnet.run("note", "amend", "N2", "--text", " ", "--reason", "x").status == 64)
  }

  @Test func `a misfiled note is moved with all that rests on it, and moved back`() throws {
    #expect(try vetnet.run("note", "move", "N2", "--patient", "P2", "--reason", "wrong dog").status == 0)
    #expect(try cited() == [])
    #expect(try cited("P2") == ["N2"])
    #expect(try vetnet.run("note", "move", "N2", "--patient", "P1", "--reason", "it was right").status == 0)
    #expect(try cited() == ["N2"])
    #expect(try cited("P2") == [])
    #expect(try vetnet.run("note", "show", "N2", "--versions").output.contains("wrong dog"))
    #expect(try vetnet.run("doctor").status == 0)
  }
}
