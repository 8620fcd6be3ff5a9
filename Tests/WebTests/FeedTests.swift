import Clinical
import Foundation
import PracticeTestSupport
import Testing
import VetNet
import VetNetTestSupport

/// Calendars that telephones subscribe to, by an address that nobody is told twice.
struct FeedTests {
  private let served: ServedPractice
  private let vet: ServedPractice.SignedIn

  init() throws {
    served = try ServedPractice.closed()
    vet = try served.signIn(.veterinarian)
  }

  private struct Feed {
    let id: String
    /// `/feed/….ics`
    let path: String
    var secret: String { String(path.dropFirst("/feed/".count).dropLast(4)) }
  }

  private func make(_ body: String = #"{"clinician_id":"S01"}"#, by session: ServedPractice.SignedIn? = nil) throws
    -> Feed
  {
    let made = try (session ?? vet).ask("POST", "/api/v1/feeds", body)
    #expect(made.status == 201, "\(made.text)")
    let json = try made.json()
    let url = try #require(json["url"] as? String)
    #expect(url.hasPrefix("http://\(served.host)/feed/"))
    return Feed(
      id: try #require((json["feed"] as? [String: Any])?["id"] as? String),
      path: String(url.dropFirst("http://\(served.host)".count)))
  }

  /// Lines as they were before they were folded.
  private func lines(_ answer: HTTPClient.Answer, _ name: String) -> [String] {
    answer.text.replacing("\r\n ", with: "").components(separatedBy: "\r\n").filter { $0.hasPrefix(name) }
  }

  @Test func `it is read without a session, names patient, kind of visit and room, and nothing else`() throws {
    let feed = try make()
    let answer = try served.ask("GET", feed.path)
    #expect(answer.status == 200 && answer.headers["content-type"] == "text/calendar; charset=utf-8")
    #expect(answer.headers["x-content-type-options"] == "nosniff" && answer.headers["set-cookie"] == nil)
    let day = try vet.ask("GET", "/api/v1/day/2026-11-26?clinician=S01").json()
    let visits = try #require(day["appointments"] as? [[String: Any]])
    let booked = visits.filter { ["booked", "arrived", "done"].contains($0["status"] as? String ?? "") }
    #expect(!booked.isEmpty)
    let summaries = lines(answer, "SUMMARY")
    for visit in booked {
      let name = try #require(visit["patient_name"] as? String)
      #expect(summaries.contains { $0.hasPrefix("SUMMARY:\(name) · ") }, "\(name)")
    }
    for absent in ["DESCRIPTION", "X-VETNET", "ATTENDEE", "Holloway", "P001", "S01", "tel:"] {
      #expect(!answer.text.contains(absent), "\(absent)")
    }
    // Thirty days back, 180 ahead.
    let starts = lines(answer, "DTSTART;").compactMap { $0.split(separator: ":").last?.prefix(8) }
    #expect(try #require(starts.min()) >= "20261027" && #require(starts.max()) <= "20270525")
    #expect(Set(lines(answer, "UID")).count == lines(answer, "UID").count && starts.count > booked.count)
    // Of somebody else there is nothing in it; without names nobody is named, and a room is a room.
    let all = try served.ask("GET", make("{}").path)
    #expect(lines(all, "UID").count > lines(answer, "UID").count)
    #expect(Set(lines(answer, "UID")).isSubset(of: lines(all, "UID")))
    let nameless = try served.ask("GET", make(#"{"clinician_id":"S01","without_names":true}"#).path)
    #expect(lines(nameless, "UID") == lines(answer, "UID"))
    #expect(lines(nameless, "SUMMARY").allSatisfy { !$0.contains("·") })
    let rooms = try vet.ask("GET", "/account").text.matches(of: /value="room ([^"]+)"/).map { String($0.1) }
    let room = try served.ask("GET", make(#"{"resource_id":"\#(try #require(rooms.first))"}"#).path)
    #expect(room.status == 200 && lines(room, "UID").count < lines(all, "UID").count)
    #expect(try vet.ask("POST", "/api/v1/feeds", #"{"clinician_id":"S01","resource_id":"\#(rooms[0])"}"#).status == 400)
  }

  @Test func `whoever has it already is told so, until something of it changes`() throws {
    let feed = try make()
    let first = try served.ask("GET", feed.path)
    let tag = try #require(first.headers["etag"])
    served.clock.pass(seconds: 600)
    let same = try served.ask("GET", feed.path, headers: ["If-None-Match": tag])
    #expect(same.status == 304 && same.body.isEmpty && same.headers["etag"] == tag)
    #expect(try served.ask("GET", feed.path).body == first.body)
    let body = #"{"start":"2026-12-02T10:40","clinician_id":"S01","patient_id":"P003","duration_minutes":10}"#
    let booked = try vet.ask("POST", "/api/v1/appointments", body)
    #expect(booked.status == 201, "\(booked.text)")
    let after = try served.ask("GET", feed.path, headers: ["If-None-Match": tag])
    #expect(after.status == 200 && after.headers["etag"] != tag)
    #expect(Set(lines(first, "UID")).isSubset(of: lines(after, "UID")))
    #expect(lines(after, "UID").count == lines(first, "UID").count + 1)
  }

  @Test func `it is told in the practice's time, also where that was changed since`() throws {
    let feed = try make()
    func zones() throws -> Set<String> {
      let answer = try served.ask("GET", feed.path)
      return Set(lines(answer, "DTSTART;TZID").compactMap { $0.split(separator: ":").first.map(String.init) })
    }
    // Each thread that reads has the file open for itself.
    for _ in 0..<8 { #expect(try zones() == ["DTSTART;TZID=Europe/London"]) }
    let changed = try served.signIn(.administrator).ask(
      "PATCH", "/api/v1/settings", #"{"time-zone":"Asia/Tokyo"}"#)
    #expect(changed.status == 200, "\(changed.text)")
    for _ in 0..<8 { #expect(try zones() == ["DTSTART;TZID=Asia/Tokyo"]) }
  }

  @Test func `the address is in no file and no list, and leads nowhere once it is withdrawn, or its person is gone`()
    throws
  {
    let feed = try make()
    let other = try make("{}")
    #expect(feed.secret.count == 64 && feed.secret != other.secret)
    for name in try FileManager.default.contentsOfDirectory(atPath: served.folder.path) where name.hasPrefix("p.vetnet")
    {
      let bytes = try Data(contentsOf: URL(filePath: "\(served.folder.path)/\(name)"))
      #expect(bytes.range(of: Data(feed.secret.utf8)) == nil, "\(name)")
    }
    let list = try vet.ask("GET", "/api/v1/feeds")
    #expect(list.text.contains(feed.id) && !list.text.contains(feed.secret))
    #expect(try !vet.ask("GET", "/account").text.contains(feed.secret))
    // Others see it only where they may manage users.
    let (nurse, keeper) = (try served.signIn(.nurse), try served.signIn(.administrator))
    #expect(try !nurse.ask("GET", "/api/v1/feeds").text.contains(feed.id))
    #expect(try nurse.ask("GET", "/api/v1/feeds?all=1").status == 403)
    #expect(try nurse.ask("DELETE", "/api/v1/feeds/\(feed.id)", "{}").status == 404)
    #expect(try nurse.ask("POST", "/api/v1/feeds", #"{"user":"a veterinarian"}"#).status == 403)
    #expect(try keeper.ask("GET", "/api/v1/feeds?all=1").text.contains(feed.id))
    let given = try make(#"{"user":"a nurse"}"#, by: keeper)
    #expect(try nurse.ask("GET", "/api/v1/feeds").text.contains(given.id))
    #expect(try served.ask("GET", feed.path).status == 200)
    #expect(try keeper.ask("DELETE", "/api/v1/feeds/\(feed.id)", "{}").status == 200)
    let gone = try served.ask("GET", feed.path)
    #expect(gone.status == 404)
    let never = "/feed/\(String(repeating: "0", count: 64)).ics"
    for path in [never, "/feed/x.ics", "/feed/\(other.secret)", "/feed/", "/feed/\(other.secret.uppercased()).ics"] {
      let answer = try served.ask("GET", path)
      #expect(answer.status == 404 && answer.body == gone.body, "\(path)")
    }
    #expect(try served.ask("GET", other.path, headers: ["Host": "evil.example"]).status == 421)
    #expect(try served.ask("POST", other.path, "{}").status != 200)
    let practice = try Practice.open(at: served.path, models: shippedModels(), access: .write)
    let actor = try practice.people.identify(
      "a administrator", Passphrase("words of a administrator"), from: "here", at: served.clock.now)
    let log = try practice.perform(ReadAuditLog(patient: "P001"), by: actor, at: served.clock.now)
    #expect(try served.ask("GET", other.path).status == 200)
    let more = try practice.perform(ReadAuditLog(), by: actor, at: served.clock.now)
    #expect(more.contains { $0.operation == "feed.show" && $0.actor == "a veterinarian" } && more.count > log.count)
    try practice.perform(DisableUser(name: "a veterinarian"), by: actor, at: served.clock.now)
    #expect(try served.ask("GET", other.path).status == 404)
  }

  @Test func `a passphrase is changed by whoever knows the one so far, and every session of theirs ends`() throws {
    let second = try served.signIn(.veterinarian)
    func change(_ old: String, _ new: String) throws -> HTTPClient.Answer {
      try vet.ask("POST", "/api/v1/session/passphrase", #"{"old":"\#(old)","new":"\#(new)"}"#)
    }
    let wrong = try change("words of a nurse", "a longer new one")
    #expect(wrong.status == 403 && wrong.code == "not_permitted")
    #expect(try change("words of a veterinarian", "short").status == 400)
    #expect(try vet.ask("GET", "/account").text.contains("passphrase_old_input"))
    #expect(
      try vet.ask(
        "POST", "/api/v1/session/passphrase", #"{"old":"words of a veterinarian","new":"a longer new one"}"#,
        headers: ["X-VetNet-Token": "0"]
      ).code == "stale_token")
    let done = try change("words of a veterinarian", "a longer new one")
    #expect(done.status == 200, "\(done.text)")
    for session in [vet, second] { #expect(try session.ask("GET", "/api/v1/session").status == 401) }
    #expect(try served.trySigningIn("a veterinarian", "words of a veterinarian").status == 401)
    #expect(try served.trySigningIn("a veterinarian", "a longer new one").status == 201)
    #expect(try served.ask("POST", "/api/v1/session/passphrase", #"{"old":"a","new":"b"}"#).status == 401)
  }
}
