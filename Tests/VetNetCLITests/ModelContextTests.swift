import Foundation
import Testing
import VetNetTestSupport

@testable import VetNetCLI

/// The practice as an assistant meets it.
struct ModelContextTests {
  private let folder: TemporaryFolder
  private let vetnet: VetNetProcess

  init() throws {
    folder = try TemporaryFolder()
    vetnet = try VetNetProcess(practice: folder.file("p.vetnet"))
    try vetnet.run("init", "--time-zone", "Europe/London")
  }

  private func fill() throws {
    for name in ["p.vetnet", "p.vetnet.audit-key"] { try? FileManager.default.removeItem(atPath: folder.file(name)) }
    _ = try SampleCorpus.practice(at: folder.file("p.vetnet"))
  }

  /// The answers to lines, by id.
  private func talk(_ lines: [String], _ arguments: [String] = []) throws -> [[String: Any]] {
    let outcome = try vetnet.start(
      ["mcp", "--now", "2026-11-23T09:00"] + arguments, input: lines.joined(separator: "\n") + "\n"
    ).wait()
    #expect(outcome.status == 0, "\(outcome.errors)")
    return try outcome.jsonLines()
  }

  private func call(_ name: String, _ arguments: [String: Any], id: Int = 1) throws -> String {
    let message: [String: Any] = [
      "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": ["name": name, "arguments": arguments],
    ]
    return String(decoding: try JSONSerialization.data(withJSONObject: message), as: UTF8.self)
  }

  private func result(_ answer: [String: Any]) throws -> [String: Any] {
    try #require(answer["result"] as? [String: Any], "\(answer)")
  }

  @Test func `a client is greeted, told the tools, and answered in order`() throws {
    let answers = try talk([
      #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#,
      #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
      #"{"jsonrpc":"2.0","id":"a","method":"tools/list"}"#, #"{"jsonrpc":"2.0","id":2,"method":"ping"}"#,
    ])
    #expect(answers.count == 3)
    #expect(try result(answers[0])["protocolVersion"] as? String == "2025-03-26")
    let tools = try #require(try result(answers[1])["tools"] as? [[String: Any]])
    #expect(
      tools.map { $0["name"] as? String } == [
        "ask", "similar", "triage", "brief", "drug", "patient", "schedule_free", "schedule_propose",
      ])
    #expect(tools.allSatisfy { ($0["annotations"] as? [String: Any])?["readOnlyHint"] as? Bool == true })
    #expect(answers[1]["id"] as? String == "a" && answers[2]["id"] as? Int == 2)
  }

  @Test func `every tool says what the command says, on record`() throws {
    try fill()
    let calls: [(String, [String: Any], [String])] = [
      (
        "ask", ["question": "why was meloxicam stopped?", "patient": "P001"],
        ["ask", "--json", "--patient=P001", "--", "why was meloxicam stopped?"]
      ),
      ("similar", ["text": "vomiting dog", "limit": 2], ["similar", "--json", "--text=vomiting dog", "--limit=2"]),
      (
        "triage", ["text": "cat straining, no urine", "species": "cat", "weight_kg": 4.5],
        ["triage", "--json", "--text=cat straining, no urine", "--species=cat", "--weight=4.5kg"]
      ),
      ("brief", ["patient": "P001"], ["brief", "--json", "--patient=P001"]),
      ("drug", ["name": "meloxicam"], ["drug", "--json", "--", "meloxicam"]),
      ("patient", ["patient": "P001"], ["patient", "show", "--json", "--", "P001"]),
      (
        "schedule_free", ["at": "15:00", "with": ["Marsh", "S02"]],
        ["schedule", "free", "--json", "--at=15:00", "--with=Marsh", "--with=S02"]
      ),
      (
        "schedule_propose", ["text": "sore eye", "patient": "P003", "limit": 2],
        ["schedule", "propose", "--json", "--text=sore eye", "--patient=P003", "--limit=2"]
      ),
    ]
    let answers = try talk(try calls.enumerated().map { try call($1.0, $1.1, id: $0) })
    #expect(answers.count == calls.count)
    for (answer, call) in zip(answers, calls) {
      let result = try result(answer)
      #expect(result["isError"] as? Bool == false, "\(call.0): \(result)")
      let lines = try vetnet.start(
        call.2 + ["--now=2026-11-23T09:00"].filter { _ in !call.2.contains("--") }
          + []
      ).wait()
      guard !call.2.contains("--") else { continue }
      let expected = try lines.jsonLines()
      let given = try #require(result["structuredContent"] as? [String: Any])
      #expect(
        expected.count == 1 && NSDictionary(dictionary: given) == NSDictionary(dictionary: expected[0]), "\(call.0)")
    }
    let record = try vetnet.run("audit", "log", "--json").jsonLines().compactMap { $0["operation"] as? String }
    for operation in ["record.ask", "record.similar", "brief.patient", "patient.show", "schedule.propose"] {
      #expect(record.contains(operation), "\(operation)")
    }
  }

  @Test func `it books only where that was allowed, and a slot that is taken only once`() throws {
    try fill()
    let booking = try call(
      "schedule_book",
      ["patient": "P001", "at": "2026-11-24T15:00", "with": "Helen Marsh", "minutes": 20, "reason": "-x"])
    let refused = try talk([booking])
    #expect((refused[0]["error"] as? [String: Any])?["code"] as? Int == -32602)
    let booked = try talk([booking, booking], ["--allow-booking"])
    #expect(try result(booked[0])["isError"] as? Bool == false)
    #expect(try result(booked[1])["isError"] as? Bool == true)
    let text = try #require((try result(booked[1])["content"] as? [[String: Any]])?.first?["text"] as? String)
    #expect(text.contains("free_slots"))
  }

  @Test func `a name that fits several is an answer with candidates, an unknown one an error with a hint`() throws {
    try fill()
    let answers = try talk([
      try call("ask", ["question": "weight?", "patient": "Bella"]), try call("patient", ["patient": "Nobody"]),
      try call("patient", ["patient": "Bella"]),
    ])
    let first = try #require(try result(answers[0])["structuredContent"] as? [String: Any])
    #expect(first["answer_class"] as? String == "ambiguous_patient")
    for answer in answers[1...] {
      #expect(try result(answer)["isError"] as? Bool == true)
      let content = try result(answer)["content"] as? [[String: Any]]
      #expect((content?.first?["text"] as? String)?.contains("hint") == true)
    }
  }

  @Test(arguments: [
    ("{", -32700), ("nonsense", -32700), ("[]", -32600), (#"{"id":1,"method":"ping"}"#, -32600),
    (#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, -32600),
    (#"{"jsonrpc":"2.0","id":1,"method":"files/read"}"#, -32601),
    (#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#, -32602),
    (#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#, -32602),
    (#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"init","arguments":{}}}"#, -32602),
    (#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask","arguments":{}}}"#, -32602),
    (#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask","arguments":{"question":"-"}}}"#, -32602),
    (#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask","arguments":{"question":7}}}"#, -32602),
    (
      #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask","arguments":{"question":"x","practice":"/etc/passwd"}}}"#,
      -32602
    ),
    (
      #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"similar","arguments":{"text":"x","limit":"all"}}}"#,
      -32602
    ),
    (String(repeating: "[", count: 100_000), -32700), (String(repeating: #"{"a":"#, count: 5_000), -32700),
    ("\u{FEFF}\u{0}\u{1}", -32700),
    (#"{"jsonrpc":"2.0","id":1,"method":"ping","x":""# + String(repeating: "y", count: 1 << 20) + #""}"#, -32600),
  ])
  func `hostile or broken input is refused by code, and the next message is answered`(line: String, code: Int) throws {
    let answers = try talk([line, #"{"jsonrpc":"2.0","id":"next","method":"ping"}"#])
    #expect(answers.count == 2)
    #expect((answers[0]["error"] as? [String: Any])?["code"] as? Int == code, "\(answers[0])")
    #expect(answers[1]["id"] as? String == "next" && answers[1]["result"] != nil)
  }

  @Test func `a value is never an option, a file or standard input`() throws {
    try fill()
    let answers = try talk([
      try call("ask", ["question": "--practice=/nowhere --json"]),
      try call("ask", ["question": "x", "patient": "--help"]),
      try call("similar", ["text": "--text"]), try call("drug", ["name": "--help"]),
    ])
    #expect(answers.count == 4)
    for answer in answers { #expect(answer["result"] != nil, "\(answer)") }
    let help = try result(answers[3])
    #expect(help["isError"] as? Bool == true || !"\(help)".contains("usage: vetnet drug"))
  }

  @Test func `without a practice file it says so and ends`() throws {
    let nowhere = try VetNetProcess(practice: folder.file("none.vetnet"))
    #expect(try nowhere.run("mcp", input: "").status == 10)
  }
}
