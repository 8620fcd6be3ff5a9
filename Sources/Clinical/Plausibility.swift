/// Which values an animal can have. What lies outside is flagged and kept, never corrected. Data:
/// `Models/clinical/plausible-values.tsv`.
public struct Plausibility: Sendable {
  private let ranges: [Species: [String: ClosedRange<Double>]]

  /// - Parameter table: columns `species`, `quantity` (`weight`, `temperature`, `heart_rate`, `respiratory_rate`, `age_years`),
  ///   `lowest`, `highest`, `unit`.
  /// - Throws: ``DataTableError`` for an unknown species or a range that is none.
  public init(table: DataTable) throws(DataTableError) {
    var ranges: [Species: [String: ClosedRange<Double>]] = [:]
    for row in table.rows {
      guard let species = Species(rawValue: row["species"]) else { throw row.error("species", "is no species") }
      let lowest = try row.number("lowest")
      let highest = try row.number("highest")
      guard lowest <= highest else { throw row.error("highest", "is below the lowest value") }
      ranges[species, default: [:]][row["quantity"]] = lowest...highest
    }
    self.ranges = ranges
  }

  /// What is wrong with a measured value, or nil; a species or quantity without a range is not judged.
  ///
  /// - Parameters:
  ///   - quantity: as the table names it.
  ///   - value: in the table's unit: kg, °C, per minute, years.
  ///   - species: whose.
  /// - Returns: a complaint in words.
  public func complaint(about quantity: String, value: Double, species: Species) -> String? {
    guard let range = ranges[species]?[quantity], !range.contains(value) else { return nil }
    return "\(quantity) \(value) is unlikely for a \(species.rawValue) (\(range.lowerBound)–\(range.upperBound))"
  }

  /// From just above 0 to the highest value of a quantity in any species: what lies outside is no such quantity at all; nil for
  /// one that the table doesn't have.
  public func possible(_ quantity: String) -> ClosedRange<Double>? {
    guard let highest = ranges.values.compactMap({ $0[quantity]?.upperBound }).max() else { return nil }
    return Double.leastNonzeroMagnitude...highest
  }

  /// What is wrong with a patient's registration.
  public func complaints(about patient: Patient, today: CalendarDate) -> [String] {
    var complaints: [String] = []
    if let weight = patient.weightKilograms,
      let text = complaint(about: "weight", value: weight, species: patient.species)
    {
      complaints.append(text)
    }
    if let born = patient.dateOfBirth {
      if born > today {
        complaints.append("the date of birth \(born) is in the future")
      } else if let days = patient.ageInDays(on: patient.deceasedAt ?? today),
        let text = complaint(about: "age_years", value: Double(days / 365), species: patient.species)
      {
        complaints.append(text)
      }
      if let died = patient.deceasedAt, died < born {
        complaints.append("died \(died), before the date of birth \(born)")
      }
    }
    if let died = patient.deceasedAt, died > today { complaints.append("the date of death \(died) is in the future") }
    return complaints
  }
}
