public import Clinical

/// Which rooms a type of visit needs and who may take it: `scheduling/visit-resources.tsv`.
public struct VisitResources: Sendable {
  public struct Need: Hashable, Sendable {
    /// What is needed, one unit of each; kinds of resource that will do for it, the best first.
    public let resources: [[String]]
    public let roles: Set<StaffMember.Role>
    /// Local minutes past midnight between which a planned visit starts, such as a fasted animal's in the morning; nil
    /// for any time.
    public let startMinutes: Range<Int>?
    /// What whoever takes it must hold, by name, where the practice keeps track of such.
    public let credentials: [String]

    /// The kinds to ask for in a practice that has those of `known`: the first of each need that it has.
    public func resourceKinds(among known: Set<String>) -> [String] {
      resources.compactMap { choices in choices.first { known.contains($0) } }
    }

    /// What the practice has nothing for, in words such as "dental, theatre or room"; empty for nearly all.
    public func missing(among known: Set<String>) -> [String] {
      resources.filter { choices in !choices.contains { known.contains($0) } }.map { choices in
        choices.count < 2
          ? choices.joined() : choices.dropLast().joined(separator: ", ") + " or " + (choices.last ?? "")
      }
    }
  }

  private let needs: [String: Need]
  private let fallback: Need

  /// - Throws: ``DataTableError`` for an unknown role, a repeated visit type, or a table without the row `*`.
  public init(table: DataTable) throws(DataTableError) {
    var needs: [String: Need] = [:]
    for row in table.rows {
      var roles: Set<StaffMember.Role> = []
      for word in row.list("roles") {
        guard let role = StaffMember.Role(rawValue: word) else { throw row.error("roles", "has an unknown role") }
        roles.insert(role)
      }
      guard !roles.isEmpty else { throw row.error("roles", "names nobody") }
      let need = Need(
        resources: row.list("resources").map { $0.split(separator: "/").map(String.init) }, roles: roles,
        startMinutes: try Self.startMinutes(row), credentials: row.list("credentials"))
      guard needs.updateValue(need, forKey: row["visit_type"]) == nil else {
        throw row.error("visit_type", "stands there twice")
      }
    }
    guard let fallback = needs["*"] else {
      throw DataTableError(table: table.name, line: 0, column: "visit_type", problem: "no row for *")
    }
    self.needs = needs
    self.fallback = fallback
  }

  /// `08:00-12:00`, or nothing.
  private static func startMinutes(_ row: DataTable.Row) throws(DataTableError) -> Range<Int>? {
    let text = row["starts"]
    guard !text.isEmpty else { return nil }
    let clocks = text.split(separator: "-").map { clock -> Int? in
      let parts = clock.split(separator: ":").compactMap { Int($0) }
      guard parts.count == 2, (0...24).contains(parts[0]), (0..<60).contains(parts[1]) else { return nil }
      return parts[0] * 60 + parts[1]
    }
    guard clocks.count == 2, let from = clocks[0], let to = clocks[1], from < to, to <= 1440 else {
      throw row.error("starts", "is no stretch of a day like 08:00-12:00")
    }
    return from..<to
  }

  public func need(_ visitType: VisitType?) -> Need { visitType.flatMap { needs[$0.rawValue] } ?? fallback }
}
