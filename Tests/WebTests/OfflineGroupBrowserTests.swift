import Foundation
import Testing
import VetNet
import VetNetTestSupport
import Web

/// The time without the server where it serves several practices, each below an address of its own.
extension BrowserTests {
  @Test(.thorough) func `two practices of one server keep their days, drafts and waiting changes apart without it`()
    throws
  {
    let served = try ServedFolder([
      .init(name: "north", hasRecords: true, users: ["vera": .veterinarian]),
      .init(name: "south", hasRecords: true, users: ["vera": .veterinarian]),
    ])
    func url(_ path: String) -> String { "http://\(served.host)\(path)" }
    let browser = try Browser.first()
    try browser.open(url("/p/north/account"))
    try browser.awaitShown(Browser.named("login_submit_button"))
    try browser.type("vera", into: Browser.named("login_name_input"))
    try browser.type("words of vera\n", into: Browser.named("login_passphrase_input"))
    try browser.awaitShown("[data-take-along]")
    for place in ["north", "south"] {
      try browser.open(url("/p/\(place)/account"))
      try browser.awaitShown("[data-take-along]")
      try browser.click("[data-take-along]")
      try browser.wait(for: "eight days of \(place)") {
        try browser.run("return document.documentElement.dataset.kept") as? String == "8"
      }
      try browser.wait(for: "the worker of \(place)") {
        try browser.run("return navigator.serviceWorker.controller?.scriptURL ?? ''") as? String
          == url("/p/\(place)/sw.js")
      }
    }
    let scopes = try browser.runLong(
      "const done = arguments[arguments.length - 1]; navigator.serviceWorker.getRegistrations().then((all) => done(all.map(({ scope }) => scope).sort().join(' ')))"
    )
    #expect(scopes as? String == "\(url("/p/north/")) \(url("/p/south/"))")
    served.server.stop()
    for place in ["north", "south"] {
      try browser.open(url("/p/\(place)/triage"))
      try browser.awaitShown(Browser.named("triage_not_assessed"))
      #expect(try browser.text("header .brand").contains(place))
      #expect(try pending(browser) == 0, "\(place)")
      try type(
        "Rang about \(place).", into: "triage_symptoms_input", save: "triage_submit_button", in: browser)
      try browser.wait(for: "it to wait at \(place)") { try pending(browser) == 1 }
      try browser.open(url("/p/\(place)/day/2026-11-26"))
      try browser.awaitShown(Browser.named("offline_day"))
      let links = try browser.run(
        "return [...document.querySelectorAll('main a[href]')].map((one) => one.pathname).filter((path) => !path.startsWith(arguments[0])).join(' ')",
        "/p/\(place)/")
      #expect(links as? String == "", "every way leads within the practice")
    }
    // Each waits with its own practice.
    try browser.open(url("/p/north/day/2026-11-26"))
    try browser.wait(for: "the one of north") { try pending(browser) == 1 }
    #expect(try browser.text(Browser.named("pending_writes")).contains("1 change waits"))
    let kept = try everythingKept(browser)
    #expect(kept.ranges(of: "writes: 1").count == 2 && kept.ranges(of: "kept: 8").count == 2)
    #expect(!kept.contains("Rang about"))
    // What is wiped in one practice leaves the other's alone.
    let script = """
      const done = arguments[arguments.length - 1];
      import(document.querySelector('script[src$="/app.js"]').src.replace('app.js', 'vault.js')).then(({ wipe }) => wipe()).then(() => done('wiped'), (error) => done(String(error)));
      """
    #expect(try browser.runLong(script) as? String == "wiped")
    let after = try everythingKept(browser)
    #expect(after.ranges(of: "writes: 1").count == 1 && after.ranges(of: "kept: 8").count == 1)
    try browser.open(url("/p/south/day/2026-11-26"))
    try browser.wait(for: "the one of south") { try pending(browser) == 1 }
  }
}
