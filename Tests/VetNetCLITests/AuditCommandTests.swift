import Foundation
import Testing
import VetNetTestSupport

/// The commands of the audit log, in processes of their own.
struct AuditCommandTests {
  @Test func `the log tells who did and saw what, by patient, user and day`() throws {
    let folder = try TemporaryFolder()
    let vetnet = try VetNetProcess(practice: folder.file("p.vetnet"))
    func log(_ options: String...) throws -> [[String: Any]] {
      try vetnet.start(["audit", "log", "--json"] + options).wait().jsonLines()
    }
    try vetnet.run("init", "--time-zone", "Europe/London")
    for name in ["Rex", "Tiggy"] {
      try vetnet.run("patient", "add", name, "--species", "dog", "--now", "2026-11-20T18:00")
    }
    try vetnet.run("patient", "show", "Rex", "--now", "2026-11-21T09:00")
    try vetnet.run("patient", "timeline", "Tiggy", "--now", "2026-11-22T09:00")

    let accesses = try log("--patient", "Rex", "--access")
    #expect(accesses.map { $0["operation"] as? String } == ["patient.show"])
    #expect((accesses[0]["at"] as? String)?.hasPrefix("2026-11-21T09:00") == true)
    let changes = try log("--patient", "Tiggy").compactMap { $0["operation"] as? String }
    #expect(changes == ["patient.timeline", "patient.add"])
    #expect(try log("--user", "nobody else").isEmpty)
    #expect(try log("--since", "2026-11-22").compactMap { $0["operation"] as? String }.contains("patient.timeline"))
    #expect(try !log("--since", "2026-11-22").compactMap { $0["operation"] as? String }.contains("patient.add"))
    #expect(try log("--limit", "1").count == 1)

    let exported = try vetnet.run("audit", "export").jsonLines()
    let count = try vetnet.run("audit", "verify", "--json").json()["entries"] as? Int
    #expect(exported.count + 1 == count)
    #expect(
      exported.indices.dropFirst().allSatisfy {
        exported[$0]["previous"] as? String == exported[$0 - 1]["hash"] as? String
      })
    for line in exported { #expect(!"\(line)".contains("Tiggy")) }
  }

  @Test func `what SECURITY promises names tests that there are`() throws {
    let page = try String(contentsOfFile: projectDirectory + "/SECURITY.md", encoding: .utf8)
    var sources = ""
    let files = try #require(FileManager.default.enumerator(atPath: projectDirectory + "/Tests"))
    for case let file as String in files where file.hasSuffix(".swift") {
      // Lines that name a suite or a test, or may be a row's name.
      for line in try String(contentsOfFile: projectDirectory + "/Tests/" + file, encoding: .utf8).split(
        separator: "\n")
      where line.hasPrefix("    \"") || line.contains("struct ") || line.contains("func `") || line.contains("@Test(\"")
      {
        sources += line + "\n"
      }
    }
    let suites = page.matches(of: /`(\w+Tests)`/).map { String($0.1) }
    #expect(suites.count > 8)
    for suite in suites { #expect(sources.contains("struct \(suite)"), "\(suite)") }
    let words = page.replacing("\n", with: " ")
    let names = words.matches(of: /"([a-z][^"]{20,})"/).map { String($0.1) }
    #expect(names.count > 10)
    for name in names {
      // Some give a name's beginning; what has no spaces is no sentence. Tests of rows may have their name in quotes.
      let (beginning, isWhole) = name.hasSuffix(" …") ? (String(name.dropLast(2)), false) : (name, true)
      let isThere =
        !name.contains(" ") || sources.contains("func `\(beginning)\(isWhole ? "`" : "")")
        || sources.contains("    \"\(beginning)\(isWhole ? "\"," : "")")
        || sources.contains("@Test(\"\(beginning)\(isWhole ? "\"," : "")")
      #expect(isThere, "\(name)")
    }
  }
}
