public import Clinical

/// Which rooms a type of visit needs and who may take it: `scheduling/visit-resources.tsv`.
public struct VisitResources: Sendable {
  public struct Need: Hashable, Sendable {
    /// Kinds of resource, one unit of each.
    public let resourceKinds: [String]
    public let roles: Set<StaffMember.Role>
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
      let need = Need(resourceKinds: row.list("resources"), roles: roles)
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

  public func need(_ visitType: VisitType?) -> Need { visitType.flatMap { needs[$0.rawValue] } ?? fallback }
}
