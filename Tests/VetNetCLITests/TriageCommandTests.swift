import Foundation
import Testing
import VetNetTestSupport

/// Triage at the desk: guided, answered from a file, overridden, fed by another program.
struct TriageCommandTests {
  let folder: TemporaryFolder
  let vetnet: VetNetProcess

  init() throws {
    folder = try TemporaryFolder()
    vetnet = try VetNetProcess(practice: folder.file("p.vetnet"))
    try vetnet.run("init", "--time-zone", "UTC")
  }

  private static let vague = "she seems a little under the weather"
  private static let order = ["blue", "green", "yellow", "orange", "red"]

  private func rank(_ object: [String: Any]) throws -> Int {
    let urgency = try #require(object["urgency"] as? String)
    return try #require(Self.order.firstIndex(of: urgency))
  }

  @Test func `a guided session asks in words, takes yes and no, and never ends below its beginning`() throws {
    let before = try vetnet.run("triage", "--text", Self.vague, "--species", "cat", "--json").json()
    let no = try vetnet.run(
      "triage", "--text", Self.vague, "--species", "cat", "--guided", "--json", input: "no\nno\n\n")
    #expect(no.status == 0, "\(no.errors)")
    #expect(no.errors.contains("the cat") && no.errors.contains("? [yes/no/unknown, empty to stop]"))
    #expect(try rank(no.json()) == rank(before))
    let yes = try vetnet.run(
      "triage", "--text", Self.vague, "--species", "cat", "--guided", "--json", input: "yes\nyes\nyes\n\n")
    #expect(try rank(yes.json()) > rank(before))
  }

  @Test func `answers come from a file, and a line that is none is named`() throws {
    try folder.write("# from the phone\ngums-blue\tyes\n", to: "answers.tsv")
    let outcome = try vetnet.run(
      "triage", "--text", Self.vague, "--species", "cat", "--answers", folder.file("answers.tsv"), "--json")
    #expect(outcome.status == 0, "\(outcome.errors)")
    try folder.write("gums-blue\tyes\nother\tperhaps\n", to: "bad.tsv")
    let refused = try vetnet.run("triage", "--text", Self.vague, "--answers", folder.file("bad.tsv"))
    try folder.write("gums-bleu\tyes\n", to: "mistyped.tsv")
    let mistyped = try vetnet.run("triage", "--text", Self.vague, "--answers", folder.file("mistyped.tsv"))
    #expect(mistyped.errors.contains("'gums-bleu' was not asked"), "\(mistyped.errors)")
    #expect(refused.status == 64)
    #expect(refused.errors.contains("line 2"))
  }

  @Test(arguments: [
    "blood result from Sept about his jabs, which does he skip", "due his kennel cough vaccine, any afternoon",
    "weigh and worm tablets to collect", "booster and nails please, Tuesday if you can",
  ])
  func `a routine request says nothing of how the animal is`(text: String) throws {
    let letters =
      try vetnet.run("triage", "--text", text, "--species", "dog", "--age", "8y", "--sex", "MN", "--json")
      .json()["abcde"] as? [String: String]
    #expect(try #require(letters).values.allSatisfy { $0 == "not stated" }, "\(letters ?? [:])")
  }

  @Test func `a dry run shows the overridden level and keeps nothing`() throws {
    let shown = try vetnet.run(
      "triage", "--text", Self.vague, "--species", "cat", "--override", "red", "--reason", "grey gums", "--dry-run",
      "--json")
    #expect(shown.status == 0, "\(shown.errors)")
    #expect(try shown.json()["urgency"] as? String == "red")
    #expect(try vetnet.run("triage", "overrides").output == "")
  }

  @Test func `booking keeps the floor, and says what to do before it offers a time`() throws {
    try vetnet.run("import", "-", "--kind", "patients", input: #"{"id":"P1","name":"Rex","species":"dog"}"# + "\n")
    let hours = (1...7).map { #"{"weekday":\#($0),"start":"08:00","end":"20:00"}"# }.joined(separator: ",")
    let vet =
      #"{"id":"V1","name":"Dr V","role":"veterinarian","skills":{"emergency":1},"working_hours":[\#(hours)]}"#
    try vetnet.run("import", "-", "--kind", "staff", input: vet + "\n")
    func book(_ text: String, _ flags: String...) throws -> VetNetProcess.Outcome {
      let outcome = try vetnet.start(
        ["triage", "--text", text, "--patient", "P1", "--book", "--now", "2026-11-20T09:00"] + flags
      ).wait()
      #expect(outcome.status == 0, "\(outcome.errors)")
      return outcome
    }
    // A red finding beside reassurance and a casual wish is red or orange still, so it gets its place at once.
    let soothed = "He's collapsed on his walk yesterday, fine now. Check up whenever suits"
    let planned = try book(soothed, "--dry-run", "--json").json()
    #expect(try rank(planned) >= 3)
    #expect(planned["booking"] != nil)
    let shown = try book(soothed).output
    let told = try #require(shown.range(of: "Come straight away"), "\(shown)")
    let offered = try #require(shown.range(of: "is seen at 09:00"), "\(shown)")
    #expect(told.lowerBound < offered.lowerBound)
    #expect(try vetnet.run("schedule", "show", "--date", "2026-11-20").output.contains("Rex"))
    // Of an orange one, yellow is the least: nothing is booked over others, and it is said.
    let least = "Dog's eye popped out. Otherwise fine in himself, eating. When could we book him in?"
    #expect(try rank(book(least, "--dry-run", "--json").json()) >= 2)
    // What is neither is not pushed in.
    #expect(try book("booster and nails please, Tuesday if you can").output.contains("Not booked"))
  }

  @Test func `an override is given, kept with its reason, and comes out as a labelled case`() throws {
    try vetnet.run("init", "--time-zone", "UTC")
    let outcome = try vetnet.run(
      "triage", "--text", Self.vague, "--species", "cat", "--override", "red", "--reason", "grey gums at the desk",
      "--json")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try outcome.json()["urgency"] as? String == "red")
    let kept = try vetnet.run("triage", "overrides").json()
    #expect(kept["text"] as? String == Self.vague)
    #expect((kept["labels"] as? [String: Any])?["urgency"] as? String == "red")
    #expect((kept["override"] as? [String: Any])?["reason"] as? String == "grey gums at the desk")
    #expect(try vetnet.run("triage", "--text", Self.vague, "--override", "red").status == 64)
    #expect(try vetnet.run("triage", "--text", Self.vague, "--override", "purple", "--reason", "x").status == 64)
  }

  @Test func `JSON Lines come in through a pipe, and rows that are none are named`() throws {
    let rows = """
      {"id":"A","species":"dog","text":"gums are blue, he can't breathe"}
      {"id":"B","species":"cat","text":"booster due, she is well"}
      {"id":"C","species":"cat"}

      """
    let outcome = try vetnet.run("triage", "-", "--jsonl", "--json", input: rows)
    #expect(outcome.status == 3)
    let objects = try outcome.output.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    #expect(objects.map { $0["id"] as? String } == ["A", "B"])
    #expect(objects.first?["urgency"] as? String == "red")
    #expect(outcome.errors.contains("3"))
    let unmarked = try vetnet.run("triage", "-", "--json", input: "\n" + rows)
    #expect(unmarked.status == 3 && unmarked.output == outcome.output)
    let words = try vetnet.run("triage", "-", "--json", input: "{he is fine} \"text\" he has a cough\n")
    #expect(words.status == 0 && words.output.split(separator: "\n").count == 1)
  }

  @Test func `people of the practice are ranked, with reasons`() throws {
    try vetnet.run("init", "--time-zone", "UTC")
    #expect(try vetnet.run("import", projectDirectory + "/Corpus", "--no-index").status == 0)
    let staff = try #require(
      try vetnet.run(
        "triage", "--text", "bitten eyelid, squinting since noon", "--species", "dog", "--now", "2025-06-02T09:00",
        "--json"
      ).json()["staff"] as? [[String: Any]])
    let scores = staff.compactMap { $0["score"] as? Double }
    #expect(!staff.isEmpty && scores.count == staff.count)
    #expect(zip(scores, scores.dropFirst()).allSatisfy { $0 >= $1 })
    #expect(staff.allSatisfy { ($0["reasons"] as? [String])?.isEmpty == false })
  }
}
