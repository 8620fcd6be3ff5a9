public import Clinical

extension PatientStore {
  /// Those of some species, by name; of all where none is named.
  public func patients(ofSpecies species: Set<Species>, limit: Int) throws(StoreError) -> [Stored<Patient>] {
    // The words of an enum, not of a user.
    let words = species.map { "'\($0.rawValue)'" }.sorted().joined(separator: ", ")
    let condition = species.isEmpty ? "" : "WHERE record.species IN (\(words))"
    return try connection.rows(
      "\(Self.selection) \(condition) ORDER BY record.name_key, record.id LIMIT ?", limit, read: Self.read)
  }
}
