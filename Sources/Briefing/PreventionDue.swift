import Chart
import Clinical
import Extraction

/// When a vaccine or parasite treatment is due again: on the day a note says, else after the usual time from when it was last
/// given.
struct PreventionDue {
  enum Basis: Equatable {
    case written
    /// Days from the last one, by the table.
    case interval(Int)
  }

  let label: String
  let day: CalendarDate
  let basis: Basis
  /// What says so: the words with the date, or the last treatment.
  let item: RecordedFact
  /// The last time it was given; nil when the record only says when it is due.
  let given: RecordedFact?

  /// What a patient's record says of each protection, in the order of a brief; those that the owner declined last are not due.
  static func all(
    _ record: PatientRecord, groups: PreventionGroups, at now: Timestamp, zone: PracticeTimeZone
  ) -> [PreventionDue] {
    PreventionList(record, groups: groups, at: now, zone: zone).entries.compactMap { entry in
      let action = entry.latest.fact.action
      if action == .declined { return nil }
      let given = action == .due || action == .overdue ? nil : entry.latest
      // A date that was written before it was given again has been met.
      if let due = entry.due, given.map({ $0.note.recordedAt <= due.item.note.recordedAt }) ?? true {
        return PreventionDue(
          label: entry.label, day: due.date.likeliest, basis: .written, item: due.item, given: given)
      }
      guard let given, let interval = groups.group(of: given.fact.name).interval else { return nil }
      return PreventionDue(
        label: entry.label, day: given.day(in: zone).adding(days: interval), basis: .interval(interval), item: given,
        given: given)
    }
  }

  /// "Overdue by the date written", "due soon by the usual yearly interval"; nil while it holds. `soon` are the days ahead that
  /// count as soon.
  func state(on today: CalendarDate, soon: Int) -> String? {
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

extension RecordedFact {
  /// The day it tells of: that of its line, where it begins with a date, else its note's.
  func day(in zone: PracticeTimeZone) -> CalendarDate {
    let written = zone.date(of: note.recordedAt)
    let date = fact.writtenDate.flatMap { WrittenDate($0, writtenOn: written, .backwards)?.likeliest }
    return date.map { min($0, written) } ?? written
  }
}
