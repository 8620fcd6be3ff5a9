import Foundation
import Glibc
import Testing
import VetNetTestSupport

/// The book over the API: changes that are based on what somebody saw, two at once, and everybody hearing of it.
@Suite(.serialized) struct BookTests {
  private static let served = Result { try ServedPractice() }
  private let served: ServedPractice

  init() throws { served = try Self.served.get() }

  private func book(
    _ start: String, with clinician: String = "S02", for patient: String = "P001", key: String = ""
  ) throws -> HTTPClient.Answer {
    try served.ask(
      "POST", "/api/v1/appointments",
      #"{"start":"\#(start)","clinician_id":"\#(clinician)","patient_id":"\#(patient)","duration_minutes":20,"reason":"limping"}"#,
      headers: ["Idempotency-Key": key])
  }

  @Test
  func `a change names the revision it is based on, and is refused with what it is now where that is an earlier one`()
    throws
  {
    let booked = try book("2026-11-26T13:00")
    #expect(booked.status == 201)
    let id = try #require(try booked.json()["id"] as? String)
    let tag = try #require(booked.headers["etag"])
    let path = "/api/v1/appointments/\(id)"
    #expect(try served.ask("PATCH", path, #"{"start":"2026-11-26T13:30"}"#).status == 428)
    let moved = try served.ask("PATCH", path, #"{"start":"2026-11-26T13:30"}"#, headers: ["If-Match": tag])
    #expect(moved.status == 200 && moved.headers["etag"] != tag)
    #expect((try moved.json()["before"] as? [String: Any])?["start"] as? String == "2026-11-26T13:00:00+00:00")
    let stale = try served.ask("PATCH", path, #"{"start":"2026-11-26T14:00"}"#, headers: ["If-Match": tag])
    #expect(stale.status == 412 && stale.code == "changed_meanwhile")
    let error = try #require(try stale.json()["error"] as? [String: Any])
    let current = try #require(error["current"] as? [String: Any])
    #expect(current["start"] as? String == "2026-11-26T13:30:00+00:00" && current["revision"] != nil)
    let now = try served.ask("GET", path)
    #expect(now.headers["etag"] == moved.headers["etag"])
    // A dry run says the same and does nothing.
    let dry = try served.ask(
      "PATCH", path, #"{"start":"2026-11-26T15:00","dry_run":true}"#, headers: ["If-Match": "*"])
    #expect(dry.status == 200)
    #expect(try served.ask("GET", path).headers["etag"] == moved.headers["etag"])
    let cancelled = try served.ask(
      "PATCH", path, #"{"status":"cancelled"}"#, headers: ["If-Match": try #require(now.headers["etag"])])
    #expect(cancelled.status == 200)
    #expect(try cancelled.json()["status"] as? String == "cancelled")
    #expect(try served.ask("POST", "/api/v1/undo", "{}").status == 200)
    #expect(try served.ask("GET", path).json()["status"] as? String == "booked")
    #expect(try served.ask("POST", "/api/v1/redo", "{}").status == 200)
    #expect(try served.ask("GET", path).json()["status"] as? String == "cancelled")
  }

  @Test func `of two who want one slot at once one gets it, and the other is told what is left`() throws {
    for minute in 0..<4 {
      let clients = try (0..<2).map { _ in try HTTPClient(port: served.port) }
      for (index, client) in clients.enumerated() {
        let body =
          #"{"start":"2026-11-26T1\#(5 + minute / 2):\#(minute.isMultiple(of: 2) ? "00" : "30")","clinician_id":"S01","patient_id":"P00\#(index + 2)","duration_minutes":20}"#
        client.write(served.request("POST", "/api/v1/appointments", body))
      }
      let answers = clients.compactMap { $0.answer(to: "POST") }
      #expect(answers.map(\.status).sorted() == [201, 409])
      let refused = try #require(answers.first { $0.status == 409 })
      let error = try #require(try refused.json()["error"] as? [String: Any])
      #expect(error["code"] as? String == "slot_unavailable")
      let free = try #require(error["free_slots"] as? [[String: Any]])
      #expect(!free.isEmpty && free.allSatisfy { $0["start"] != nil && $0["clinician_id"] != nil })
    }
  }

  @Test func `a request that is sent again with its key is done once`() throws {
    let first = try book("2026-11-27T13:00", key: "one")
    let again = try book("2026-11-27T13:00", key: "one")
    #expect(first.status == 201 && again.status == 201 && again.body == first.body)
    let other = try book("2026-11-27T14:00", key: "one")
    #expect(other.status == 422 && other.code == "key_reused")
    let day = try served.ask("GET", "/api/v1/day/2026-11-27").json()
    let starts = (day["appointments"] as? [[String: Any]] ?? []).filter { $0["clinician_id"] as? String == "S02" }
      .compactMap { $0["start"] as? String }
    #expect(starts.filter { $0.hasPrefix("2026-11-27T13:00") }.count == 1)
  }

  @Test func `what was answered about a patient is not answered again after the patient was erased`() throws {
    let program = try VetNetProcess(practice: served.path)
    let added = try program.run("patient", "add", "Quillan", "--species", "cat", "--json", "--now", "2026-11-26T09:10")
    let id = try #require(try added.json()["id"] as? String)
    #expect(try book("2026-11-27T16:30", for: id, key: "erased").status == 201)
    #expect(try book("2026-11-27T16:30", for: id, key: "erased").status == 201)
    #expect(
      try program.run("patient", "erase", id, "--reason", "asked", "--now", "2026-11-26T09:10").status == 0)
    Thread.sleep(forTimeInterval: 0.5)
    let again = try book("2026-11-27T16:30", for: id, key: "erased")
    #expect(again.status == 404 && !again.text.contains("limping"))
  }

  @Test func `everybody hears of a change within half a second, whoever made it, and of what was missed`() throws {
    let stream = try HTTPClient(port: served.port)
    stream.write("GET /api/v1/events HTTP/1.1\r\nHost: \(served.host)\r\n\r\n")
    let head = try #require(stream.read(until: "event: here\ndata: "))
    #expect(head.contains("text/event-stream"))
    let here = try #require(stream.read(until: "\n\n"))
    let place = try #require(here.firstMatch(of: /"sequence":(\d+)/)).1

    // The quickest of three: other tests use the machine meanwhile.
    var id = ""
    let own = try ["14:00", "14:30", "15:00"].map { time in
      let began = Date()
      id = try #require(try book("2026-11-27T\(time)").json()["id"] as? String)
      #expect(stream.read(until: id) != nil)
      _ = stream.read(until: "\n\n")
      return Date().timeIntervalSince(began)
    }
    #expect(own.contains { $0 < 0.5 + 0.5 }, "\(own) s, with the booking itself")

    // Another program altogether.
    let program = try VetNetProcess(practice: served.path)
    let others = try ["15:20", "15:40", "15:30"].map { time in
      let moved = try program.run("schedule", "move", id, "--at", "2026-11-27T\(time)", "--now", "2026-11-26T09:10")
      let done = Date()
      #expect(moved.status == 0)
      #expect(stream.read(until: "schedule.move") != nil)
      _ = stream.read(until: "\n\n")
      return Date().timeIntervalSince(done)
    }
    #expect(others.contains { $0 < 0.5 }, "\(others) s")

    // Whoever comes back is told what was missed, and nothing twice.
    let late = try HTTPClient(port: served.port)
    late.write("GET /api/v1/events HTTP/1.1\r\nHost: \(served.host)\r\nLast-Event-ID: \(place)\r\n\r\n")
    let missed = try #require(late.read(until: "event: here"))
    #expect(missed.components(separatedBy: "event: change").count == 7)
    #expect(missed.contains("schedule.book") && missed.contains("schedule.move"))
    #expect(!missed.contains("limping"))
  }

  @Test func `an emergency is booked today with who has to be told`() throws {
    let made = try served.ask(
      "POST", "/api/v1/emergencies", #"{"text":"collapsed, gums white","patient_id":"P017","urgency":"red"}"#)
    #expect(made.status == 201)
    let json = try made.json()
    #expect(json["urgency"] as? String == "red")
    let appointment = try #require(json["appointment"] as? [String: Any])
    #expect((appointment["start"] as? String)?.hasPrefix("2026-11-26T09:") == true)
    #expect(json["notices"] is [Any] && json["wait_minutes"] is Int)
    #expect(try served.ask("POST", "/api/v1/undo", "{}").status == 200)
  }

  @Test func `several appointments change places as one change, or none does`() throws {
    let first = try #require(try book("2026-12-04T10:00").json()["id"] as? String)
    let second = try #require(try book("2026-12-04T11:00", for: "P003").json()["id"] as? String)
    func visit(_ id: String, _ start: String) -> String {
      #"{"appointment_id":"\#(id)","start":"\#(start)","duration_minutes":20,"clinician_id":"S02"}"#
    }
    func start(_ id: String) throws -> String {
      try served.ask("GET", "/api/v1/appointments/\(id)").json()["start"] as? String ?? ""
    }
    // Each into the other's place, which neither could do alone.
    let swap = #"{"visits":[\#(visit(first, "2026-12-04T11:00")),\#(visit(second, "2026-12-04T10:00"))]}"#
    let done = try served.ask("POST", "/api/v1/plan", swap)
    #expect(done.status == 200, "\(done.text)")
    #expect(try start(first).hasPrefix("2026-12-04T11:00") && start(second).hasPrefix("2026-12-04T10:00"))
    let version = try #require(try done.json()["version"] as? Int)
    // Based on what the plan was, and on a place that is none: nothing happens.
    let back = #"[\#(visit(first, "2026-12-04T10:00")),\#(visit(second, "2026-12-04T11:00"))]"#
    let stale = try served.ask("POST", "/api/v1/plan", #"{"visits":\#(back),"version":\#(version - 1)}"#)
    #expect(stale.status == 412 && stale.code == "changed_meanwhile")
    let night = #"{"visits":[\#(visit(first, "2026-12-04T12:00")),\#(visit(second, "2026-12-04T03:00"))]}"#
    #expect(try served.ask("POST", "/api/v1/plan", night).status == 409)
    #expect(try start(first).hasPrefix("2026-12-04T11:00"))
    #expect(try served.ask("POST", "/api/v1/undo", "{}").status == 200)
    #expect(try start(first).hasPrefix("2026-12-04T10:00") && start(second).hasPrefix("2026-12-04T11:00"))
    // What stands in the way of a place, and a way round that can be taken.
    let ways = try served.ask("POST", "/ways/\(first)", #"{"start":"2026-12-04T11:00","clinician_id":"S02"}"#).text
    #expect(ways.contains(#"data-testid="way_0""#) && ways.contains("data-place"))
  }

  @Test func `a registration is corrected against its revision, and what is unlikely has to be meant`() throws {
    let path = "/api/v1/patients/P010"
    let shown = try served.ask("GET", path + "/registration")
    let tag = try #require(shown.headers["etag"])
    #expect(try served.ask("PATCH", path, #"{"weight_kg":5}"#).status == 428)
    let heavy = try served.ask("PATCH", path, #"{"weight_kg":900}"#, headers: ["If-Match": tag])
    #expect(heavy.status == 400 && heavy.text.contains("unlikely"))
    for (body, field) in [
      (#"{"date_of_birth":"2031-01-01"}"#, "date_of_birth"), (#"{"weight_kg":-1}"#, "weight_kg"),
      (#"{"species":"dragonfly"}"#, "species"), (#"{"name":""}"#, "name"), (#"{"colour":"red"}"#, "colour"),
    ] {
      let refused = try served.ask("PATCH", path, body, headers: ["If-Match": tag])
      let error = try #require(try refused.json()["error"] as? [String: Any])
      #expect(refused.status == 400 && error["field"] as? String == field)
    }
    #expect(try served.ask("PATCH", path, #"{"microchip":"12"}"#, headers: ["If-Match": tag]).status == 400)
    let look = try served.ask(
      "PATCH", path, #"{"weight_kg":900,"dry_run":true,"accept_doubts":true}"#, headers: ["If-Match": tag])
    #expect(look.status == 200)
    #expect((try look.json()["doubts"] as? [String])?.count == 1)
    let meant = try served.ask(
      "PATCH", path, #"{"weight_kg":900,"accept_doubts":true}"#, headers: ["If-Match": tag])
    #expect(meant.status == 200 && meant.headers["etag"] != tag)
    let stale = try served.ask("PATCH", path, #"{"weight_kg":6}"#, headers: ["If-Match": tag])
    let error = try #require(try stale.json()["error"] as? [String: Any])
    #expect(stale.status == 412 && (error["current"] as? [String: Any])?["weight_kg"] as? Double == 900)
  }
}
