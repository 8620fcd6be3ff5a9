import Foundation
import Testing
import VetNetTestSupport

/// Calendars to subscribe to, from the command line.
struct FeedCommandTests {
  @Test func `an address is made, shown once, listed without it, and withdrawn`() throws {
    let folder = try TemporaryFolder()
    let vetnet = try VetNetProcess(practice: folder.file("p.vetnet"))
    try vetnet.run("init", "--time-zone", "UTC")
    #expect(try vetnet.run("feed", "add").status == 64)
    let made = try vetnet.run("feed", "add", "--whole", "--without-names", "--json")
    #expect(made.status == 0, "\(made.errors)")
    let path = try #require(try made.json()["path"] as? String)
    #expect(path.wholeMatch(of: /\/feed\/[0-9a-f]{64}\.ics/) != nil)
    let list = try vetnet.run("feed", "list")
    #expect(list.output.contains("feed-1: the practice, without names"))
    #expect(!list.output.contains(path.dropFirst(6).prefix(64)))
    #expect(try vetnet.run("feed", "add", "--clinician", "S99").status != 0)
    #expect(try vetnet.run("feed", "withdraw", "feed-1").output.contains("feed-1 is withdrawn"))
    let again = try vetnet.run("feed", "withdraw", "feed-1")
    #expect(again.status == 1 && again.errors.contains("vetnet feed list"))
    #expect(try vetnet.run("feed", "list", "--all", "--json").output.isEmpty)
  }
}
