import Clinical
import VetNet

/// A weight or laboratory value over time as a picture with its reference, and its numbers as a table for those who can't see it,
/// or want to know.
struct MeasureFigure {
  let series: MeasuredSeries

  private static let (width, height) = (320.0, 110.0)
  private static let (left, right, top, bottom) = (44.0, 8.0, 10.0, 20.0)

  private var unit: String { series.unit.isEmpty ? "" : " \(series.unit)" }

  var html: HTML {
    guard let last = series.points.last, let first = series.points.first else { return "" }
    let change =
      series.points.count > 1
      ? "\(TrendFigure.number(first.value)) → \(TrendFigure.number(last.value))" : TrendFigure.number(last.value)
    let flag: HTML = last.flag.map { " <span class=\"badge bad\">\($0)</span>" } ?? ""
    let rows = series.points.reversed().html { point in
      "<tr><td>\(Badges.shortDate(point.date))</td><td class=\"number\">\(TrendFigure.number(point.value))\(unit)</td><td>\(reference(point))</td><td>\(point.flag ?? "")</td><td><a data-note href=\"\(Link.note(point.noteID, words: point.words))\">\(point.noteID)</a></td></tr>"
    }
    let count = series.points.count == 1 ? "1 value" : "\(series.points.count) values"
    return """
      <figure class="trend measure"><figcaption>\(series.name): \(change)\(unit)\(flag)</figcaption>\(series.points.count > 1 ? picture : "")
      <details><summary>\(count)</summary><div class="scroll" tabindex="0" role="region" aria-label="\(series.name)"><table><thead><tr><th scope="col">Date</th><th scope="col">\(series.name)</th><th scope="col">Usual</th><th scope="col">Mark</th><th scope="col">Note</th></tr></thead><tbody>\(rows)</tbody></table></div></details></figure>
      """
  }

  private func reference(_ point: MeasuredSeries.Point) -> String {
    switch (point.low, point.high) {
    case (let low?, let high?): "\(TrendFigure.number(low))–\(TrendFigure.number(high))"
    case (let low?, nil): "from \(TrendFigure.number(low))"
    case (nil, let high?): "up to \(TrendFigure.number(high))"
    case (nil, nil): ""
    }
  }

  /// The latest reference that was printed; each laboratory has its own.
  private var usual: (low: Double?, high: Double?) {
    let point = series.points.last { $0.low != nil || $0.high != nil }
    return (point?.low, point?.high)
  }

  private var picture: HTML {
    let days = series.points.map { Double($0.date.daysSince1970) }
    let ends = [usual.low, usual.high].compactMap(\.self)
    let values = series.points.map(\.value) + ends
    let (start, end) = (days.min() ?? 0, max(days.max() ?? 1, (days.min() ?? 0) + 1))
    var (least, most) = (values.min() ?? 0, values.max() ?? 1)
    // A value that never changes lies in the middle.
    let margin = most > least ? (most - least) * 0.06 : max(abs(most) * 0.1, 1)
    (least, most) = (least - margin, most + margin)
    func x(_ day: Double) -> Double {
      Self.left + (day - start) / (end - start) * (Self.width - Self.left - Self.right)
    }
    func y(_ value: Double) -> Double {
      Self.height - Self.bottom - (value - least) / (most - least) * (Self.height - Self.top - Self.bottom)
    }
    func text(_ number: Double) -> String { TrendFigure.number(number, 1) }
    var band: HTML = ""
    if !ends.isEmpty {
      let upper = usual.high.map(y) ?? Self.top
      let lower = usual.low.map(y) ?? Self.height - Self.bottom
      band =
        "<rect class=\"usual\" x=\"\(text(Self.left))\" y=\"\(text(upper))\" width=\"\(text(Self.width - Self.left - Self.right))\" height=\"\(text(max(1, lower - upper)))\"/>"
    }
    let line = series.points.map { "\(text(x(Double($0.date.daysSince1970)))),\(text(y($0.value)))" }.joined(
      separator: " ")
    let dots = series.points.html { point in
      "<circle class=\"\(point.flag == nil ? "in" : "out")\" cx=\"\(text(x(Double(point.date.daysSince1970))))\" cy=\"\(text(y(point.value)))\" r=\"\(point.flag == nil ? "3" : "4.5")\"/>"
    }
    let highest = series.points.map(\.value).max() ?? most
    let lowest = series.points.map(\.value).min() ?? least
    let scale: HTML =
      highest - lowest > 0
      ? "<text x=\"40\" y=\"\(text(y(highest) + 4))\" class=\"end\">\(TrendFigure.number(highest))</text><text x=\"40\" y=\"\(text(y(lowest) + 4))\" class=\"end\">\(TrendFigure.number(lowest))</text>"
      : "<text x=\"40\" y=\"\(text(y(highest) + 4))\" class=\"end\">\(TrendFigure.number(highest))</text>"
    let dates: HTML =
      "<text x=\"44\" y=\"106\">\(Badges.shortDate(series.points[0].date))</text><text x=\"312\" y=\"106\" class=\"end\">\(Badges.shortDate(series.points[series.points.count - 1].date))</text>"
    return
      "<svg viewBox=\"0 0 320 110\" aria-hidden=\"true\">\(band)<polyline points=\"\(line)\"/>\(dots)\(scale)\(dates)</svg>"
  }
}
