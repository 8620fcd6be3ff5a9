import Foundation
import Testing
import VetNetTestSupport

/// How far visits have got, as people say it at several screens.
extension BrowserTests {
  @Test(.thorough) func `a visit that was moved since the page was drawn has got as far as somebody says all the same`()
    throws
  {
    let served = try ServedPractice()
    let day = try served.ask("GET", "/api/v1/day/\(ServedPractice.day)").json()
    let visits = day["appointments"] as? [[String: Any]] ?? []
    let id = try #require(
      visits.last { $0["status"] as? String == "booked" && $0["patient_id"] is String }?["id"] as? String)
    let browser = try Browser.first()
    func named(_ testID: String) -> String { Browser.named(testID) }
    try browser.open("http://\(served.host)/flow/\(ServedPractice.day)")
    let card = named("flow_card_\(id)")
    try browser.awaitShown(card)
    let old = try #require(try browser.attribute("data-revision", of: card))
    // A change that says nothing of how far it has got, after which the page is as it was before.
    let visit = try served.ask("GET", "/api/v1/appointments/\(id)").json()
    let minutes = try #require(visit["duration_minutes"] as? Int)
    let changed = try served.ask(
      "PATCH", "/api/v1/appointments/\(id)", #"{"duration_minutes":\#(minutes - 1)}"#, headers: ["If-Match": "*"])
    #expect(changed.status == 200, "\(changed.text)")
    try browser.wait(for: "the change") { try browser.attribute("data-revision", of: card) != old }
    try browser.run("document.querySelector(arguments[0]).dataset.revision = arguments[1]", card, old)
    try browser.run("document.querySelector(arguments[0]).scrollIntoView({block: 'center'})", card)
    try browser.click(named("stage_\(id)_arrived"))
    try browser.awaitShown(named("flow_arrived") + " " + card)
    #expect(try !browser.text("#toasts").contains("look again"))
    #expect(try browser.complaints() == [])
  }
}
