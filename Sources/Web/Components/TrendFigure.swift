import Briefing
import Clinical

/// A trend as a picture, with its numbers as a table for those who can't see it, or want to know.
struct TrendFigure {
  let trend: Brief.Trend
  let citations: [Citation]

  private static let (width, height, margin) = (320.0, 90.0, 10.0)

  var html: HTML {
    let first = trend.points.first, last = trend.points.last
    let unit = trend.unit.isEmpty ? "" : " \(trend.unit)"
    let caption =
      "\(trend.name): \(first.map { Self.number($0.value) } ?? "") → \(last.map { Self.number($0.value) } ?? "")\(unit)"
    let rows = trend.points.html { point in
      let citation = citations[point.citation]
      return
        "<tr><td>\(Badges.shortDate(point.date))</td><td class=\"number\">\(Self.number(point.value))\(unit)</td><td><a data-note href=\"\(Link.note(citation.noteID, words: citation.codePoints))\">\(citation.noteID)</a></td></tr>"
    }
    return """
      <figure class="trend"><figcaption>\(caption)</figcaption>\(picture)
      <details><summary>\(trend.points.count) values</summary><table><thead><tr><th scope="col">Date</th><th scope="col">\(trend.name)</th><th scope="col">Note</th></tr></thead><tbody>\(rows)</tbody></table></details></figure>
      """
  }

  private var picture: HTML {
    let days = trend.points.map { Double($0.date.daysSince1970) }
    let values = trend.points.map(\.value)
    let (start, least) = (days.min() ?? 0, values.min() ?? 0)
    let span = max((days.max() ?? 0) - start, 1)
    let range = (values.max() ?? 0) - least
    let places = trend.points.map { point -> (String, String) in
      let x = Self.margin + (Double(point.date.daysSince1970) - start) / span * (Self.width - 2 * Self.margin)
      // A value that never changes lies in the middle.
      let share = range > 0 ? (point.value - least) / range : 0.5
      return (Self.number(x, 1), Self.number(Self.height - Self.margin - share * (Self.height - 2 * Self.margin), 1))
    }
    let line = places.map { "\($0.0),\($0.1)" }.joined(separator: " ")
    return
      "<svg viewBox=\"0 0 320 90\" aria-hidden=\"true\"><polyline points=\"\(line)\"/>\(places.html { "<circle cx=\"\($0.0)\" cy=\"\($0.1)\" r=\"3\"/>" })</svg>"
  }

  static func number(_ value: Double, _ digits: Int = 2) -> String {
    let scale = digits == 1 ? 10.0 : 100.0
    let rounded = (value * scale).rounded() / scale
    return rounded == rounded.rounded() && abs(rounded) < 1e12 ? "\(Int(rounded))" : "\(rounded)"
  }
}
