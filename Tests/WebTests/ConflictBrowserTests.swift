import Foundation
import Testing
import VetNet
import VetNetTestSupport

/// Conflicts between devices, and inviting a device, as people settle and do it: by keyboard where it matters.
extension BrowserTests {
  private typealias Key = Browser.Key

  @Test(.thorough) func `a conflict is settled with one press, taken back with one, and a lost time is booked anew`()
    throws
  {
    let disagreement = try Disagreement()
    let browser = try Browser.first()
    func url(_ path: String) -> String { "http://\(disagreement.served.host)\(path)" }
    func named(_ testID: String) -> String { Browser.named(testID) }
    try browser.open(url("/inbox"))
    try enter(browser, .veterinarian)
    try browser.awaitShown(named("conflict_line"))
    try browser.tab(to: named("conflict_line") + " a")
    try browser.press(Key.enter)
    let weight = try disagreement.conflict("weight_kg").id
    try browser.awaitShown(named("conflict_\(weight)"))
    try browser.awaitShown(named("conflict_free_0"))
    #expect(try browser.count("[data-testid^=conflict_free_]") <= 5)
    try lookAtConflicts(browser)
    // A button says what it is about to who doesn't see what stands around it.
    let name = try browser.attribute("aria-label", of: named("conflict_\(weight)_ours"))
    #expect(name?.hasPrefix("Keep that of the hub: ") == true && name?.contains("weight") == true)
    try browser.tab(to: named("conflict_\(weight)_ours"))
    try browser.press(Key.enter)
    try browser.wait(for: "it to be settled") { try browser.count(named("conflict_\(weight)")) == 0 }
    #expect(try disagreement.weight(in: disagreement.hub()) == 11.1)
    // The keyboard is at the next one.
    try browser.wait(for: "the next to be at hand") {
      try browser.run("return !!document.activeElement.closest('[data-conflict]')") as? Bool == true
    }
    try browser.click(named("conflicts_lately") + " summary")
    try browser.tab(to: named("reopen_\(weight)"))
    try browser.press(Key.enter)
    try browser.awaitShown(named("conflict_\(weight)"))
    #expect(try disagreement.weight(in: disagreement.hub()) == 22.2)
    // The time that was lost: the nearest free one with a press.
    try browser.awaitShown(named("conflict_free_0"))
    let slot = try disagreement.conflict("slot")
    let start = try #require(try browser.attribute("data-start", of: named("conflict_free_0")))
    try browser.click(named("conflict_free_0"))
    try browser.wait(for: "it to be booked") { try browser.count(named("conflict_\(slot.id)")) == 0 }
    let vet = try disagreement.served.signIn(.veterinarian)
    let booked = try vet.ask("GET", "/api/v1/appointments/\(slot.shownID)").json()
    #expect(booked["status"] as? String == "booked" && (booked["start"] as? String)?.hasPrefix(start) == true)
    #expect(try browser.complaints() == [])
  }

  /// Both themes and a phone's width, without a barrier that axe finds.
  private func lookAtConflicts(_ browser: Browser) throws {
    for theme in ["light", "dark"] {
      try browser.run("document.documentElement.dataset.theme = arguments[0]", theme)
      try browser.screenshot("conflicts-\(theme)")
      if Self.axe != nil { #expect(try barriers(browser) == [], "\(theme)") }
    }
    try browser.run("delete document.documentElement.dataset.theme")
    try browser.resize(width: 390, height: 844)
    let wide = try browser.run("return document.documentElement.scrollWidth - innerWidth") as? Int ?? 99
    #expect(wide <= 1, "\(wide) pixels too wide")
    try browser.screenshot("conflicts-phone")
    try browser.resize(width: 1280, height: 900)
  }

  @Test(.thorough) func `what somebody else has settled meanwhile goes from the page by itself`() throws {
    let disagreement = try Disagreement()
    let browser = try Browser.first()
    try browser.open("http://\(disagreement.served.host)/conflicts")
    try enter(browser, .nurse)
    let conflict = try disagreement.conflict("text")
    try browser.awaitShown(Browser.named("conflict_\(conflict.id)"))
    let vet = try disagreement.served.signIn(.veterinarian)
    #expect(try vet.ask("POST", "/api/v1/conflicts/\(conflict.id)/choice", #"{"choice":"ours"}"#).status == 200)
    try browser.wait(for: "it to be gone") { try browser.count(Browser.named("conflict_\(conflict.id)")) == 0 }
    #expect(try browser.complaints() == [])
  }

  @Test(.thorough) func `a machine is invited on the page, by keyboard, and the line is shown once`() throws {
    let served = try ServedPractice.closed()
    let browser = try Browser.first()
    func named(_ testID: String) -> String { Browser.named(testID) }
    try browser.open("http://\(served.host)/manage/devices")
    try enter(browser, .administrator)
    try browser.tab(to: named("invite") + " summary")
    try browser.press(Key.enter)
    try browser.tab(to: named("invite_device"))
    try browser.press("farm laptop")
    try browser.tab(to: named("invite_form_button"))
    try browser.press(Key.enter)
    try browser.awaitShown(named("invitation"))
    let shown = "return document.getElementById('invitation').value"
    let line = try #require(try browser.run(shown) as? String)
    #expect(try DeviceInvitation(line: line).hub.urls == ["http://\(served.host)"])
    #expect(try browser.run("return document.activeElement.id") as? String == "invitation")
    try browser.awaitShown(named("device_farm laptop"))
    for theme in ["light", "dark"] {
      try browser.run("document.documentElement.dataset.theme = arguments[0]", theme)
      try browser.screenshot("devices-\(theme)")
      if Self.axe != nil { #expect(try barriers(browser) == [], "\(theme)") }
    }
    try browser.resize(width: 390, height: 844)
    try browser.screenshot("devices-phone")
    try browser.resize(width: 1280, height: 900)
    // Nothing of it is kept, and a page that is loaded anew doesn't have it.
    #expect(try !everythingKept(browser).contains(line))
    try browser.open("http://\(served.host)/manage/devices")
    try browser.awaitShown(named("device_farm laptop"))
    #expect(try browser.run(shown) as? String == "")
    try browser.click(named("withdraw_farm laptop_form_button"))
    try browser.wait(for: "it to be withdrawn") { try browser.count(named("device_farm laptop")) == 0 }
    #expect(try browser.complaints() == [])
  }
}
