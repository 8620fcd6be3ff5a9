import Chart
import Clinical

/// A small line chart of a trend as SVG: nothing to fetch, no script, numbers only.
struct TrendChart {
  private static let width = 150.0
  private static let height = 36.0
  private static let margin = 4.0

  private let points: [(x: Double, y: Double)]

  init(_ trend: Brief.Trend) {
    let days = trend.points.map { Double($0.date.daysSince1970) }
    let values = trend.points.map(\.value)
    let first = days.min() ?? 0
    let span = max((days.max() ?? 0) - first, 1)
    let least = values.min() ?? 0
    let range = (values.max() ?? 0) - least
    points = trend.points.map { point in
      let x = Self.margin + (Double(point.date.daysSince1970) - first) / span * (Self.width - 2 * Self.margin)
      // A value that never changes lies in the middle.
      let share = range > 0 ? (point.value - least) / range : 0.5
      return (x, Self.height - Self.margin - share * (Self.height - 2 * Self.margin))
    }
  }

  var svg: String {
    let path = points.map { "\(Self.number($0.x)),\(Self.number($0.y))" }.joined(separator: " ")
    let dots = points.map {
      "<circle class=\"dot\" cx=\"\(Self.number($0.x))\" cy=\"\(Self.number($0.y))\" r=\"2\"/>"
    }.joined()
    let size = "width=\"\(Self.number(Self.width))\" height=\"\(Self.number(Self.height))\""
    let box = "viewBox=\"0 0 \(Self.number(Self.width)) \(Self.number(Self.height))\""
    return "<svg \(size) \(box) role=\"img\"><polyline class=\"line\" points=\"\(path)\"/>\(dots)</svg>"
  }

  /// `weight 8.9 → 8.4 kg, 2025-06-19 to 2026-10-29`
  static func caption(_ trend: Brief.Trend) -> String {
    guard let first = trend.points.first, let last = trend.points.last else { return trend.name }
    let unit = trend.unit.isEmpty ? "" : " \(trend.unit)"
    return
      "\(trend.name) \(ChartNumber.text(first.value, digits: 3)) → \(ChartNumber.text(last.value, digits: 3))\(unit), "
      + "\(first.date) to \(last.date)"
  }

  private static func number(_ value: Double) -> String { ChartNumber.text(value, digits: 1) }
}
