import Foundation
import Testing
import VetNet
import VetNetTestSupport

/// The field that finds everything.
@Suite(.serialized) struct SearchTests {
  private let served: ServedPractice

  init() throws { served = try Served.sample.get() }

  private func results(_ words: String, _ session: ServedPractice.SignedIn? = nil) throws -> [[String: String]] {
    let body = #"{"words":"\#(words)"}"#
    let answer = try session?.ask("POST", "/api/v1/search", body) ?? served.ask("POST", "/api/v1/search", body)
    #expect(answer.status == 200, "\(answer.text)")
    return try #require(try answer.json()["results"] as? [[String: String]])
  }

  private func first(_ words: String) throws -> [String: String]? { try results(words).first }

  @Test(arguments: [
    ("holloway", "patient", "/patient/P001"), ("P001", "patient", "/patient/P001"),
    ("A0749", "appointment", "/day/2026-11-2"), ("emerg", "page", "/day/today?open=emergency"),
    ("waiting room", "page", "/flow/today"), ("dark tarry stools", "note", "/note/"),
  ])
  func `words find what they name, and where it is`(_ words: String, _ kind: String, _ href: String) throws {
    let found = try results(words)
    #expect(found.contains { $0["kind"] == kind && $0["href"]?.hasPrefix(href) == true }, "\(words): \(found)")
  }

  @Test func `one animal that was found has its visits to come beside it`() throws {
    let visit = try served.ask("GET", "/api/v1/appointments/A0749").json()
    let found = try results(try #require(visit["patient_id"] as? String))
    #expect(found.filter { $0["kind"] == "patient" }.count == 1)
    #expect(found.contains { $0["kind"] == "appointment" })
  }

  @Test func `without words there is what can be done, and nobody's record`() throws {
    let found = try results("")
    #expect(!found.isEmpty && found.allSatisfy { $0["kind"] == "page" })
  }

  @Test func `every place that is offered is there`() throws {
    for entry in try results("") {
      let path = try #require(entry["href"])
      #expect([200, 302, 303].contains(try served.ask("GET", path).status), "\(path)")
    }
  }

  @Test func `nobody finds what they may not see`() throws {
    let closed = try ServedPractice.closed()
    let reception = try closed.signIn(.reception), administrator = try closed.signIn(.administrator)
    #expect(try results("dark tarry stools", reception).isEmpty, "notes are not for reception")
    #expect(try results("holloway", reception).contains { $0["kind"] == "patient" })
    #expect(try results("ask the record", reception).isEmpty)
    #expect(try !results("jobs", administrator).isEmpty && results("jobs", reception).isEmpty)
    // As the hub offers them.
    let nurse = try closed.signIn(.nurse)
    for (words, href) in [("weeks", "/manage/weeks"), ("evaluations", "/manage/evaluations")] {
      for person in [administrator, nurse] {
        #expect(try results(words, person).contains { $0["href"] == href }, "\(words)")
      }
      #expect(try !results(words, reception).contains { $0["href"] == href }, "\(words)")
    }
    let nobody = try closed.ask("POST", "/api/v1/search", #"{"words":"holloway"}"#)
    #expect(nobody.status == 401)
  }

  @Test func `on record are those who were shown, and whose record was opened`() throws {
    let served = try ServedPractice(corpus: []) { practice in
      let folder = try TemporaryFolder()
      let lines = (1...12).map { #"{"id":"Z\#($0)","name":"Zed\#($0)","species":"cat","owner_name":"Ulla Quist"}"# }
      try folder.write(
        (lines + [#"{"id":"Y1","name":"Yves","species":"dog"}"#]).joined(separator: "\n") + "\n", to: "patients.jsonl")
      try practice.perform(
        ImportRecords(paths: [folder.file("patients.jsonl")], options: ImportOptions()), by: .local,
        at: ServedPractice.now)
    }
    /// The last entry of an operation: whom it was about.
    func subjects(_ operation: String) throws -> Int? {
      let log = try served.ask("GET", "/api/v1/audit?access=1").json()["entries"] as? [[String: Any]] ?? []
      let last = log.first { $0["operation"] as? String == operation }
      return (last?["subjects"] as? [[String: Any]])?.count { $0["kind"] as? String == "patient" }
    }
    for words in ["zed", "quist"] {
      let found = try served.ask("POST", "/api/v1/search", #"{"words":"\#(words)"}"#).json()["results"]
      #expect((found as? [[String: Any]])?.count { $0["kind"] as? String == "patient" } == 8)
      #expect(try subjects("patient.find") == 8, "\(words)")
      served.clock.pass(seconds: 2)
    }
    let page = try served.ask("GET", "/api/v1/patients?q=zed&limit=3&offset=10").json()
    #expect((page["patients"] as? [Any])?.count == 2 && page["total"] as? Int == 12)
    #expect(try subjects("patient.find") == 2)
    // A name that only one has may still become another's; an id is meant.
    _ = try served.ask("POST", "/api/v1/search", #"{"words":"Yves"}"#)
    #expect(try subjects("patient.show") == nil)
    _ = try served.ask("POST", "/api/v1/search", #"{"words":"Y1"}"#)
    #expect(try subjects("patient.show") == 1)
  }
}
