import Clinical
import Foundation
import Testing
import VetNetTestSupport

@testable import Store
@testable import VetNet

/// What devices said without knowing of each other, in the workspace: both sides, a choice, and the choice taken back.
struct ConflictPageTests {
  private let disagreement: Disagreement
  private var served: ServedPractice { disagreement.served }

  init() throws { disagreement = try Disagreement() }

  private func choose(
    _ id: String, _ choice: String, by session: ServedPractice.SignedIn, key: String = ""
  ) throws -> HTTPClient.Answer {
    try session.ask(
      "POST", "/api/v1/conflicts/\(id)/choice", #"{"choice":"\#(choice)"}"#, headers: ["Idempotency-Key": key])
  }

  @Test func `both sides stand beside each other, with who said what where, and by whose clock`() throws {
    let page = try served.signIn(.veterinarian).ask("GET", "/conflicts").text
    let weight = try disagreement.conflict("weight_kg")
    #expect(weight.kept == .theirs && weight.background.ours?.device == nil)
    #expect(weight.background.theirs?.device == "farm laptop" && weight.background.isChoosable)
    for words in [">11.1</pre>", ">22.2</pre>", "What the hub has", "What farm laptop says", "Rang: eats again."] {
      #expect(page.contains(words), "\(words)")
    }
    #expect(page.contains("by <bdi>a veterinarian</bdi>, 2026-11-26 09:15, by the clock of that device"))
    // Whatever somebody wrote stays text.
    #expect(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;") && !page.contains("<script>alert"))
    // The visit whose time was another's by then waits, with why, and is not chosen but booked.
    let slot = try disagreement.conflict("slot")
    #expect(slot.kept == .waiting && !slot.background.isChoosable)
    #expect(page.contains("data-waits=\"\(slot.shownID)\"") && page.contains("free:"))
    let listed = try served.signIn(.nurse).ask("GET", "/api/v1/conflicts").json()["conflicts"] as? [[String: Any]]
    let choices = Dictionary(
      uniqueKeysWithValues: (listed ?? []).map { ($0["field"] as? String ?? "", $0["choices"] as? [String] ?? []) })
    let all = ["ours", "theirs", "as-it-is"]
    #expect(choices == ["weight_kg": all, "text": all, "slot": ["as-it-is"]])
  }

  @Test func `a choice counts on every device, is listed with who made it, and is taken back with what stood before`()
    throws
  {
    let vet = try served.signIn(.veterinarian)
    let id = try disagreement.conflict("weight_kg").id
    #expect(try disagreement.weight(in: disagreement.hub()) == 22.2)
    let answer = try choose(id, "ours", by: vet, key: "one")
    #expect(answer.status == 200 && answer.text == #"{"choice":"ours","id":"\#(id)"}"#)
    // The same again is answered alike, and nothing new; another choice comes too late.
    #expect(try choose(id, "ours", by: vet, key: "one").text == answer.text)
    #expect(try choose(id, "theirs", by: vet).status == 404)
    #expect(try disagreement.weight(in: disagreement.hub()) == 11.1)
    let page = try vet.ask("GET", "/conflicts").text
    #expect(page.contains("data-reopen=\"\(id)\"") && page.contains("the hub&#39;s was chosen by a veterinarian"))
    #expect(!page.contains("data-conflict=\"\(id)\""))
    try disagreement.sync()
    #expect(try disagreement.weight(in: disagreement.laptop) == 11.1)
    #expect(
      try disagreement.laptop.perform(ListSyncConflicts(), by: disagreement.vet, at: served.clock.now).map(\.field)
        .sorted() == ["slot", "text"])
    // Back.
    let opened = try vet.ask("POST", "/api/v1/conflicts/\(id)/reopening", "{}")
    #expect(opened.status == 200, "\(opened.text)")
    #expect(try disagreement.weight(in: disagreement.hub()) == 22.2)
    #expect(try disagreement.conflict("weight_kg").settled == nil)
    #expect(try vet.ask("POST", "/api/v1/conflicts/\(id)/reopening", "{}").status == 404)
    try disagreement.sync()
    #expect(try disagreement.weight(in: disagreement.laptop) == 22.2)
    // What was changed since the choice is not written over by taking it back.
    #expect(try choose(id, "ours", by: vet).status == 200)
    try disagreement.setWeight(33.3, in: disagreement.hub())
    #expect(try vet.ask("POST", "/api/v1/conflicts/\(id)/reopening", "{}").status == 200)
    #expect(try disagreement.weight(in: disagreement.hub()) == 33.3)
    for practice in [try disagreement.hub(), disagreement.laptop] {
      #expect(try practice.perform(VerifyAudit(anchors: []), by: disagreement.keeper, at: served.clock.now).ok)
      #expect(try practice.integrity.verify().ok)
    }
  }

  @Test func `of a note both versions stay, whichever is shown`() throws {
    let nurse = try served.signIn(.nurse)
    let conflict = try disagreement.conflict("text")
    #expect(conflict.kept == .both)
    func shown() throws -> String? {
      try nurse.ask("GET", "/api/v1/notes/\(Disagreement.note)").json()["text"] as? String
    }
    #expect(try shown() == Disagreement.hostile)
    #expect(try choose(conflict.id, "ours", by: nurse).status == 200)
    #expect(try shown() == "Rang: eats again.")
    #expect(try nurse.ask("POST", "/api/v1/conflicts/\(conflict.id)/reopening", "{}").status == 200)
    #expect(try shown() == Disagreement.hostile)
    let hub = try disagreement.hub()
    let row = try #require(try hub.connection.recordIDs.row(.note, Disagreement.note))
    let versions = try hub.connection.notes.versions(row: row).map(\.text)
    #expect(versions.contains("Rang: eats again."), "the other stays among the versions")
  }

  @Test func `who may not read or write records is shown no values, and settles nothing`() throws {
    let id = try disagreement.conflict("weight_kg").id
    for role in [Role.reception, .administrator] {
      let session = try served.signIn(role)
      #expect(try session.ask("GET", "/conflicts").status == 403, "\(role)")
      #expect(try session.ask("GET", "/api/v1/conflicts").status == 403, "\(role)")
      #expect(try choose(id, "ours", by: session).status == 403, "\(role)")
      #expect(try session.ask("POST", "/api/v1/conflicts/\(id)/reopening", "{}").status == 403, "\(role)")
    }
    let line = try served.signIn(.reception).ask("GET", "/inbox").text
    #expect(line.contains("3 things disagree between devices: somebody who may write records"))
    #expect(!line.contains("href=\"/conflicts\""))
    #expect(try served.signIn(.nurse).ask("GET", "/inbox").text.contains("<a href=\"/conflicts\">3 things disagree"))
    #expect(try disagreement.weight(in: disagreement.hub()) == 22.2)
  }

  @Test func `a choice that there isn't is refused by its name, and one that can't be made with what to do`() throws {
    let vet = try served.signIn(.veterinarian)
    let slot = try disagreement.conflict("slot").id
    let unknown = try choose(slot, "mine", by: vet)
    let error = try unknown.json()["error"] as? [String: Any]
    #expect(unknown.status == 400 && error?["field"] as? String == "choice")
    #expect(error?["hint"] as? String == "There are ours, theirs, as-it-is.")
    let refused = try choose(slot, "theirs", by: vet)
    #expect(refused.status == 400 && refused.text.contains("Change the record itself"))
    #expect(try choose(slot, "as-it-is", by: vet).status == 200)
    #expect(try choose("c9-9-nothing", "ours", by: vet).status == 404)
  }
}
