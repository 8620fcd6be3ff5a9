import Clinical
import Testing

@testable import VetNetCLI

struct SuggestionsTests {
  @Test(arguments: [("imprt", "import"), ("aks", "ask"), ("shedule", "schedule"), ("reindx", "reindex")])
  func `a mistyped command finds the one that was meant`(typed: String, meant: String) {
    #expect(Suggestions.nearest(to: typed, among: ["init", "import", "ask", "schedule", "reindex"]) == meant)
  }

  @Test func `a word that resembles nothing gets no suggestion`() {
    #expect(Suggestions.nearest(to: "xylophone", among: ["init", "import", "ask"]) == nil)
  }

  @Test func `the distance is a metric on random words`() {
    var generator = SplitMix64(seed: 7)
    func word() -> String {
      String((0..<Int.random(in: 0...6, using: &generator)).map { _ in "abc".randomElement(using: &generator) ?? "a" })
    }
    for _ in 0..<300 {
      let a = word(), b = word()
      #expect(Suggestions.distance(a, b) == Suggestions.distance(b, a))
      #expect((Suggestions.distance(a, b) == 0) == (a == b))
      #expect(Suggestions.distance(a, b) >= abs(a.count - b.count))
      #expect(Suggestions.distance(a, b) <= max(a.count, b.count))
    }
  }
}
