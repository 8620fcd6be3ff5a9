import Clinical
import Testing
import TextAnalysis

struct EditDistanceTests {
  @Test(arguments: [
    ("metacam", "metacam", 0), ("metcam", "metacam", 1), ("metaccam", "metacam", 1), ("metacan", "metacam", 1),
    ("emtacam", "metacam", 1), ("mteacma", "metacam", 2), ("", "ab", 2), ("a", "", 1), ("ca", "abc", 3),
  ])
  func `slips are counted, a swap of neighbours as one`(first: String, second: String, distance: Int) {
    #expect(EditDistance.between(first, second, limit: 3) == distance)
    #expect(EditDistance.between(second, first, limit: 3) == distance)
    #expect(EditDistance.between(first, second, limit: distance - 1) == nil)
  }

  /// The recursive definition, as the slow twin.
  private func oracle(_ a: ArraySlice<UInt8>, _ b: ArraySlice<UInt8>) -> Int {
    guard let x = a.last, let y = b.last else { return max(a.count, b.count) }
    var best = min(oracle(a.dropLast(), b) + 1, oracle(a, b.dropLast()) + 1)
    best = min(best, oracle(a.dropLast(), b.dropLast()) + (x == y ? 0 : 1))
    if a.count > 1, b.count > 1, a.dropLast().last == y, b.dropLast().last == x {
      best = min(best, oracle(a.dropLast(2), b.dropLast(2)) + 1)
    }
    return best
  }

  @Test func `it agrees with the recursive definition`() {
    var generator = SplitMix64(seed: 4)
    for _ in 0..<200 {
      let words = (0..<2).map { _ in
        (0..<Int.random(in: 0...5, using: &generator)).map { _ in UInt8.random(in: 0x61...0x63, using: &generator) }
      }
      let expected = oracle(words[0][...], words[1][...])
      let texts = words.map { String(decoding: $0, as: UTF8.self) }
      #expect(EditDistance.between(texts[0], texts[1], limit: 9) == expected)
    }
  }

  @Test(arguments: [("metacam", true), ("pred", false), ("50mg1", false), ("fenbend", true), ("naïve", false)])
  func `only plain words of some length are corrected`(word: String, isCorrectable: Bool) {
    #expect(EditDistance.isCorrectable(word) == isCorrectable)
  }
}
