import Clinical
import Foundation
import PracticeTestSupport
import Testing
import VetNet
import VetNetTestSupport

/// What many photos cost: `make bench-photos` measures tens of thousands and keeps the figures; `make test` a few hundred.
@Suite(.serialized, .enabled(if: PhotoDecoder.isAvailable, "libvips42 is not installed: make setup installs it"))
struct PhotoBenchTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let sizes = (environment["VETNET_PHOTOS"] ?? "600").split(separator: ",").compactMap { Int($0) }
  private static var isShort: Bool { environment["VETNET_PHOTOS"] == nil }

  private struct Figures {
    var lines: [String] = []
    mutating func say(_ line: String) {
      lines.append(line)
      print(line)
    }
  }

  private func milliseconds(_ work: () throws -> Void) rethrows -> Double {
    let clock = ContinuousClock()
    let begun = clock.now
    try work()
    return Double((clock.now - begun).components.attoseconds) / 1e15 + Double((clock.now - begun).components.seconds)
      * 1e3
  }

  private func spread(_ values: [Double]) -> (median: Double, high: Double) {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return (0, 0) }
    return (sorted[sorted.count / 2], sorted[min(sorted.count - 1, sorted.count * 95 / 100)])
  }

  /// Megabytes that a process holds now, and at most until now; without what it only maps from files.
  private func memory(_ process: Int32) -> (now: Double, anonymous: Double, most: Double) {
    let text = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
    func value(_ name: String) -> Double {
      let line = text.split(separator: "\n").first { $0.hasPrefix(name + ":") } ?? ""
      return (line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Double($0) } ?? 0) / 1024
    }
    return (value("VmRSS"), value("RssAnon"), value("VmHWM"))
  }

  private func number(_ value: Double) -> String { String(format: "%.1f", value) }

  @Test func `pages of thumbnails, screens and scrolling stay within their bounds`() throws {
    var figures = Figures()
    figures.say(
      "photos, the program \(Self.environment["VETNET_PROGRAM"] == nil ? "built for debugging" : "as released"), two cores"
    )
    for size in Self.sizes { try measure(size, &figures) }
    guard let path = Self.environment["VETNET_PHOTO_RUN"] else { return }
    try (figures.lines.joined(separator: "\n") + "\n").write(toFile: path, atomically: true, encoding: .utf8)
  }

  private func measure(_ size: Int, _ figures: inout Figures) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("p.vetnet")
    try ServedPractice.copySample(to: path)
    // Of the size at which a screen's picture is really decoded in a browser.
    let latest = (1...(Self.isShort ? 3 : 8)).map { SamplePicture(seed: UInt64($0), width: 1280, height: 960).png }
    let samples = (50...(Self.isShort ? 53 : 73)).map { SamplePicture(seed: UInt64($0), width: 400, height: 300).png }
    let models = try shippedModels()
    let filling = try milliseconds {
      try PhotoFilling.fill(
        path, models: models, count: size, now: ServedPractice.now, samples: samples, latest: latest)
    }
    let file = (try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0) >> 20
    var vetnet = try VetNetProcess(practice: path)
    if let program = Self.environment["VETNET_PROGRAM"] { vetnet.executable = program }
    let running = try vetnet.start(["serve", "--listen", "127.0.0.1:0", "--now", "2026-11-26T09:10"])
    defer {
      running.kill(SIGTERM)
      _ = try? running.wait()
    }
    let port = try port(of: running)
    let client = try HTTPClient(port: port)
    func ask(_ target: String, headers: String = "") throws -> HTTPClient.Answer {
      client.write("GET \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\(headers)\r\n")
      return try #require(client.answer())
    }
    _ = try ask("/healthz")
    let process = running.process.processIdentifier
    let before = memory(process)
    // Pages of 60 in any place, each with its thumbnails.
    var pages: [Double] = []
    var lists: [Double] = []
    var screens: [Double] = []
    var state: UInt64 = 5
    for _ in 0..<(Self.isShort ? 5 : 40) {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let offset = Int(state >> 33) % max(1, size - 60)
      var photos: [[String: Any]] = []
      let list = try milliseconds {
        photos = try ask("/api/v1/photos?offset=\(offset)&limit=60").json()["photos"] as? [[String: Any]] ?? []
      }
      #expect(photos.count == 60)
      let pictures = photos.compactMap { $0["picture"] as? String }
      let thumbnails = try milliseconds {
        for picture in pictures {
          let status = try ask("/photo/\(picture)/thumbnail").status
          #expect(status == 200)
        }
      }
      lists.append(list)
      pages.append(list + thumbnails)
    }
    // Whole screens, each asked for the first time since the server began.
    for photo in try ask("/api/v1/photos?limit=40").json()["photos"] as? [[String: Any]] ?? [] {
      let picture = photo["picture"] as? String ?? ""
      screens.append(try milliseconds { _ = try ask("/photo/\(picture)/screen") })
    }
    let filtered = try milliseconds {
      _ = try ask("/api/v1/photos?patient_id=P001&tag=wound&check=sharpness&limit=60")
    }
    // From the first to the last, as somebody who scrolls through all of them.
    var offset: Int? = 0
    var seen = 0
    let scrolling = try milliseconds {
      while let place = offset {
        let page = try ask("/api/v1/photos?offset=\(place)&limit=60").json()
        for photo in page["photos"] as? [[String: Any]] ?? [] {
          let picture = photo["picture"] as? String ?? ""
          let status = try ask("/photo/\(picture)/thumbnail").status
          #expect(status == 200)
          seen += 1
        }
        offset = page["next_offset"] as? Int
      }
    }
    #expect(seen == size)
    let after = memory(process)
    let (list, page, screen) = (spread(lists), spread(pages), spread(screens))
    figures.say("\(size) photos: filled in \(Int(filling / 1000)) s, a practice file of \(file) MB")
    figures.say(
      "  list of 60, any place: \(number(list.median)) ms, 95 % within \(number(list.high)); with its 60 thumbnails \(number(page.median)), \(number(page.high))"
    )
    figures.say("  list of a patient by tag and check: \(number(filtered)) ms")
    figures.say(
      "  a screen's picture, asked for the first time: \(number(screen.median)) ms, 95 % within \(number(screen.high))")
    figures.say("  scrolled through all, thumbnails included: \(number(scrolling / Double(size))) ms a photo")
    figures.say(
      "  server: \(number(before.now)) MB before, \(number(after.now)) after, \(number(after.most)) at most; of that its own, not mapped from files: \(number(before.anonymous)), then \(number(after.anonymous))"
    )
    #expect(screen.high < 200 && page.median < 1500)
    #expect(after.anonymous - before.anonymous < 100)
    if Browser.isThorough { try browse(port, size, &figures) }
  }

  /// In a real browser: swipes, and what the page holds after all was scrolled through.
  private func browse(_ port: Int, _ size: Int, _ figures: inout Figures) throws {
    let browser = try Browser.another()
    try browser.open("http://127.0.0.1:\(port)/photos")
    try browser.awaitShown("#photo-grid .photo-tile")
    // Down in steps of a screen, some of them; the frames between say how smooth it is.
    let scrolled =
      try browser.runLong(
        """
        const done = arguments[arguments.length - 1];
        const frames = []; let last = performance.now(); const steps = \(Self.isShort ? 20 : 240);
        const height = document.documentElement.scrollHeight; let step = 0;
        const next = (time) => {
          frames.push(time - last); last = time;
          if (step++ >= steps) { frames.shift(); frames.sort((a, b) => a - b);
            return setTimeout(() => done([frames[Math.floor(frames.length / 2)], frames[Math.floor(frames.length * 0.95)],
              document.querySelectorAll('#photo-grid .photo-tile').length, performance.memory.usedJSHeapSize / 1048576]), 800); }
          scrollTo(0, height * step / steps); requestAnimationFrame(next);
        };
        requestAnimationFrame(next);
        """) as? [Any] ?? []
    let values = scrolled.compactMap { ($0 as? NSNumber)?.doubleValue }
    try #require(values.count == 4)
    try browser.run("scrollTo(0, 0)")
    try browser.wait(for: "the first tile") { try browser.count("[data-photo='0']") == 1 }
    try browser.click("[data-photo='0']")
    try browser.awaitShown("#photo-frame img")
    let swiped =
      try browser.runLong(
        """
        const done = arguments[arguments.length - 1];
        const frame = document.getElementById('photo-frame'); const times = []; let most = 0;
        const one = async (left) => {
          if (!left) return done([...times.sort((a, b) => a - b), most]);
          await new Promise((ready) => setTimeout(ready, 250));
          const before = frame.querySelector('img').src; const begun = performance.now();
          document.getElementById('photo-viewer').dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }));
          await new Promise((ready) => { const look = () => { const image = frame.querySelector('img');
            image && image.src !== before && image.complete && image.naturalWidth ? requestAnimationFrame(ready) : setTimeout(look, 1); }; look(); });
          times.push(performance.now() - begun);
          most = Math.max(most, document.querySelectorAll('#photo-frame img').length);
          one(left - 1);
        };
        one(\(Self.isShort ? 6 : 40));
        """) as? [Any] ?? []
    let times = swiped.compactMap { ($0 as? NSNumber)?.doubleValue }
    try #require(times.count > 5)
    let swipe = spread(Array(times.dropLast()))
    figures.say(
      "  browser, scrolled from the first to the last: a frame \(number(values[0])) ms, 95 % within \(number(values[1])); \(Int(values[2])) tiles in the page, JavaScript's heap \(number(values[3])) MB"
    )
    figures.say(
      "  browser, to the next photo: \(number(swipe.median)) ms, 95 % within \(number(swipe.high)), until it is drawn")
    #expect(values[2] < 200 && values[3] < 100)
    #expect(swipe.median < 50 || Self.isShort)
  }

  private func port(of running: VetNetProcess.Running) throws -> Int {
    for _ in 0..<600 {
      if let match = running.output().firstMatch(of: /http:\/\/127\.0\.0\.1:(\d+)/), let port = Int(match.1) {
        return port
      }
      usleep(100_000)
    }
    throw CocoaError(.fileReadUnknown)
  }
}
