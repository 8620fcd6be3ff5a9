public import Clinical

/// A fact with what is known of its note without reading it.
public struct NotedFact: Hashable, Sendable {
  public let fact: StoredFact
  public let noteKind: NoteKind
}

extension FactStore {
  /// The names that the facts of a kind have, in their order.
  ///
  /// - Complexity: O(names × log facts): the index is asked for the next name each time.
  public func names(generation: Int64, kind: String) throws(StoreError) -> [String] {
    try connection.rows(
      """
      WITH RECURSIVE known (fact_name) AS (
        SELECT (SELECT name FROM fact WHERE generation_id = ?1 AND kind = ?2 ORDER BY name LIMIT 1)
        UNION ALL
        SELECT (
          SELECT name FROM fact WHERE generation_id = ?1 AND kind = ?2 AND name > known.fact_name ORDER BY name LIMIT 1)
        FROM known WHERE known.fact_name IS NOT NULL)
      SELECT fact_name FROM known WHERE fact_name IS NOT NULL
      """, generation, kind
    ) { $0.text(0) }
  }

  /// Every patient's facts of a kind and name, the oldest first, up to and including `moment`; where species are named, only of
  /// animals of these.
  ///
  /// - Complexity: reads the facts of that name only.
  public func facts(
    generation: Int64, kind: String, name: String, species: Set<Species>? = nil, through moment: Timestamp
  ) throws(StoreError) -> [NotedFact] {
    // The words of an enum, not of a user.
    let words = species?.map { "'\($0.rawValue)'" }.sorted().joined(separator: ", ")
    let ofSpecies =
      words.map { "AND (SELECT species FROM patient WHERE id = fact.patient_id) IN (\($0))" } ?? ""
    return try connection.rows(
      """
      \(Self.notedSelection("INDEXED BY fact_name"))
      WHERE generation_id = ?1 AND fact.kind = ?2 AND name = ?3 AND fact.recorded_at <= ?4 \(ofSpecies)
      ORDER BY fact.recorded_at, note_id, start_byte, fact.id
      """, generation, kind, name, moment, read: Self.readNoted)
  }

  /// The facts of a kind of the patients in a range of rows, by patient, the oldest first, up to and including `moment`.
  ///
  /// - Complexity: reads the facts of these patients and that kind only.
  public func facts(
    generation: Int64, kind: String, patients: ClosedRange<Int64>, through moment: Timestamp? = nil
  ) throws(StoreError) -> [NotedFact] {
    try connection.rows(
      """
      \(Self.notedSelection("INDEXED BY fact_patient"))
      WHERE generation_id = ?1 AND fact.patient_id BETWEEN ?2 AND ?3 AND fact.kind = ?4 AND fact.recorded_at <= ?5
      ORDER BY fact.patient_id, fact.recorded_at, note_id, start_byte, fact.id
      """, generation, patients.lowerBound, patients.upperBound, kind, moment?.seconds ?? .max, read: Self.readNoted)
  }

  private static func notedSelection(_ index: String) -> String {
    """
    SELECT fact.id, note_id, fact.patient_id, fact.recorded_at, fact.kind, name, value, unit, start_byte, end_byte,
      polarity, temporality, experiencer, attributes, note.kind
    FROM fact \(index) JOIN note ON note.id = fact.note_id
    """
  }

  private static func readNoted(_ row: Statement) throws(StoreError) -> NotedFact {
    let fact = try read(row)
    guard let kind = NoteKind(rawValue: row.text(14)) else {
      throw StoreError(.corrupt, context: "the kind of note row \(fact.noteRowID)")
    }
    return NotedFact(fact: fact, noteKind: kind)
  }
}
