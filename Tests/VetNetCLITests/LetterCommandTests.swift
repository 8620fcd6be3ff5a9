import Foundation
import Testing
import VetNetTestSupport

/// Letters from their file to a patient's record, as a user has it.
struct LetterCommandTests {
  let folder: TemporaryFolder
  let vetnet: VetNetProcess

  init() throws {
    folder = try TemporaryFolder()
    vetnet = try VetNetProcess(practice: folder.file("p.vetnet"))
    try vetnet.run("init", "--time-zone", "UTC")
    try vetnet.run(
      "import", projectDirectory + "/Evaluations/letters/clients.jsonl",
      projectDirectory + "/Evaluations/letters/patients.jsonl")
  }

  private let now = ["--now", "2026-11-23T09:00"]

  @Test func `where nobody can be asked a letter waits with its candidates, and the same again is no news`() throws {
    try folder.write(
      "12 March 2026\nRe: Luna\nLuna was boarded and ate well.\nRegards,\nJo Blake\n", to: "letter.txt")
    try folder.write("not a zip PK", to: "odd.docx")
    for round in 1...2 {
      let outcome = try vetnet.run(
        "import", "--letter", folder.file("letter.txt"), "--json", "--now", "2026-11-23T09:00")
      #expect(outcome.status == 0, "\(outcome.errors)")
      let letter = try outcome.json()
      let candidates = try #require(letter["candidates"] as? [[String: Any]])
      #expect(candidates.map { $0["id"] as? String } == ["P4", "P5"])
      #expect(letter["reason"] as? String == "several patients")
      #expect((letter["date"] as? [String: String])?["value"] == "2026-03-12")
      #expect((letter["author"] as? [String: String])?["words"] == "Jo Blake")
      #expect((letter["inbox"] as? [String: Any])?["was_known"] as? Bool == (round == 2))
    }
    #expect(try vetnet.run("status", "--json").json()["notes"] as? Int == 0)
    #expect(try vetnet.run("inbox", "list", "--json").jsonLines().count == 1)
    let missing = try vetnet.run("import", "--letter", folder.file("none.pdf"))
    #expect(missing.status == 3 && missing.errors.contains("none.pdf: not read: there is no such file"))
  }

  @Test func `a day that could be two is said to be one, and a note has none that is still to come`() throws {
    try folder.write("Re: Charlie Marsh, Beagle\nSeen for itching.\n04/11/2026\nRegards,\nJo Blake\n", to: "letter.txt")
    let read = try vetnet.run("import", "--letter", folder.file("letter.txt"), "--now", "2026-11-23T09:00")
    #expect(read.output.contains("which number is the month isn't known"), "\(read)")
    let early = try vetnet.run(
      "inbox", "assign", "inbox-1", "--patient", "P7", "--date", "2027-11-10", "--now", "2026-11-23T09:00")
    #expect(early.status == 64 && early.errors.contains("2027-11-10 lies in the future"), "\(early)")
    let filed = try vetnet.run("inbox", "assign", "inbox-1", "--patient", "P7", "--now", "2026-11-23T09:00")
    #expect(filed.output.contains("of 2026-11-23, the day on which it came in"), "\(filed)")
    let added = try vetnet.run(
      "note", "add", "P7", "--text", "Well.", "--at", "2127-01-01", "--now", "2026-11-23T09:00")
    #expect(added.status == 64 && added.errors.contains("lies in the future"), "\(added)")
  }

  private static let hasPoppler = FileManager.default.isExecutableFile(atPath: "/usr/bin/pdftotext")

  @Test(.enabled(if: hasPoppler)) func `a PDF is read by a program of its own, and one that is no PDF is named`() throws
  {
    let lines = ["12 March 2026", "Re: Oscar, Maine Coon, de Vries", "Echo: normal.", "Regards,", "Hugo Lind"]
    let text = lines.enumerated().map { "1 0 0 1 50 \(700 - 20 * $0) Tm (\($1)) Tj" }.joined(separator: "\n")
    let stream = "BT /F1 12 Tf\n\(text)\nET"
    let pdf = """
      %PDF-1.4
      1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj
      2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj
      3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>> endobj
      4 0 obj <</Length \(stream.utf8.count)>> stream
      \(stream)
      endstream endobj
      5 0 obj <</Type/Font/Subtype/Type1/BaseFont/Helvetica>> endobj
      trailer <</Root 1 0 R>>
      %%EOF
      """
    try folder.write(pdf, to: "report.pdf")
    try folder.write("%PDF-1.4 nothing", to: "broken.pdf")
    let outcome = try vetnet.run(
      "import", "--letter", folder.file("report.pdf"), folder.file("broken.pdf"), "--dry-run", "--json", "--now",
      "2026-11-23T09:00")
    #expect(outcome.status == 3 && outcome.errors.contains("broken.pdf: not read"), "\(outcome.errors)")
    let letter = try outcome.json()
    #expect((letter["candidates"] as? [[String: Any]])?.first?["id"] as? String == "P8", "\(outcome.output)")
    #expect((letter["date"] as? [String: String])?["value"] == "2026-03-12")
    #expect((letter["author"] as? [String: String])?["value"] == "Hugo Lind")
  }

  @Test func `at a terminal it is filed to whom a person says, and only then`() throws {
    try folder.write(
      "12 March 2026\nRe: Charlie Marsh, Beagle\nSeen for itching.\nRegards,\nJo Blake\n", to: "letter.txt")
    let terminal = try PseudoTerminal(vetnet, ["import", "--letter", folder.file("letter.txt")] + now)
    defer { terminal.close() }
    #expect(terminal.read(until: "[P7]?").contains("Charlie (P7), dog, Helen Marsh"))
    terminal.type("\n")
    _ = terminal.read(until: "[2026-03-12]?")
    terminal.type("\n")
    _ = terminal.read(until: "[Jo Blake]?")
    terminal.type("\n")
    #expect(terminal.read(until: "takes it back").contains("of Charlie (P7)"))
    #expect(terminal.exitStatus() == 0)
    let timeline = try vetnet.run("patient", "timeline", "P7", "--json")
    #expect(timeline.output.contains("2026-03-12") && timeline.output.contains("referral"), "\(timeline.output)")
  }
}
