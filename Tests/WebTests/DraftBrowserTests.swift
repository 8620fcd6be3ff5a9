import Foundation
import Testing
import VetNet
import VetNetTestSupport

/// What somebody typed and has not sent: sealed, theirs alone, back after a reload, and gone with a lost tablet.
extension BrowserTests {
  private static let typed = "zebrafinchwords"

  /// A form with a field that words are typed into.
  private static let fields: [(path: String, open: String?, field: String)] = [
    ("/triage", nil, "#triage-text"), ("/ask", nil, "#ask-input"), ("/inbox", "message", "#message-text"),
    ("/specialists", nil, "#suits-text"), ("/patient/P001/edit", nil, "#edit-breed"),
    ("/day/2026-11-26", "booking", "#booking-reason"), ("/day/2026-11-26", "emergency", "#emergency-text"),
  ]

  private func value(_ field: String, _ browser: Browser) throws -> String? {
    try browser.run("return document.querySelector(arguments[0])?.value", field) as? String
  }

  private func drafts(_ browser: Browser) throws -> Int {
    let kept = try everythingKept(browser)
    return try #require(kept.firstMatch(of: /(?m)^drafts: (\d+)$/).flatMap { Int($0.1) })
  }

  @Test(.thorough)
  func `no word of a draft is found in any storage, and each is back for whoever typed it, and nobody else`()
    throws
  {
    let outage = try Outage()
    let browser = try Browser.first()
    try browser.open(outage.url("/account"))
    try enter(browser, .veterinarian)
    for (number, row) in Self.fields.enumerated() {
      try browser.open(outage.url(row.path + (row.open.map { "?open=\($0)" } ?? "")))
      if row.path == "/specialists" {
        try browser.run("document.querySelector('#suits-text').closest('details').open = true")
      }
      try browser.awaitShown(row.field)
      let before = try drafts(browser)
      try browser.type("\(Self.typed)-\(number)", into: row.field)
      try browser.wait(for: "the draft of \(row.field)") { try drafts(browser) > before }
    }
    // What was looked for lately, and what a patient's notes were searched for, are words too.
    try browser.open(outage.url("/patient/\(outage.patient)"))
    try browser.type(Self.typed, into: "#timeline-words")
    try browser.wait(for: "the filter") { try drafts(browser) > Self.fields.count }
    #expect(try !everythingKept(browser).contains(Self.typed))
    func check(_ expected: (Int) -> String) throws {
      for (number, row) in Self.fields.enumerated() {
        try browser.open(outage.url(row.path))
        try browser.wait(for: "the page") { try browser.count(row.field) == 1 }
        if expected(number).isEmpty {
          // As long as it takes to find one that is there.
          try browser.wait(for: "the keys") { try hasKeys(browser) }
          usleep(200_000)
          #expect(try value(row.field, browser)?.contains(Self.typed) == false, "\(row.path)")
        } else {
          try browser.wait(for: "the draft at \(row.path)") {
            try value(row.field, browser)?.contains(expected(number)) == true
          }
        }
      }
    }
    try check { "\(Self.typed)-\($0)" }
    // With the session goes the key; another person opens nothing, and the same one all.
    try browser.open(outage.url("/account"))
    try browser.click(named(testID: "account_sign_out"))
    try browser.awaitShown(named(testID: "login_submit_button"))
    let kept = try everythingKept(browser)
    #expect(kept.contains("keys: 0") && !kept.contains(Self.typed))
    #expect(try drafts(browser) > Self.fields.count)
    try browser.open(outage.url("/account"))
    try enter(browser, .nurse)
    try check { _ in "" }
    try browser.open(outage.url("/account"))
    try browser.click(named(testID: "logout_button"))
    try enter(browser, .veterinarian)
    try check { "\(Self.typed)-\($0)" }
    #expect(try browser.complaints() == [])
  }

  private func named(testID: String) -> String { Browser.named(testID) }

  private func hasKeys(_ browser: Browser) throws -> Bool { try everythingKept(browser).contains("keys: 1") }

  @Test(.thorough) func `words of an encounter that the server never got are sealed, and saved when it is back`() throws
  {
    let outage = try Outage()
    let browser = try Browser.first()
    try prepare(browser, outage, as: .veterinarian)
    let vet = try outage.served.signIn(.veterinarian)
    let id = "enc-" + String(repeating: "c3", count: 16)
    let begun = try vet.ask(
      "POST", "/api/v1/encounters", #"{"id":"\#(id)","patient_id":"\#(outage.patient)","text":"Bright."}"#)
    #expect(begun.status == 201, "\(begun.text)")
    try browser.open(outage.url("/encounter/\(id)"))
    try browser.awaitShown(named(testID: "encounter_text"))
    outage.served.stop()
    let before = try drafts(browser)
    try browser.type(" Then \(Self.typed).", into: named(testID: "encounter_text"))
    try browser.wait(for: "it to be kept") { try drafts(browser) > before }
    #expect(try !everythingKept(browser).contains(Self.typed))
    try outage.served.restart()
    try browser.open("about:blank")
    try browser.open(outage.url("/encounter/\(id)"))
    try browser.wait(for: "it to be saved") {
      try outage.served.signIn(.veterinarian).ask("GET", "/api/v1/encounters/\(id)").text.contains(Self.typed)
    }
    try browser.wait(for: "the draft to go") { try drafts(browser) <= before }
  }

  @Test(.thorough) func `a draft goes with a lost tablet, and what is sent or cleared leaves none`() throws {
    let outage = try Outage()
    let browser = try Browser.first()
    try browser.open(outage.url("/triage"))
    try enter(browser, .nurse)
    try browser.type("\(Self.typed), limping", into: "#triage-text")
    try browser.wait(for: "the draft") { try drafts(browser) == 1 }
    try browser.click("#triage [data-clear]")
    try browser.wait(for: "none") { try drafts(browser) == 0 }
    try browser.type("\(Self.typed), limping", into: "#triage-text")
    try browser.wait(for: "the draft") { try drafts(browser) == 1 }
    let administrator = try outage.served.signIn(.administrator)
    let list = try administrator.ask("GET", "/api/v1/devices").json()["devices"] as? [[String: Any]] ?? []
    let device = try #require(list.first { $0["user"] as? String == "a nurse" }?["id"] as? String)
    let revoked = try administrator.ask("POST", "/api/v1/devices/\(device)/revocation", #"{"reason":"lost"}"#)
    #expect(revoked.status == 200)
    try browser.wait(for: "the browser to be wiped") {
      try browser.run("return location.search") as? String == "?wiped=1"
    }
    #expect(try drafts(browser) == 0)
  }

  @Test(.thorough) func `drafts are bounded: the oldest go, and those of windows before words that somebody typed`()
    throws
  {
    let served = try ServedPractice()
    let browser = try Browser.first()
    try browser.open("http://\(served.host)/account")
    try browser.wait(for: "the keys") { try hasKeys(browser) }
    let script = """
      const done = arguments[arguments.length - 1];
      import(document.querySelector('script[src$="/app.js"]').src.replace('app.js', 'vault.js')).then(async (vault) => {
        const keys = await vault.current();
        await vault.keepDraft(keys, 'form first', 'words');
        for (let number = 0; number < vault.bounds.drafts; number += 1) await vault.keepDraft(keys, vault.passing + number, number);
        const first = [(await vault.names('drafts')).length, await vault.draft(keys, 'form first'), await vault.draft(keys, vault.passing + 0) ?? null];
        for (let number = 0; number < vault.bounds.drafts; number += 1) await vault.keepDraft(keys, 'form ' + number, number);
        const long = await vault.keepDraft(keys, 'form long', 'x'.repeat(vault.bounds.draftBytes)).then(() => 'kept', () => 'refused');
        done(JSON.stringify([...first, (await vault.names('drafts')).length, await vault.draft(keys, 'form first') ?? null, long]));
      }).catch((error) => done('failed: ' + error));
      """
    #expect(try browser.runLong(script) as? String == #"[100,"words",null,100,null,"refused"]"#)
  }
}
