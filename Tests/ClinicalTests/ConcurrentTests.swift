import Clinical
import Dispatch
import Synchronization
import Testing

@Suite struct ConcurrentTests {
  @Test(arguments: [0, 1, 7, 8, 9, 1000], [1, 8])
  func `a map on all cores is the map on one`(count: Int, portion: Int) {
    let numbers = Array(0..<count)
    #expect(Concurrent.map(numbers, portion: portion) { $0 * $0 } == numbers.map { $0 * $0 })
  }

  @Test func `work that waits for another core is done by whoever asks for it, once`() {
    let queue = DispatchQueue(label: "busy")
    let gate = DispatchSemaphore(value: 0)
    queue.async { gate.wait() }
    let runs = Mutex(0)
    let work = Background(on: queue) { runs.withLock { $0 += 1 } }
    work.value()
    work.value()
    gate.signal()
    queue.sync {}
    #expect(runs.withLock { $0 } == 1)
  }

  @Test func `many that ask at once get the same value`() {
    for _ in 0..<50 {
      let runs = Mutex(0)
      let work = Background {
        runs.withLock { $0 += 1 }
        return 7
      }
      let values = Concurrent.map(Array(0..<8), portion: 1) { _ in work.value() }
      #expect(values == [Int](repeating: 7, count: 8))
      #expect(runs.withLock { $0 } == 1)
    }
  }

  @Test func `work that was given up is done only when somebody asks all the same`() {
    let queue = DispatchQueue(label: "busy")
    let gate = DispatchSemaphore(value: 0)
    queue.async { gate.wait() }
    let runs = Mutex(0)
    let first = Background(on: queue) { runs.withLock { $0 += 1 } }
    let second = Background(on: queue) { first.value() }
    first.giveUp()
    gate.signal()
    // The queue passes the first over; the second needs it.
    second.value()
    queue.sync {}
    #expect(runs.withLock { $0 } == 1)
    let last = Background { 1 }
    last.giveUp()
    #expect(last.value() == 1)
  }
}
