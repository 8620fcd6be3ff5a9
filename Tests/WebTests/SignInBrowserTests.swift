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

  @Test(.thorough)
  func `whoever signs in goes on where they wanted to, with what they had typed, and nobody else has that`()
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
    // What is hidden says nothing.
    try browser.wait(for: "the nurse's page") { try browser.text(Browser.named("who_acts")).contains("a nurse") }
    try browser.wait(for: "what the nurse had typed") { try typed(browser) == "limping since" }
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

  @Test(.thorough) func `a page that was left alone is hidden, and stands as it was for whoever comes back`() throws {
    let served = try ServedPractice.closed(corpus: [])
    let browser = try Browser.first()
    let triage = "http://\(served.host)/triage"
    try browser.open(triage)
    try browser.awaitShown(Browser.named("login_submit_button"))
    try signIn(browser, .nurse)
    try browser.type("a dog coughs", into: Browser.named("triage_symptoms_input"))
    // In no draft: it is only on the page.
    try browser.run(
      "document.querySelector('#triage-level').insertAdjacentHTML('afterend', '<input id=extra>'); document.querySelector('#extra').value = 'kept'; window.marked = true"
    )
    served.clock.pass(seconds: 20 * 60)
    try browser.run("document.querySelector('#triage-text').dispatchEvent(new Event('input', {bubbles: true}))")
    try browser.awaitShown("#person " + Browser.named("login_submit_button"))
    let hidden = "return getComputedStyle(document.querySelector('main')).visibility + document.title"
    #expect(try browser.run(hidden) as? String == "hiddenSigned out")
    try browser.press(Browser.Key.escape + Browser.Key.escape)
    try browser.awaitShown("#person " + Browser.named("login_submit_button"))
    try browser.screenshot("locked")
    try browser.run("document.querySelector('#person-name').value = ''")
    try browser.type("a nurse", into: Browser.named("login_name_input"))
    try browser.type("wrong words\n", into: Browser.named("login_passphrase_input"))
    try browser.wait(for: "the refusal") { try browser.text("#person .problem").contains("wrong") }
    try browser.run(
      "document.querySelector('#person-name').value = ''; document.querySelector('#person-passphrase').value = ''")
    try signIn(browser, .nurse)
    try browser.wait(for: "the page") {
      try browser.run("return getComputedStyle(document.querySelector('main')).visibility") as? String == "visible"
    }
    let kept =
      "return document.querySelector('#extra').value + window.marked + document.querySelector('#triage-text').value"
    #expect(try browser.run(kept) as? String == "kepttruea dog coughs")
    // What is typed then is written as this person again.
    try browser.type(" badly", into: Browser.named("triage_symptoms_input"))
    try browser.awaitShown(Browser.named("triage_urgency_value"))
    // Another goes on at the same page, in two fields.
    try browser.click(Browser.named("switch_person_button"))
    try browser.awaitShown("#person " + Browser.named("login_submit_button"))
    try browser.screenshot("switch-person")
    try signIn(browser, .veterinarian)
    try browser.wait(for: "the other person") {
      try browser.text(Browser.named("who_acts")).contains("a veterinarian")
    }
    #expect(try browser.run("return location.href") as? String == triage && typed(browser) == "")
    // Their account: an address that is shown once.
    try browser.click(Browser.named("account_link"))
    try browser.awaitShown(Browser.named("feed_of_picker"))
    try browser.run("document.querySelector('#feed-of').value = 'practice'")
    try browser.click(Browser.named("feed_add_button"))
    try browser.awaitShown(Browser.named("feed_url"))
    let url = try #require(try browser.run("return document.querySelector('#feed-url').value") as? String)
    #expect(try served.ask("GET", String(url.dropFirst("http://\(served.host)".count))).status == 200)
    try browser.screenshot("account")
    try browser.click(Browser.named("feed_withdraw_feed-1"))
    try browser.wait(for: "it to be gone") { try browser.count(Browser.named("feed_withdraw_feed-1")) == 0 }
    #expect(try served.ask("GET", String(url.dropFirst("http://\(served.host)".count))).status == 404)
    #expect(try browser.complaints() == [])
  }
}
