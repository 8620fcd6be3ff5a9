import Clinical
import VetNet

/// Numbers by week as bars on each other, with the same numbers as a table behind them.
struct WeekFigure {
  /// A part of each bar.
  struct Part {
    let name: String
    /// The class of its colour.
    let colour: HTML
    let values: [Double]
  }

  /// What stands across the bars, such as what would be full.
  struct Line {
    let name: String
    let values: [Double]
  }

  let title: String
  let testID: String
  let weeks: [Insights.Week]
  var parts: [Part]
  var line: Line?
  /// How a value of the scale is written.
  var unit: (Double) -> String
  /// The end of the scale, where it isn't what the values need.
  var most: Double?
  /// Columns of the table behind the week.
  let columns: [String]
  /// A week's cells.
  let cells: (Int) -> [String]

  private static let (width, height) = (360.0, 150.0)
  private static let (left, right, top, bottom) = (40.0, 6.0, 10.0, 22.0)

  var html: HTML {
    let heads = columns.html { "<th scope=\"col\" class=\"number\">\($0)</th>" }
    let rows = weeks.indices.reversed().html { index in
      let now: HTML = weeks[index].phase == .present ? " <span class=\"badge\">this week</span>" : ""
      return
        "<tr><th scope=\"row\">\(Badges.shortDate(weeks[index].monday))\(now)</th>\(cells(index).html { "<td class=\"number\">\($0)</td>" })</tr>"
    }
    let isEmpty = parts.allSatisfy { $0.values.allSatisfy { $0 == 0 } }
    let none: HTML = isEmpty ? "<p class=\"empty\">Nothing of that is on file for these weeks.</p>" : ""
    return """
      <figure class="weeks-figure" data-testid="\(testID)"><figcaption>\(title)</figcaption>\(isEmpty ? none : legend + picture)
      <details><summary>\(title), as a table</summary><div class="scroll" tabindex="0" role="region" aria-label="\(title), as a table"><table><thead><tr><th scope="col">Week of</th>\(heads)</tr></thead><tbody>\(rows)</tbody></table></div></details></figure>
      """
  }

  private var legend: HTML {
    let names = parts.html { "<li><span class=\"key \($0.colour)\" aria-hidden=\"true\"></span>\($0.name)</li>" }
    let across: HTML =
      line.map { "<li><span class=\"key across\" aria-hidden=\"true\"></span>\($0.name)</li>" } ?? ""
    return parts.count + (line == nil ? 0 : 1) > 1 ? "<ul class=\"legend\">\(names)\(across)</ul>" : ""
  }

  private var picture: HTML {
    let sums = weeks.indices.map { week in parts.reduce(0) { $0 + $1.values[week] } }
    let end = max(most ?? 0, Self.roundEnd(max(sums.max() ?? 0, line?.values.max() ?? 0)))
    let step = (Self.width - Self.left - Self.right) / Double(weeks.count)
    func x(_ week: Int) -> Double { Self.left + step * Double(week) }
    func y(_ value: Double) -> Double {
      Self.height - Self.bottom - value / end * (Self.height - Self.top - Self.bottom)
    }
    func text(_ number: Double) -> String { TrendFigure.number(number, 1) }
    let scale = [0, end / 2, end].html { value in
      "<line class=\"grid-line\" x1=\"\(text(Self.left))\" x2=\"\(text(Self.width - Self.right))\" y1=\"\(text(y(value)))\" y2=\"\(text(y(value)))\"/><text x=\"\(text(Self.left - 4))\" y=\"\(text(y(value) + 3.5))\" class=\"end\">\(unit(value))</text>"
    }
    let bars = weeks.indices.html { week in
      var base = 0.0
      let pile = parts.html { part in
        let value = part.values[week]
        defer { base += value }
        guard value > 0 else { return "" }
        return
          "<rect class=\"\(part.colour)\" x=\"\(text(x(week) + step * 0.14))\" width=\"\(text(step * 0.72))\" y=\"\(text(y(base + value)))\" height=\"\(text(max(0.5, y(base) - y(base + value))))\"/>"
      }
      return weeks[week].phase == .ahead ? "<g class=\"ahead\">\(pile)</g>" : pile
    }
    let present = weeks.firstIndex { $0.phase == .present }
    let now: HTML =
      present.map {
        "<rect class=\"present\" x=\"\(text(x($0)))\" width=\"\(text(step))\" y=\"\(text(Self.top))\" height=\"\(text(Self.height - Self.top - Self.bottom))\"/>"
      } ?? ""
    let across: HTML =
      line.map { line in
        let points = weeks.indices.flatMap { week in
          [x(week), x(week + 1)].map { "\(text($0)),\(text(y(line.values[week])))" }
        }
        return "<polyline class=\"across\" points=\"\(points.joined(separator: " "))\"/>"
      } ?? ""
    // A name every few weeks, so that they keep apart.
    let every = max(1, (weeks.count + 5) / 6)
    let names = weeks.indices.filter { $0 % every == 0 }.html { week in
      "<text x=\"\(text(x(week) + step / 2))\" y=\"\(text(Self.height - 7))\" class=\"mid\">\(weeks[week].monday.day) \(Badges.shortDate(weeks[week].monday).split(separator: " ")[1])</text>"
    }
    return
      "<svg viewBox=\"0 0 360 150\" aria-hidden=\"true\">\(now)\(scale)\(bars)\(across)\(names)</svg>"
  }

  /// The next of 1, 2, 4, 6 or 10 times a power of ten: it can be halved.
  static func roundEnd(_ value: Double) -> Double {
    guard value > 0 else { return 1 }
    var power = 1.0
    while power * 10 < value { power *= 10 }
    while power >= value { power /= 10 }
    return [1, 2, 4, 6, 10].map { $0 * power }.first { $0 >= value * 0.999999 } ?? value
  }
}
