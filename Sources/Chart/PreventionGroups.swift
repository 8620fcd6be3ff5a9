public import Clinical

/// Which names of vaccines and parasite treatments mean the same protection. Data: `Models/briefing/prevention-groups.tsv`.
///
/// Columns: `id`; `label`; `names`, of facts; `rank`, the place in a brief; `general`, `yes` for names such as "vaccination"
/// that only count where nothing more precise stands in the same note; `days`, after which the last treatment says nothing any
/// more, empty for never; `interval`, days after which it is usually given again, empty where that differs too much;
/// `species`, for which it is a protection at all, empty for all.
public struct PreventionGroups: Sendable {
  public struct Group: Sendable {
    public let label: String
    public let rank: Int
    public let isGeneral: Bool
    /// Empty for all.
    let species: Set<Species>
    /// Nil when it is worth knowing however old it is.
    let days: Int?
    /// Nil where nobody can say without the note.
    let interval: Int?

    /// Whether it is a protection for the species.
    func suits(_ species: Species) -> Bool { self.species.isEmpty || self.species.contains(species) }
  }

  private var groups: [String: Group] = [:]

  /// Without a table: each name is a protection of its own.
  public init() {}

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
  public func suits(_ label: String, _ species: Species) -> Bool {
    let group = groups.values.first { $0.label == label }
    return group?.suits(species) ?? true
  }

  /// A name that no row has is a group of its own, after the others.
  public func group(of name: String) -> Group {
    groups[name] ?? Group(label: name, rank: .max, isGeneral: false, species: [], days: 2 * 365, interval: nil)
  }
}
