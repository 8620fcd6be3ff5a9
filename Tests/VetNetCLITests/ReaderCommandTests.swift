import Foundation
import Testing
import VetNetTestSupport

/// `vetnet ask --reader`, with scripted guests.
struct ReaderCommandTests {
  private let folder: TemporaryFolder
  private let vetnet: VetNetProcess
  private let question = "why was meloxicam stopped?"

  init() throws {
    folder = try TemporaryFolder()
    var vetnet = try SampleCorpus.practice(at: folder.file("p.vetnet"))
    vetnet.environment["HOME"] = folder.file("")
    self.vetnet = vetnet
  }

  private func ask(_ script: String, _ arguments: [String] = ["--json"]) throws -> VetNetProcess.Outcome {
    let path = folder.file("guest.sh")
    try Data("#!/bin/sh\ncat > '\(folder.file("handed.json"))'\n\(script)\n".utf8).write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
    return try vetnet.start(
      ["ask", question, "--patient", "P001", "--now", "2026-11-20T18:00", "--reader", "'\(path)'"] + arguments
    ).wait()
  }

  /// A reply with one sentence that quotes what the program's own answer quotes.
  private func reply(_ text: String) throws -> String {
    let own = try vetnet.run("ask", question, "--patient", "P001", "--now", "2026-11-20T18:00", "--json").json()
    let citation = try #require(
      (own["citations"] as? [[String: Any]])?.first { ($0["quote"] as? String)?.contains("STOPPED") == true })
    let value: [String: Any] = [
      "sentences": [
        [
          "text": text,
          "citations": [citation.filter { ["note_id", "start", "end", "quote"].contains($0.key) }],
        ]
      ]
    ]
    return String(decoding: try JSONSerialization.data(withJSONObject: value), as: UTF8.self)
  }

  @Test func `a right guest's sentence is shown with its quote, a wrong one's is dropped and counted`() throws {
    let right = try ask("printf '%s' '\(try reply("Meloxicam was stopped and is not to be had again."))'").json()
    #expect((right["sentences"] as? [[String: Any]])?.count == 1)
    #expect((right["answer"] as? String) == "Meloxicam was stopped and is not to be had again.")
    #expect(((right["reader"] as? [String: Any])?["sentences"]) as? Int == 1)
    let handed = try #require(
      try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: folder.file("handed.json"))))
        as? [String: Any])
    #expect(handed["question"] as? String == question && (handed["passages"] as? [[String: Any]])?.isEmpty == false)
    let wrong = try ask("printf '%s' '\(try reply("Carprofen was stopped."))'").json()
    let reader = try #require(wrong["reader"] as? [String: Any])
    #expect(reader["dropped"] as? [String: Int] == ["drug": 1])
    #expect((wrong["answer"] as? String)?.contains("NSAID gastropathy") == true)
    let said = try ask("printf '%s' '\(try reply("Carprofen was stopped."))'", [])
    #expect(said.errors.contains("1 drug") && said.output.contains("NSAID gastropathy"))
  }

  @Test(arguments: [
    ("sleep 60", "longer than 1 seconds"), ("yes", "more than"), ("exit 7", "exit code 7"),
    ("echo hello", "output is not"),
  ])
  func `where a guest fails, VetNet's own answer stands and says why`(script: String, why: String) throws {
    let outcome = try ask(script, ["--json", "--reader-seconds", "1"])
    #expect(outcome.status == 0)
    let answer = try outcome.json()
    #expect(((answer["reader"] as? [String: Any])?["failed"] as? String)?.contains(why) == true, "\(answer)")
    #expect((answer["answer"] as? String)?.contains("NSAID gastropathy") == true)
  }

  @Test func `Ctrl-C ends the guest and the question, and says so`() throws {
    let mark = folder.file("started")
    let path = folder.file("slow.sh")
    try Data("#!/bin/sh\ntouch '\(mark)'; sleep 60\n".utf8).write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
    let running = try vetnet.start(["ask", question, "--patient", "P001", "--reader", "'\(path)'"])
    let end = Date.now.addingTimeInterval(60)
    while !FileManager.default.fileExists(atPath: mark), Date.now < end { Thread.sleep(forTimeInterval: 0.05) }
    running.kill(SIGINT)
    let outcome = try running.wait()
    #expect(outcome.status == 130 && outcome.errors.contains("Ctrl-C"))
  }

  @Test func `a reader is measured beside the shipped system`() throws {
    let set = folder.file("set")
    try FileManager.default.createDirectory(atPath: set, withIntermediateDirectories: true)
    for (name, line) in [
      ("patients", #"{"id":"P1","name":"Rex","species":"dog"}"#),
      (
        "notes",
        #"{"id":"N1","patient_id":"P1","recorded_at":"2026-01-02T10:00:00Z","kind":"consult","text":"Meloxicam stopped, vomiting."}"#
      ),
      (
        "questions",
        #"{"id":"Q1","patient_id":"P1","asked_at":"2026-02-01","question":"why was meloxicam stopped?","answer_class":"found","must_contain":[["vomiting"]],"must_not_contain":[],"evidence":["N1"],"type":"why"}"#
      ),
    ] {
      try Data((line + "\n").utf8).write(to: URL(filePath: "\(set)/\(name).jsonl"))
    }
    let path = folder.file("quiet.sh")
    try Data("#!/bin/sh\ncat >/dev/null; echo '{\"sentences\":[{\"text\":\"Carprofen\",\"citations\":[]}]}'\n".utf8)
      .write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
    let outcome = try vetnet.run("evaluate", "questions", set, "--reader", "'\(path)'", "--json")
    let report = try outcome.json()
    let systems = try #require(report["systems"] as? [String: Any], "\(outcome.errors)")
    #expect(Set(systems.keys) == ["default", "reader"])
    #expect(outcome.errors.contains("1 uncited"))
  }

  @Test func `a reader reaches the address that the practice allows, and is not run where that can't be held`() throws {
    let reached = folder.file("reached")
    // Nobody listens there: what counts is that the way is there, and to which place.
    let script =
      "bash -c 'exec 3<>/dev/tcp/127.0.0.1/9 && echo way >> \(reached)'; bash -c 'exec 3<>/dev/tcp/127.0.0.1/10 && echo other >> \(reached)'; echo ran >> '\(reached)'"
    func ran() -> String {
      defer { unlink(reached) }
      return (try? String(contentsOfFile: reached, encoding: .utf8)) ?? ""
    }
    let refused = try ask(script, ["--reader-network"])
    #expect(refused.status == 15 && refused.errors.contains("reader-address"), "\(refused.errors)")
    #expect(ran() == "")
    #expect(try vetnet.run("config", "set", "reader-address", "192.168.0.7:80").status == 64)
    #expect(try vetnet.run("config", "set", "reader-address", "localhost:9").status == 0)
    #expect(try ask(script, ["--reader-network"]).status == 0 && ran() == "way\nran\n")
    #expect(try ask(script).status == 0 && ran() == "ran\n")
    #expect(try ask(script, ["--reader-network", "--config", "reader-address=127.0.0.1:10"]).status == 0)
    #expect(ran() == "other\nran\n")

    // Where no program may have a network of its own.
    let without = [
      "/usr/bin/unshare", "-Ur", "/bin/sh", "-c", "echo 0 > /proc/sys/user/max_user_namespaces && exec \"$0\" \"$@\"",
    ]
    let words = ["ask", question, "--patient", "P001", "--reader", "'\(folder.file("guest.sh"))'"]
    let held = try vetnet.start(words + ["--reader-network"], launcher: without).wait()
    #expect(held.status == 0 && held.errors.contains("a network of its own") && ran() == "", "\(held)")
    #expect(try vetnet.start(words, launcher: without).wait().status == 0 && ran() == "ran\n")
    func doctor(_ launcher: [String]) throws -> String {
      let found = try vetnet.start(["doctor", "--quick", "--json"], launcher: launcher).wait().jsonLines()
      return found.first { $0["subject"] as? String == "reader" }?["message"] as? String ?? "nothing"
    }
    #expect(try doctor([]).contains("127.0.0.1:9 and nothing else"))
    #expect(try doctor(without).contains("not run"))
  }

  @Test func `options of a reader need one`() throws {
    #expect(try vetnet.run("ask", "weight?", "--reader-seconds", "4").status == 64)
    #expect(try vetnet.run("ask", "weight?", "--reader", "'open", "--patient", "P001").status == 64)
  }
}
