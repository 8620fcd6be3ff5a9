import Foundation
import Testing
import VetNet
import VetNetTestSupport

/// The workspace without its server, which is stopped: the honest way to be offline.
extension BrowserTests {
  private typealias Key = Browser.Key
  private func named(_ testID: String) -> String { Browser.named(testID) }

  @Test func `what is written without the server waits through a reload, and is there when it is back`() throws {
    let outage = try Outage()
    let browser = try Browser.first()
    try prepare(browser, outage, as: .veterinarian)
    let move = try outage.movable()
    let arrival = try #require(outage.visits.compactMap { $0["id"] as? String }.first { $0 != move.id })
    // A page that is open when the server goes: a move by keys waits.
    try browser.open(outage.url("/day/\(ServedPractice.day)"))
    try browser.awaitShown(named("appointment_\(arrival)"))
    outage.served.stop()
    try browser.wait(for: "the banner") { try browser.count("#offline:not([hidden])") == 1 }
    // Reloaded, the page is another, and shows what was taken along.
    try browser.open(outage.url("/day/\(ServedPractice.day)"))
    try browser.awaitShown(named("offline_visit_\(arrival)"))
    // A move that is being filled in stays, with what stands in it, while something else is kept.
    try browser.run(
      "const f = document.querySelector(arguments[0]); f.closest('details').open = true; f.elements.start.value = arguments[1]",
      named("offline_move_\(move.id)"), move.start)
    try browser.click(named("offline_stage_\(arrival)_arrived"))
    try browser.wait(for: "the arrival to wait") { try pending(browser) == 1 }
    try browser.screenshot("offline-day")
    try browser.click(named("offline_move_\(move.id)_save"))
    try browser.wait(for: "the move to wait") { try pending(browser) == 2 }
    // Closed with that, it shows what waits.
    try browser.wait(for: "the move to be shown") {
      try browser.count("details.offline-move[open]") == 0
        && browser.text("main").ranges(of: "Waits: ").count == 2
    }
    // A patient with its last words, and a note on it.
    try browser.open(outage.url("/patient/\(outage.patient)"))
    try browser.wait(for: "the record") { try browser.text("main").contains(Outage.canary) }
    try browser.screenshot("offline-patient")
    try type(
      "Rang: eats again, \(Outage.canary)-two.", into: "offline_note_text", save: "offline_note_save", in: browser)
    try type(
      "Bright. Temp 38.4. \(Outage.canary)-three.", into: "offline_encounter_text", save: "offline_encounter_save",
      in: browser)
    let photo = outage.served.folder.file("wound.png")
    try Data(SamplePicture(seed: 7).png).write(to: URL(filePath: photo))
    let photos = PhotoDecoder.isAvailable ? 1 : 0
    if photos == 1 {
      try browser.choose([photo], in: named("offline_photo_file"))
      try browser.click(named("offline_photo_save"))
      try browser.wait(for: "the photo to wait") { try pending(browser) == 5 }
    }
    // Triage says what it can't.
    try browser.open(outage.url("/triage"))
    try browser.awaitShown(named("triage_not_assessed"))
    #expect(try browser.text(named("triage_not_assessed")).contains("Not assessed: ring a vet now"))
    try type(
      "dog collapsed, gums white, struggling to breathe \(Outage.canary)-four", into: "triage_symptoms_input",
      save: "triage_submit_button", in: browser)
    try browser.wait(for: "all to wait") { try pending(browser) == 5 + photos }
    try browser.screenshot("offline-triage")
    // Nothing of it can be read, and the keys can't be taken out.
    let kept = try everythingKept(browser)
    #expect(kept.contains("writes: \(5 + photos)") && kept.contains("kept: 8"))
    #expect(!kept.contains(Outage.canary) && !kept.contains("key true") && kept.contains("key false"))
    try outage.served.restart()
    try browser.awaitShown(named("triage_alert"))
    #expect(try browser.text(named("triage_alert")).lowercased().contains("red"))
    try browser.screenshot("offline-alert")
    try browser.press(Key.escape)
    try browser.awaitShown(named("triage_alert"))
    try browser.click(named("triage_alert_seen"))
    try browser.wait(for: "nothing to wait") { try pending(browser) == 0 && browser.count("dialog[open]") == 0 }
    let standing = try browser.text("#waiting")
    #expect(try browser.count(named("conflict_list") + ":not([hidden])") == 0, "\(standing)")
    #expect(try outage.appointment(arrival)["status"] as? String == "arrived")
    #expect((try outage.appointment(move.id)["start"] as? String)?.hasPrefix(move.start) == true)
    let notes = try outage.notes(of: outage.patient)
    #expect(notes.ranges(of: "\(Outage.canary)-two").count == 1)
    let encounters = try outage.served.signIn(.veterinarian).ask("GET", "/api/v1/encounters?patient=\(outage.patient)")
    #expect(encounters.text.ranges(of: "\(Outage.canary)-three").count == 1)
    if photos == 1 {
      let listed = try outage.served.signIn(.veterinarian).ask("GET", "/api/v1/photos?patient_id=\(outage.patient)")
      #expect(try listed.json()["total"] as? Int == 1)
    }
    #expect(try everythingKept(browser).contains("writes: 0"))
    #expect(try browser.complaints() == [])
  }

  @Test(.thorough)
  func `two who move the same visit without the server: one move counts, the other is shown to whoever made it`()
    throws
  {
    let outage = try Outage()
    let (one, other) = (try Browser.first(), try Browser.second())
    try prepare(one, outage, as: .veterinarian)
    try prepare(other, outage, as: .nurse)
    let move = try outage.movable()
    outage.served.stop()
    let wishes = [(one, move.start), (other, "2026-11-26T13:\(move.start.hasSuffix("40") ? "10" : "40")")]
    for (browser, start) in wishes {
      try browser.open(outage.url("/day/\(ServedPractice.day)"))
      try browser.awaitShown(named("offline_visit_\(move.id)"))
      try browser.run(
        "const f = document.querySelector(arguments[0]); f.closest('details').open = true; f.elements.start.value = arguments[1]",
        named("offline_move_\(move.id)"), start)
      try browser.click(named("offline_move_\(move.id)_save"))
      try browser.wait(for: "the move to wait") { try pending(browser) == 1 }
    }
    try outage.served.restart()
    // Whoever comes first is in, if the book lets it; of the two one is asked.
    func asked() throws -> [Browser] {
      try [one, other].filter { try $0.count(named("conflict_list") + ":not([hidden]) li") == 1 }
    }
    try one.wait(for: "both to be settled") {
      try !asked().isEmpty && [one, other].allSatisfy { try pending($0) == 0 && $0.count(named("who_acts")) == 1 }
    }
    let asked = try asked()
    let standing = try wishes.map { try $0.0.text("#waiting") }
    #expect(asked.count == 1, "\(standing)")
    let loser = try #require(asked.first)
    try loser.screenshot("offline-conflict")
    let stands = try outage.appointment(move.id)["start"] as? String
    #expect(wishes.contains { stands?.hasPrefix($0.1) == true })
    try loser.click("[data-way=theirs], [data-way=drop]")
    try loser.wait(for: "nothing to decide") { try loser.count("#waiting:not([hidden])") == 0 }
    #expect(try outage.appointment(move.id)["start"] as? String == stands)
  }

  @Test(.thorough)
  func `what is refused holds up nothing else, and a booking whose time is gone is offered the nearest free ones`()
    throws
  {
    let outage = try Outage()
    let browser = try Browser.first()
    try prepare(browser, outage, as: .nurse)
    outage.served.stop()
    let taken = try #require(outage.visits.first { ($0["clinician_name"] as? String)?.hasPrefix("Dr ") == true })
    let start = String((taken["start"] as? String ?? "").prefix(16))
    try browser.open(outage.url("/day/\(ServedPractice.day)"))
    try browser.awaitShown(named("offline_booking"))
    try browser.run(
      "const f = document.querySelector(arguments[0]).elements; f.patient_id.value = arguments[1]; f.start.value = arguments[2]; f.clinician_id.value = arguments[3]; f.reason.value = 'itchy'",
      named("offline_booking"), outage.patient, start, taken["clinician_id"] as? String ?? "")
    try browser.click(named("offline_booking_save"))
    try browser.wait(for: "the booking to wait") { try pending(browser) == 1 }
    try browser.open(outage.url("/patient/\(outage.patient)"))
    try type("Behind the refused one.", into: "offline_note_text", save: "offline_note_save", in: browser)
    try browser.wait(for: "both to wait") { try pending(browser) == 2 }
    // What waits can be looked at and withdrawn.
    try type("Withdrawn.", into: "offline_note_text", save: "offline_note_save", in: browser)
    try browser.run("scrollTo(0, 0)")
    try browser.click(named("pending_writes") + " summary")
    try browser.click(named("pending_writes") + " li:nth-child(3) button")
    try browser.wait(for: "it to be withdrawn") { try pending(browser) == 2 }
    try outage.served.restart()
    try browser.awaitShown(named("conflict_slot_0"))
    try browser.wait(for: "the note behind it") {
      try outage.notes(of: outage.patient).contains("Behind the refused one.")
    }
    #expect(try !outage.notes(of: outage.patient).contains("Withdrawn."))
    #expect(try browser.count("[data-testid^=conflict_slot_]") <= 5)
    try browser.screenshot("offline-slots")
    try browser.run(
      "[...document.querySelectorAll('.slots button')].find((one) => one.textContent.includes('Dr ')).click()")
    try browser.wait(for: "the other time to be booked") { try browser.count("#waiting:not([hidden])") == 0 }
    let booked = try outage.served.signIn(.nurse).ask("GET", "/api/v1/patients/\(outage.patient)").text
    #expect(booked.contains("itchy"))
    #expect(try browser.complaints() == [])
  }

  @Test(.thorough)
  func `whoever signs out with something waiting is warned; it opens for them alone, and nothing else stays`()
    throws
  {
    let outage = try Outage()
    let browser = try Browser.first()
    try prepare(browser, outage, as: .veterinarian)
    try keep(noteOn: outage.patient, "Second for the vet.", in: browser)
    try browser.wait(for: "the note to wait") { try pending(browser) == 1 }
    try browser.click(named("account_sign_out"))
    try browser.awaitShown(named("sign_out_warning"))
    try browser.screenshot("offline-sign-out")
    try browser.click(named("sign_out_stay"))
    #expect(try browser.count(named("sign_out_warning") + "[open]") == 0)
    try browser.click(named("account_sign_out"))
    try browser.click(named("sign_out_anyway"))
    try browser.awaitShown(named("login_submit_button"))
    try browser.awaitShown(named("others_pending"))
    let kept = try everythingKept(browser)
    #expect(kept.contains("keys: 0") && kept.contains("kept: 0") && kept.contains("writes: 1"))
    #expect(!kept.contains("Second for the vet"))
    try enter(browser, .nurse)
    try browser.awaitShown(named("others_pending"))
    #expect(try pending(browser) == 0)
    try browser.click(named("logout_button"))
    try enter(browser, .veterinarian)
    try browser.wait(for: "the note to be sent") {
      try outage.notes(of: outage.patient).ranges(of: "Second for the vet.").count == 1
    }
    try browser.wait(for: "nothing to wait") { try browser.count("#waiting:not([hidden])") == 0 }
  }

  @Test(.thorough) func `a device that was revoked lists what waited and is wiped when it comes next`() throws {
    let outage = try Outage()
    let browser = try Browser.first()
    try prepare(browser, outage, as: .nurse)
    try browser.open(outage.url("/day/\(ServedPractice.day)"))
    try browser.awaitShown(named("schedule_calendar_grid"))
    try keep(noteOn: outage.patient, "Lost with the tablet.", in: browser)
    try browser.wait(for: "the note to wait") { try pending(browser) == 1 }
    try browser.run("localStorage.setItem('vetnet-x', 'a leftover')")
    let administrator = try outage.served.signIn(.administrator)
    let list = try administrator.ask("GET", "/api/v1/devices").json()["devices"] as? [[String: Any]] ?? []
    let device = try #require(list.first { $0["user"] as? String == "a nurse" })
    #expect(device["kind"] as? String == "browser" && (device["name"] as? String)?.hasPrefix("Chrome on") == true)
    let id = try #require(device["id"] as? String)
    let path = "/api/v1/devices/\(id)"
    #expect(try administrator.ask("POST", path + "/revocation", #"{"reason":"left on a train"}"#).status == 200)
    // Its session is over at once, and the page that is open wipes what it keeps.
    try browser.wait(for: "the browser to be wiped") {
      try browser.run("return location.pathname + location.search") as? String == "/login?wiped=1"
    }
    let kept = try everythingKept(browser)
    #expect(["keys", "kept", "writes", "drafts", "about"].allSatisfy { kept.contains("\($0): 0") })
    #expect(!kept.contains("leftover") && !kept.contains("Lost with") && !kept.contains(Outage.canary))
    try browser.screenshot("offline-wiped")
    let losses = try administrator.ask("GET", path + "/losses").text
    #expect(losses.contains(#""kind":"note""#) && losses.contains("patient \(outage.patient)"))
    #expect(!losses.contains("Lost with"))
    let after = try administrator.ask("GET", "/api/v1/devices").text
    #expect(after.contains("wiped_at"))
    // Whoever signs in there again does so in a browser that nobody knows.
    try enter(browser, .nurse)
    #expect(try browser.count(named("others_pending") + ":not([hidden])") == 0)
  }

  @Test(.thorough) func `a revoked browser of a practice without users keeps nothing until somebody there asks for it`()
    throws
  {
    let served = try ServedPractice()
    let browser = try Browser.first()
    func hasKeys() throws -> Bool { try everythingKept(browser).contains("keys: 1") }
    func devices() throws -> [String] {
      let list = try served.ask("GET", "/api/v1/devices").json()["devices"] as? [[String: Any]]
      return (list ?? []).compactMap { $0["state"] as? String }
    }
    try browser.open("http://\(served.host)/account")
    try browser.wait(for: "the key") { try hasKeys() }
    #expect(try devices() == ["active"])
    let list = try served.ask("GET", "/api/v1/devices").json()["devices"] as? [[String: Any]]
    let id = try #require(list?.first?["id"] as? String)
    let revoked = try served.ask("POST", "/api/v1/devices/\(id)/revocation", #"{"reason":"left on a train"}"#)
    #expect(revoked.status == 200)
    try browser.wait(for: "it to be wiped") { try everythingKept(browser).contains("about: 0") }
    // Nobody has to sign in here: the browser by itself is not taken for a new one.
    for _ in 0..<2 {
      try browser.wait(for: "the account") {
        try browser.open("http://\(served.host)/account")
        return try browser.count(named("browser_revoked") + ":not([hidden])") == 1
      }
    }
    try browser.screenshot("revoked-open")
    #expect(try !hasKeys() && devices() == ["revoked"])
    try browser.click(named("take_along_button"))
    try browser.wait(for: "the key") { try hasKeys() }
    try browser.wait(for: "the notice to go") { try browser.count(named("browser_revoked") + ":not([hidden])") == 0 }
    #expect(try devices().sorted() == ["active", "revoked"])
  }

  @Test(.thorough) func `two who type in one encounter see each other before they collide`() throws {
    let outage = try Outage()
    let (one, other) = (try Browser.first(), try Browser.second())
    let vet = try outage.served.signIn(.veterinarian)
    let id = "enc-" + String(repeating: "b7", count: 16)
    let begun = try vet.ask(
      "POST", "/api/v1/encounters", #"{"id":"\#(id)","patient_id":"\#(outage.patient)","text":"Bright."}"#)
    #expect(begun.status == 201, "\(begun.text)")
    for (browser, role) in [(one, Role.veterinarian), (other, .nurse)] {
      try browser.open(outage.url("/encounter/\(id)"))
      try enter(browser, role)
      try browser.awaitShown(named("encounter_text"))
    }
    try one.wait(for: "the nurse to be seen") {
      try one.text(named("presence")).contains("a nurse has this open too")
    }
    try other.wait(for: "the vet to be seen") { try other.text(named("presence")).contains("a veterinarian") }
    try one.type(" Eats well.", into: named("encounter_text"))
    try other.wait(for: "the typing to be seen") { try other.text(named("presence")).contains("is typing") }
    try other.screenshot("presence")
    // Whoever goes is gone.
    try one.open("about:blank")
    try other.wait(for: "nobody else to be there") { try other.count(named("presence") + ":not([hidden])") == 0 }
  }
}
