import Clinical
import Foundation
import Testing
import VetNet
import VetNetTestSupport

/// What waits in the inbox, in the workspace: seen, filed by a person, rejected, put off, and taken back.
struct InboxPageTests {
  private let served: ServedPractice

  init() throws { served = try Self.served() }

  private static func item(
    _ id: String, _ text: String, kind: IncomingItem.Kind = .letter, hour: Int, urgency: Urgency? = nil,
    candidates: [IncomingItem.Candidate] = [], original: [UInt8]? = nil
  ) -> IncomingItem {
    let moment = Timestamp(seconds: ServedPractice.now.seconds - Int64(10 - hour) * 3600)
    var item = IncomingItem(
      kind, from: .init(source: "post", id: id, receivedAt: moment), text: text, reason: .severalPatients,
      details: .init(title: "Item \(id)", author: "Dr Far"), candidates: candidates)
    item.urgency = urgency
    item.original = original.map { .init(mediaType: "text/html", bytes: $0) }
    return item
  }

  /// Four that wait: inbox-1 is the oldest, inbox-3 red.
  static func served() throws -> ServedPractice {
    let items = [
      item(
        "a", "Seen here: limping on the left hind leg.", hour: 1,
        candidates: [
          .init(patientID: "P001", certainty: 0.7, evidence: [.name, .owner]),
          .init(patientID: "P005", certainty: 0.3, evidence: [.visit]),
        ]),
      item("b", "Gloves at half the price.", hour: 2),
      item(
        "c", "Collapsed, gums white.", kind: .intake, hour: 6, urgency: .red,
        candidates: [.init(patientID: "P017", certainty: 0.9, evidence: [.phone])]),
      item("d", "<script>alert(1)</script> \"><img src=x onerror=alert(1)>", hour: 4, original: Array("<b>".utf8)),
    ]
    return try ServedPractice { practice in
      try practice.perform(AddToInbox(items: items), by: .local, at: ServedPractice.now)
    }
  }

  private func ids(_ query: String = "") throws -> [String] {
    let page = try served.ask("GET", "/api/v1/inbox\(query)").json()
    return (page["items"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? String }
  }

  private func post(_ path: String, _ body: String = "{}", key: String = "") throws -> HTTPClient.Answer {
    try served.ask("POST", "/api/v1/inbox/\(path)", body, headers: ["Idempotency-Key": key])
  }

  @Test func `the most urgent stands first, then the oldest, each with why it may be about whom`() throws {
    #expect(try ids() == ["inbox-3", "inbox-1", "inbox-2", "inbox-4"])
    #expect(try ids("?kind=intake") == ["inbox-3"] && ids("?state=filed") == [])
    let page = try served.ask("GET", "/inbox").text
    let order = page.matches(of: /data-item="(inbox-\d)"/).map { String($0.1) }
    #expect(order == ["inbox-3", "inbox-1", "inbox-2", "inbox-4"])
    for words in [
      "likely (70 %)", "Speaks for it: the patient&#39;s name and the owner&#39;s name.",
      "Speaks for it: a visit at about",
      "from post, Dr Far", "inbox_file_inbox-1_P001", "0 of 4</b> decided today, 1 urgent left",
      #"data-testid="inbox_count">4<"#, "No patient is proposed.",
    ] { #expect(page.contains(words), "\(words)") }
    // Another Bella on file stands beside the one that is proposed.
    #expect(page.contains("2 patients of this name") && page.contains("inbox_file_inbox-1_P009"))
    #expect(!page.contains("<script>alert") && !page.contains("<img src=x"))
    #expect(try served.ask("GET", "/inbox?kind=spam").status == 400)
    let tally = try served.ask("GET", "/api/v1/inbox-count").json()
    #expect(tally["waiting"] as? Int == 4 && tally["urgent"] as? Int == 1 && tally["decided"] as? Int == 0)
  }

  @Test func `one item shows its whole text, and its file is saved and never shown`() throws {
    let page = try served.ask("GET", "/inbox/inbox-4").text
    #expect(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;") && !page.contains("<script>alert"))
    #expect(page.contains("inbox_original_link") && page.contains("inbox_date_input"))
    let file = try served.ask("GET", "/inbox/inbox-4/original")
    #expect(file.status == 200 && file.body == Data("<b>".utf8))
    #expect(file.headers["content-type"] == "application/octet-stream")
    #expect(file.headers["content-disposition"] == #"attachment; filename="inbox-4.bin""#)
    #expect(file.headers["x-content-type-options"] == "nosniff" && file.headers["cache-control"] == "no-store")
    for path in ["/inbox/inbox-1/original", "/inbox/inbox-99", "/inbox/x", "/inbox/inbox-99/original"] {
      #expect(try served.ask("GET", path).status == 404, "\(path)")
    }
    #expect(try served.ask("GET", "/inbox/next").headers["location"] == "/inbox/inbox-3")
  }

  @Test func `what is filed is filed once however often it is sent, is answered from, and is taken back`() throws {
    let body = #"{"patient_id":"P001"}"#
    let filed = try post("inbox-1/file", body, key: "one")
    #expect(filed.status == 200, "\(filed.text)")
    #expect((try filed.json()["filed"] as? [String: Any])?["patient_id"] as? String == "P001")
    #expect(try post("inbox-1/file", body, key: "one").body == filed.body)
    let other = try post("inbox-1/file", #"{"patient_id":"P002"}"#, key: "two")
    #expect(other.status == 400 && other.text.contains("filed already"))
    #expect(try served.ask("GET", "/api/v1/notes/inbox-1").json()["patient_id"] as? String == "P001")
    let asked = try served.ask(
      "POST", "/api/v1/ask", #"{"question":"which leg is she limping on?","patient_id":"P001"}"#)
    #expect(asked.text.contains("inbox-1"))
    let page = try served.ask("GET", "/inbox").text
    #expect(page.contains("Decided lately") && page.contains("inbox_undo_inbox-1"))
    #expect(page.contains("1 of 4</b> decided today"))
    let undone = try post("inbox-1/undo")
    #expect(try undone.status == 200 && undone.json()["state"] as? String == "waiting")
    #expect(try served.ask("GET", "/api/v1/notes/inbox-1").status == 404)
    #expect(try post("inbox-1/undo").status == 404)
    // Of another day, where somebody says so; who is meant has to be one.
    let dated = try post("inbox-1/file", #"{"patient_id":"P001","date":"2026-11-20T10:00"}"#)
    #expect(try dated.status == 200 && ids().count == 3)
    let moment = try served.ask("GET", "/api/v1/notes/inbox-1").json()["recorded_at"] as? String
    #expect(moment?.hasPrefix("2026-11-20T10:00") == true)
    let vague = try post("inbox-2/file", #"{"patient_id":"bella"}"#)
    #expect(try vague.status == 409 && vague.code == "ambiguous_patient" && ids().contains("inbox-2"))
  }

  @Test func `a rejection says why, later stands at the end, and several are set aside together or not at all`() throws
  {
    #expect(try post("inbox-2/reject", "{}").code == "invalid_field")
    #expect(try post("inbox-2/reject", #"{"reason":"an advertisement"}"#).status == 200)
    #expect(try post("inbox-3/later").status == 200)
    #expect(try ids() == ["inbox-1", "inbox-4", "inbox-3"] && ids("?state=rejected") == ["inbox-2"])
    #expect(try served.ask("GET", "/inbox/next").headers["location"] == "/inbox/inbox-1")
    #expect(try served.ask("GET", "/inbox/inbox-2").text.contains("an advertisement"))
    // One of them is filed by somebody meanwhile: nothing happens to the others.
    #expect(try post("inbox-4/file", #"{"patient_id":"P003"}"#).status == 200)
    let both = #"{"ids":["inbox-1","inbox-4"],"state":"rejected","reason":"old"}"#
    #expect(try post("aside", both).status == 400)
    #expect(try ids() == ["inbox-1", "inbox-3"])
    let done = try post("aside", #"{"ids":["inbox-1","inbox-3"],"state":"rejected","reason":"old"}"#, key: "k")
    #expect(try done.status == 200 && (done.json()["items"] as? [Any])?.count == 2 && ids() == [])
    #expect(try served.ask("GET", "/inbox").text.contains("inbox_empty"))
    #expect(try served.ask("GET", "/inbox/next").headers["location"] == "/inbox")
    // After the server was started anew as well, by whoever comes.
    #expect(try post("undo").status == 200 && post("undo").status == 200)
    #expect(try ids() == ["inbox-1", "inbox-3"])
    for bad in [
      #"{"ids":[],"state":"later"}"#, #"{"ids":["inbox-1"],"state":"filed"}"#,
      #"{"ids":["inbox-1"],"state":"rejected"}"#,
      #"{"state":"later"}"#, #"{"ids":["inbox-77"],"state":"later"}"#,
    ] { #expect([400, 404].contains(try post("aside", bad).status), "\(bad)") }
  }

  @Test func `whoever may not file sees neither the tab nor what waits, and the desk sees no link to notes`() throws {
    let served = try ServedPractice.closed()
    let keeper = try served.signIn(.administrator)
    #expect(try !keeper.ask("GET", "/day/2026-11-26").text.contains("tab_inbox"))
    for path in ["/inbox", "/inbox/next", "/inbox/inbox-1", "/api/v1/inbox", "/api/v1/inbox-count"] {
      #expect(try keeper.ask("GET", path).status == 403, "\(path)")
    }
    #expect(try keeper.ask("POST", "/api/v1/inbox/undo", "{}").status == 403)
    let desk = try served.signIn(.reception)
    let page = try desk.ask("GET", "/inbox")
    #expect(page.status == 200 && page.text.contains("Nothing waits to be filed"))
    #expect(try served.ask("GET", "/inbox/inbox-1/original").status == 401)
  }
}
