import Foundation
import Glibc
import Synchronization
import Testing
import VetNetTestSupport

/// Debian's Chromium, driven over the WebDriver protocol. Ends with the value that owns it.
final class Browser {
  struct Refused: Error, CustomStringConvertible {
    let description: String
  }

  static let driver = "/usr/bin/chromedriver"
  /// Whether there is one: `make browser-test` installs it.
  static var isInstalled: Bool { access(driver, X_OK) == 0 && access("/usr/bin/chromium", X_OK) == 0 }

  /// Whether every test is to run that needs one, as `make browser-test` says; `make test` runs a quarter of them.
  static var isThorough: Bool { isInstalled && ProcessInfo.processInfo.environment["VETNET_BROWSER_TESTS"] == "all" }

  private let process: Process
  private let folder: TemporaryFolder
  private let port: Int
  private var session = ""

  /// Two for all tests, which use them one after another: to start one takes as long as a test. They end with the program.
  private static let shared = Mutex(Shared())

  private struct Shared: ~Copyable {
    private var browsers: [Browser?] = [nil, nil]
    private var endsThem = false

    /// One that doesn't start, because so much else does, is tried again by the next test.
    mutating func take(_ number: Int) throws -> Browser {
      if let browser = browsers[number] { return browser }
      let browser = try Browser()
      browsers[number] = browser
      if !endsThem { atexit { Browser.shared.withLock { $0.end() } } }
      endsThem = true
      return browser
    }

    func end() { for browser in browsers { browser?.end() } }
  }
  private var isUsed = false
  private var authenticator: String?

  /// One that nobody has used, as far as its pages can tell.
  static func first() throws -> Browser { try shared.withLock { try $0.take(0) }.cleared() }

  /// Another beside it.
  static func second() throws -> Browser { try shared.withLock { try $0.take(1) }.cleared() }

  /// One more, for a test that has several at work; it takes a moment to start and ends with the value.
  static func another() throws -> Browser { try Browser() }

  /// The first with a phone's screen.
  static func phone() throws -> Browser {
    let phone = try first()
    try phone.command(
      "Emulation.setDeviceMetricsOverride", ["width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": true])
    return phone
  }

  /// Another size of the window, with the page that is shown.
  func resize(width: Int, height: Int) throws {
    try command(
      "Emulation.setDeviceMetricsOverride",
      ["width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600])
  }

  private func cleared() throws -> Browser {
    try open("about:blank")
    try command("Emulation.clearDeviceMetricsOverride", [:])
    try command("Network.clearBrowserCookies", [:])
    _ = try complaints()
    isUsed = false
    return self
  }

  private func command(_ name: String, _ parameters: [String: Any]) throws {
    try send("POST", "\(session)/goog/cdp/execute", ["cmd": name, "params": parameters])
  }

  /// - Throws: ``Refused`` where the browser doesn't start.
  private init() throws {
    folder = try TemporaryFolder()
    var found: (process: Process, port: Int)?
    for attempt in 1...3 where found == nil { found = try Self.startDriver(log: folder.file("driver-\(attempt).log")) }
    guard let found else { throw Refused(description: "the driver doesn't say its port") }
    process = found.process
    port = found.port
    let arguments = [
      "--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
      "--force-prefers-reduced-motion",
      "--user-data-dir=\(folder.file("profile"))", "--window-size=1280,900",
    ]
    let answer = try send(
      "POST", "/session",
      [
        "capabilities": [
          "alwaysMatch": [
            "browserName": "chrome", "goog:chromeOptions": ["args": arguments],
            "goog:loggingPrefs": ["browser": "ALL"],
          ]
        ]
      ])
    guard let id = (answer as? [String: Any])?["sessionId"] as? String else {
      throw Refused(description: "no session: \(answer)")
    }
    session = "/session/\(id)"
  }

  /// - Returns: nil for a driver that ended, or said nothing for a minute, as happens where hundreds of tests start at once.
  private static func startDriver(log: String) throws -> (process: Process, port: Int)? {
    FileManager.default.createFile(atPath: log, contents: nil)
    let process = Process()
    // It goes with the process that started it, however that ends.
    process.executableURL = URL(filePath: "/usr/bin/setpriv")
    process.arguments = ["--pdeathsig", "KILL", driver, "--port=0"]
    process.standardOutput = try FileHandle(forWritingTo: URL(filePath: log))
    process.standardError = FileHandle.nullDevice
    try startForGood(process)
    for _ in 0..<1200 {
      usleep(50_000)
      let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
      if let port = text.firstMatch(of: /on port (\d+)\./).flatMap({ Int($0.1) }) { return (process, port) }
      if !process.isRunning { return nil }
    }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    return nil
  }

  /// Starts a program on a thread that stays: the kernel takes the thread for the parent, and those of tests come and go.
  private static func startForGood(_ process: Process) throws {
    nonisolated(unsafe) let process = process
    nonisolated(unsafe) var outcome: Result<Void, any Error>?
    let started = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      outcome = Result { try process.run() }
      started.signal()
      while true { sleep(3600) }
    }
    started.wait()
    try outcome?.get()
  }

  deinit { end() }

  private func end() {
    if !session.isEmpty { _ = try? send("DELETE", session) }
    session = ""
    // Tests run where other signals are blocked, and programs that are started there inherit that.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  @discardableResult
  func send(_ method: String, _ path: String, _ body: [String: Any]? = nil) throws -> Any {
    let client = try HTTPClient(port: port)
    let data = try body.map { try JSONSerialization.data(withJSONObject: $0) } ?? Data()
    client.write(
      "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nContent-Type: application/json\r\nContent-Length: \(data.count)\r\nConnection: close\r\n\r\n"
    )
    client.write(data)
    guard let answer = client.answer(), let value = try answer.json()["value"] else {
      throw Refused(description: "no answer to \(method) \(path)")
    }
    guard answer.status == 200 else {
      let error = value as? [String: Any]
      let message = (error?["message"] as? String)?.prefix { $0 != "\n" } ?? ""
      throw Refused(description: "\(method) \(path): \(error?["error"] ?? answer.status) \(message)")
    }
    return value
  }

  /// A key of the machine's own, behind a finger that is always the right one.
  func addAuthenticator() throws {
    authenticator =
      try send(
        "POST", "\(session)/webauthn/authenticator",
        [
          "protocol": "ctap2", "transport": "internal", "hasResidentKey": true, "hasUserVerification": true,
          "isUserVerified": true,
        ]) as? String
  }

  func removeAuthenticator() throws {
    guard let authenticator else { return }
    try send("DELETE", "\(session)/webauthn/authenticator/\(authenticator)")
    self.authenticator = nil
  }

  func open(_ url: String) throws {
    try send("POST", "\(session)/url", ["url": url])
    guard !isUsed, url.hasPrefix("http") else { return }
    isUsed = true
    // What tests before this one left.
    try run("localStorage.clear(); sessionStorage.clear()")
    _ = try runLong(Self.forgetDrafts)
    try send("POST", "\(session)/url", ["url": url])
  }

  private static let forgetDrafts = """
    const done = arguments[arguments.length - 1];
    (async () => {
      for (const { name } of await indexedDB.databases()) {
        const base = await new Promise((yes, no) => { const open = indexedDB.open(name); open.onsuccess = () => yes(open.result); open.onerror = no; });
        if (base.objectStoreNames.contains('drafts')) await new Promise((yes) => (base.transaction('drafts', 'readwrite').objectStore('drafts').clear().onsuccess = yes));
        base.close();
      }
    })().then(done, done);
    """

  @discardableResult
  func run(_ script: String, _ arguments: Any...) throws -> Any {
    try send("POST", "\(session)/execute/sync", ["script": script, "args": arguments])
  }

  /// A script that calls its last argument when it is done.
  func runLong(_ script: String) throws -> Any {
    try send("POST", "\(session)/execute/async", ["script": script, "args": [Any]()])
  }

  private func element(_ selector: String) throws -> String {
    let found = try send("POST", "\(session)/element", ["using": "css selector", "value": selector])
    guard let id = (found as? [String: String])?.values.first else { throw Refused(description: "no \(selector)") }
    return id
  }

  /// Waits until something holds, at most `seconds`: long, as other tests use the machine meanwhile. How fast screens follow is for
  /// `make working-day` to measure.
  ///
  /// - Returns: how long it took.
  @discardableResult
  func wait(_ seconds: Double = 60, for what: String, _ holds: () throws -> Bool) throws -> Double {
    let began = Date()
    while Date().timeIntervalSince(began) < seconds {
      if (try? holds()) == true { return Date().timeIntervalSince(began) }
      // Each look goes through four processes, which others' tests want, too: the longer it takes, the less often.
      usleep(UInt32(min(max(Date().timeIntervalSince(began) / 8, 0.015), 0.2) * 1_000_000))
    }
    throw Refused(
      description: "waited \(seconds) s in vain for \(what); the page says: \(try text("body").prefix(600))")
  }

  static func named(_ testID: String) -> String { "[data-testid='\(testID)']" }

  /// Waits until somebody could see it.
  func awaitShown(_ selector: String) throws {
    try wait(for: selector) {
      let script = "const e = document.querySelector(arguments[0]); return !!e && e.getClientRects().length > 0"
      return try run(script, selector) as? Bool == true
    }
  }

  /// A click on what stands there, be it drawn anew between the look and the click.
  func click(_ selector: String) throws {
    try awaitShown(selector)
    do {
      try send("POST", "\(session)/element/\(element(selector))/click", [:])
    } catch let refused as Refused where refused.description.contains("stale element") {
      usleep(200_000)
      try send("POST", "\(session)/element/\(element(selector))/click", [:])
    }
  }

  func type(_ words: String, into selector: String) throws {
    try awaitShown(selector)
    try send("POST", "\(session)/element/\(element(selector))/value", ["text": words])
  }

  /// Files, as somebody chooses them in the system's own window for a field, which may be hidden behind its label.
  func choose(_ files: [String], in selector: String) throws {
    try send(
      "POST", "\(session)/element/\(element(selector))/value", ["text": files.joined(separator: "\n")])
  }

  /// Keys for whatever has the focus; `Key` has those without a letter.
  func press(_ keys: String) throws {
    let actions = keys.unicodeScalars.flatMap { scalar -> [[String: Any]] in
      [["type": "keyDown", "value": String(scalar)], ["type": "keyUp", "value": String(scalar)]]
    }
    try send("POST", "\(session)/actions", ["actions": [["type": "key", "id": "keys", "actions": actions]]])
  }

  /// The same while another key is held down.
  func press(_ keys: String, holding held: String) throws {
    let inner = keys.unicodeScalars.flatMap { scalar -> [[String: Any]] in
      [["type": "keyDown", "value": String(scalar)], ["type": "keyUp", "value": String(scalar)]]
    }
    let actions = [["type": "keyDown", "value": held]] + inner + [["type": "keyUp", "value": held]]
    try send("POST", "\(session)/actions", ["actions": [["type": "key", "id": "keys", "actions": actions]]])
  }

  enum Key {
    static let tab = "\u{E004}", enter = "\u{E007}", escape = "\u{E00C}", down = "\u{E015}", shift = "\u{E008}"
  }

  /// The page as a printer gets it, kept beside the screenshots.
  ///
  /// - Returns: how many sheets it takes.
  @discardableResult
  func printed(_ name: String) throws -> Int {
    guard let text = try send("POST", "\(session)/print", ["orientation": "portrait"]) as? String,
      let data = Data(base64Encoded: text)
    else { return 0 }
    let folder = URL(filePath: projectDirectory).appending(path: ".build/screenshots")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try data.write(to: folder.appending(path: "\(name).pdf"))
    return String(decoding: data, as: UTF8.self).matches(of: /\/Type\s*\/Page\b/).count
  }

  /// Tab by tab to something; an error where it can't be reached so.
  func tab(to selector: String, atMost most: Int = 80) throws {
    for _ in 0..<most {
      let script = "return document.activeElement?.matches(arguments[0]) === true"
      if try run(script, selector) as? Bool == true { return }
      try press(Key.tab)
    }
    throw Refused(description: "\(selector) can't be reached by the keyboard")
  }

  /// Drags from the middle of something, in steps.
  func drag(_ selector: String, by offset: (x: Int, y: Int), as pointer: String = "mouse") throws {
    let origin = ["element-6066-11e4-a52e-4f735466cecf": try element(selector)]
    let steps = (1...6).map { step -> [String: Any] in
      [
        "type": "pointerMove", "duration": 60, "origin": "pointer", "x": offset.x / 6,
        "y": step == 6 ? offset.y - offset.y / 6 * 5 : offset.y / 6,
      ]
    }
    let actions: [[String: Any]] =
      [
        ["type": "pointerMove", "duration": 0, "origin": origin, "x": 0, "y": 0], ["type": "pointerDown", "button": 0],
      ] + steps + [["type": "pause", "duration": 400], ["type": "pointerUp", "button": 0]]
    try send(
      "POST", "\(session)/actions",
      ["actions": [["type": "pointer", "id": pointer, "parameters": ["pointerType": pointer], "actions": actions]]])
  }

  func text(_ selector: String) throws -> String {
    try run("return document.querySelector(arguments[0])?.innerText ?? ''", selector) as? String ?? ""
  }

  func attribute(_ name: String, of selector: String) throws -> String? {
    try run("return document.querySelector(arguments[0])?.getAttribute(arguments[1])", selector, name) as? String
  }

  func count(_ selector: String) throws -> Int {
    try run("return document.querySelectorAll(arguments[0]).length", selector) as? Int ?? 0
  }

  /// Kept under `.build/screenshots`, to be looked at.
  func screenshot(_ name: String) throws {
    guard let text = try send("GET", "\(session)/screenshot") as? String, let data = Data(base64Encoded: text) else {
      return
    }
    let folder = URL(filePath: projectDirectory).appending(path: ".build/screenshots")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try data.write(to: folder.appending(path: "\(name).png"))
  }

  /// What the page complained of, since it was asked last.
  func complaints() throws -> [String] {
    let log = try send("POST", "\(session)/se/log", ["type": "browser"]) as? [[String: Any]] ?? []
    return log.compactMap { entry in
      guard entry["level"] as? String == "SEVERE", let message = entry["message"] as? String else { return nil }
      // A refused request is said on the page as well.
      return message.contains("Failed to load resource") ? nil : message
    }
  }
}

extension Trait where Self == ConditionTrait {
  /// A test that takes a browser longer than `make test` has for it.
  static var thorough: Self { .enabled(if: Browser.isThorough, "make browser-test runs it") }
}
