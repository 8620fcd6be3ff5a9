import Testing
import VetNetTestSupport

@testable import Network

/// The shape of the sum follows from the number of parts alone.
struct SumTreeTests {
  /// The same by its definition: neighbours are added level by level, and one that is left over goes up as it is.
  private func levels(_ parts: [String]) -> String? {
    var parts = parts
    while parts.count > 1 {
      parts = stride(from: 0, to: parts.count, by: 2).map { place in
        place + 1 < parts.count ? "(\(parts[place])\(parts[place + 1]))" : parts[place]
      }
    }
    return parts.first
  }

  @Test(arguments: 0...40)
  func `neighbours are added first, as they are level by level`(count: Int) {
    let parts = (0..<count).map { "\($0)." }
    #expect(SumTree.sum(parts) { "(\($0)\($1))" } == levels(parts))
  }

  @Test func `no more than a logarithm of parts are held`() {
    var held = 0
    var most = 0
    let parts = (0..<1000).lazy.map { number -> Int in
      held += 1
      return number
    }
    let sum = SumTree.sum(parts) { left, right in
      most = max(most, held)
      held -= 1
      return left + right
    }
    #expect(sum == 499_500)
    #expect(most <= 11)
  }
}
