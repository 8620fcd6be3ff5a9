import Testing
import VetNet
import VetNetTestSupport

/// Signing in as people do it.
extension BrowserTests {
  private func signIn(_ browser: Browser, _ role: Role) throws {
    try browser.type("a \(role.rawValue)", into: Browser.named("login_name_input"))
    try browser.type("words of a \(role.rawValue)\n", into: Browser.named("login_passphrase_input"))
  }

  private func typed(_ browser: Browser) throws -> String {
    try browser.run("return document.querySelector('#triage-text')?.value ?? '-'") as? String ?? "-"
  }

  @Test func `whoever signs in goes on where they wanted to, with what they had typed, and nobody else has that`()
    throws
  {
    let served = try ServedPractice.closed(corpus: [])
    let browser = try Browser.first()
    let address = "http://\(served.host)/triage?from=desk"
    try browser.open(address)
    try browser.awaitShown(Browser.named("login_submit_button"))
    try browser.screenshot("login")
    try browser.type("a nurse", into: Browser.named("login_name_input"))
    try browser.type("wrong words\n", into: Browser.named("login_passphrase_input"))
    try browser.wait(for: "the refusal") { try browser.text("#login .problem").contains("wrong") }
    try browser.run(
      "document.querySelector('#login-name').value = ''; document.querySelector('#login-passphrase').value = ''")
    try signIn(browser, .nurse)
    try browser.awaitShown(Browser.named("triage_symptoms_input"))
    #expect(try browser.run("return location.href") as? String == address)
    #expect(try browser.text(Browser.named("who_acts")).contains("a nurse"))
    try browser.type("limping since", into: Browser.named("triage_symptoms_input"))
    try browser.click(Browser.named("logout_button"))
    try browser.awaitShown(Browser.named("login_submit_button"))
    try signIn(browser, .veterinarian)
    try browser.awaitShown(Browser.named("triage_symptoms_input"))
    #expect(try typed(browser) == "")
    // Left alone, the page goes by itself.
    try browser.type("a cat sneezes", into: Browser.named("triage_symptoms_input"))
    served.clock.pass(seconds: 20 * 60)
    try browser.run("document.querySelector('#triage-text').dispatchEvent(new Event('input', {bubbles: true}))")
    try browser.awaitShown(Browser.named("login_submit_button"))
    try signIn(browser, .nurse)
    try browser.awaitShown(Browser.named("triage_symptoms_input"))
    #expect(try typed(browser) == "limping since")
    // Another person, in two fields.
    try browser.click(Browser.named("switch_person_button"))
    try browser.awaitShown(Browser.named("login_name_input"))
    try signIn(browser, .administrator)
    try browser.wait(for: "the administrator") {
      try browser.text(Browser.named("who_acts")).contains("a administrator")
    }
    #expect(try browser.count(Browser.named("tab_triage")) == 0)
    try browser.open("http://\(served.host)/day/2026-11-26")
    try browser.awaitShown(Browser.named("add_appointment_button"))
    #expect(
      try browser.run("return document.querySelector('[data-testid=add_appointment_button]').disabled") as? Bool == true
    )
    #expect(try browser.attribute("title", of: Browser.named("undo_button"))?.contains("administrator may not") == true)
    try browser.screenshot("not-permitted")
    #expect(try browser.complaints() == [])
  }
}
