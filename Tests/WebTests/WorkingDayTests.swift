import Foundation
import Glibc
import Testing
import VetNet
import VetNetTestSupport

/// A working day at five screens: who comes, calls, is seen and pays, and what each screen shows of it.
///
/// `make working-day` plays eight hours at twenty times their speed; `make browser-test` an hour as fast as it goes.
@Suite(.serialized, .thorough) struct WorkingDayTests {
  private static let environment = ProcessInfo.processInfo.environment
  /// Of the day, from its beginning.
  private static let minutes = environment["VETNET_DAY_MINUTES"].flatMap(Int.init) ?? 60
  /// Simulated seconds in a second; 0 for as fast as it goes.
  private static let speed = environment["VETNET_DAY_SPEED"].flatMap(Double.init) ?? 0

  /// Something that somebody does at their screen.
  private struct Deed {
    enum What {
      case stage(String, visit: String)
      case call(String)
      case emergency(String, patient: String)
    }

    let minute: Double
    let screen: Int
    let what: What
  }

  private struct Generator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ (state >> 31)
    }
  }

  private static let calls = [
    "he has been scratching his ears since the weekend", "she brought up her breakfast but is bright now",
    "limping on the left fore after a run on the beach", "can I book his booster please",
    "off her hay since last night",
    "a bit of blood in his wee this morning", "her eye is weepy and half shut", "he needs his nails done",
  ]

  private func named(_ testID: String) -> String { Browser.named(testID) }

  /// Visits every quarter of an hour and a half with four vets, from 09:15 on, 120 in all.
  private static func bookDay(_ practice: Practice, in folder: TemporaryFolder) throws {
    let rows = (0..<120).map { number -> String in
      let minute = 9 * 60 + 15 + number / 4 * 15
      let start = String(format: "\(ServedPractice.day)T%02d:%02d", minute / 60, minute % 60)
      return
        #"{"id":"WD\#(number)","patient_id":"P\#(String(format: "%03d", number % 60 + 1))","clinician_id":"S0\#(number % 4 + 1)","start":"\#(start)","duration_minutes":15,"visit_type":"recheck","reason":"recheck \#(number)","status":"booked"}"#
    }
    let path = folder.file("appointments.jsonl")
    try Data(rows.joined(separator: "\n").utf8).write(to: URL(filePath: path))
    try practice.perform(ImportRecords(paths: [path], options: ImportOptions()), by: .local, at: ServedPractice.now)
  }

  /// What happens, in order of time.
  private static func deeds() -> [Deed] {
    var random = Generator(state: 11)
    var deeds: [Deed] = []
    for number in 0..<120 {
      let start = Double(5 + number / 4 * 15)
      let came = start - Double.random(in: 0...12, using: &random)
      let seen = max(came, start) + Double.random(in: 0...8, using: &random)
      let over = seen + Double.random(in: 8...18, using: &random)
      let visit = "WD\(number)"
      // One in thirty doesn't come.
      if number % 30 == 29 {
        deeds.append(Deed(minute: start + 20, screen: 0, what: .stage("no_show", visit: visit)))
        continue
      }
      deeds.append(Deed(minute: came, screen: 0, what: .stage("arrived", visit: visit)))
      deeds.append(Deed(minute: seen, screen: 2 + number % 2, what: .stage("in_consult", visit: visit)))
      deeds.append(Deed(minute: over, screen: 2 + number % 2, what: .stage("to_pay", visit: visit)))
      deeds.append(Deed(minute: over + 6, screen: 0, what: .stage("left", visit: visit)))
    }
    for number in 0..<40 {
      deeds.append(
        Deed(minute: Double(number) * 12 + 3, screen: 1, what: .call(calls[number % calls.count])))
    }
    for number in 0..<6 {
      deeds.append(
        Deed(
          minute: Double(number) * 75 + 20, screen: 4,
          what: .emergency("collapsed, gums white, breathing hard", patient: "P06\(number % 3 + 1)")))
    }
    return deeds.filter { $0.minute >= 0 && $0.minute <= Double(minutes) }.sorted { $0.minute < $1.minute }
  }

  private func residentMegabytes() -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    return (status.firstMatch(of: /VmRSS:\s+(\d+)/).flatMap { Int($0.1) } ?? 0) / 1024
  }

  @Test func `a day of visits, calls and emergencies leaves no screen behind, no complaint and no lost word`() throws {
    let folder = try TemporaryFolder()
    let served = try ServedPractice { try Self.bookDay($0, in: folder) }
    // Two at the desk, two with the vets, one who looks after the day.
    let screens = try (0..<5).map { _ in try Browser.another() }
    let flow = "http://\(served.host)/flow/\(ServedPractice.day)"
    for screen in [0, 2, 3] { try screens[screen].open(flow) }
    try screens[1].open("http://\(served.host)/triage")
    try screens[4].open("http://\(served.host)/day/\(ServedPractice.day)")
    let began = Date()
    var simulated = 0.0
    var lags: [Double] = []
    var settled = 0
    for deed in Self.deeds() {
      served.clock.pass(seconds: Int64(deed.minute * 60) - Int64(simulated * 60))
      simulated = deed.minute
      if Self.speed > 0 {
        let ahead = deed.minute * 60 / Self.speed - Date().timeIntervalSince(began)
        if ahead > 0 { usleep(UInt32(ahead * 1e6)) }
      }
      switch deed.what {
      case .stage(let stage, let visit):
        let button = named("stage_\(visit)_\(stage)")
        // As somebody would bring it into sight; the driver leaves it behind the page's head.
        try screens[deed.screen].run("document.querySelector(arguments[0])?.scrollIntoView({block: 'center'})", button)
        try screens[deed.screen].click(button)
        for other in [0, 2, 3] { lags.append(try shows(screens[other], visit, at: stage)) }
      case .call(let words): try take(words, at: screens[deed.screen])
      case .emergency(let words, let patient): try rush(words, patient, at: screens[deed.screen])
      }
      if simulated <= 60 { settled = residentMegabytes() }
    }
    // The screen that nobody touched but for emergencies shows what the book says.
    let book = try served.ask("GET", "/api/v1/day/\(ServedPractice.day)").json()
    let visits = try #require(book["appointments"] as? [[String: Any]])
    for visit in visits where (visit["id"] as? String)?.hasPrefix("WD") == true {
      guard let id = visit["id"] as? String, let status = visit["status"] as? String, status != "cancelled" else {
        continue
      }
      try screens[4].wait(for: "\(id) as \(status)") {
        try screens[4].count("[data-visit='\(id)'].status-\(status)") > 0
      }
    }
    for screen in screens { #expect(try screen.complaints() == []) }
    let sorted = lags.sorted()
    let last = residentMegabytes()
    print(
      "working day: \(Self.minutes) min simulated in \(Int(Date().timeIntervalSince(began))) s, \(sorted.count) looks at other screens, shown after \(Int(sorted[sorted.count / 2] * 1000)) ms at the median, \(Int((sorted.last ?? 0) * 1000)) at most; \(settled) MB after an hour, \(last) at the end"
    )
    #expect(Double(last) < Double(settled) * 1.15 + 20)
    // As fast as it goes, the screens wait for each other and for other tests.
    if Self.speed > 0 { #expect(try #require(sorted.last) < 5) }
  }

  /// How long it takes until a screen shows where a visit is; the seconds are of the look, too.
  private func shows(_ screen: Browser, _ visit: String, at stage: String) throws -> Double {
    try screen.wait(for: "\(visit) at \(stage)") {
      try screen.count("[data-testid='flow_\(stage)'] [data-testid='flow_card_\(visit)']") == 1
    }
  }

  /// A call is typed while all the others work, and every letter of it stays.
  private func take(_ words: String, at screen: Browser) throws {
    try screen.click(named("triage_symptoms_input"))
    try screen.press(words)
    let typed = "document.querySelector(\"\(named("triage_symptoms_input"))\")"
    #expect(try screen.run("return \(typed).value") as? String == words)
    try screen.awaitShown(named("triage_urgency_value"))
    try screen.run("const field = \(typed); field.value = ''; field.dispatchEvent(new Event('input', {bubbles: true}))")
  }

  /// Somebody is at the door: two clicks, and who has to be told.
  private func rush(_ words: String, _ patient: String, at screen: Browser) throws {
    try screen.click(named("emergency_button"))
    try screen.type(patient, into: named("emergency_patient_input"))
    try screen.click(named("patient_result_\(patient)"))
    try screen.type(words, into: named("emergency_symptoms_input"))
    try screen.click(named("emergency_save_button"))
    try screen.wait(for: "the word that there is room") {
      try screen.run("return document.querySelector('#emergency [data-outcome]').innerText.length") as? Int ?? 0 > 0
    }
    try screen.press(Browser.Key.escape)
  }
}
