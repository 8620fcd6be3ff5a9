import Foundation
import Testing
import VetNetTestSupport

/// What waits in one practice file waits in another, as a user moves it.
struct InboxTransferTests {
  private let folder: TemporaryFolder
  private let first: VetNetProcess
  private let second: VetNetProcess

  init() throws {
    folder = try TemporaryFolder()
    first = try VetNetProcess(practice: folder.file("first.vetnet"))
    second = try VetNetProcess(practice: folder.file("second.vetnet"))
    for vetnet in [first, second] {
      try vetnet.run("init", "--time-zone", "UTC")
      try vetnet.run(
        "import", projectDirectory + "/Evaluations/letters/clients.jsonl",
        projectDirectory + "/Evaluations/letters/patients.jsonl")
    }
    for (name, words) in [
      ("a", "12 March 2026\nRe: Luna\nLuna was boarded and ate well.\nRegards,\nJo Blake\n"),
      ("b", "13 March 2026\nRe: Luna\nShe limps; \"left\" fore.\n"), ("c", "Re: Charlie\nAn offer for you.\n"),
    ] {
      try folder.write(words, to: "\(name).txt")
      try first.run("import", "--letter", folder.file("\(name).txt"), "--now", "2026-11-23T09:00")
    }
    try first.run("inbox", "reject", "inbox-3", "--reason", "an advertisement")
    try first.run("inbox", "later", "inbox-2", "--reason", "the owner rings back")
  }

  @Test func `it arrives whole, in the state in which it was, and the same again changes nothing`() throws {
    let lines = try first.run("inbox", "export")
    #expect(lines.status == 0 && lines.output.split(separator: "\n").count == 3, "\(lines)")
    try folder.write(lines.output, to: "inbox.jsonl")
    let added = try second.run("inbox", "add", folder.file("inbox.jsonl"))
    #expect(added.status == 0 && added.output.contains("3 new"), "\(added)")
    #expect(try second.run("inbox", "export").output == lines.output)
    let again = try second.run("inbox", "add", "-", input: lines.output)
    #expect(again.output.contains("0 new, 0 with other words, 3 known"), "\(again)")
    // What somebody decides here stands, however often the lines come, and line ends of elsewhere are ones.
    let rejected = try second.run("inbox", "list", "--state", "rejected", "--json").jsonLines().compactMap {
      $0["id"] as? String
    }
    try second.run("inbox", "undo", rejected[0])
    let crlf = try second.run("inbox", "add", "-", input: lines.output.replacing("\n", with: "\r\n"))
    #expect(crlf.output.contains("3 known"), "\(crlf)")
    #expect(try second.run("inbox", "list", "--state", "rejected", "--json").jsonLines().isEmpty)
    try second.run("inbox", "reject", rejected[0], "--reason", "an advertisement")
    let states = try second.run("inbox", "list", "--state", "all", "--json").jsonLines().compactMap {
      $0["state"] as? String
    }
    #expect(states.sorted() == ["later", "rejected", "waiting"])
  }

  @Test func `what was asked about, and messages with who sent them, arrive as they were`() throws {
    try first.run("intake", "--id", "m1", "--text", "She limps.")
    try first.run("inbox", "ask", "inbox-4", "--text", "Which animal?", "--back-at", "2030-01-02T10:00")
    let lines = try first.run("inbox", "export").output
    #expect(try second.run("inbox", "add", "-", input: lines).status == 0)
    let asked = try second.run("inbox", "list", "--state", "asked", "--json").jsonLines()
    #expect(asked.count == 1 && asked[0]["asked"] as? String == "Which animal?")
    #expect((asked[0]["until"] as? String)?.hasPrefix("2030-01-02T10:00") == true)
    #expect(asked[0]["urgency"] as? String != nil && asked[0]["level"] != nil)
  }

  @Test(arguments: [
    (#""kind":"letter""#, #""kind":"parcel""#, "'kind' has a value that nobody knows"),
    (#""text":"#, #""txt":"#, "'text' is missing"), (#""state":"waiting""#, #""state":7"#, "'state' has another type"),
    ("{", "[", "is no JSON object"),
  ])
  func `a line that can't be read names its field and nothing of its words, and nothing is added`(
    old: String, new: String, words: String
  ) throws {
    let text = try first.run("inbox", "export").output
    let broken = text.replacing(old, with: new, maxReplacements: 1)
    #expect(broken != text)
    let outcome = try second.run("inbox", "add", "-", input: broken)
    #expect(outcome.status != 0 && outcome.errors.contains(words) && outcome.errors.contains("nothing was added"))
    #expect(!outcome.errors.contains("parcel") && !outcome.errors.contains("Luna"))
    #expect(try second.run("inbox", "list", "--state", "all", "--json").jsonLines().isEmpty)
  }
}
