import Clinical
import Foundation
import Testing
import VetNetTestSupport

@testable import VetNet

/// Machines that are invited from the workspace, by one line that is shown once.
struct DeviceInvitationTests {
  private let served: ServedPractice
  private let folder: TemporaryFolder

  init() throws {
    served = try ServedPractice.closed(corpus: [
      "Corpus/clients.jsonl", "Corpus/patients.jsonl", "Corpus/staff.jsonl", "Corpus/resources.jsonl",
    ])
    folder = try TemporaryFolder()
  }

  private func invite(
    _ name: String, _ more: String = #","user":"a veterinarian""#, by role: Role = .administrator
  ) throws -> HTTPClient.Answer {
    try served.signIn(role).ask("POST", "/api/v1/devices", #"{"device":"\#(name)"\#(more)}"#)
  }

  private func take(_ line: String, to name: String) throws -> TakenAlong {
    try TakingAlong(
      DeviceInvitation(line: line), to: folder.file(name), at: served.clock.now,
      reaching: Dialer([HubURL("http://\(served.host)")])
    ).run(unlock: { _ in }, progress: { _, _ in })
  }

  @Test func `the line of the page brings a machine along once, and is told nowhere again`() throws {
    let answer = try invite("farm laptop")
    #expect(answer.status == 201, "\(answer.text)")
    let json = try answer.json()
    let line = try #require(json["invitation"] as? String)
    #expect(json["urls"] as? [String] == ["http://\(served.host)"] && json["user"] as? String == "a veterinarian")
    #expect(json["expires_at"] as? String == "2026-11-26T09:25:00+00:00")
    let administrator = try served.signIn(.administrator)
    let page = try administrator.ask("GET", "/manage/devices").text
    #expect(page.contains("device_farm laptop") && page.contains("invited, may come until 2026-11-26 09:25"))
    let listed = try administrator.ask("GET", "/api/v1/devices").text
    let secret = try DeviceInvitation(line: line).secret.text
    for text in [page, listed, try administrator.ask("GET", "/manage/audit").text] {
      #expect(!text.contains(secret) && !text.contains(line))
    }
    let taken = try take(line, to: "laptop.vetnet")
    #expect(taken.device == "device-1" && taken.user == "a veterinarian")
    #expect(throws: PracticeError.self) { try take(line, to: "other.vetnet") }
    #expect(try administrator.ask("GET", "/manage/devices").text.contains("data-testid=\"revoke_device-1_form\""))
  }

  @Test func `an invitation is withdrawn with one press, and its line is good for nothing then`() throws {
    let line = try #require(try invite("ward tablet").json()["invitation"] as? String)
    let administrator = try served.signIn(.administrator)
    let page = try administrator.ask("GET", "/manage/devices").text
    let form = try #require(page.firstMatch(of: /data-send="([^"]*ward[^"]*revocation)"/))
    let withdrawn = try administrator.ask("POST", String(form.1), #"{"reason":"the invitation was withdrawn"}"#)
    #expect(withdrawn.status == 200, "\(withdrawn.text)")
    #expect(throws: PracticeError.self) { try take(line, to: "tablet.vetnet") }
    #expect(try !administrator.ask("GET", "/manage/devices").text.contains("ward tablet"))
  }

  private static let refused: [(name: String, more: String, status: Int, words: String)] = [
    ("", "", 400, "'device' is needed"), (" - ", "", 400, "a device has a name of 1 to 60 characters"),
    ("laptop", #","user":"nobody""#, 404, "there is no user of that name"),
    ("laptop", #","minutes":0"#, 400, "minutes"),
    ("laptop", #","user":"a administrator""#, 400, "would change nothing on a device"),
  ]

  @Test(arguments: refused)
  func `what can't be invited is refused with why`(name: String, more: String, status: Int, words: String) throws {
    let answer = try invite(name, more)
    #expect(answer.status == status && answer.text.contains(words), "\(answer.text)")
    #expect(try served.signIn(.administrator).ask("GET", "/api/v1/devices").text == #"{"devices":[]}"#)
  }

  @Test(arguments: [Role.veterinarian, .nurse, .reception])
  func `only who manages users invites`(role: Role) throws {
    #expect(try invite("laptop", by: role).status == 403)
    #expect(try served.signIn(role).ask("GET", "/manage/devices").status == 403)
  }
}
