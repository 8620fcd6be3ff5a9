import Foundation
import Testing
import VetNet
import VetNetTestSupport

/// The manager's pages: what each role finds there, and that what is typed does what it says.
struct ManageTests {
  private static let pages = [
    "practice", "people-and-rooms", "users", "imports", "imports/1", "audit",
  ]

  private func text(_ answer: HTTPClient.Answer, _ status: Int = 200) -> String {
    #expect(answer.status == status, "\(answer.text.prefix(300))")
    return answer.text
  }

  /// What is wrong, and with which field.
  private func field(_ answer: HTTPClient.Answer) -> String? {
    guard answer.status == 400 || answer.status == 409 else { return "status \(answer.status)" }
    return ((try? answer.json()["error"]) as? [String: Any])?["field"] as? String
  }

  @Test func `each role is offered what it may do, and refused the rest`() throws {
    let served = try ServedPractice.closed()
    for role in [Role.administrator, .veterinarian, .nurse, .reception] {
      let person = try served.signIn(role)
      let isManager = role == .administrator
      // Who looks after patients finds the weeks and the comparisons there.
      let hasTab = role != .reception
      let hub = try person.ask("GET", "/manage")
      #expect(hub.status == (hasTab ? 200 : 403), "\(role)")
      #expect(hub.text.contains("manage_weeks_card") == hasTab)
      #expect(hub.text.contains("manage_users_card") == isManager)
      #expect(try person.ask("GET", "/day/today").text.contains(#"data-testid="tab_manage""#) == false)
      #expect(try person.ask("GET", "/patients").text.contains(#"data-testid="tab_manage""#) == hasTab)
      for page in Self.pages {
        let answer = try person.ask("GET", "/manage/\(page)")
        #expect(answer.status == (isManager ? 200 : 403), "\(role) \(page)")
      }
      guard !isManager else { continue }
      for (method, path, body) in [
        ("PATCH", "settings", #"{"units":"imperial"}"#), ("PUT", "features/reader", #"{"on":false}"#),
        ("POST", "staff", #"{"name":"X","role":"nurse"}"#), ("PATCH", "staff/S01", #"{"hours":"none"}"#),
        ("POST", "rooms", #"{"name":"X","kind":"room"}"#), ("POST", "locations", #"{"name":"X"}"#),
        ("POST", "users", #"{"name":"x","role":"nurse","passphrase":"long enough words"}"#),
        ("PATCH", "users/a%20nurse", #"{"role":"administrator"}"#), ("POST", "imports/1/undo", "{}"),
        ("POST", "jobs", #"{"kind":"backup"}"#), ("POST", "audit/patient", #"{"patient":"P001"}"#),
      ] {
        let answer = try person.ask(method, "/api/v1/\(path)", body)
        #expect(answer.status == 403, "\(role) \(method) \(path): \(answer.text)")
      }
      for path in ["users", "imports", "audit", "imports/1/undo"] {
        #expect(try person.ask("GET", "/api/v1/\(path)").status == 403, "\(role) \(path)")
      }
    }
  }

  @Test func `a setting holds at once on every thread, and of a wrong one nothing is changed`() throws {
    let served = try ServedPractice()
    let page = text(try served.ask("GET", "/manage/practice"))
    // What names a program, or who lets people in, is for whoever may use the machine.
    for key in PracticeSetting.allCases {
      #expect(page.contains(#"data-testid="setting_\#(key.rawValue)""#) == key.isSetInWorkspace, "\(key)")
    }
    #expect(page.contains("No backup was proven yet") && !page.contains("backup_due"))
    for (body, wrong) in [
      (#"{"units":"imperial","hours":"sometimes"}"#, "hours"), (#"{"quantile":"2"}"#, "quantile"),
      (#"{"time-zone":"Mars/Olympus"}"#, "time-zone"), (#"{"colour":"red"}"#, "colour"),
    ] {
      #expect(field(try served.ask("PATCH", "/api/v1/settings", body)) == wrong, "\(body)")
    }
    func values() throws -> [String: String] {
      let all = try served.ask("GET", "/api/v1/settings").json()["settings"] as? [[String: Any]] ?? []
      return Dictionary(uniqueKeysWithValues: all.map { ($0["key"] as? String ?? "", $0["value"] as? String ?? "") })
    }
    #expect(try values()["units"] == "metric")
    let body = #"{"units":"imperial","hours":"Mon-Fri 8:30-18:30","time-zone":"Asia/Tokyo"}"#
    _ = text(try served.ask("PATCH", "/api/v1/settings", body))
    #expect(try values()["units"] == "imperial" && values()["hours"] == "mon-fri 08:30-18:30")
    // Each thread that reads has the file open for itself.
    for _ in 0..<20 {
      #expect((try served.ask("GET", "/api/v1/session").json()["now"] as? String)?.hasSuffix("+09:00") == true)
    }
    _ = text(try served.ask("PATCH", "/api/v1/settings", #"{"units":null}"#))
    #expect(try values()["units"] == "metric")
    _ = text(try served.ask("PUT", "/api/v1/features/reader", #"{"on":false}"#))
    #expect(text(try served.ask("GET", "/manage/practice?part=live")).contains("Switch on reader"))
  }

  @Test func `hours, breaks, leave and rooms are changed, and the day goes by them`() throws {
    let served = try ServedPractice()
    for (body, wrong) in [
      (#"{"hours":"mon-fri 18-9"}"#, "hours"), (#"{"breaks":"mon-fri 12:00-12:20 30"}"#, "breaks"),
      (#"{"breaks":"at noon"}"#, "breaks"),
    ] {
      #expect(field(try served.ask("PATCH", "/api/v1/staff/S02", body)) == wrong, "\(body)")
    }
    let changed = try served.ask(
      "PATCH", "/api/v1/staff/S02", #"{"hours":"thu 10:00-16:00","breaks":"thu 12-14 45"}"#)
    #expect(try changed.json()["hours"] as? String == "thu 10:00-16:00", "\(changed.text)")
    #expect(try changed.json()["breaks"] as? String == "thu 12:00-14:00 45")
    func working() throws -> Int? {
      let day =
        try served.ask("GET", "/api/v1/day/\(ServedPractice.day)").json()["clinicians"] as? [[String: Any]] ?? []
      return day.first { $0["id"] as? String == "S02" }?["working_minutes"] as? Int
    }
    #expect(try working() == 360 - 45)
    #expect(
      field(try served.ask("POST", "/api/v1/staff/S02/leave", #"{"from":"2026-11-27","to":"2026-11-20"}"#)) == "to")
    #expect(field(try served.ask("POST", "/api/v1/staff/S02/leave", #"{"from":"soon"}"#)) == "from")
    let away = #"{"from":"2026-11-25","to":"2026-11-27"}"#
    _ = text(try served.ask("POST", "/api/v1/staff/S02/leave", away))
    #expect((try working() ?? 0) == 0)
    #expect(text(try served.ask("GET", "/manage/people-and-rooms")).contains("away today"))
    let back = try served.ask("POST", "/api/v1/staff/S02/leave", #"{"from":"2026-11-26","taken_back":true}"#)
    let left = try back.json()["leave"] as? [[String: String]] ?? []
    #expect(left.suffix(2).map { $0["from"] } == ["2026-11-25", "2026-11-27"], "\(left)")
    #expect(try working() == 315)
    // What they may do and would like.
    let may = try served.ask("POST", "/api/v1/staff/S02/credentials", #"{"name":"lasers","expires":"2027-03-31"}"#)
    #expect(
      (try may.json()["credentials"] as? [[String: Any]] ?? []).contains { $0["expires"] as? String == "2027-03-31" })
    #expect(text(try served.ask("GET", "/manage/people-and-rooms")).contains("lasers</bdi> until 31 Mar 2027"))
    _ = text(try served.ask("POST", "/api/v1/staff/S02/credentials", #"{"name":"Lasers","taken_away":true}"#))
    #expect(!text(try served.ask("GET", "/manage/people-and-rooms")).contains("lasers</bdi>"))
    #expect(
      field(try served.ask("POST", "/api/v1/staff/S02/credentials", #"{"name":"x","expires":"soon"}"#)) == "expires")
    let wish = try served.ask("PATCH", "/api/v1/staff/S02", #"{"most_per_day":9,"latest_long_start":"15:30"}"#)
    #expect(try wish.json()["latest_long_start"] as? String == "15:30")
    #expect(try (wish.json()["most_per_day"] as? [String: Int])?["*"] == 9)
    #expect(
      field(try served.ask("PATCH", "/api/v1/staff/S02", #"{"latest_long_start":"late"}"#)) == "latest_long_start")
    let none = try served.ask("PATCH", "/api/v1/staff/S02", #"{"most_per_day":null,"latest_long_start":null}"#)
    #expect(try none.json()["latest_long_start"] is NSNull || none.json()["latest_long_start"] == nil)
    // Somebody and something more, which must not be there already.
    #expect(
      try served.ask("POST", "/api/v1/staff", #"{"name":"Dr New","role":"veterinarian","hours":"mon 9-12"}"#).status
        == 201)
    #expect(try served.ask("POST", "/api/v1/staff", #"{"name":"dr new","role":"nurse"}"#).status == 409)
    #expect(
      field(try served.ask("POST", "/api/v1/staff", #"{"name":"Dr Other","role":"nurse","hours":"x"}"#)) == "hours")
    let room = try served.ask("POST", "/api/v1/rooms", #"{"name":"Laser","kind":"imaging","cleaning_minutes":5}"#)
    let id = try #require(try room.json()["id"] as? String)
    #expect(try served.ask("POST", "/api/v1/rooms", #"{"name":"laser","kind":"room"}"#).status == 409)
    #expect(
      field(try served.ask("PUT", "/api/v1/rooms/\(id)", #"{"name":"Laser","kind":"imaging","capacity":0}"#))
        == "capacity")
    _ = text(try served.ask("PUT", "/api/v1/rooms/\(id)", #"{"name":"Laser suite","kind":"imaging","capacity":2}"#))
    let page = text(try served.ask("GET", "/manage/people-and-rooms"))
    #expect(page.contains("Laser suite") && page.contains("Dr New") && page.contains("2 of them"))
  }

  @Test func `a place is added, closed for a while, and rooms are put there`() throws {
    let served = try ServedPractice()
    #expect(field(try served.ask("POST", "/api/v1/locations", #"{"name":"Main","region":"atlantis"}"#)) == "region")
    #expect(field(try served.ask("POST", "/api/v1/locations", #"{"name":"Main","hours":"late"}"#)) == "hours")
    var ids: [String] = []
    for name in ["Main", "Harbour"] {
      let added = try served.ask("POST", "/api/v1/locations", #"{"name":"\#(name)","region":"england-and-wales"}"#)
      ids.append(try #require(try added.json()["id"] as? String, "\(added.text)"))
    }
    let days = #"{"from":"2026-12-29","to":"2026-12-30","edit":"close","reason":"stocktaking"}"#
    _ = text(try served.ask("POST", "/api/v1/locations/\(ids[0])/closures", days))
    var page = text(try served.ask("GET", "/manage/practice?part=live"))
    #expect(
      page.contains("Tuesday 29 December 2026") && page.contains("stocktaking") && page.contains("public holiday"))
    _ = text(
      try served.ask("POST", "/api/v1/locations/\(ids[0])/closures", #"{"from":"2026-12-29","edit":"clear"}"#))
    page = text(try served.ask("GET", "/manage/practice?part=live"))
    #expect(!page.contains("Tuesday 29 December 2026") && page.contains("Wednesday 30 December 2026"))
    _ = text(try served.ask("PATCH", "/api/v1/locations/\(ids[1])", #"{"hours":"sat 9-12","region":null}"#))
    let rooms = try served.ask("GET", "/api/v1/rooms").json()["rooms"] as? [[String: Any]] ?? []
    let room = try #require(rooms.first?["id"] as? String)
    _ = text(try served.ask("POST", "/api/v1/locations/\(ids[1])/rooms", #"{"room":"\#(room)"}"#))
    #expect(text(try served.ask("GET", "/manage/people-and-rooms")).contains("at Harbour"))
  }

  @Test func `the first user closes the practice, and the last administrator stays one`() throws {
    let served = try ServedPractice()
    #expect(text(try served.ask("GET", "/manage/users")).contains("no_users"))
    func add(
      _ name: String, _ role: String, _ words: String = "four words, or five", _ person: ServedPractice.SignedIn? = nil
    )
      throws -> HTTPClient.Answer
    {
      let body = #"{"name":"\#(name)","role":"\#(role)","passphrase":"\#(words)"}"#
      return try person?.ask("POST", "/api/v1/users", body) ?? served.ask("POST", "/api/v1/users", body)
    }
    #expect(field(try add("ann", "nurse")) == "name")
    #expect(field(try add("ann", "owner")) == "role")
    #expect(field(try add("ann", "administrator", "short")) == "passphrase")
    #expect(try add("a administrator", "administrator", "words of a administrator").status == 201)
    #expect(try served.ask("GET", "/manage/users").status == 303)
    let ann = try served.signIn(.administrator)
    #expect(try add("a nurse", "nurse", "words of a nurse", ann).status == 201)
    #expect(try add("A Nurse", "reception", "words of a nurse", ann).status == 409)
    let nurse = try served.signIn(.nurse)
    _ = text(try ann.ask("PATCH", "/api/v1/users/a%20nurse", #"{"role":"veterinarian"}"#))
    #expect(try nurse.ask("GET", "/api/v1/jobs").status == 401)
    _ = text(try ann.ask("PATCH", "/api/v1/users/a%20nurse", #"{"disabled":true}"#))
    #expect(try served.trySigningIn("a nurse", "words of a nurse").status == 401)
    _ = text(try ann.ask("PATCH", "/api/v1/users/a%20nurse", #"{"disabled":false}"#))
    _ = text(try ann.ask("POST", "/api/v1/users/a%20nurse/passphrase", #"{"passphrase":"quite other words"}"#))
    #expect(try served.trySigningIn("a nurse", "words of a nurse").status == 401)
    #expect(try served.trySigningIn("a nurse", "quite other words").status == 201)
    for body in [#"{"role":"nurse"}"#, #"{"disabled":true}"#] {
      #expect(try ann.ask("PATCH", "/api/v1/users/a%20administrator", body).status == 409)
    }
    let rules = try ann.ask("PATCH", "/api/v1/sign-in-rules", #"{"idle_minutes":5}"#)
    #expect(try rules.json()["idle_minutes"] as? Int == 5)
    #expect(field(try ann.ask("PATCH", "/api/v1/sign-in-rules", #"{"idle_minutes":0}"#)) == "idle_minutes")
    let page = text(try ann.ask("GET", "/manage/users"))
    #expect(
      page.contains(#"data-testid="user_a nurse""#) && page.contains(#"value="5""#) && page.contains("rights_table"))
    #expect(!page.contains("argon2"))
  }

  @Test func `an import is taken back after it was said what goes and what stays`() throws {
    let served = try ServedPractice { practice in
      let folder = try TemporaryFolder()
      try folder.write(
        #"{"id":"U1","name":"Ida","species":"cat"}"# + "\n" + #"{"id":"U2","name":"Odo","species":"dog"}"# + "\n",
        to: "patients.jsonl")
      try practice.perform(
        ImportRecords(paths: [folder.file("patients.jsonl")], options: ImportOptions()), by: .local,
        at: ServedPractice.now)
    }
    let changed = try served.ask(
      "PATCH", "/api/v1/patients/U2", #"{"breed":"Pug"}"#, headers: ["If-Match": "*"])
    #expect(changed.status == 200, "\(changed.text)")
    let list = text(try served.ask("GET", "/manage/imports"))
    #expect(list.contains("patients.jsonl") && list.contains("patients 2 new") && list.contains("undo_import_2"))
    let page = text(try served.ask("GET", "/manage/imports/2"))
    #expect(page.contains("<li>1 patients</li>") && page.contains("patients U2"), "\(page.suffix(2500))")
    // It was only asked about.
    #expect(try served.ask("GET", "/api/v1/patients/U1").status == 200)
    let undone = try served.ask("POST", "/api/v1/imports/2/undo", "{}")
    #expect(try undone.json()["state"] as? String == "partly undone", "\(undone.text)")
    #expect(try served.ask("GET", "/api/v1/patients/U1").status == 404)
    #expect(try served.ask("GET", "/api/v1/patients/U2").status == 200)
    #expect(text(try served.ask("GET", "/manage/imports?part=live")).contains("partly taken back"))
    #expect(try served.ask("POST", "/api/v1/imports/99/undo", "{}").status == 404)
    #expect(try served.ask("GET", "/manage/imports/99").status == 404)
  }

  @Test func `the audit log comes in pages that are whole together, and says who saw a patient`() throws {
    let served = try ServedPractice()
    for id in ["P001", "P002", "P001", "P003"] {
      _ = text(try served.ask("GET", "/api/v1/patients/\(id)"))
      served.clock.pass(seconds: 2)
    }
    var numbers: [Int] = []
    var next: Int? = .max
    while let before = next {
      let page = try served.ask("GET", "/api/v1/audit?access=1&patient=P001&limit=1&before=\(before)").json()
      numbers += (page["entries"] as? [[String: Any]] ?? []).compactMap { $0["sequence"] as? Int }
      next = page["next_before"] as? Int
    }
    #expect(numbers.count >= 2 && numbers == Set(numbers).sorted(by: >), "\(numbers)")
    let page = text(try served.ask("GET", "/manage/audit?patient=P001&access=1"))
    #expect(page.contains("Who saw the record of P001") && page.contains("patient.show"))
    #expect(!page.contains("patient P002"))
    // Of several of one name somebody has to say which, and nobody is asked for in vain.
    let asked = text(try served.ask("GET", "/manage/audit?patient=bella"))
    #expect(asked.contains("/manage/audit?patient=P001") && asked.contains("role=\"alert\""))
    // A name is asked about by POST; an address has the id, be it of somebody who is no longer on file.
    func meant(_ words: String) throws -> HTTPClient.Answer {
      try served.ask("POST", "/api/v1/audit/patient", #"{"patient":"\#(words)"}"#)
    }
    #expect(try meant("thumper").json()["id"] as? String == "P017" && meant(" P002 ").json()["id"] as? String == "P002")
    #expect(try meant("bella").code == "ambiguous_patient")
    #expect(try meant("nobody of that name").status == 404 && field(meant("")) == "patient")
    #expect(text(try served.ask("GET", "/manage/audit")).contains(#"data-audit="/manage/audit" method="post""#))
    #expect(text(try served.ask("GET", "/manage/audit?user=nobody")).contains("Nothing of that is on record"))
    #expect(text(try served.ask("GET", "/manage/audit?since=never")).contains("&#39;since&#39; is no day"))
    #expect(text(try served.ask("GET", "/manage/audit?part=chain")).contains("audit_ok"))
    // How long it is kept who saw what.
    #expect(field(try served.ask("PATCH", "/api/v1/audit/days", #"{"days":30}"#)) == "days")
    #expect(try served.ask("POST", "/api/v1/audit/compaction", "{}").status == 409)
    _ = text(try served.ask("PATCH", "/api/v1/audit/days", #"{"days":400}"#))
    let kept = text(try served.ask("GET", "/manage/audit"))
    #expect(kept.contains(#"value="400""#) && kept.contains("compact_form"))
    served.clock.pass(seconds: 500 * 86_400)
    let taken = try served.ask("POST", "/api/v1/audit/compaction", "{}")
    #expect((try taken.json()["entries"] as? Int ?? 0) > 0, "\(taken.text)")
    #expect(text(try served.ask("GET", "/manage/audit")).contains("content taken out"))
    #expect(text(try served.ask("GET", "/manage/audit?part=chain")).contains("without content"))
  }

  @Test func `the weeks are pictures with their numbers behind them, as the API gives them`() throws {
    let served = try ServedPractice()
    let page = text(try served.ask("GET", "/manage/weeks"))
    let all = try served.ask("GET", "/api/v1/insights").json()
    let weeks = try #require(all["weeks"] as? [[String: Any]])
    #expect(
      weeks.count == 16 && weeks[11]["phase"] as? String == "present" && weeks[11]["monday"] as? String == "2026-11-23")
    let overruns = try #require(all["overruns"] as? [[String: Any]])
    let over = try #require(overruns[9]["over"] as? Int)
    let visits = try #require(overruns[9]["visits"] as? Int)
    #expect(visits > 0)
    let figure = try #require(
      page.firstMatch(of: /data-testid="weeks_overruns".*?<\/figure>/.dotMatchesNewlines())
    ).0
    #expect(figure.contains("<svg") && figure.contains("<details>"))
    let row = try #require(figure.firstMatch(of: /<tr><th scope="row">9 Nov 2026<\/th>.*?<\/tr>/)).0
    #expect(row.contains(">\(visits)<") && row.contains(">\(over)<"), "\(row)")
    for person in try #require(all["workload"] as? [[String: Any]]) {
      #expect(page.contains("weeks_workload_\(person["clinician_id"] as? String ?? "?")"))
    }
    #expect(field(try served.ask("GET", "/api/v1/insights?weeks=many")) == "weeks")
    #expect(try served.ask("GET", "/api/v1/insights?weeks=500").status == 400)
    let short = try served.ask("GET", "/api/v1/insights?weeks=2&ahead=0").json()["weeks"] as? [Any]
    #expect(short?.count == 2)
    // A practice with nothing in it says so.
    let empty = try ServedPractice(corpus: [])
    let bare = text(try empty.ask("GET", "/manage/weeks"))
    #expect(bare.contains("Nobody works here yet") && !bare.contains("<svg"))
  }

  @Test func `a comparison opens in place, with the cases that are taken for less urgent`() throws {
    let served = try ServedPractice()
    #expect(text(try served.ask("GET", "/manage/evaluations")).contains("No comparison was run here yet"))
    for (words, level) in [
      ("my dog collapsed and his gums are white", "red"), ("my dog collapsed and his gums are white", "green"),
      ("annual booster, bright and well", "red"),
    ] {
      let kept = try served.ask(
        "POST", "/api/v1/assessments",
        #"{"text":"\#(words)","species":"dog","urgency":"\#(level)","reason":"seen <b>"}"#)
      #expect(kept.status == 201, "\(kept.text)")
    }
    let begun = try served.ask("POST", "/api/v1/jobs", #"{"kind":"evaluate"}"#)
    let id = try #require(try begun.json()["id"] as? Int, "\(begun.text)")
    for _ in 0..<600 where try served.ask("GET", "/api/v1/jobs/\(id)").json()["state"] as? String == "running" {
      usleep(50_000)
    }
    #expect(text(try served.ask("GET", "/manage/evaluations?part=live")).contains("open_evaluation_\(id)"))
    let whole = try served.ask("GET", "/api/v1/jobs/\(id)/report").json()
    #expect(
      whole["cases"] as? Int == 3 && (whole["levels"] as? [String: [String: Int]])?["red"]?["red"] == 1, "\(whole)")
    let page = text(try served.ask("GET", "/manage/evaluations/\(id)"))
    #expect(page.contains("Of 3 cases with a person") && page.contains("evaluation_matrix"))
    #expect(
      page.contains(#"<td class="same">1</td>"#) && page.contains("override-3") && page.contains("Versions that judged")
    )
    #expect(!page.contains("gums are white") && !page.contains("seen &lt;b"))
    #expect(try served.ask("GET", "/manage/evaluations/99").status == 404)
    #expect(try served.ask("GET", "/manage/evaluations/x").status == 404)
  }

  @Test func `a backup is made as a job, and the page says where it is`() throws {
    let served = try ServedPractice()
    served.clock.pass(seconds: 8 * 86_400)
    #expect(text(try served.ask("GET", "/manage")).contains("a backup is due"))
    #expect(text(try served.ask("GET", "/manage/practice?part=live")).contains("backup_due"))
    let begun = try served.ask("POST", "/api/v1/jobs", #"{"kind":"backup"}"#)
    let id = try #require(try begun.json()["id"] as? Int, "\(begun.text)")
    var state = "running"
    for _ in 0..<600 where state == "running" {
      usleep(50_000)
      state = try served.ask("GET", "/api/v1/jobs/\(id)").json()["state"] as? String ?? ""
    }
    #expect(state == "done")
    let page = text(try served.ask("GET", "/manage/practice?part=live"))
    #expect(page.contains("Last proven backup") && !page.contains("backup_due") && page.contains("/backups/practice-"))
    let folder = URL(filePath: served.path).deletingLastPathComponent().appending(path: "backups").path
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).contains { $0.hasSuffix(".vetnet") })
    let rights = try FileManager.default.attributesOfItem(atPath: folder)[.posixPermissions] as? Int
    #expect(rights == 0o700)
  }

  @Test func `somebody who keeps one place changes hours there, and nothing that counts elsewhere`() throws {
    let served = try ServedPractice.closed()
    let keeper = try served.signIn(.administrator)
    var ids: [String] = []
    for name in ["Main", "Harbour"] {
      let added = try keeper.ask("POST", "/api/v1/locations", #"{"name":"\#(name)"}"#)
      ids.append(try #require(try added.json()["id"] as? String, "\(added.text)"))
    }
    let given = #"{"location":"\#(ids[1])","role":"administrator"}"#
    #expect(try keeper.ask("PATCH", "/api/v1/users/a%20nurse", given).status == 200)
    let nurse = try served.signIn(.nurse)
    for (place, more, status) in [(ids[1], "", 200), (ids[1], #","breaks":"none""#, 403), (ids[0], "", 403)] {
      let body = #"{"hours":"sat 10:00-12:00","location":"\#(place)"\#(more)}"#
      let answer = try nurse.ask("PATCH", "/api/v1/staff/S02", body)
      #expect(answer.status == status, "\(body): \(answer.text)")
    }
  }
}
