import Clinical
import Testing

@testable import Scheduling

struct SlotBitsTests {
  @Test(arguments: [1, 2, 3, 7, 31, 32, 33, 63, 64, 65, 100, 128, 150])
  func `blocked starts are those from which a run meets a bit`(length: Int) {
    var random = SplitMix64(seed: UInt64(length))
    for density in [0, 2, 8, 60] {
      let slots = (0..<512).map { _ in density > 0 && random.below(density * 4) == 0 }
      let row = Table<UInt64>(repeating: 0, count: 8)
      for (slot, isTaken) in slots.enumerated() where isTaken {
        SlotBits.fill(row.base, slot, slot + 1, with: true)
      }
      for word in 0..<4 {
        let blocked = SlotBits.blocked(row.base, word: word, length: length)
        for bit in 0..<64 {
          let start = word * 64 + bit
          #expect((blocked >> UInt64(bit) & 1 == 1) == slots[start..<(start + length)].contains(true))
        }
      }
    }
  }

  @Test(arguments: [(0, 0), (0, 1), (3, 64), (60, 70), (64, 128), (10, 200), (-5, 9), (130, 100)])
  func `a range of bits is the slots it names`(lower: Int, upper: Int) {
    for word in 0..<4 {
      let bits = SlotBits.range(lower, upper, word: word)
      for bit in 0..<64 {
        let slot = word * 64 + bit
        #expect((bits >> UInt64(bit) & 1 == 1) == (lower <= slot && slot < upper))
      }
    }
  }
}
