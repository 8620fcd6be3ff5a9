import Foundation
import Testing
import VetNetTestSupport

/// Answers and briefs as text to be copied.
struct CopyTests {
  private let served: ServedPractice

  init() throws { served = try Served.sample.get() }

  @Test func `an answer and a brief are copied with the notes, days and words that they rest on`() throws {
    let body = #"{"question":"why was meloxicam stopped?","patient_id":"P001"}"#
    let json = try served.ask("POST", "/api/v1/ask", body).json()
    let citation = try #require((json["citations"] as? [[String: Any]])?.first)
    let note = try #require(citation["note_id"] as? String)
    let page = try served.ask("POST", "/ask", body).text
    let copied = try #require(page.firstMatch(of: /data-copy-text>(.*?)<\/span>/.dotMatchesNewlines())).1
    #expect(copied.contains("[1]") && copied.contains("\n[1] \(note), ") && copied.contains(": “"))
    #expect(!copied.contains("<"))
    let brief = try served.ask("GET", "/brief/\(ServedPractice.day)").text
    let copies = brief.matches(of: /data-copy-text>(.*?)<\/span>/.dotMatchesNewlines()).map { String($0.1) }
    #expect(!copies.isEmpty && copies.contains { $0.contains("\nAlerts\n- ") && $0.contains("  [N0") })
  }
}
