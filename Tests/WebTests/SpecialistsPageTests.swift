import Foundation
import Testing
import VetNet
import VetNetTestSupport

/// Who sees patients, by field of work and for a case.
struct SpecialistsPageTests {
  private let served: ServedPractice

  init() throws { served = try Served.sample.get() }

  private func order(_ page: String) -> [String] {
    page.matches(of: /data-testid="specialist_([^"]+)"/).map { String($0.1) }
  }

  @Test func `cards say what the book says of the day and the week, and who is free when`() throws {
    let all = try served.ask("GET", "/api/v1/specialists").json()
    let cards = try #require(all["specialists"] as? [[String: Any]])
    #expect(cards.count >= 5)
    let day = try served.ask("GET", "/api/v1/day/\(ServedPractice.day)").json()
    let clinicians = try #require(day["clinicians"] as? [[String: Any]])
    for clinician in clinicians {
      let card = try #require(cards.first { $0["id"] as? String == clinician["id"] as? String })
      let today = try #require((card["days"] as? [[String: Any]])?.first)
      let load = try #require(today["load"] as? [String: Any])
      #expect(today["date"] as? String == ServedPractice.day)
      for field in ["booked_minutes", "working_minutes", "visits"] {
        #expect(load[field] as? Int == clinician[field] as? Int, "\(field)")
      }
      #expect(today["hours"] as? [[Int]] == clinician["hours"] as? [[Int]])
    }
    // The next free time is the first that the book has for so long.
    let first = try #require(cards.first { $0["id"] as? String == "S01" })
    let free = try #require(first["next_free"] as? String)
    #expect(free >= "2026-11-26T09:10")
    let long = try served.ask("GET", "/api/v1/specialists?minutes=120").json()["specialists"] as? [[String: Any]]
    let later = try #require(long?.first { $0["id"] as? String == "S01" }?["next_free"] as? String)
    #expect(later >= free)
    #expect(try served.ask("GET", "/api/v1/specialists?minutes=0").status == 400)
    let leave = first["leave"] as? [[String: String]]
    #expect(leave == [["from": "2026-12-21", "to": "2026-12-24"]])
    #expect((first["regulars"] as? [Any])?.isEmpty == false)
    let page = try served.ask("GET", "/specialists").text
    #expect(order(page).count == cards.count && page.contains("Dr Helen Marsh") && page.contains("Knows best"))
    // What changes by itself is not read out: only what somebody asked for is.
    #expect(page.contains(#"data-kinds="staff appointment resource location">"#))
    #expect(page.contains(#"role="status" data-outcome"#))
  }

  @Test func `a field of work in the address leaves those who have it, the most competent first`() throws {
    let page = try served.ask("GET", "/specialists?skill=cardiology").text
    let all = order(try served.ask("GET", "/specialists").text)
    #expect(order(page).first == "S02" && order(page).count < all.count)
    #expect(page.contains("<option value=\"cardiology\" selected>"))
    let none = try served.ask("GET", "/specialists?skill=%3Cscript%3Ealert(1)%3C/script%3E").text
    #expect(none.contains("Nobody on file has this field") && !none.contains("<script>alert"))
  }

  @Test func `a case in words ranks the cards as triage does, says why, and stands in no address`() throws {
    let text = "two weeks of fainting when she climbs the stairs, known heart murmur, cough at night"
    let body = #"{"text":"\#(text)","patient_id":"P001"}"#
    let piece = try served.ask("POST", "/specialists", body)
    #expect(piece.status == 200)
    let triage = try served.ask("POST", "/api/v1/triage", body).json()
    let staff = try #require(triage["staff"] as? [[String: Any]])
    let wanted = staff.compactMap { $0["id"] as? String ?? $0["staff_id"] as? String }
    #expect(!wanted.isEmpty && Array(order(piece.text).prefix(wanted.count)) == wanted)
    #expect(piece.text.contains("Suits the case") && piece.text.contains("skill"))
    let address = "/specialists?text=\(text.replacing(" ", with: "+").replacing(",", with: ""))"
    #expect(try !served.ask("GET", address).text.contains("fainting"))
    #expect(try served.ask("POST", "/specialists", #"{"skill":"cardiology"}"#).status == 400)
  }
}

extension BrowserTests {
  @Test func `who stands first for a case is said in a word, and the order is given back`() throws {
    let served = try ServedPractice()
    let browser = try Browser.first()
    try browser.open("http://\(served.host)/specialists")
    try browser.click(".case-question summary")
    try browser.type("fainting on the stairs, known heart murmur", into: Browser.named("suits_text_input"))
    try browser.click(Browser.named("suits_submit_button"))
    try browser.awaitShown(Browser.named("suits_case"))
    let first = try browser.text(".specialist h2 bdi")
    #expect(!first.isEmpty)
    #expect(try browser.text(Browser.named("suits_outcome")) == "Ranked: \(first) stands first.")
    try browser.click("#suits [data-clear]")
    #expect(try browser.text(Browser.named("suits_outcome")) == "In the usual order again.")
    #expect(try browser.complaints() == [])
  }
}
