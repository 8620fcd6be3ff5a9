import Foundation
import Testing
import VetNetTestSupport

/// The inbox as people work through it.
extension BrowserTests {
  @Test(.thorough) func `the inbox is worked through by keys, one by one, with each decision taken back at once`()
    throws
  {
    let served = try InboxPageTests.served()
    let browser = try Browser.first()
    func named(_ testID: String) -> String { Browser.named(testID) }
    try browser.open("http://\(served.host)/inbox")
    try browser.awaitShown(named("inbox_item_inbox-3"))
    let focused = "return document.activeElement.closest('[data-item]')?.dataset.item ?? ''"
    try browser.press("j")
    #expect(try browser.run(focused) as? String == "inbox-3")
    try browser.press("j" + Browser.Key.down)
    #expect(try browser.run(focused) as? String == "inbox-2")
    try browser.press("k")
    #expect(try browser.run(focused) as? String == "inbox-1")
    // Rejected with a reason, and back.
    try browser.press("r")
    try browser.awaitShown(named("inbox_reason_input"))
    try browser.press("twice" + Browser.Key.enter)
    try browser.wait(for: "it to be gone") { try browser.count(named("inbox_item_inbox-1")) == 0 }
    try browser.wait(for: "the number beside the tab") { try browser.text(named("inbox_count")).hasPrefix("3") }
    try browser.press("u")
    try browser.awaitShown(named("inbox_item_inbox-1"))
    // Two at once.
    try browser.click(named("inbox_select_inbox-2"))
    try browser.click(named("inbox_select_inbox-4"))
    try browser.awaitShown(named("inbox_selection"))
    try browser.screenshot("inbox")
    try browser.click(named("inbox_later_several"))
    try browser.wait(for: "them at the end") { try browser.count("#live .inbox-item:nth-last-child(-n+2) .badge") >= 4 }
    try browser.run("scrollTo(0, 0)")
    // One by one: the first is filed, the next opens by itself.
    try browser.click(named("inbox_begin_button"))
    try browser.awaitShown(named("inbox_text"))
    #expect(try browser.text(named("inbox_progress")).contains("2 of 4"))
    usleep(600_000)
    try browser.click(named("inbox_file_inbox-3_P017"))
    try browser.wait(for: "the next") { try browser.run("return location.pathname") as? String == "/inbox/inbox-1" }
    try browser.awaitShown(named("inbox_undo_button"))
    #expect(try browser.text(named("inbox_done")).contains("Thumper"))
    try browser.wait(for: "the progress") { try browser.text(named("inbox_progress")).contains("3 of 4") }
    try browser.screenshot("inbox-item")
    // Somebody else whom nobody proposed.
    try browser.press("c")
    try browser.awaitShown(named("inbox_patient_input"))
    try browser.press("thump")
    try browser.awaitShown("#choose " + named("patient_result_P017"))
    try browser.press(Browser.Key.down + Browser.Key.enter)
    try browser.press(Browser.Key.enter)
    try browser.wait(for: "the list") { try browser.run("return location.pathname") as? String == "/inbox" }
    #expect(try served.ask("GET", "/api/v1/notes/inbox-1").json()["patient_id"] as? String == "P017")
    try browser.press("u")
    try browser.wait(for: "it to wait again") {
      try browser.run("return location.pathname") as? String == "/inbox/inbox-1"
        || browser.count(named("inbox_item_inbox-1")) == 1
    }
    let phone = try Browser.phone()
    for path in ["/inbox", "/inbox/inbox-1"] {
      try phone.open("http://\(served.host)\(path)")
      let wide = try phone.run("return document.documentElement.scrollWidth - innerWidth") as? Int ?? 99
      #expect(wide <= 1, "\(path) is \(wide) pixels too wide")
    }
    #expect(try browser.complaints() == [])
  }

  /// What a browser says of a key, be it one that is held down.
  private func key(_ name: String, isHeld: Bool, in browser: Browser) throws {
    try browser.run(
      "document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key: arguments[0], repeat: arguments[1], bubbles: true}))",
      name, isHeld)
  }

  @Test(.thorough) func `a key that is held down files nothing, nor does one on a page that opened a moment ago`()
    throws
  {
    let served = try InboxPageTests.served()
    func waiting() throws -> Int? { try served.ask("GET", "/api/v1/inbox-count").json()["waiting"] as? Int }
    let browser = try Browser.first()
    try browser.open("http://\(served.host)/inbox")
    try browser.awaitShown(Browser.named("inbox_item_inbox-3"))
    try browser.press("j")
    for name in ["1", "l", "x"] { try key(name, isHeld: true, in: browser) }
    usleep(500_000)
    #expect(try waiting() == 4 && browser.count(Browser.named("inbox_done") + "[hidden]") == 1)
    // The same key once is meant, and what it did is taken back.
    try key("1", isHeld: false, in: browser)
    try browser.wait(for: "word of it") { try browser.text(Browser.named("inbox_done")).contains("Filed to") }
    #expect(try waiting() == 3)
    try browser.press("u")
    try browser.wait(for: "it to wait again") { try waiting() == 4 }
    try browser.open("http://\(served.host)/inbox/inbox-3")
    try browser.awaitShown(Browser.named("inbox_text"))
    // No time passes between the opening and the key.
    try browser.run("performance.now = () => 0")
    try key("1", isHeld: false, in: browser)
    try browser.wait(for: "word of it") { try browser.text("#toasts").contains("look again") }
    usleep(300_000)
    #expect(try waiting() == 4)
    try browser.run("delete performance.now")
    usleep(600_000)
    try key("1", isHeld: false, in: browser)
    try browser.wait(for: "the next") { try browser.run("return location.pathname") as? String == "/inbox/inbox-1" }
    // The next is shown at once where it is at hand, and what was decided is done behind it.
    try browser.wait(for: "it to be filed") { try waiting() == 3 }
    #expect(try browser.complaints() == [])
  }

  @Test(.thorough) func `what is taken back of several is what they changed, not what somebody had decided before`()
    throws
  {
    let served = try InboxPageTests.served()
    let browser = try Browser.first()
    try browser.open("http://\(served.host)/inbox")
    for id in ["inbox-2", "inbox-4"] { try browser.click(Browser.named("inbox_select_\(id)")) }
    // Put off by somebody else meanwhile.
    #expect(try served.ask("POST", "/api/v1/inbox/inbox-2/later", "{}").status == 200)
    try browser.click(Browser.named("inbox_later_several"))
    try browser.wait(for: "word of it") { try browser.text(Browser.named("inbox_done")).contains("Put off: 1 item.") }
    try browser.press("u")
    try browser.wait(for: "it to wait again") {
      try served.ask("GET", "/api/v1/inbox/inbox-4").json()["state"] as? String == "waiting"
    }
    usleep(300_000)
    #expect(try served.ask("GET", "/api/v1/inbox/inbox-2").json()["state"] as? String == "later")
    #expect(try browser.complaints() == [])
  }
}
