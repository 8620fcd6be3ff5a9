import Foundation
import Testing
import VetNetTestSupport

/// Whatever somebody wrote stays text, on every page.
struct EscapingTests {
  private static let hostile = [
    "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "'><svg/onload=alert(1)>", "</textarea><b id=evil>",
    "&lt;script&gt;", "javascript:alert(1)", "\u{202E}txt.exe",
  ]

  private static func served() throws -> ServedPractice {
    let folder = try TemporaryFolder()
    func lines(_ file: String, _ objects: [[String: Any]]) throws {
      let text = try objects.map {
        String(decoding: try JSONSerialization.data(withJSONObject: $0, options: [.sortedKeys]), as: UTF8.self)
      }.joined(separator: "\n")
      try folder.write(text + "\n", to: "x/\(file)")
    }
    let all = hostile.joined(separator: " ")
    try lines("clients.jsonl", [["id": "C1", "name": "Owner \(all)", "phone": "\"><script>alert(2)</script> 123"]])
    try lines(
      "patients.jsonl",
      hostile.enumerated().map {
        ["id": "P\($0.offset)", "name": "Rex \($0.element)", "species": "dog", "breed": $0.element, "owner_id": "C1"]
      } + [["id": "P<b>\"9", "name": "Odd", "species": "cat", "owner_id": "C1"]])
    try lines(
      "notes.jsonl",
      hostile.enumerated().map {
        [
          "id": "N\($0.offset)", "patient_id": "P0", "recorded_at": "2026-10-0\($0.offset + 1)T10:00:00Z",
          "author": "S1", "kind": "consult",
          "text": "Meloxicam stopped: vomiting \($0.element) after it. Weight \(20 + $0.offset) kg.",
        ]
      })
    let hours = (1...5).map { ["weekday": $0, "start": "09:00", "end": "17:00"] as [String: Any] }
    try lines(
      "staff.jsonl",
      [["id": "S1", "name": "Dr \(hostile[0])\(hostile[1])", "role": "veterinarian", "working_hours": hours]])
    try lines("resources.jsonl", [["id": "R1", "name": hostile[1], "kind": "room"]])
    try lines(
      "appointments.jsonl",
      hostile.enumerated().map {
        [
          "id": "A\($0.offset)", "patient_id": "P\($0.offset)", "clinician_id": "S1",
          "start": "2026-11-26T\(10 + $0.offset):00", "duration_minutes": 30, "reason": "limping \($0.element)",
          "visit_type": $0.element, "status": $0.offset == 6 ? "requested" : "booked",
        ]
      })
    defer { withExtendedLifetime(folder) {} }
    let path = folder.file("x")
    return try ServedPractice(corpus: ["../../../../../../..\(path)"])
  }

  @Test func `script in names, notes, reasons, staff and ids is shown and never run`() throws {
    let served = try Self.served()
    let pages = [
      "/day/2026-11-26", "/visit/A0", "/patients?q=rex", "/patient/P0", "/patient/P1", "/patient/P%3Cb%3E%229",
      "/note/N0", "/photos", "/photos?patient_id=P0&tag=%3Cscript%3Ealert(1)",
      "/photos?check=%22%3E%3Cb%20id%3Devil%3E",
      "/photos/timeline?patient_id=P0&region=%3Cscript%3Ealert(1)",
      "/flow/2026-11-26", "/week/2026-11-26", "/month/2026-11-26",
      "/note/N1?start=2&end=30", "/specialists", "/specialists?skill=%3Cb%20id%3Devil%3E", "/account", "/inbox",
      "/inbox/inbox-1",
      "/brief/2026-11-26", "/ask?patient=P0", "/triage",
      "/patients?q=%3Cscript%3Ealert(1)%3C/script%3E", "/patient/%3Cscript%3Ealert(1)%3C%2Fscript%3E",
      "/day/%3Cscript%3Ealert(1)", "/manage/people-and-rooms", "/manage/practice", "/manage/imports",
      "/manage/imports/1",
      "/manage/audit?patient=%3Cscript%3Ealert(1)%3C/script%3E&user=%22%3E%3Cimg%20src=x%3E", "/manage/users",
      "/manage/weeks", "/manage/evaluations",
    ]
    var answers = try pages.map { try served.ask("GET", $0) }
    for (path, body) in [
      ("/ask", #"{"question":"why was meloxicam stopped?","patient_id":"P0"}"#),
      ("/ask", #"{"question":"<script>alert(1)</script> rex?"}"#),
      ("/triage", #"{"text":"<script>alert(1)</script> vomiting \"><img src=x onerror=alert(1)> since today"}"#),
      ("/slots", #"{"text":"limping <script>alert(1)</script>","patient_id":"P0"}"#),
    ] { answers.append(try served.ask("POST", path, body)) }
    var shown = 0
    for answer in answers {
      guard answer.headers["content-type"]?.hasPrefix("text/html") == true else { continue }
      let page = answer.text
      for markup in ["<script>alert", "<img src=x", "<svg/onload", "<b id=evil", "<b>\"9"] {
        #expect(!page.contains(markup), "\(markup) in \(page.prefix(200))")
      }
      #expect(page.matches(of: /href="javascript:/).isEmpty)
      if page.contains("&lt;script&gt;alert") { shown += 1 }
    }
    // The test has to see what it is about.
    #expect(shown >= 8)
    // As JSON it is text as well, and no browser takes it for a page.
    let json = try served.ask("GET", "/api/v1/patients/P0")
    #expect(json.status == 200 && json.headers["content-type"] == "application/json")
  }
}
