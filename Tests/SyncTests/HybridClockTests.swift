import Clinical
import Testing
import VetNetTestSupport

@testable import Sync

/// The clock never runs back and depends on no device's being right.
struct HybridClockTests {
  @Test func `a reading is after the last, and not before the device's own time`() {
    var random = SplitMix64(seed: 3)
    var last: Int64 = 0
    for _ in 0..<1000 {
      let now = Timestamp(seconds: Int64(random.next() % 4_000_000_000))
      let next = HybridClock.reading(after: last, at: now)
      #expect(next > last)
      #expect(HybridClock.moment(of: next) >= now)
      // Whoever is heard of may be anywhere.
      last = random.next() % 5 == 0 ? Int64(random.next() % (1 << 50)) : next
    }
  }

  struct Cap: Sendable {
    let reading: Int64
    let now: Int64
    let earlier: Int64
    var hub: Int64 = 0
    let capped: Int64
  }

  private static let second = HybridClock.stepsPerSecond

  @Test(
    "who runs ahead is capped at five minutes, and who is behind is left",
    arguments: [
      Cap(reading: 100 * second, now: 100, earlier: 0, capped: 100 * second),
      Cap(reading: 10 * second, now: 100, earlier: 0, capped: 10 * second),
      Cap(reading: 9_000 * second, now: 100, earlier: 0, capped: 400 * second),
      Cap(reading: 9_000 * second, now: 100, earlier: 500 * second, capped: 500 * second),
      // Who answered what the hub had from somebody ahead comes after it, and who is further ahead no further than that.
      Cap(reading: 400 * second + 3, now: 100, earlier: 0, hub: 400 * second + 2, capped: 400 * second + 3),
      Cap(reading: 9_000 * second, now: 100, earlier: 0, hub: 400 * second + 2, capped: 400 * second + 3),
      Cap(reading: .max, now: .max, earlier: 0, capped: (.max / second - 1) * second),
    ])
  func cap(row: Cap) {
    #expect(
      HybridClock.capped(
        row.reading, at: Timestamp(seconds: min(row.now, .max - 600)), hub: row.hub, notBelow: row.earlier)
        == row.capped)
  }

  @Test func `moments before 1970 and beyond what fits are taken for the ends`() {
    #expect(HybridClock.reading(after: 5, at: Timestamp(seconds: -90_000)) == 6)
    #expect(HybridClock.reading(after: 0, at: Timestamp(seconds: .max - 600)) > 0)
  }
}
