/// Plots as SVG elements, drawn from values alone: no script, no style sheet but the page's.
enum SVGPlot {
  private static let colours = ["#1f6f8b", "#c8553d", "#5b8c5a", "#7d5ba6", "#8a6d3b"]

  /// A square per pair of labels, darker with its share of the row.
  static func confusion(labels: [String], counts: [[Int]]) -> String {
    let (cell, left, top) = (54, 90, 34)
    let (width, height) = (left + cell * labels.count + 8, top + cell * labels.count + 26)
    var svg = open(width, height)
    svg += text(left + cell * labels.count / 2, height - 6, "said", anchor: "middle")
    svg += text(4, top - 18, "labelled")
    for (row, label) in labels.enumerated() {
      svg += text(left - 8, top + cell * row + cell / 2 + 4, label, anchor: "end")
      svg += text(left + cell * row + cell / 2, top - 8, label, anchor: "middle")
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
          anchor: "middle")
      }
    }
    return svg + "</svg>"
  }

  /// Lines with points; both axes reach from 0 to a round number above the largest value.
  static func curves(_ curves: [ReportSection.Curve], x: String, y: String, diagonal: Bool) -> String {
    let (width, height, left, bottom, top) = (430, 300, 56, 44, 14)
    let points = curves.flatMap(\.points)
    let (xEnd, yEnd) = (end(points.map(\.x)), end(points.map(\.y)))
    func place(_ point: ReportSection.Point) -> (Double, Double) {
      (
        Double(left) + point.x / xEnd * Double(width - left - 12),
        Double(height - bottom) - point.y / yEnd * Double(height - bottom - top)
      )
    }
    var svg = open(width, height)
    for step in 0...4 {
      let share = Double(step) / 4
      let (px, py) = place(.init(share * xEnd, share * yEnd))
      svg += line(Double(left), py, Double(width - 12), py, "#ddd")
      svg += text(left - 6, Int(py) + 4, tick(share * yEnd), anchor: "end")
      svg += text(Int(px), height - bottom + 16, tick(share * xEnd), anchor: "middle")
    }
    if diagonal {
      let limit = min(xEnd, yEnd)
      let (a, b) = (place(.init(0, 0)), place(.init(limit, limit)))
      svg += line(a.0, a.1, b.0, b.1, "#999", dashed: true)
    }
    for (index, curve) in curves.enumerated() {
      let colour = colours[index % colours.count]
      let placed = curve.points.map(place)
      let path = placed.map { "\(TextTable.decimals($0.0, 1)),\(TextTable.decimals($0.1, 1))" }.joined(separator: " ")
      svg += "<polyline points=\"\(path)\" fill=\"none\" stroke=\"\(colour)\" stroke-width=\"2\"/>"
      for point in placed where curve.points.count <= 40 {
        svg += """
          <circle cx="\(TextTable.decimals(point.0, 1))" cy="\(TextTable.decimals(point.1, 1))" r="3" fill="\(colour)"/>
          """
      }
      svg += text(width - 14, top + 14 + 15 * index, curve.name, anchor: "end", colour: colour)
    }
    svg += text((width + left) / 2, height - 8, x, anchor: "middle")
    svg += """
      <text transform="translate(13 \((height - bottom + top) / 2)) rotate(-90)" text-anchor="middle">\(HTMLText.escaped(y))</text>
      """
    return svg + "</svg>"
  }

  /// A bar per name with a whisker for its interval.
  static func bars(_ bars: [ReportSection.Bar], x: String) -> String {
    let (row, left, width) = (22, 200, 560)
    let height = row * bars.count + 40
    let reach = end(bars.map { max($0.estimate.high, $0.estimate.value) })
    func place(_ value: Double) -> Double { Double(left) + max(0, value) / reach * Double(width - left - 60) }
    var svg = open(width, height)
    for (index, bar) in bars.enumerated() {
      let y = Double(row * index + 6)
      svg += text(left - 8, Int(y) + 13, bar.name, anchor: "end")
      svg += """
        <rect x="\(left)" y="\(y)" width="\(TextTable.decimals(place(bar.estimate.value) - Double(left), 1))" height="15" \
        fill="\(colours[0])" opacity="0.75"/>
        """
      svg += line(place(bar.estimate.low), y + 7.5, place(bar.estimate.high), y + 7.5, "#222")
      svg += text(
        Int(place(max(bar.estimate.high, bar.estimate.value))) + 6, Int(y) + 13,
        TextTable.decimals(bar.estimate.value, 3))
    }
    svg += text((width + left) / 2, height - 8, x, anchor: "middle")
    return svg + "</svg>"
  }

  private static func open(_ width: Int, _ height: Int) -> String {
    "<svg viewBox=\"0 0 \(width) \(height)\" width=\"\(width)\" height=\"\(height)\" role=\"img\">"
  }

  private static func text(
    _ x: Int, _ y: Int, _ words: String, anchor: String = "start", colour: String = "#333"
  ) -> String {
    "<text x=\"\(x)\" y=\"\(y)\" text-anchor=\"\(anchor)\" fill=\"\(colour)\">\(HTMLText.escaped(words))</text>"
  }

  private static func line(
    _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ colour: String, dashed: Bool = false
  ) -> String {
    let places = [x1, y1, x2, y2].map { TextTable.decimals($0, 1) }
    let dash = dashed ? " stroke-dasharray=\"4 4\"" : ""
    return """
      <line x1="\(places[0])" y1="\(places[1])" x2="\(places[2])" y2="\(places[3])" stroke="\(colour)"\(dash)/>
      """
  }

  /// 1, 2 or 5 times a power of ten, not below any value.
  private static func end(_ values: [Double]) -> Double {
    let largest = values.filter(\.isFinite).max() ?? 1
    guard largest > 0 else { return 1 }
    var scale = 1.0
    while scale * 10 <= largest { scale *= 10 }
    while scale > largest { scale /= 10 }
    return [1, 2, 5, 10].map { $0 * scale }.first { $0 >= largest } ?? largest
  }

  private static func tick(_ value: Double) -> String {
    TextTable.decimals(value, value == value.rounded() ? 0 : 2)
  }
}
