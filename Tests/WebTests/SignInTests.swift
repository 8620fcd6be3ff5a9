import Foundation
import Testing
import VetNet
import VetNetTestSupport

/// Who is let in where a practice has users, as whom, and for how long.
@Suite(.serialized) struct SignInTests {
  private static let closed = Result { try ServedPractice.closed() }
  private let served: ServedPractice

  init() throws { served = try Self.closed.get() }

  @Test func `pages lead to where somebody signs in and from there back, and programs are told`() throws {
    for (target, goal) in [
      ("/", "/login"), ("/patient/P001", "/login?to=%2Fpatient%2FP001"),
      ("/note/N0046?start=60&end=74", "/login?to=%2Fnote%2FN0046%3Fstart%3D60%26end%3D74"),
      ("/nowhere", "/login?to=%2Fnowhere"),
    ] {
      let answer = try served.ask("GET", target)
      #expect(answer.status == 303 && answer.headers["location"] == goal, "\(target)")
    }
    for target in ["/api/v1/day/2026-11-26", "/day/2026-11-26?part=live", "/api/v1/events", "/api/v1/session"] {
      let answer = try served.ask("GET", target)
      #expect(answer.status == 401 && answer.code == "not_signed_in", "\(target)")
    }
    for target in ["/api/v1/triage", "/ask", "/api/v1/undo"] {
      #expect(try served.ask("POST", target, #"{"text":"a cat"}"#).status == 401, "\(target)")
    }
    let page = try served.ask("GET", "/login?to=%2Fpatient%2FP001%3Fa%3D%2522")
    #expect(page.status == 200 && page.text.contains(#"data-goal="/patient/P001?a=%22""#))
    for part in ["login_name_input", "login_passphrase_input", "login_submit_button"] {
      #expect(page.text.contains("data-testid=\"\(part)\""))
    }
    // What nobody signed in for tells nothing of the practice but its name.
    #expect(!page.text.contains("Bella") && !page.text.contains("tab_patients"))
    // And leads nowhere else.
    for goal in ["https://evil.example/", "//evil.example/", "/\\evil.example", "/login?to=/login", "/%2e%2e/x", "x"] {
      let escaped = goal.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
      #expect(try served.ask("GET", "/login?to=\(escaped)").text.contains(#"data-goal="/""#), "\(goal)")
    }
    #expect(try served.ask("GET", "/healthz").status == 200)
  }

  @Test func `who signed in is shown by a cookie that scripts, other sites and guesses don't have`() throws {
    let answer = try served.trySigningIn("A Veterinarian", "words of a veterinarian")
    #expect(answer.status == 201)
    let cookie = try #require(answer.headers["set-cookie"])
    #expect(cookie.hasPrefix("vetnet-\(served.port)=") && cookie.contains("; HttpOnly") && cookie.contains("; Path=/"))
    #expect(cookie.contains("; SameSite=Strict") && !cookie.contains("Domain") && !cookie.contains("Max-Age"))
    let vet = try served.signIn(.veterinarian)
    let page = try vet.ask("GET", "/patient/P001")
    #expect(page.status == 200 && page.text.contains("<b>a veterinarian</b>") && page.text.contains("logout_button"))
    #expect(try vet.ask("GET", "/login?to=%2Fask").headers["location"] == "/ask")
    let (name, value) = (vet.cookie.prefix { $0 != "=" }, vet.cookie.drop { $0 != "=" }.dropFirst())
    let flipped = value.first == "0" ? "1" : "0"
    for forged in [
      "\(name)=\(flipped)\(value.dropFirst())", "\(name)=", "\(name)=\(value.uppercased())",
      "\(vet.cookie); \(vet.cookie)",
      "vetnet-1=\(value)", "\(name)=\(value.dropLast())", "\(name)=' OR 1=1",
    ] where forged != vet.cookie {
      #expect(try served.ask("GET", "/patient/P001", headers: ["Cookie": forged]).status == 303, "\(forged)")
    }
    // A write shows that it comes from this session's pages.
    let body = #"{"text":"cat sneezing"}"#
    let nurse = try served.signIn(.nurse)
    for token in ["", "0", nurse.token] {
      #expect(
        try vet.ask("POST", "/api/v1/triage", body, headers: ["X-VetNet-Token": token]).code == "stale_token",
        "\(token)")
    }
    #expect(try vet.ask("POST", "/api/v1/triage", body, headers: ["Sec-Fetch-Site": ""]).status == 200)
    #expect(try served.trySigningIn("a nurse", "x", headers: ["Origin": "http://evil.example"]).status == 403)
  }

  @Test(arguments: [
    (Role.reception, "/ask?patient=P001", true), (.reception, "/brief/2026-11-26", true),
    (.reception, "/triage", false),
    (.administrator, "/patient/P001", false), (.administrator, "/ask", true), (.administrator, "/triage", true),
    (.administrator, "/day/2026-11-26", false),
    (.nurse, "/patient/P001", false), (.veterinarian, "/brief/2026-11-26", false),
  ])
  func `what a role may not see is refused by what it is and who may, and its tabs are not there`(
    role: Role, path: String, isRefused: Bool
  ) throws {
    let browser = try served.signIn(role)
    let page = try browser.ask("GET", path)
    #expect(page.status == (isRefused ? 403 : 200), "\(path)")
    let text = page.text.replacing("&#39;", with: "'")
    #expect(text.contains("<b>a \(role.rawValue)</b>"))
    if isRefused {
      #expect(text.contains("Not permitted") && text.contains("is not permitted to the role \(role.rawValue)"))
      #expect(text.contains("It needs the permission to ") && text.contains("veterinarian"))
    }
    #expect(text.contains("tab_ask") == role.may(.readRecord) && text.contains("tab_triage") == role.may(.assess))
    let asked = try browser.ask("POST", "/api/v1/ask", #"{"question":"any reactions?","patient_id":"P001"}"#)
    #expect(asked.status == (role.may(.readRecord) ? 200 : 403))
    if !role.may(.readRecord) { #expect(asked.code == "not_permitted" && asked.text.contains("record.ask")) }
    let booked = try browser.ask("POST", "/api/v1/undo", "{}")
    #expect((booked.status == 403) == !role.may(.writeBook))
  }

  @Test func `whoever leaves a browser alone is signed out, whatever its pages ask for by themselves`() throws {
    let (used, left) = (try served.signIn(.nurse), try served.signIn(.nurse))
    let stream = try HTTPClient(port: served.port)
    stream.write(served.request("GET", "/api/v1/events", nil, headers: ["Cookie": left.cookie]))
    #expect(stream.read(until: "event: here") != nil)
    for _ in 0..<2 {
      served.clock.pass(seconds: 8 * 60)
      #expect(try used.ask("GET", "/triage").status == 200)
      _ = try left.ask("GET", "/api/v1/session", headers: ["X-VetNet-Unattended": "1"])
    }
    #expect(try left.ask("GET", "/api/v1/session").status == 401)
    #expect(try left.ask("GET", "/triage").headers["location"] == "/login?to=%2Ftriage")
    #expect(try used.ask("GET", "/triage").status == 200)
    // Nothing more is told there.
    #expect(stream.read(until: "event: change") == nil)
  }

  @Test func `signing out ends the session everywhere it is shown, and what it listened to`() throws {
    let browser = try served.signIn(.veterinarian)
    let stream = try HTTPClient(port: served.port)
    stream.write(served.request("GET", "/api/v1/events", nil, headers: ["Cookie": browser.cookie]))
    #expect(stream.read(until: "event: here") != nil)
    let out = try browser.ask("DELETE", "/api/v1/session", "{}")
    #expect(out.status == 200 && out.headers["set-cookie"]?.contains("Max-Age=0") == true)
    #expect(stream.read(until: "event: change") == nil)
    #expect(try browser.ask("GET", "/triage").status == 303)
    #expect(try browser.ask("DELETE", "/api/v1/session", "{}").status == 401)
  }

  @Test func `another person goes on in the place of the one before, whose pages are nobody's then`() throws {
    let nurse = try served.signIn(.nurse)
    let wrong = try served.trySigningIn("a reception", "words", headers: ["Cookie": nurse.cookie])
    #expect(wrong.status == 401 && wrong.code == "not_signed_in" && wrong.headers["set-cookie"] == nil)
    #expect(try nurse.ask("GET", "/login?switch=1&to=%2Ftriage").text.contains("a nurse is signed in"))
    let reception = try served.signIn(.reception, instead: nurse)
    #expect(try nurse.ask("GET", "/triage").status == 303)
    #expect(try reception.ask("GET", "/api/v1/session").json()["actor"] as? String == "a reception")
    // A page that still shows the nurse writes nothing as somebody else.
    let stale = try reception.ask(
      "POST", "/api/v1/assessments", #"{"text":"cat sneezing"}"#, headers: ["X-VetNet-Token": nurse.token])
    #expect(stale.code == "stale_token")
  }

  @Test func `changes are told to who listens, by whomever they are made`() throws {
    let browser = try served.signIn(.reception)
    let stream = try HTTPClient(port: served.port)
    stream.write(served.request("GET", "/api/v1/events", nil, headers: ["Cookie": browser.cookie]))
    #expect(stream.read(until: "event: here") != nil)
    let booked = try browser.ask(
      "POST", "/api/v1/appointments",
      #"{"start":"2026-12-03T15:00","clinician_id":"S02","patient_id":"P001","duration_minutes":20}"#)
    #expect(booked.status == 201)
    #expect(stream.read(until: "schedule.book") != nil)
  }

  @Test func `wrong tries slow down, and many at once hold up nobody who works`() throws {
    let own = try ServedPractice.closed(corpus: [])
    for _ in 0..<5 { #expect(try own.trySigningIn("a nurse", "wrong words").status == 401) }
    let slowed = try own.trySigningIn("a nurse", "words of a nurse")
    #expect(slowed.status == 401 && slowed.text.contains("5 wrong tries in a row"))
    #expect(try own.trySigningIn("a reception", "words of a reception").status == 201)
    own.clock.pass(seconds: 6)
    let nurse = try own.signIn(.nurse)
    // A stranger who tries many names at once is refused before they cost anything.
    let strangers = try (0..<40).map { _ in try HTTPClient(port: own.port) }
    for (index, stranger) in strangers.enumerated() {
      stranger.write(own.request("POST", "/api/v1/session", #"{"name":"x\#(index)","passphrase":"guess"}"#))
    }
    #expect(try nurse.ask("GET", "/api/v1/session").status == 200)
    let waiting = strangers.count { !$0.hasAnswer }
    let statuses = strangers.compactMap { $0.answer(to: "POST")?.status }
    #expect(statuses.count == 40 && Set(statuses) == [401, 503] && statuses.count(where: { $0 == 503 }) > 20)
    // Most of the tries that cost something had still to be looked at when she was answered.
    #expect(2 * waiting > statuses.count { $0 == 401 }, "\(waiting) of \(statuses.count { $0 == 401 })")
  }
}
