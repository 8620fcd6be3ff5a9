import Chart
import Extraction

extension MeasureAnswer {
  /// Without weights that the ones around them contradict: another animal's note, a slip of the pen. They are no extreme.
  static func fitting(_ values: [Value]) -> [Value] {
    values.indices.filter { index in
      guard values[index].item.fact.kind == .weight, index > 0, values.count > 2 else { return true }
      let isLast = index == values.count - 1
      let (first, second) = (values[index - 1].number, values[isLast ? index - 2 : index + 1].number)
      // Those around it must agree; the last may be the begin of something, and is believed longer.
      guard first > 0, second > 0, max(first / second, second / first) < agreement else { return true }
      let mean = (first + second) / 2
      let ratio = max(values[index].number / mean, mean / max(values[index].number, 1e-6))
      return ratio < (isLast ? lastContradiction : contradiction)
    }.map { values[$0] }
  }

  private static let agreement = 1.3
  private static let contradiction = 1.6
  private static let lastContradiction = 2.5
}
