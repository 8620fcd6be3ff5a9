import Foundation
import Testing
import VetNetTestSupport

/// The inbox as people work through it.
extension BrowserTests {
  @Test func `the inbox is worked through by keys, one by one, with each decision taken back at once`() throws {
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
}
