package import Clinical

extension PreventionDue {
  /// "Overdue by the date written", "due soon by the usual yearly interval"; nil while it holds. `soon` are the days ahead that
  /// count as soon.
  package func state(on today: CalendarDate, soon: Int) -> String? {
    let source =
      switch basis {
      case .written: "the date written"
      case .interval(let days): "the usual \(Self.name(ofInterval: days)) interval"
      }
    if day < today { return "overdue by \(source)" }
    return day <= today.adding(days: soon) ? "due soon by \(source)" : nil
  }

  /// In words: a sentence has no number that its quote has not.
  private static func name(ofInterval days: Int) -> String {
    switch days {
    case ..<35: "monthly"
    case ..<100: "three-monthly"
    case ..<200: "six-monthly"
    case ..<400: "yearly"
    case ..<800: "two-yearly"
    default: "three-yearly"
    }
  }
}
