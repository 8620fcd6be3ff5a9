import Clinical
import Foundation
import PracticeTestSupport
import Testing
import VetNet
import VetNetTestSupport

/// An encounter as a vet writes it, in a browser.
extension BrowserTests {
  @Test func `an encounter is written, read beside it, decided on by keys and signed`() throws {
    let served = try ServedPractice()
    let browser = try Browser.first()
    func named(_ testID: String) -> String { Browser.named(testID) }
    try browser.open("http://\(served.host)/encounter/new?patient=P001")
    try browser.awaitShown(named("encounter_text"))
    try browser.run("document.getElementById('narrative').focus()")
    try browser.press(
      "Vomiting since Monday. Weight 31 kg, T 39.6 C. Plan: maropitant 30 mg SC given. Recheck in 3 days.")
    try browser.wait(for: "an address of its own") {
      (try browser.run("return location.pathname") as? String)?.hasPrefix("/encounter/enc-") == true
    }
    try browser.awaitShown(named("encounter_section_plan"))
    try browser.wait(for: "it to be saved") { try browser.text(named("encounter_saved")).hasPrefix("Saved at") }
    try browser.screenshot("encounter")
    // Ctrl+Enter leads to the first section; keys decide.
    try browser.run(
      "document.getElementById('narrative').dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', ctrlKey: true, bubbles: true}))"
    )
    let focused = "return document.activeElement.closest('[data-section]')?.dataset.section ?? ''"
    try browser.wait(for: "the first section") { try browser.run(focused) as? String == "complaint" }
    try browser.press("a")
    try browser.wait(for: "the next section") {
      let now = try browser.run(focused) as? String
      return now != "complaint" && now != ""
    }
    try browser.click(named("encounter_accept_open"))
    try browser.wait(for: "all to be decided") { try browser.count(named("encounter_accept_open")) == 0 }
    try browser.click(named("encounter_advance"))
    try browser.wait(for: "the history") { try browser.text(named("encounter_state")) == "history complete" }
    try browser.click(named("encounter_advance"))
    try browser.awaitShown(named("encounter_sign"))
    try browser.click(named("encounter_sign"))
    try browser.awaitShown(named("encounter_sign_save"))
    try browser.click(named("encounter_sign_save"))
    try browser.awaitShown(named("encounter_note"))
    try browser.screenshot("encounter-signed")
    let path = try #require(try browser.run("return location.pathname") as? String)
    #expect(try browser.complaints() == [])
    let phone = try Browser.phone()
    for path in [path, "\(path)/summary", "/encounters", "/encounter/new?patient=P002"] {
      try phone.open("http://\(served.host)\(path)")
      let wide = try phone.run("return document.documentElement.scrollWidth - innerWidth") as? Int ?? 99
      #expect(wide <= 1, "\(path) is \(wide) pixels too wide")
    }
    #expect(try phone.complaints() == [])
  }

  @Test(.thorough) func `a server that dies while somebody types loses two seconds at most, and the page says so`()
    throws
  {
    let folder = try TemporaryFolder()
    let path = folder.file("p.vetnet")
    try ServedPractice.copySample(to: path)
    let program = try VetNetProcess(practice: path)
    let server = try program.start(["serve", "--listen", "127.0.0.1:0", "--now", "2026-11-26T09:10"])
    let port = try #require(try KillTests.port(of: server))
    let browser = try Browser.first()
    try browser.open("http://127.0.0.1:\(port)/encounter/new?patient=P001")
    try browser.awaitShown(Browser.named("encounter_text"))
    // A hand that never pauses: a word every 80 ms, each the moment at which it was typed.
    try browser.run(
      """
      window.typing = setInterval(() => {
        const area = document.getElementById('narrative');
        area.value += Date.now() + ' ';
        area.dispatchEvent(new Event('input', {bubbles: true}));
      }, 80)
      """)
    usleep(5_500_000)
    let killed = Date().timeIntervalSince1970 * 1000
    server.kill()
    _ = try server.wait()
    try browser.awaitShown(Browser.named("encounter_banner"))
    #expect(try browser.text(Browser.named("encounter_banner")).contains("kept in this browser"))
    try browser.run("clearInterval(window.typing)")
    let practice = try Practice.open(at: path, models: shippedModels(), access: .read)
    let listed = try practice.perform(ListEncounters(), by: .local, at: ServedPractice.now)
    let last = try #require(listed.first?.encounter.narrative.split(separator: " ").last.flatMap { Double($0) })
    #expect(killed - last <= 2000, "\(Int(killed - last)) ms are lost")
    print("autosave under a killed server: the last \(Int(killed - last)) ms were lost")
  }
}
