import Foundation
import Testing
import VetNet
import VetNetTestSupport

/// A practice in which somebody signs in, and one of its days with a patient whose record holds words that stand nowhere else.
final class Outage {
  static let canary = "quaggafolklore"
  let served: ServedPractice
  let visits: [[String: Any]]
  /// Of a visit that is booked, of a living patient.
  let visit: String
  let patient: String

  init() throws {
    served = try ServedPractice.closed()
    let vet = try served.signIn(.veterinarian)
    let day = try vet.ask("GET", "/api/v1/day/\(ServedPractice.day)").json()
    visits = (day["appointments"] as? [[String: Any]] ?? []).filter {
      $0["status"] as? String == "booked" && $0["patient_id"] is String && $0["clinician_id"] is String
    }
    let found = try #require(visits.first { $0["start"] as? String ?? "" > "2026-11-26T11" })
    visit = try #require(found["id"] as? String)
    patient = try #require(found["patient_id"] as? String)
    let note = try vet.ask(
      "POST", "/api/v1/notes", #"{"patient_id":"\#(patient)","text":"Owner speaks of \#(Self.canary)."}"#)
    #expect(note.status == 201, "\(note.text)")
  }

  func url(_ path: String) -> String { "http://\(served.host)\(path)" }

  /// Another visit of that day, for which a later time is free: its id, the time, and who it is with.
  func movable(but others: [String] = []) throws -> (id: String, start: String, clinician: String) {
    let vet = try served.signIn(.veterinarian)
    for visit in visits {
      guard let id = visit["id"] as? String, !others.contains(id), let clinician = visit["clinician_id"] as? String
      else {
        continue
      }
      for start in [
        "2026-11-26T16:50", "2026-11-26T16:20", "2026-11-26T17:00", "2026-11-26T15:30", "2026-11-26T12:40",
      ] {
        let check = try vet.ask(
          "POST", "/api/v1/appointments/\(id)/check", #"{"start":"\#(start)","clinician_id":"\#(clinician)"}"#)
        if try check.json()["possible"] as? Bool == true { return (id, start, clinician) }
      }
    }
    throw Browser.Refused(description: "no visit can be moved")
  }

  func appointment(_ id: String) throws -> [String: Any] {
    try served.signIn(.veterinarian).ask("GET", "/api/v1/appointments/\(id)").json()
  }

  func notes(of patient: String) throws -> String {
    try served.signIn(.veterinarian).ask("GET", "/api/v1/patients/\(patient)/timeline?limit=20").text
  }
}

/// What people do in a browser whose server is away for a while.
extension BrowserTests {
  /// Signs somebody in, and takes along what is needed without the server.
  func prepare(_ browser: Browser, _ outage: Outage, as role: Role) throws {
    try browser.open(outage.url("/account"))
    try enter(browser, role)
    try browser.click("[data-take-along]")
    try browser.wait(for: "eight days to be kept") {
      try browser.run("return document.documentElement.dataset.kept") as? String == "8"
    }
    try browser.wait(for: "the worker") {
      try browser.run("return !!navigator.serviceWorker.controller") as? Bool == true
    }
  }

  func enter(_ browser: Browser, _ role: Role) throws {
    try browser.awaitShown(Browser.named("login_name_input"))
    try browser.run("for (const id of ['login-name', 'login-passphrase']) document.getElementById(id).value = ''")
    try browser.type("a \(role.rawValue)", into: Browser.named("login_name_input"))
    try browser.type("words of a \(role.rawValue)\n", into: Browser.named("login_passphrase_input"))
    try browser.wait(for: "\(role.rawValue) to be in") {
      try browser.text(Browser.named("who_acts")).contains(role.rawValue)
    }
  }

  func pending(_ browser: Browser) throws -> Int {
    try browser.count(Browser.named("pending_writes") + ":not([hidden]) li")
  }

  /// Everything that pages of this address left in the browser, as text.
  func everythingKept(_ browser: Browser) throws -> String {
    let script = """
      const done = arguments[arguments.length - 1];
      (async () => {
        const found = [];
        const show = async (value) => {
          if (value instanceof CryptoKey) found.push('key ' + value.extractable);
          else if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) found.push(new TextDecoder('latin1').decode(value));
          else if (value instanceof Blob) found.push(await value.text());
          else if (value && typeof value === 'object') for (const [name, part] of Object.entries(value)) { found.push(name); await show(part); }
          else found.push(String(value));
        };
        for (const { name } of await indexedDB.databases()) {
          const base = await new Promise((yes, no) => { const open = indexedDB.open(name); open.onsuccess = () => yes(open.result); open.onerror = no; });
          for (const store of base.objectStoreNames) {
            const all = await new Promise((yes) => { const all = base.transaction(store).objectStore(store).getAll(); all.onsuccess = () => yes(all.result); });
            found.push(`${store}: ${all.length}`);
            await show(all);
          }
          base.close();
        }
        for (const name of await caches.keys()) {
          const cache = await caches.open(name);
          for (const request of await cache.keys()) found.push(request.url, await (await cache.match(request)).text());
        }
        for (const storage of [localStorage, sessionStorage]) await show({ ...storage });
        done(found.join('\\n'));
      })().catch((error) => done('failed: ' + error));
      """
    return try #require(try browser.runLong(script) as? String)
  }

  /// Keeps a write as pages do, at a moment at which the server could be reached; the page doesn't come to send it, for another window
  /// seems to.
  func keep(noteOn patient: String, _ text: String, in browser: Browser) throws {
    let script = """
      const done = arguments[arguments.length - 1];
      import(document.querySelector('script[src$="/app.js"]').src.replace('app.js', 'outbox.js')).then(async ({ keepWrite }) => {
        await new Promise((got) => navigator.locks.request('vetnet-replay', () => { got(); return new Promise(() => {}); }));
        const body = { patient_id: '\(patient)', kind: 'consult', text: '\(text)' };
        await keepWrite({ kind: 'note', method: 'POST', path: '/api/v1/notes', body, record: 'note 1', patient: '\(patient)', label: 'Note' });
        done('kept');
      }).catch((error) => done('failed: ' + error));
      """
    #expect(try browser.runLong(script) as? String == "kept")
  }

  func type(_ words: String, into field: String, save: String, in browser: Browser) throws {
    try browser.type(words, into: Browser.named(field))
    try browser.click(Browser.named(save))
    try browser.wait(for: "\(field) to be kept") {
      try browser.run("return document.querySelector(arguments[0])?.value", Browser.named(field)) as? String == ""
    }
  }
}
