import Foundation
import Testing

/// The flow of a day, over real sockets.
@Suite(.serialized) struct FlowTests {
  private let served: ServedPractice

  init() throws { served = try ServedPractice() }

  private func entry(_ id: String) throws -> [String: Any] {
    let flow = try served.ask("GET", "/api/v1/flow/\(ServedPractice.day)").json()
    let visits = try #require(flow["visits"] as? [[String: Any]])
    return try #require(visits.first { $0["appointment_id"] as? String == id })
  }

  private func expected() throws -> String {
    let flow = try served.ask("GET", "/api/v1/flow/\(ServedPractice.day)").json()
    let visits = try #require(flow["visits"] as? [[String: Any]])
    return try #require(visits.first { $0["stage"] as? String == "expected" }?["appointment_id"] as? String)
  }

  private func say(_ stage: String, _ id: String, tag: String? = nil) throws -> HTTPClient.Answer {
    let revision = try tag ?? "\"\(#require(entry(id)["revision"] as? Int))\""
    return try served.ask(
      "POST", "/api/v1/appointments/\(id)/stage", #"{"stage":"\#(stage)"}"#, headers: ["If-Match": revision])
  }

  @Test func `who came is in the waiting room on every screen, and waits from then on`() throws {
    let id = try expected()
    #expect(try say("arrived", id).status == 200)
    served.clock.pass(seconds: 17 * 60)
    let waiting = try entry(id)
    #expect(waiting["stage"] as? String == "arrived" && waiting["waited_minutes"] as? Int == 17)
    let page = try served.ask("GET", "/flow/\(ServedPractice.day)").text
    let column = try #require(page.range(of: #"data-testid="flow_arrived""#))
    let next = try #require(page.range(of: #"data-testid="flow_in_consult""#))
    #expect(page[column.upperBound..<next.lowerBound].contains(#"data-testid="flow_card_\#(id)""#))
    #expect(page.contains("1 waiting"))
    #expect(try served.ask("GET", "/day/\(ServedPractice.day)").text.contains("status-arrived"))
  }

  @Test func `two who say different things of one visit are told so`() throws {
    let id = try expected()
    let seen = "\"\(try #require(entry(id)["revision"] as? Int))\""
    #expect(try say("arrived", id, tag: seen).status == 200)
    let second = try say("no_show", id, tag: seen)
    #expect(second.status == 412 && second.code == "changed_meanwhile")
    #expect(try entry(id)["stage"] as? String == "arrived")
  }

  @Test(arguments: [
    (#"{"stage":"asleep"}"#, 400), (#"{}"#, 400), (#"{"stage":"arrived","when":"now"}"#, 400), (#"{"stage":7}"#, 400),
  ])
  func `what is no stage is refused`(_ body: String, _ status: Int) throws {
    let id = try expected()
    let answer = try served.ask("POST", "/api/v1/appointments/\(id)/stage", body, headers: ["If-Match": "*"])
    #expect(answer.status == status)
    #expect(try entry(id)["stage"] as? String == "expected")
  }

  @Test func `a change without the revision that was seen is refused, and one of nobody's visit too`() throws {
    let id = try expected()
    #expect(try served.ask("POST", "/api/v1/appointments/\(id)/stage", #"{"stage":"arrived"}"#).status == 428)
    let nobody = try served.ask(
      "POST", "/api/v1/appointments/A99999/stage", #"{"stage":"arrived"}"#, headers: ["If-Match": "*"])
    #expect(nobody.status == 404)
  }
}
