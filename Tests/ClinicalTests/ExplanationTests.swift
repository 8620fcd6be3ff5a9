import Clinical
import Foundation
import Testing

@Suite struct ExplanationTests {
  @Test(arguments: 0..<20) func `a sum is the sum of its parts, at every level`(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    func tree(_ depth: Int) -> Explanation {
      let parts = (0..<Int.random(in: 0...4, using: &generator)).map { number in
        depth == 0 || Bool.random(using: &generator)
          ? Explanation("leaf \(number)", value: Double(Int.random(in: -5...9, using: &generator)))
          : tree(depth - 1)
      }
      return Explanation.sum("depth \(depth)", of: parts)
    }
    func leaves(_ node: Explanation) -> Double {
      node.description.hasPrefix("leaf") ? node.value : node.details.map(leaves).reduce(0, +)
    }
    let whole = tree(4)
    #expect(whole.value == leaves(whole))
  }

  @Test func `the greatest part decides a maximum, and nothing is zero`() {
    let parts = [Explanation("a", value: 1), Explanation("b", value: 3), Explanation("c", value: 2)]
    #expect(Explanation.maximum("worst", of: parts).value == 3)
    #expect(Explanation.maximum("none", of: []).value == 0)
    #expect(Explanation.sum("none", of: []).value == 0)
  }

  @Test func `JSON leaves out what is empty, and byte offsets`() throws {
    let explanation = Explanation(
      "points", value: 2,
      details: [
        Explanation("murmur", value: 2, evidence: [Evidence(noteID: "N1", range: 4..<10, quote: "murmur")])
      ])
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let json = String(decoding: try encoder.encode(explanation), as: UTF8.self)
    #expect(
      json == #"{"description":"points","details":[{"description":"murmur","evidence":"#
        + #"[{"note_id":"N1","quote":"murmur"}],"value":2}],"value":2}"#)
  }
}
