import Testing

@testable import Assessment
@testable import Training

struct OutputBalanceTests {
  /// Cases of two outcomes, the second of which is as frequent and scored too low by one half.
  private let scores: [[Double]] = (0..<200).map { index in
    let noise = Double(index % 10) / 20 - 0.225
    return index < 100 ? [0.3 + noise, -0.8] : [-0.3 + noise, -0.2]
  }
  private let labels = (0..<200).map { $0 < 100 ? 0 : 1 }

  @Test func `an outcome that is scored too low for how often it is true gets a head start`() {
    let balance = OutputBalance(scores: scores, labels: labels)
    #expect(balance.starts[1] > balance.starts[0])
    #expect(abs(balance.starts[0] + balance.starts[1]) < 1e-9)
    func right(_ starts: [Double]) -> Int {
      zip(scores, labels).count { row, label in (row[1] + starts[1] > row[0] + starts[0] ? 1 : 0) == label }
    }
    #expect(right(balance.starts) > right([0, 0]))
  }

  @Test func `outcomes that are named as often as they are true stay level, in whatever order`() {
    let scores = [[0.5, -0.5], [0.4, -0.4], [-0.5, 0.5], [-0.4, 0.4], [-0.1, 0.1], [0.1, -0.1]]
    let balance = OutputBalance(scores: scores, labels: [0, 0, 1, 1, 0, 1])
    #expect(abs(balance.starts[0]) < 1e-6 && abs(balance.starts[1]) < 1e-6)
    let turned = OutputBalance(scores: self.scores.map { $0.reversed() }, labels: labels.map { 1 - $0 })
    #expect(abs(turned.starts[0] - OutputBalance(scores: self.scores, labels: labels).starts[1]) < 1e-9)
  }

  @Test func `an outcome that is never true stays finite, and no cases give no starts`() {
    let balance = OutputBalance(scores: [[1, 0, 0], [0, 1, 0], [1, 0.5, 0]], labels: [0, 1, 0])
    #expect(balance.starts.allSatisfy { abs($0) < 20 })
    #expect(OutputBalance(scores: [], labels: []).starts.isEmpty)
  }
}
