import Foundation
import Testing
import VetNetTestSupport

/// The rules by which the workspace works without its server: pure modules of the program, run where they run.
extension BrowserTests {
  private typealias Page = (browser: Browser, assets: String)

  /// Opens a page without a script, so that a module can be tried on its own.
  private func opened() throws -> Page {
    let served = try Served.sample.get()
    let browser = try Browser.first()
    try browser.open("http://\(served.host)/healthz")
    let shell = try served.ask("GET", "/offline").text
    return (browser, String(try #require(shell.firstMatch(of: /\/assets\/[a-z0-9]+\//)).0))
  }

  /// What an expression gives with a module's exports as `it`.
  private func evaluate(_ expression: String, in module: String, _ page: Page) throws -> Any {
    let answer = try page.browser.runLong(
      """
      const done = arguments[arguments.length - 1];
      import('\(page.assets)\(module)').then(async (it) => {
        done(await (\(expression)));
      }).catch((error) => done('failed: ' + error));
      """)
    if let text = answer as? String, text.hasPrefix("failed: ") { throw Browser.Refused(description: text) }
    return answer
  }

  private struct Row {
    let words: String
    let write: String
    let problem: String
    let verdict: String
  }

  private static let visit =
    #""start":"2026-11-26T09:30:00Z","clinician_id":"S1","duration_minutes":15,"revision":7"#
  private static let base = #""base":{"start":"2026-11-26T09:30","clinician_id":"S1","duration_minutes":15}"#

  private static func row(_ words: String, _ write: String, _ problem: String, _ verdict: String) -> Row {
    Row(words: words, write: "{\(write)}", problem: "{\(problem)}", verdict: verdict)
  }

  private static func stale(_ status: String, _ more: String = visit) -> String {
    #""status":412,"code":"changed_meanwhile","message":"m","current":{\#(more),"status":"\#(status)"}"#
  }

  private static func stage(_ stage: String, _ more: String = "") -> String {
    #""kind":"stage","body":{"stage":"\#(stage)"}\#(more)"#
  }

  private static func move(_ body: String, _ more: String = base) -> String {
    #""kind":"move","body":{\#(body)},\#(more)"#
  }

  private static let elsewhere =
    #""start":"2026-11-26T11:00:00Z","clinician_id":"S1","duration_minutes":15,"revision":7"#

  private static let rows: [Row] = [
    row("no server", #""kind":"note""#, #""status":0,"code":"offline""#, "later"),
    row("a server that is busy", #""kind":"note""#, #""status":503,"code":"busy""#, "later"),
    row("a session that is over", #""kind":"note""#, #""status":401"#, "signIn"),
    row("a first failure of the server", #""kind":"note""#, #""status":500,"message":"m""#, "skip"),
    row("a third failure", #""kind":"note","failures":2"#, #""status":500,"message":"m""#, "refused"),
    row("arrived, and moved on since", stage("arrived"), stale("in_progress"), "merged"),
    row("arrived, and said elsewhere too", stage("arrived"), stale("arrived"), "merged"),
    row("with the vet, and arrived since", stage("in_consult"), stale("arrived"), "again"),
    row("gone, and paying since", stage("left"), stale("done"), "again"),
    row("paying, and gone since", stage("to_pay"), stale("done"), "merged"),
    row("arrived, and cancelled since", stage("arrived"), stale("cancelled"), "conflict"),
    row("back to waiting, and changed since", stage("arrived", #","isBack":true"#), stale("in_progress"), "conflict"),
    row("moved, and nothing else changed but a note", move(#""start":"2026-11-26T10:00""#), stale("booked"), "again"),
    row("moved, and moved elsewhere", move(#""start":"2026-11-26T10:00""#), stale("booked", elsewhere), "conflict"),
    row("moved to where it is now", move(#""start":"2026-11-26T11:00""#), stale("booked", elsewhere), "merged"),
    row("moved, and its patient has come", move(#""start":"2026-11-26T10:00""#), stale("arrived"), "conflict"),
    row("moved, and cancelled", move(#""start":"2026-11-26T10:00""#), stale("cancelled"), "conflict"),
    row("cancelled twice", move(#""status":"cancelled""#), stale("cancelled"), "merged"),
    row("cancelled, and moved elsewhere", move(#""status":"cancelled""#), stale("booked", elsewhere), "conflict"),
    row(
      "against a newer revision too often", move(#""start":"2026-11-26T10:00""#, base + #","repeats":3"#),
      stale("booked"), "conflict"),
    row(
      "the same words of an encounter", #""kind":"encounter","body":{"text":"a"}"#,
      #""status":412,"message":"m","current":{"text":"a","state":"draft","revision":2}"#, "merged"),
    row(
      "other words of an encounter", #""kind":"encounter","body":{"text":"a"},"base":{"text":"z"}"#,
      #""status":412,"message":"m","current":{"text":"b","state":"draft","revision":2}"#, "conflict"),
    row(
      "words that nobody changed", #""kind":"encounter","body":{"text":"a"},"base":{"text":"z"}"#,
      #""status":412,"message":"m","current":{"text":"z","state":"draft","revision":2}"#, "again"),
    row(
      "a booking whose time is gone", #""kind":"booking","body":{"start":"2026-11-26T10:00"}"#,
      #""status":409,"code":"slot_unavailable","message":"m","freeSlots":[]"#, "refused"),
    row("a patient who was erased", #""kind":"note","body":{}"#, #""status":404,"message":"m""#, "refused"),
  ]

  @Test func `what becomes of a write is decided by its kind, what stands there and what was there before`() throws {
    let page = try opened()
    for row in Self.rows {
      let found = try evaluate("it.verdict(\(row.write), \(row.problem)).is", in: "rules.js", page)
      #expect(found as? String == row.verdict, "\(row.words)")
    }
    // Nobody is left without a way on.
    let dead = try evaluate(
      "[\(Self.rows.map { "[\($0.write), \($0.problem)]" }.joined(separator: ","))].map((row) => it.verdict(...row)).filter((one) => ['refused', 'conflict'].includes(one.is) && !one.ways.length).length",
      in: "rules.js", page)
    #expect(dead as? Int == 0)
  }

  @Test func `of the free times the five nearest to the wish are offered, the nearest first`() throws {
    let page = try opened()
    let found = try evaluate(
      "it.nearest(['08:00', '10:30', '09:40', '12:00', '09:00', '17:00', '09:35'].map((time) => ({ start: '2026-11-26T' + time })), '2026-11-26T09:30').map(({ start }) => start.slice(11))",
      in: "rules.js", page)
    #expect(found as? [String] == ["09:35", "09:40", "09:00", "10:30", "08:00"])
  }

  @Test func `keys are over by the session's rules, by the clock of the machine`() throws {
    let page = try opened()
    let rows: [(words: String, keys: String, now: String, isOver: Bool)] = [
      ("in use", "{usedAt: 0, contactAt: 0, idle: 15, hours: 24}", "14 * 60000", false),
      ("unused too long", "{usedAt: 0, contactAt: 0, idle: 15, hours: 24}", "15 * 60000 + 1", true),
      ("nobody signs in here", "{usedAt: 0, contactAt: 0, idle: null, hours: 24}", "23 * 3600000", false),
      ("a day without the server", "{usedAt: 0, contactAt: 0, idle: null, hours: 24}", "24 * 3600000 + 1", true),
      ("used, and a day without the server", "{usedAt: 86400000, contactAt: 0, idle: 15, hours: 24}", "86400001", true),
      ("a clock that was set back", "{usedAt: 3600000, contactAt: 0, idle: 15, hours: 24}", "0", true),
      ("a clock that is corrected", "{usedAt: 30000, contactAt: 0, idle: 15, hours: 24}", "0", false),
    ]
    for row in rows {
      let found = try evaluate("it.isOver(\(row.keys), \(row.now))", in: "vault.js", page)
      #expect(found as? Bool == row.isOver, "\(row.words)")
    }
    // Whoever opens a page with keys that are over has none, and nothing that they opened.
    let gone = try evaluate(
      """
      (async () => {
        await it.unlock({ actor: 'a', owner: 'o', key: btoa('k'.repeat(32)), idle_minutes: 15, contact_hours: 24 });
        await it.keep('2026-11-26', { words: 'kept' });
        const before = (await it.kept('2026-11-26')).value.words;
        const keys = await it.read('keys', 'current');
        await it.put('keys', { ...keys, usedAt: Date.now() - 16 * 60000 }, 'current');
        return [before, await it.current() === undefined, (await it.names('kept')).length, (await it.names('keys')).length].join();
      })()
      """, in: "vault.js", page)
    #expect(gone as? String == "kept,true,0,0")
  }

  @Test func `what is kept is bounded, and a day that is too much makes the earliest go`() throws {
    let page = try opened()
    let found = try evaluate(
      """
      (async () => {
        await it.unlock({ actor: 'a', owner: 'o', key: btoa('k'.repeat(32)), idle_minutes: null, contact_hours: 24 });
        for (let day = 10; day < 20; day += 1) await it.keep('2026-11-' + day, { day });
        const days = (await it.names('kept')).join();
        await it.keep('2026-11-20', 'x'.repeat(it.bounds.keptBytes - 1000));
        const big = (await it.names('kept')).join();
        await it.keep('2026-11-21', 'x'.repeat(2000));
        const after = (await it.names('kept')).join();
        // Another person gets nothing of it.
        await it.unlock({ actor: 'b', owner: 'p', key: btoa('k'.repeat(32)), idle_minutes: null, contact_hours: 24 });
        return [days, big.length, after, (await it.names('kept')).length];
      })()
      """, in: "vault.js", page)
    let list = try #require(found as? [Any])
    #expect(list[0] as? String == (12...19).map { "2026-11-\($0)" }.joined(separator: ","))
    #expect(list[2] as? String == "2026-11-21")
    #expect(list[3] as? Int == 0)
    try page.browser.run("indexedDB.deleteDatabase('vetnet')")
  }

  @Test func `what was sealed for one place opens in no other, and not when a byte of it was changed`() throws {
    let page = try opened()
    let found = try evaluate(
      """
      (async () => {
        await it.unlock({ actor: 'a', owner: 'o', key: btoa('k'.repeat(32)), idle_minutes: null, contact_hours: 24 });
        const keys = await it.current();
        const words = await it.sealWords(keys, 'one', { words: 'secret' });
        const file = await it.sealFile(keys, 'one', new Blob(['picture'], { type: 'image/png' }));
        const opens = (id, sealed) => it.openWords(keys, id, sealed).then((value) => value.words, () => 'refused');
        const opensFile = (id, sealed) => it.openFile(keys, id, sealed).then((found) => found.text(), () => 'refused');
        const changed = new Uint8Array(words.bytes.slice(0));
        changed[0] ^= 1;
        return [await opens('one', words), await opens('two', words), await opens('one', { ...words, bytes: changed }), await opens('one', file),
          await opensFile('one', file), await opensFile('two', file), await opensFile('one', words)].join();
      })()
      """, in: "vault.js", page)
    #expect(found as? String == "secret,refused,refused,refused,picture,refused,refused")
    try page.browser.run("indexedDB.deleteDatabase('vetnet')")
  }
}
