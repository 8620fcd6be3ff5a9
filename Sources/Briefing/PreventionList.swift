import Chart
public import Clinical
import Extraction

/// Which names of vaccines and parasite treatments mean the same protection. Data: `Models/briefing/prevention-groups.tsv`.
///
/// Columns: `id`; `label`; `names`, of facts; `rank`, the place in a brief; `general`, `yes` for names such as "vaccination"
/// that only count where nothing more precise stands in the same note; `days`, after which the last treatment says nothing any
/// more, empty for never; `interval`, days after which it is usually given again, empty where that differs too much;
/// `species`, for which it is a protection at all, empty for all.
public struct PreventionGroups: Sendable {
  struct Group: Sendable {
    let label: String
    let rank: Int
    let isGeneral: Bool
    /// Empty for all.
    let species: Set<Species>
    /// Nil when it is worth knowing however old it is.
    let days: Int?
    /// Nil where nobody can say without the note.
    let interval: Int?
  }

  private var groups: [String: Group] = [:]

  /// - Throws: ``DataTableError`` for a rank that is no number, and for a name that two rows claim.
  public init(table: DataTable) throws(DataTableError) {
    for row in table.rows {
      let group = Group(
        label: row["label"], rank: Int(try row.number("rank")), isGeneral: row["general"] == "yes",
        species: try Self.species(of: row), days: row["days"].isEmpty ? nil : Int(try row.number("days")),
        interval: row["interval"].isEmpty ? nil : Int(try row.number("interval")))
      for name in row.list("names") where groups.updateValue(group, forKey: name) != nil {
        throw row.error("names", "holds '\(name)', which another row has")
      }
    }
  }

  private static func species(of row: DataTable.Row) throws(DataTableError) -> Set<Species> {
    var species: Set<Species> = []
    for word in row.list("species") {
      guard let known = Species(rawValue: word) else { throw row.error("species", "holds '\(word)', no species") }
      species.insert(known)
    }
    return species
  }

  /// Whether a protection with that label is one for the species.
  func suits(_ label: String, _ species: Species) -> Bool {
    let group = groups.values.first { $0.label == label }
    return group.map { $0.species.isEmpty || $0.species.contains(species) } ?? true
  }

  /// A name that no row has is a group of its own, after the others.
  func group(of name: String) -> Group {
    groups[name] ?? Group(label: name, rank: .max, isGeneral: false, species: [], days: 2 * 365, interval: nil)
  }
}

/// What a patient was last given against infections and parasites, and what is due.
struct PreventionList {
  struct Entry {
    let label: String
    /// The latest word on it: given, due, overdue or declined.
    let latest: RecordedFact
    /// When it is due, as the notes write it, with the note that does.
    let due: (item: RecordedFact, date: WrittenDate)?
    fileprivate let rank: Int
  }

  /// In the order of the groups.
  let entries: [Entry]

  init(_ record: PatientRecord, groups: PreventionGroups, at now: Timestamp, zone: PracticeTimeZone) {
    var latest: [String: RecordedFact] = [:]
    var due: [String: (item: RecordedFact, date: WrittenDate)] = [:]
    var ranks: [String: Int] = [:]
    let facts = record.recordedFacts([.vaccination, .parasiteControl]).filter {
      $0.fact.assertion.experiencer == .patient
    }
    let precise = Set(facts.filter { !groups.group(of: $0.fact.name).isGeneral }.map(\.note.id))
    for item in facts {
      let group = groups.group(of: item.fact.name)
      if let days = group.days, item.note.recordedAt < now.adding(days: -days) { continue }
      // "Jab" in a message may be anything; given in a visit it was a vaccine.
      if group.isGeneral {
        let isVaccine = Self.visits.contains(item.note.kind) && item.fact.action != nil
        if precise.contains(item.note.id) || !isVaccine { continue }
      }
      ranks[group.label] = group.rank
      let action = item.fact.action
      if let text = item.fact.prevention?.due,
        let date = WrittenDate(text, writtenOn: zone.date(of: item.note.recordedAt), .onwards)
      {
        due[group.label] = (item, date)
      }
      let isGiven =
        item.fact.assertion.polarity == .present && item.fact.assertion.temporality == .current && action != .due
      if isGiven || action == .declined { latest[group.label] = item }
    }
    entries = ranks.compactMap { label, rank in
      guard let item = latest[label] ?? due[label]?.item else { return nil }
      return Entry(label: label, latest: item, due: due[label], rank: rank)
    }
    .sorted { ($0.rank, $0.label) < ($1.rank, $1.label) }
  }

  private static let visits: Set<NoteKind> = [.consult, .nurse, .surgery, .prescription]
}
