import Clinical

/// A day as columns: five minutes a row, in classes that the sheet has for each place and length, because a page's own styles are
/// forbidden (Content-Security-Policy).
struct TimeGrid {
  static let step = 5

  /// In minutes of the day, on whole hours.
  let minutes: Range<Int>

  /// The hours in which somebody works or something is booked.
  init(covering spans: [Range<Int>]) {
    let first = spans.map(\.lowerBound).min() ?? 480
    let last = spans.map(\.upperBound).max() ?? 1080
    let start = max(0, min(first, 1380)) / 60 * 60
    minutes = start..<min(1440, max(start + 60, (last + 59) / 60 * 60))
  }

  var rows: Int { minutes.count / Self.step }

  /// Classes that put something at a time of day, for so many minutes; nil for what lies outside.
  func place(_ span: Range<Int>) -> HTML? {
    let inside = span.clamped(to: minutes)
    guard !inside.isEmpty else { return nil }
    let row = (inside.lowerBound - minutes.lowerBound) / Self.step
    let end = max(row + 1, (inside.upperBound - minutes.lowerBound + Self.step - 1) / Self.step)
    return "at-\(row) for-\(end - row)"
  }

  var hours: [Int] { Array(stride(from: minutes.lowerBound, to: minutes.upperBound, by: 60)) }

  /// What the sheet says of places, lengths and numbers of rows.
  static let style: String = {
    let most = 1440 / step
    var lines = (0..<most).map { ".at-\($0){grid-row-start:\($0 + 1)}" }
    lines += (1...most).map { ".for-\($0){grid-row-end:span \($0)}" }
    lines += (1...24).map { ".rows-\($0 * 60 / step){grid-template-rows:repeat(\($0 * 60 / step),var(--slot))}" }
    lines += (2...6).map { ".lanes-\($0){grid-template-columns:repeat(\($0),minmax(0,1fr))}" }
    lines += (1...6).map { ".lane-\($0){grid-column:\($0)}" }
    lines += (1...24).map { ".columns-\($0){--columns:\($0)}" }
    return lines.joined(separator: "\n")
  }()

  /// Things that overlap, beside each other: the lane of each, from 1, and how many there are.
  static func lanes(_ spans: [Range<Int>]) -> (lane: [Int], count: Int) {
    var ends: [Int] = []
    var lanes = [Int](repeating: 1, count: spans.count)
    for index in spans.indices.sorted(by: { spans[$0].lowerBound < spans[$1].lowerBound }) {
      if let free = ends.firstIndex(where: { $0 <= spans[index].lowerBound }) {
        ends[free] = spans[index].upperBound
        lanes[index] = free + 1
      } else {
        ends.append(spans[index].upperBound)
        lanes[index] = ends.count
      }
    }
    return (lanes.map { min($0, 6) }, min(ends.count, 6))
  }
}
