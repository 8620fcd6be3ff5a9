import Foundation
import PracticeTestSupport
import Testing
import VetNet
import VetNetTestSupport

/// Signing in by a passkey, with Chromium's own authenticator.
extension BrowserTests {
  /// What a browser says of a key, as `POST /session/passkey` takes it.
  private func assertion(_ browser: Browser, from served: ServedPractice) throws -> [String: String] {
    let script = """
      const done = arguments[arguments.length - 1];
      import(document.querySelector('script[src*="passkey.js"]')?.src ?? document.querySelector('script[src*="app.js"]').src.replace('app.js', 'passkey.js'))
        .then((keys) => keys.assertion()).then(done, (error) => done({error: String(error)}))
      """
    return try #require(try browser.runLong(script) as? [String: String])
  }

  private func send(_ signed: [String: String], to served: ServedPractice) throws -> HTTPClient.Answer {
    let body = String(decoding: try JSONSerialization.data(withJSONObject: signed), as: UTF8.self)
    return try served.ask(
      "POST", "/api/v1/session/passkey", body,
      headers: ["Host": "localhost:\(served.port)", "Origin": "http://localhost:\(served.port)"])
  }

  /// One bit of base 64's bytes changed.
  private func damaged(_ text: String, at place: Int) throws -> String {
    var plain = text.replacing("-", with: "+").replacing("_", with: "/")
    plain += String(repeating: "=", count: (4 - plain.count % 4) % 4)
    var bytes = try #require(Data(base64Encoded: plain))
    bytes[place < 0 ? bytes.count + place : place] ^= 1
    return bytes.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  @Test func `a passkey lets its owner in once for each signature, and nothing else does`() throws {
    let served = try ServedPractice.closed(corpus: [], hosts: ["localhost"])
    let address = "http://localhost:\(served.port)"
    let browser = try Browser.second()
    try browser.addAuthenticator()
    defer { try? browser.removeAuthenticator() }
    try browser.open("\(address)/triage")
    try browser.type("a nurse", into: Browser.named("login_name_input"))
    try browser.type("words of a nurse\n", into: Browser.named("login_passphrase_input"))
    try browser.awaitShown(Browser.named("triage_symptoms_input"))
    try browser.open("\(address)/account")
    try browser.type("desk", into: Browser.named("passkey_label_input"))
    try browser.type("words of a nurse\n", into: Browser.named("passkey_passphrase_input"))
    try browser.wait(for: "the key") { try browser.text(Browser.named("passkey_list")).contains("desk") }
    try browser.screenshot("account-passkey")
    try browser.open("\(address)/triage")
    // Left alone, the page is back by a click, too, with what stood on it.
    try browser.type("limping", into: Browser.named("triage_symptoms_input"))
    served.clock.pass(seconds: 20 * 60)
    try browser.run("document.querySelector('#triage-text').dispatchEvent(new Event('input', {bubbles: true}))")
    try browser.click(Browser.named("person_passkey_button"))
    try browser.wait(for: "the page") { try browser.count("dialog[open]") == 0 }
    #expect(try browser.run("return document.querySelector('#triage-text').value") as? String == "limping")
    try browser.click(Browser.named("logout_button"))

    // By a click, without a word typed.
    try browser.click(Browser.named("passkey_button"))
    try browser.awaitShown(Browser.named("triage_symptoms_input"))
    #expect(try browser.text(Browser.named("who_acts")).contains("a nurse"))

    // One that is refused where another person was to go on says so there, and hides nothing.
    try browser.run(
      "const get = navigator.credentials.get.bind(navigator.credentials); navigator.credentials.get = async (asked) => { const { rawId, response } = await get(asked); return { rawId, response: { clientDataJSON: response.clientDataJSON, authenticatorData: response.authenticatorData, signature: new Uint8Array(8).buffer } } }"
    )
    try browser.click(Browser.named("switch_person_button"))
    try browser.click(Browser.named("person_passkey_button"))
    try browser.wait(for: "the refusal") { try browser.text("#person .problem").contains("lets nobody in") }
    #expect(try browser.run("return document.documentElement.classList.contains('locked')") as? Bool == false)
    try browser.open("\(address)/triage")

    // What was signed is good once; what was changed on the way, never.
    let signed = try assertion(browser, from: served)
    #expect(try send(signed, to: served).status == 201)
    #expect(try send(signed, to: served).code == "stale_challenge")
    for (part, place) in [
      ("signature", -1), ("authenticator_data", 0), ("authenticator_data", 33), ("client_data", 30), ("credential", 0),
    ] {
      var other = try assertion(browser, from: served)
      other[part] = try damaged(try #require(other[part]), at: place)
      let answer = try send(other, to: served)
      #expect(answer.status == 401 && answer.headers["set-cookie"] == nil, "\(part): \(answer.text)")
    }
    // Signed for other bytes than those that are shown.
    var swapped = try assertion(browser, from: served)
    swapped["challenge"] = try assertion(browser, from: served)["challenge"]
    #expect(try send(swapped, to: served).status == 401)
    // Kept too long.
    let late = try assertion(browser, from: served)
    served.clock.pass(seconds: 301)
    #expect(try send(late, to: served).code == "stale_challenge")
    // An earlier signature after a later one: the count goes back.
    let earlier = try assertion(browser, from: served), later = try assertion(browser, from: served)
    #expect(try send(later, to: served).status == 201)
    #expect(try send(earlier, to: served).status == 401)

    // It ends with its user.
    let administrator = try served.trySigningIn("a administrator", "words of a administrator")
    let cookie = try #require(administrator.headers["set-cookie"]?.split(separator: ";").first)
    let practice = try Practice.open(at: served.path, models: shippedModels(), access: .write)
    let keeper = try practice.people.identify(
      "a administrator", Passphrase("words of a administrator"), from: "here", at: served.clock.now)
    try practice.perform(DisableUser(name: "a nurse"), by: keeper, at: served.clock.now)
    #expect(!cookie.isEmpty)
    #expect(try send(try assertion(browser, from: served), to: served).status == 401)
    #expect(try browser.complaints() == [])
  }

  @Test func `where a server is opened by an address there are no passkeys, and nobody is offered one`() throws {
    let served = try ServedPractice.closed(corpus: [])
    let challenge = try served.ask("POST", "/api/v1/session/challenge", "{}").json()
    #expect(challenge["challenge"] is String && challenge["relying_party"] == nil)
    let browser = try Browser.first()
    try browser.open("http://\(served.host)/triage")
    try browser.awaitShown(Browser.named("login_submit_button"))
    #expect(try browser.run("return document.querySelector('[data-testid=passkey_button]').hidden") as? Bool == true)
  }
}
