/// What of a brief fits on a screen or a page: the lines that matter least are left out, and counted.
struct BriefScreen {
  /// What the first line of a section is worth, and how much less each further line is. Alerts, the reason and the risk come
  /// before everything; what only rounds off the picture goes first.
  private static let worth: [String: (first: Int, step: Int)] = [
    "Why today": (100, 1), "Identity": (99, 0), "Alerts": (98, 2), "Assessment": (97, 3), "Summary": (96, 4),
    "Drugs": (95, 3), "Pending": (93, 4), "Problems": (92, 5), "Last plan": (91, 4), "Weight": (88, 0),
    "Results": (86, 4), "Since then": (84, 9), "To check": (83, 5), "Before": (82, 9), "Prevention": (80, 6),
    "Owner": (76, 10), "Similar": (64, 8),
  ]

  /// The brief without the lines that do not fit.
  ///
  /// - Parameters:
  ///   - brief: the whole of it.
  ///   - rows: how many rows there are for the lines of the sections.
  ///   - height: the rows a line takes.
  /// - Returns: what fits, sections left empty taken away, and how many lines were left out.
  static func fit(
    _ brief: Brief, rows: Int, height: (Brief.Line, Brief.Section) -> Int
  ) -> (brief: Brief, omitted: Int) {
    struct Place {
      let section: Int
      let line: Int
      let worth: Int
      let height: Int
    }
    var places: [Place] = []
    for (index, section) in brief.sections.enumerated() {
      let worth = worth[section.title] ?? (first: 70, step: 5)
      for (number, line) in section.lines.enumerated() {
        places.append(
          Place(
            section: index, line: number, worth: worth.first - worth.step * number, height: height(line, section)))
      }
    }
    var total = places.reduce(0) { $0 + $1.height }
    guard total > rows else { return (brief, 0) }
    var dropped: Set<[Int]> = []
    let cheapest = places.enumerated().sorted { ($0.element.worth, -$0.offset) < ($1.element.worth, -$1.offset) }
    for (_, place) in cheapest where total > rows {
      dropped.insert([place.section, place.line])
      total -= place.height
    }
    var shorter = brief
    for index in brief.sections.indices {
      shorter.sections[index].lines = brief.sections[index].lines.enumerated().filter {
        !dropped.contains([index, $0.offset])
      }.map(\.element)
    }
    shorter.sections.removeAll(where: \.lines.isEmpty)
    return (shorter, dropped.count)
  }
}
