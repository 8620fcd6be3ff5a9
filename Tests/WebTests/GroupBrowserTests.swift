import Foundation
import Testing
import VetNet
import VetNetTestSupport

/// Several practices on one server, as people use them.
extension BrowserTests {
  @Test(.thorough) func `somebody signs in once and goes from practice to practice, and nothing goes along`() throws {
    let served = try ServedFolder([
      .init(name: "north", hasRecords: true, users: ["vera": .veterinarian]),
      .init(name: "south", hasRecords: true, users: ["vera": .veterinarian]),
    ])
    let browser = try Browser.first()
    try browser.open("http://\(served.host)/p/north/day/2026-11-26")
    try browser.awaitShown(Browser.named("login_submit_button"))
    try browser.type("vera", into: Browser.named("login_name_input"))
    try browser.type("words of vera\n", into: Browser.named("login_passphrase_input"))
    try browser.awaitShown(Browser.named("add_appointment_button"))
    #expect(try browser.run("return location.pathname") as? String == "/p/north/day/2026-11-26")
    // What another books there is shown there at once.
    let visit =
      #"{"start":"2026-11-26T16:30","clinician_id":"S02","patient_id":"P001","duration_minutes":15,"reason":"itchy"}"#
    let other = try served.signIn("vera")
    for (place, isShown) in [("south", false), ("north", true)] {
      let booked = try other.ask("POST", "/p/\(place)/api/v1/appointments", visit)
      #expect(booked.status == 201, "\(booked.text)")
      let id = try #require(booked.json()["id"] as? String)
      let shown = Browser.named("appointment_\(id)")
      if isShown { try browser.wait(for: "the visit") { try browser.count(shown) == 1 } }
    }
    #expect(try browser.attribute("hidden", of: Browser.named("offline_banner")) != nil)
    // A field that finds everything leads within the practice.
    try browser.type("Canary", into: Browser.named("search_input"))
    try browser.awaitShown(Browser.named("search_result_patient"))
    try browser.click(Browser.named("search_result_patient"))
    try browser.wait(for: "the patient") {
      try browser.run("return document.title") as? String == "Canarynorth · Practice north"
    }
    #expect((try browser.run("return location.pathname") as? String)?.hasPrefix("/p/north/patient/") == true)
    // Words that were typed stay with their practice.
    try browser.open("http://\(served.host)/p/north/triage")
    try browser.type("limping since", into: Browser.named("triage_symptoms_input"))
    try browser.run("document.querySelector('#triage-text').dispatchEvent(new Event('input', {bubbles: true}))")
    try browser.click("[data-testid=practice_switcher] summary")
    try browser.click("[data-testid=practice_switcher] a[href^='/p/south/']")
    try browser.wait(for: "the other practice") {
      (try browser.run("return location.pathname") as? String)?.hasPrefix("/p/south/day/") == true
    }
    try browser.open("http://\(served.host)/p/south/triage")
    try browser.awaitShown(Browser.named("triage_symptoms_input"))
    #expect(try browser.run("return document.querySelector('#triage-text').value") as? String == "")
    try browser.open("http://\(served.host)/p/north/triage")
    try browser.awaitShown(Browser.named("triage_symptoms_input"))
    try browser.wait(for: "what was typed") {
      try browser.run("return document.querySelector('#triage-text').value") as? String == "limping since"
    }
    try browser.click(Browser.named("logout_button"))
    try browser.awaitShown(Browser.named("login_submit_button"))
    for place in ["/", "/p/south/day/2026-11-26"] {
      try browser.open("http://\(served.host)\(place)")
      try browser.awaitShown(Browser.named("login_submit_button"))
    }
  }
}
