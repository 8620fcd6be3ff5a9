import Clinical
import Foundation
import Testing
import VetNet
import VetNetTestSupport

/// The queue as it is worked through card by card: by touch, by mouse and by keys.
extension BrowserTests {
  private static func queue(_ count: Int = 7) throws -> ServedPractice {
    try ServedPractice { practice in
      for number in 1...count {
        var message = IncomingMessage(text: "Thumper sneezes, message \(number).", channel: "phone")
        message.id = "m\(number)"
        message.animal = "Thumper"
        message.species = .rabbit
        try practice.perform(
          TakeIn(message: message), by: .local, at: ServedPractice.now.adding(minutes: number - 30))
      }
    }
  }

  /// Clicks something and answers after how many milliseconds another card stood there.
  private func milliseconds(toNextCardBy selector: String, _ browser: Browser) throws -> Double {
    let took = try browser.runLong(
      """
      const done = arguments[arguments.length - 1];
      const before = document.querySelector('[data-whole]').dataset.item;
      const began = performance.now();
      document.querySelector("\(selector)").click();
      const look = () => document.querySelector('[data-whole]')?.dataset.item !== before
        ? done(performance.now() - began) : performance.now() - began > 9000 ? done(-1) : requestAnimationFrame(look);
      look();
      """)
    return (took as? Double) ?? (took as? Int).map(Double.init) ?? -1
  }

  @Test(.thorough) func `the next card stands there at once, by touch, mouse and key, and each act is taken back`()
    throws
  {
    let served = try Self.queue()
    let phone = try Browser.phone()
    func named(_ testID: String) -> String { Browser.named(testID) }
    func card() throws -> String { try phone.attribute("data-item", of: "[data-whole]") ?? "" }
    func state(_ id: String) throws -> String {
      try served.ask("GET", "/api/v1/inbox/\(id)").json()["state"] as? String ?? ""
    }
    try phone.open("http://\(served.host)/inbox/next")
    try phone.awaitShown(named("inbox_text"))
    let first = try card()
    #expect(try phone.attribute("data-clear", of: "[data-whole]") == "P017")
    let wide = try phone.run("return document.documentElement.scrollWidth - innerWidth") as? Int ?? 99
    #expect(wide <= 1, "\(wide) pixels too wide")
    func ready() throws {
      try phone.wait(for: "the next card to be loaded") {
        try phone.run(
          "return performance.getEntriesByType('resource').filter(e => e.name.includes('part=live')).length > 2")
          as? Bool == true
      }
      usleep(300_000)
    }
    try ready()
    try phone.screenshot("inbox-card-phone")
    // A short pull means nothing, a scroll neither.
    try phone.drag("[data-whole] h1", by: (30, 0), as: "touch")
    #expect(try card() == first && state(first) == "waiting")
    // Left puts off, right files to the one whose name stands on the card.
    try phone.drag("[data-whole] h1", by: (-180, 0), as: "touch")
    try phone.wait(for: "the second card") { try card() != first }
    try phone.wait(for: "the first to be put off") { try state(first) == "later" }
    let second = try card()
    try phone.wait(for: "what was done") { try phone.text(named("inbox_done")).hasPrefix("Put off") }
    usleep(700_000)
    try phone.drag("[data-whole] h1", by: (180, 0), as: "touch")
    try phone.wait(for: "the third card") { try card() != second }
    try phone.wait(for: "the second to be filed") { try state(second) == "filed" }
    try phone.wait(for: "the undo") { try phone.count(named("inbox_undo_button") + ":not([hidden])") == 1 }
    #expect(try phone.text(named("inbox_done")).contains("Thumper"))
    try phone.press("u")
    try phone.wait(for: "it to wait again") { try state(second) == "waiting" }

    let browser = try Browser.second()
    try browser.open("http://\(served.host)/inbox/next")
    try browser.awaitShown(named("inbox_text"))
    func loaded() throws {
      try browser.wait(for: "cards") {
        try browser.run(
          "return performance.getEntriesByType('resource').filter(e => e.name.includes('part=live')).length > 2")
          as? Bool == true
      }
      usleep(700_000)
    }
    try loaded()
    var took: [Double] = []
    for _ in 1...3 {
      let id = try browser.attribute("data-item", of: "[data-whole]") ?? ""
      took.append(try milliseconds(toNextCardBy: "[data-later]", browser))
      try browser.wait(for: "it to be put off") {
        try served.ask("GET", "/api/v1/inbox/\(id)").json()["state"] as? String == "later"
      }
      usleep(400_000)
    }
    print("next card after \(took.map { Int($0.rounded()) }) ms")
    #expect(took.allSatisfy { $0 >= 0 && $0 < 500 }, "\(took)")
    // By keys: asked back, with its window.
    let asked = try browser.attribute("data-item", of: "[data-whole]") ?? ""
    try browser.press("a")
    try browser.awaitShown(named("inbox_ask_input"))
    try browser.press("Since when?")
    try browser.click(named("inbox_ask_save"))
    try browser.wait(for: "it to be asked about") {
      try served.ask("GET", "/api/v1/inbox/\(asked)").json()["state"] as? String == "asked"
    }
    try browser.wait(for: "the progress") { try browser.text(named("inbox_progress")).contains("asked about") }
    // After a reload on another device, from the same place.
    try browser.open("http://\(served.host)/inbox/\(asked)")
    try browser.awaitShown(named("inbox_asked"))
    try browser.screenshot("inbox-asked")
    try browser.press("u")
    try browser.wait(for: "it to wait again") {
      try served.ask("GET", "/api/v1/inbox/\(asked)").json()["state"] as? String == "waiting"
    }
    #expect(try browser.complaints() == [])
  }

  @Test(.thorough)
  func `several are filed, each to its name, and taken back at one stroke; a message comes in by the desk`()
    throws
  {
    let served = try Self.queue(4)
    let browser = try Browser.first()
    func named(_ testID: String) -> String { Browser.named(testID) }
    func open() throws -> Int { (try served.ask("GET", "/api/v1/inbox").json()["items"] as? [Any])?.count ?? -1 }
    try browser.open("http://\(served.host)/inbox")
    for number in 1...3 { try browser.click(named("inbox_select_inbox-\(number)")) }
    try browser.awaitShown(named("inbox_selection"))
    // What is chosen is found on any device.
    usleep(1_300_000)
    let other = try Browser.second()
    try other.open("http://\(served.host)/inbox")
    try other.awaitShown(named("inbox_selection"))
    #expect(try other.text(named("inbox_selection")).hasPrefix("3"))
    try browser.click(named("inbox_file_several"))
    try browser.awaitShown(named("inbox_file_several_save"))
    #expect(try browser.text("[data-pairs]").contains("Thumper (P017)"))
    try browser.click(named("inbox_file_several_save"))
    try browser.wait(for: "them to be filed") { try open() == 1 }
    try browser.awaitShown(named("inbox_undo_button"))
    try browser.click(named("inbox_undo_button"))
    try browser.wait(for: "all to wait again") { try open() == 4 }
    try browser.click(named("inbox_message_button"))
    try browser.type("He collapsed, gums white, can't breathe", into: named("inbox_message_input"))
    try browser.type("Olga Strand", into: named("inbox_author_input"))
    try browser.click(named("inbox_message_save"))
    try browser.wait(for: "it to stand first") {
      try browser.run(
        "return document.querySelector('.inbox-item')?.dataset.level ?? document.querySelector('.inbox-item .what-now')?.className ?? ''"
      ) as? String == "what-now level-red"
    }
    try browser.screenshot("inbox-queue")
    #expect(try browser.complaints() == [])
  }

  @Test(.thorough) func `a visit is booked from a card at its level, and both are taken back`() throws {
    let served = try Self.queue(2)
    let browser = try Browser.first()
    func named(_ testID: String) -> String { Browser.named(testID) }
    func item() throws -> [String: Any] { try served.ask("GET", "/api/v1/inbox/inbox-1").json() }
    try browser.open("http://\(served.host)/inbox/inbox-1")
    try browser.awaitShown(named("inbox_text"))
    usleep(600_000)
    try browser.press("b")
    try browser.awaitShown(named("booking_reason_input"))
    #expect(
      try browser.run("return document.querySelector('#booking-level').value") as? String == item()["urgency"]
        as? String)
    try browser.click("#booking [data-find-slots]")
    try browser.awaitShown(named("slot_proposal_0"))
    try browser.click(named("slot_proposal_0"))
    try browser.click(named("appointment_save_button"))
    try browser.wait(for: "it to be filed and booked") {
      try item()["state"] as? String == "filed" && item()["booked"] != nil
    }
    try browser.wait(for: "the next card") {
      try browser.attribute("data-item", of: "[data-whole]") == "inbox-2"
    }
    try browser.awaitShown(named("inbox_undo_button"))
    #expect(try browser.text(named("inbox_done")).contains("Booked and filed"))
    try browser.click(named("inbox_undo_button"))
    try browser.wait(for: "it to wait again") { try item()["state"] as? String == "waiting" }
    #expect(try browser.complaints() == [])
  }

  /// Where `axe.min.js` lies; `make browser-test` fetches it.
  private static let barriers = ProcessInfo.processInfo.environment["VETNET_AXE"]

  @Test(.thorough, .enabled(if: barriers != nil), arguments: ["light", "dark"])
  func `no card, list or window of the queue has a barrier that axe finds`(theme: String) throws {
    let source = try String(contentsOfFile: try #require(Self.barriers), encoding: .utf8)
    let served = try ServedPractice { practice in
      for (number, text) in ["Bella collapsed, gums white.", "Thumper sneezes.", "A booster please"].enumerated() {
        var message = IncomingMessage(text: text, channel: "phone")
        message.id = "m\(number)"
        message.animal = number == 0 ? "Bella" : nil
        try practice.perform(TakeIn(message: message), by: .local, at: ServedPractice.now)
      }
      try practice.perform(AskBack(id: "inbox-3", text: "Which animal?"), by: .local, at: ServedPractice.now)
      try practice.perform(
        SetSeveralAside(ids: ["inbox-1", "inbox-2"], isRejected: false), by: .local, at: ServedPractice.now)
    }
    func named(_ testID: String) -> String { Browser.named(testID) }
    for browser in [try Browser.second(), try Browser.phone()] {
      for (path, click) in [
        ("/inbox", nil), ("/inbox", named("inbox_message_button")), ("/inbox/inbox-1", nil), ("/inbox/inbox-3", nil),
        ("/inbox/inbox-1", named("inbox_ask_inbox-1")), ("/inbox/inbox-2", named("inbox_until_inbox-2")),
      ] as [(String, String?)] {
        try browser.open("http://\(served.host)\(path)")
        try browser.run("localStorage.setItem('vetnet-theme', arguments[0])", theme)
        try browser.open("http://\(served.host)\(path)")
        if let click { try browser.click(click) }
        usleep(300_000)
        let found = try browser.runLong(
          source
            + "; const done = arguments[arguments.length - 1]; axe.run({resultTypes: ['violations']}).then(r => done(r.violations.map(v => v.id + ': ' + v.nodes.slice(0, 3).map(n => n.html.slice(0, 160)).join(' | '))))"
        )
        #expect(found as? [String] == [], "\(path) \(click ?? "")")
        if path == "/inbox/inbox-1", click == nil { try browser.screenshot("inbox-red-\(theme)") }
      }
    }
  }
}
