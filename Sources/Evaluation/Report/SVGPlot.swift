/// Plots as SVG elements, drawn from values alone: no script, no style sheet but the page's (``HTMLStyle``), which gives colours.
///
/// A plot is 328 units wide, what a phone's screen holds, so that its words keep their size there.
enum SVGPlot {
  /// Units from left to right.
  static let width = 328
  /// Units a line of words takes.
  static let line = 15
  private static let colours = 5
  /// Above this share a cell is dark enough for white words; below it black ones read better on a light page.
  private static let inverseShare = 0.9

  /// A square per pair of labels, darker with its share of the row.
  static func confusion(labels: [String], counts: [[Int]]) -> String {
    let (left, top) = (58, 36)
    let cell = min(54, (width - left) / max(1, labels.count))
    let height = top + cell * labels.count + 20
    var svg = open(height, "confusion of labels and what was said")
    svg += text(left + cell * labels.count / 2, height - 5, "said", anchor: "middle")
    svg += text(0, top - 22, "labelled")
    for (row, label) in labels.enumerated() {
      svg += text(left - 6, top + cell * row + cell / 2 + 4, label, anchor: "end")
      svg += text(left + cell * row + cell / 2, top - 6, label, anchor: "middle")
      let total = max(1, counts[row].reduce(0, +))
      for column in labels.indices {
        let share = Double(counts[row][column]) / Double(total)
        let fill = row == column ? "31,111,139" : "200,85,61"
        svg += """
          <rect x="\(left + cell * column)" y="\(top + cell * row)" width="\(cell - 2)" height="\(cell - 2)" \
          fill="rgba(\(fill),\(TextTable.decimals(share * 0.85 + 0.04, 2)))"/>
          """
        svg += text(
          left + cell * column + cell / 2 - 1, top + cell * row + cell / 2 + 4, String(counts[row][column]),
          anchor: "middle", style: share > Self.inverseShare ? "inverse" : nil)
      }
    }
    return svg + "</svg>"
  }

  /// Lines with points; both axes reach from 0 to a round number above the largest value. The names stand below the axes, where
  /// no curve can run through them.
  static func curves(_ curves: [ReportSection.Curve], x: String, y: String, diagonal: Bool) -> String {
    let (left, right, top, plot) = (38, 10, 26, 200)
    let bottom = top + plot
    let height = bottom + 36 + line * curves.count
    let points = curves.flatMap(\.points)
    let (across, up) = (Axis(over: points.map(\.x)), Axis(over: points.map(\.y)))
    func place(_ point: ReportSection.Point) -> (Double, Double) {
      (
        Double(left) + point.x / across.end * Double(width - left - right),
        Double(bottom) - point.y / up.end * Double(plot)
      )
    }
    var svg = open(height, "\(y) by \(x)")
    svg += text(0, 12, y)
    for tick in up.ticks {
      let level = place(.init(0, tick)).1
      svg += rule(Double(left), level, Double(width - right), level, "grid")
      svg += text(left - 5, Int(level) + 4, label(tick), anchor: "end")
    }
    for tick in across.ticks {
      svg += text(
        Int(place(.init(tick, 0)).0), bottom + line, label(tick), anchor: tick == across.end ? "end" : "middle")
    }
    svg += text(width - right, bottom + 2 * line, x, anchor: "end")
    if diagonal {
      let limit = min(across.end, up.end)
      let (a, b) = (place(.init(0, 0)), place(.init(limit, limit)))
      svg += rule(a.0, a.1, b.0, b.1, "diagonal", dashed: true)
    }
    for (index, curve) in curves.enumerated() {
      let colour = "c\(index % colours)"
      let placed = curve.points.map(place)
      let path = placed.map { "\(TextTable.decimals($0.0, 1)),\(TextTable.decimals($0.1, 1))" }.joined(separator: " ")
      svg += "<polyline class=\"curve \(colour)\" points=\"\(path)\"/>"
      for point in placed where curve.points.count <= 40 {
        svg += """
          <circle class="dot \(colour)" cx="\(TextTable.decimals(point.0, 1))" cy="\(TextTable.decimals(point.1, 1))" r="3"/>
          """
      }
      let row = bottom + 2 * line + line * (index + 1)
      svg += "<polyline class=\"curve \(colour)\" points=\"\(left),\(row - 4) \(left + 26),\(row - 4)\"/>"
      svg += text(left + 32, row, curve.name, style: "legend")
    }
    return svg + "</svg>"
  }

  /// A bar per name with a whisker for its interval; the name stands above its bar.
  static func bars(_ bars: [ReportSection.Bar], x: String) -> String {
    let row = 32
    let height = row * bars.count + 6
    let reach = Axis(over: bars.map { max($0.estimate.high, $0.estimate.value) }).end
    func place(_ value: Double) -> Double { max(0, value) / reach * Double(width - 2) }
    var svg = open(height, x)
    for (index, bar) in bars.enumerated() {
      let y = row * index
      svg += text(0, y + 12, bar.name) + text(width, y + 12, TextTable.decimals(bar.estimate.value, 3), anchor: "end")
      svg += """
        <rect class="bar c0" x="0" y="\(y + 16)" width="\(TextTable.decimals(place(bar.estimate.value), 1))" height="10" opacity="0.7"/>
        """
      svg += rule(
        place(bar.estimate.low), Double(y + 21), place(bar.estimate.high), Double(y + 21), "whisker")
    }
    return svg + "</svg>"
  }

  private static func open(_ height: Int, _ label: String) -> String {
    "<svg viewBox=\"0 0 \(width) \(height)\" role=\"img\" aria-label=\"\(HTMLText.escaped(label))\">"
  }

  private static func text(
    _ x: Int, _ y: Int, _ words: String, anchor: String = "start", style: String? = nil
  ) -> String {
    let style = style.map { " class=\"\($0)\"" } ?? ""
    return "<text x=\"\(x)\" y=\"\(y)\" text-anchor=\"\(anchor)\"\(style)>\(HTMLText.escaped(words))</text>"
  }

  private static func rule(
    _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ style: String, dashed: Bool = false
  ) -> String {
    let places = [x1, y1, x2, y2].map { TextTable.decimals($0, 1) }
    let dash = dashed ? " stroke-dasharray=\"4 4\"" : ""
    return """
      <line class="\(style)" x1="\(places[0])" y1="\(places[1])" x2="\(places[2])" y2="\(places[3])"\(dash)/>
      """
  }

  /// From 0 to a round number that is not below any value.
  private struct Axis {
    /// 1, 2 or 5 times a power of ten.
    let end: Double
    /// Into how many equal parts the axis is divided, so that each ends at a number of few digits.
    private let parts: Int

    init(over values: [Double]) {
      let largest = values.filter(\.isFinite).max() ?? 1
      var scale = 1.0
      while largest > 0, scale * 10 <= largest { scale *= 10 }
      while largest > 0, scale > largest { scale /= 10 }
      let ends = [(1.0, 4), (2, 4), (5, 5), (10, 4)].map { ($0 * scale, $1) }
      (end, parts) = ends.first { $0.0 >= largest } ?? (largest, 4)
    }

    var ticks: [Double] { (0...parts).map { $0 == parts ? end : end * Double($0) / Double(parts) } }
  }

  /// With as many decimals as the number has, at most four.
  private static func label(_ value: Double) -> String {
    let exact = TextTable.decimals(value, 4)
    let digits = exact.reversed().drop { $0 == "0" }
    return String((digits.first == "." ? digits.dropFirst() : digits).reversed())
  }
}
