import Foundation
import Testing
import VetNetTestSupport

/// The served sample practice that tests only look at.
enum Served {
  static let sample = Result { try ServedPractice() }
}

/// Every page and the rules that hold for all of them, over real sockets.
struct PagesTests {
  private let served: ServedPractice

  init() throws { served = try Served.sample.get() }

  static let pages = [
    "/day/\(ServedPractice.day)", "/day/2026-12-25", "/patients?q=bella", "/patient/P001",
    "/note/N0046?start=60&end=74",
    "/triage", "/ask", "/ask?patient=P001", "/day/\(ServedPractice.day)?by=room&colour=vet", "/patient/P001/edit",
    "/flow/\(ServedPractice.day)", "/flow/2026-12-25", "/week/\(ServedPractice.day)", "/month/2026-12-01",
    "/brief/\(ServedPractice.day)", "/visit/A0749", "/inbox", "/specialists", "/specialists?skill=dermatology",
    "/account", "/encounters", "/encounter/new?patient=P001",
  ]

  @Test(arguments: pages) func `a page is whole, is not kept by anybody, and runs no script of its own text`(
    path: String
  ) throws {
    let answer = try served.ask("GET", path)
    #expect(answer.status == 200 && answer.headers["content-type"] == "text/html; charset=utf-8")
    #expect(answer.headers["cache-control"] == "no-store" && answer.headers["x-content-type-options"] == "nosniff")
    let policy = try #require(answer.headers["content-security-policy"])
    #expect(policy.contains("default-src 'self'") && policy.contains("frame-ancestors 'none'"))
    #expect(!policy.contains("unsafe"))
    #expect(answer.headers["referrer-policy"] == "same-origin")
    let page = answer.text
    #expect(!page.contains(" style=") && !page.contains(" onclick=") && !page.contains("<script>"))
    // Nothing from anywhere else.
    #expect(page.matches(of: /(?:src|href)="(?:https?:)?\/\//).isEmpty)
  }

  @Test func `what a page loads is there, is kept for good, and is named by its content`() throws {
    let page = try served.ask("GET", "/day/\(ServedPractice.day)").text
    let assets = Set(page.matches(of: /"(\/assets\/[^"]+)"/).map { String($0.1) })
    #expect(assets.count >= 4)
    for asset in assets {
      let answer = try served.ask("GET", asset)
      #expect(answer.status == 200 && answer.body.count > 100, "\(asset)")
      #expect(answer.headers["cache-control"]?.contains("immutable") == true)
    }
    let styled = try #require(assets.first { $0.hasSuffix("style.css") })
    let other = styled.replacing(/assets\/[^\/]+/, with: "assets/other")
    #expect(try served.ask("GET", other).headers["cache-control"] == "no-store")
  }

  @Test func `the day shows who comes when, to whom, how urgent it is, and who waits`() throws {
    let page = try served.ask("GET", "/day/\(ServedPractice.day)").text
    for needed in [
      #"data-testid="schedule_calendar_grid""#, #"data-testid="appointment_list_view""#,
      #"data-testid="appointment_A0749""#, #"data-testid="add_appointment_button""#,
      #"data-testid="appointment_save_button""#, #"data-testid="undo_button""#, #"data-testid="redo_button""#,
      "Thursday 26 November 2026", "Dr Tomasz Wieczorek", "Waiting (",
    ] { #expect(page.contains(needed), "\(needed)") }
    // The present is on it, and a day on which nobody works says so.
    #expect(page.contains(#"class="now "#))
    #expect(try served.ask("GET", "/day/2026-12-27").text.contains("Nobody works on this day"))
  }

  @Test func `names of days lead to the day that is meant`() throws {
    for path in ["/", "/day", "/day/today"] {
      let answer = try served.ask("GET", path)
      #expect(answer.status == 303 && answer.headers["location"] == "/day/\(ServedPractice.day)")
    }
    #expect(try served.ask("GET", "/brief/tomorrow").headers["location"] == "/brief/2026-11-27")
  }

  @Test func `a record shows what must not be overlooked, and each word leads to its note`() throws {
    let page = try served.ask("GET", "/patient/P001").text
    let alerts = try #require(
      page.firstMatch(of: /<section class="alerts"[^>]*patient_alerts.*?<\/section>/.dotMatchesNewlines())
    ).0
    #expect(alerts.contains("eloxicam") && alerts.contains("data-note"))
    #expect(page.contains("<svg") && page.contains("<table>") && page.contains("Timeline ("))
    // Others that are mistaken for this one, and what a word or a kind leaves of a long history.
    #expect(page.contains(#"data-testid="lookalikes""#))
    let some = try served.ask("GET", "/patient/P001?part=live&hide=consult,appointment&words=meloxicam").text
    #expect(some.contains(" of ") && !some.contains(#"<li data-kind="consult""#) && some.count < page.count)
    let note = try served.ask("GET", "/note/N0046?start=60&end=74").text
    #expect(note.contains(#"<mark id="cited" tabindex="-1">Weight 31.2 kg</mark>"#))
  }

  @Test func `a question gets its answer with places in notes, and silence is as plain`() throws {
    let answer = try served.ask("POST", "/ask", #"{"question":"why was meloxicam stopped?","patient_id":"P001"}"#).text
    #expect(answer.contains(#"data-testid="answer_text""#) && answer.contains("NSAID gastropathy"))
    #expect(answer.contains(#"data-testid="citation_0" href="/note/N0004?start="#))
    let silent = try served.ask("POST", "/ask", #"{"question":"was she ever seen for ringworm?","patient_id":"P008"}"#)
    #expect(silent.text.contains("The record doesn&#39;t say") || silent.text.contains("The record doesn't say"))
  }

  @Test func `behind an answer come cases of others that resemble what it rests on, and never the patient's own`()
    throws
  {
    let answer = try served.ask("POST", "/ask", #"{"question":"why was meloxicam stopped?","patient_id":"P001"}"#).text
    let parts = answer.components(separatedBy: "<!--end-->")
    #expect(parts.count == 3 && parts[0].contains("answer_text") && !parts[0].contains("similar_cases"))
    #expect(parts[1].contains("similar_cases") && !parts[1].contains(">P001<"))
    // A patient who is named in the question has them, too; silence and answers about several animals have none.
    let named = try served.ask("POST", "/ask", #"{"question":"what did Quill weigh?"}"#)
    #expect(named.text.contains("similar_cases"))
    for other in [
      #"{"question":"was she ever seen for ringworm?","patient_id":"P008"}"#, #"{"question":"who is on meloxicam?"}"#,
    ] {
      #expect(!(try served.ask("POST", "/ask", other).text.contains("similar_cases")), "\(other)")
    }
    let lines = try served.ask(
      "POST", "/api/v1/ask", #"{"question":"why was meloxicam stopped?","patient_id":"P001"}"#,
      headers: ["Accept": "application/x-ndjson"])
    #expect(lines.headers["content-type"] == "application/x-ndjson")
    let values = lines.text.split(separator: "\n").map { try? JSONSerialization.jsonObject(with: Data($0.utf8)) }
    let hits = (values.last as? [String: Any])?["hits"] as? [[String: Any]]
    #expect(values.count == 2 && (values[0] as? [String: Any])?["citations"] != nil)
    #expect(hits?.isEmpty == false && hits?.contains { $0["patient_id"] as? String == "P001" } == false)
  }

  @Test func `each brief is sent when it is made, on a page that is whole at its end`() throws {
    let client = try HTTPClient(port: served.port)
    client.write(served.request("GET", "/brief/\(ServedPractice.day)", nil))
    let head = try #require(client.read(until: "\r\n\r\n"))
    #expect(head.contains("200") && head.lowercased().contains("transfer-encoding: chunked"))
    var page = ""
    var pieces = 0
    while let piece = client.nextPiece(), !piece.isEmpty {
      page += String(decoding: piece, as: UTF8.self)
      pieces += 1
    }
    let briefs = page.components(separatedBy: "<article class=\"brief\">").count - 1
    #expect(briefs > 5 && pieces > 2 && page.hasPrefix("<!doctype html>") && page.hasSuffix("</body></html>"))
    #expect(page.components(separatedBy: "href=\"#brief-").count - 1 == briefs)
    let lines = try served.ask(
      "GET", "/api/v1/briefs/\(ServedPractice.day)", headers: ["Accept": "application/x-ndjson"]
    ).text.split(separator: "\n")
    let whole = try served.ask("GET", "/api/v1/briefs/\(ServedPractice.day)?limit=500").json()["briefs"] as? [Any]
    #expect(lines.count == briefs && whole?.count == briefs)
    // Who goes in the middle is missed by nobody.
    for _ in 0..<20 {
      let leaving = try HTTPClient(port: served.port)
      leaving.write(served.request("GET", "/brief/\(ServedPractice.day)", nil))
    }
    #expect(try served.ask("GET", "/healthz").text == "ok")
    #expect(try served.ask("HEAD", "/brief/\(ServedPractice.day)").status == 200)
  }

  @Test func `a case is judged with what it rests on, and slots come with why`() throws {
    let red = try served.ask("POST", "/triage", #"{"text":"my dog collapsed and his gums are white"}"#).text
    #expect(red.contains(#"<span data-testid="triage_urgency_value">red</span>"#) && red.contains("Rests on"))
    let slots = try served.ask("POST", "/slots", #"{"text":"limping for two days","patient_id":"P001"}"#).text
    for index in 0..<5 { #expect(slots.contains(#"data-testid="slot_proposal_\#(index)""#)) }
    #expect(slots.contains(#"class="why""#))
  }

  @Test(arguments: [
    ("GET", "/nowhere", 404), ("GET", "/patient/NOBODY", 404), ("GET", "/note/N9999", 404),
    ("GET", "/day/2026-13-40", 404),
    ("GET", "/patient/bella", 409), ("GET", "/api/v1/nowhere", 404), ("DELETE", "/day/2026-11-26", 403),
    ("GET", "/api/v1/appointments/A0", 404), ("GET", "/assets/x/../style.css", 400),
    ("GET", "/patient/..%2f..%2fetc%2fpasswd", 400), ("GET", "/note/%00", 400), ("GET", "/note/%ff", 400),
    ("GET", "/note/%zz", 400), ("GET", "/../../etc/passwd", 400), ("GET", "/assets/%2e%2e/%2e%2e/style.css", 400),
    ("GET", "/day/2026-11-26/", 404), ("GET", "//day/2026-11-26", 404),
  ])
  func `what isn't there is said to be missing, with nothing of the machine`(
    method: String, target: String, status: Int
  ) throws {
    let answer = try served.ask(method, target)
    #expect(answer.status == status)
    #expect(!answer.text.contains("/work") && !answer.text.contains("root:") && !answer.text.contains("sqlite"))
  }

  @Test func `HEAD says what GET would, and another method what there is`() throws {
    let head = try served.ask("HEAD", "/day/\(ServedPractice.day)")
    #expect(head.status == 200 && head.body.isEmpty && Int(head.headers["content-length"] ?? "") ?? 0 > 1000)
    let wrong = try served.ask("PUT", "/api/v1/appointments", "{}")
    #expect(wrong.status == 405 && wrong.headers["allow"] == "POST" && wrong.code == "wrong_method")
    #expect(try served.ask("GET", "/healthz").text == "ok")
  }
}
