public import Clinical
import Extraction

/// What notes say of one protection against infections or parasites, folded in time order.
public struct PreventionCourse: Sendable {
  public enum State: String, CaseIterable, Sendable {
    case given, declined
    /// A note says that it is late.
    case overdue
    /// No note says that it was ever given: only when it is to be.
    case due
  }

  /// The names of vaccines and products that mean it, or the name alone.
  public let group: PreventionGroups.Group
  public var label: String { group.label }
  /// The last word that it was given, declined or late.
  public internal(set) var latest: RecordedFact?
  /// Words with when it is due, in time order.
  public internal(set) var dues: [RecordedFact] = []

  init(_ group: PreventionGroups.Group) { self.group = group }
}

/// How a protection stands as of a moment.
public struct PreventionStanding: Sendable {
  public let label: String
  public let state: PreventionCourse.State
  /// The word that it rests on.
  public let latest: RecordedFact
  /// When it is due, as the notes write it, with the note that does.
  public let due: (item: RecordedFact, date: WrittenDate)?
  /// The last time it was given; nil when the record only says that it is due, late or declined.
  public let given: RecordedFact?
  /// Days after which it is usually given again; nil where nobody can say without the note.
  let interval: Int?
}

/// What a patient was given against infections and parasites, what is due, and what the owner declined, folded in time order.
public struct PreventionCourses: Sendable {
  /// In the order of the groups, then by label.
  public private(set) var all: [PreventionCourse]

  /// - Parameters:
  ///   - items: facts of one patient, in time order; those of other kinds than vaccines and parasite treatments are passed over.
  ///   - groups: which names mean the same protection.
  /// - Complexity: O(items + protections log protections).
  public init(_ items: some Sequence<RecordedFact>, groups: PreventionGroups) {
    let told = items.filter { $0.fact.prevention != nil && $0.fact.assertion.experiencer == .patient }
    let precise = Set(told.filter { !groups.group(of: $0.fact.name).isGeneral }.map(\.note.id))
    var courses: [String: PreventionCourse] = [:]
    for item in told {
      let group = groups.group(of: item.fact.name)
      // "Jab" in a message may be anything; given in a visit it was a vaccine.
      if group.isGeneral {
        let isVaccine = Self.visits.contains(item.note.kind) && item.fact.action != nil
        if precise.contains(item.note.id) || !isVaccine { continue }
      }
      courses[group.label, default: PreventionCourse(group)].take(item)
    }
    all = courses.values.sorted { ($0.group.rank, $0.label) < ($1.group.rank, $1.label) }
  }

  private static let visits: Set<NoteKind> = [.consult, .nurse, .surgery, .prescription]

  /// How each protection stands that a note not too old to count speaks of, in the order of a brief. With a species, without what
  /// is no protection of it: a core vaccine is another one in a cat.
  public func standings(
    at now: Timestamp, zone: PracticeTimeZone, of species: Species? = nil
  ) -> [PreventionStanding] {
    all.filter { course in species.map { course.group.suits($0) } ?? true }
      .compactMap { $0.standing(at: now, zone: zone) }
  }

  /// When each is due again; not what the owner declined last, nor what nobody can say.
  public func dues(at now: Timestamp, zone: PracticeTimeZone) -> [PreventionDue] {
    standings(at: now, zone: zone).compactMap { PreventionDue($0, zone: zone) }
  }
}

extension PreventionCourse {
  fileprivate mutating func take(_ item: RecordedFact) {
    let action = item.fact.action
    if item.fact.prevention?.due != nil { dues.append(item) }
    let isSo = item.fact.assertion.polarity == .present && item.fact.assertion.temporality == .current
    if isSo && action != .due || action == .declined { latest = item }
  }

  /// Nil where all that notes say of it is too old to count.
  public func standing(at now: Timestamp, zone: PracticeTimeZone) -> PreventionStanding? {
    func counts(_ item: RecordedFact) -> Bool {
      group.days.map { item.note.recordedAt >= now.adding(days: -$0) } ?? true
    }
    let latest = latest.flatMap { counts($0) ? $0 : nil }
    let due = dues.reversed().lazy.filter(counts).compactMap { item in
      item.fact.prevention?.due.flatMap { WrittenDate($0, writtenOn: zone.date(of: item.note.recordedAt), .onwards) }
        .map { (item: item, date: $0) }
    }.first
    guard let item = latest ?? due?.item else { return nil }
    let state: State =
      switch item.fact.action {
      case .declined: .declined
      case .overdue: .overdue
      case .due: .due
      default: .given
      }
    return PreventionStanding(
      label: label, state: state, latest: item, due: due, given: state == .given ? item : nil, interval: group.interval)
  }
}

/// When a vaccine or parasite treatment is due again: on the day a note says, else after the usual time from when it was last
/// given.
public struct PreventionDue: Sendable {
  public enum Basis: Equatable, Sendable {
    case written
    /// Days from the last one, by the table.
    case interval(Int)
  }

  public let label: String
  public let day: CalendarDate
  public let basis: Basis
  /// What says so: the words with the date, or the last treatment.
  public let item: RecordedFact
  /// The last time it was given; nil when the record only says when it is due.
  public let given: RecordedFact?

  /// Nil for what the owner declined last, and where nobody can say when.
  public init?(_ standing: PreventionStanding, zone: PracticeTimeZone) {
    guard standing.state != .declined else { return nil }
    label = standing.label
    given = standing.given
    // A date that was written before it was given again has been met.
    if let due = standing.due, standing.given.map({ $0.note.recordedAt <= due.item.note.recordedAt }) ?? true {
      (day, basis, item) = (due.date.likeliest, .written, due.item)
    } else if let given = standing.given, let interval = standing.interval {
      (day, basis, item) = (given.day(in: zone).adding(days: interval), .interval(interval), given)
    } else {
      return nil
    }
  }
}
