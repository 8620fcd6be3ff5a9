public import Clinical

/// What the formulary holds on one drug. No doses: those stand on the label and in the reference the vet trusts.
public struct DrugSheet: Sendable, Encodable {
  public struct Row: Sendable, Encodable {
    public let level: CautionLevel?
    /// The other drugs, the species with breeds and age, the diseases, or the tests.
    public let about: String
    public let text: String
    public let reference: SourceReference
  }

  public let id: String
  public let generic: String
  public let classes: [String]
  public let spellings: [String]
  public let brandsUK: [String]
  public let brandsUS: [String]
  public let alsoCalled: [String]
  public let speciesNotes: String
  /// The species that were asked for; all when empty.
  public let species: [Species]
  public let speciesCautions: [Row]
  public let diseaseCautions: [Row]
  public let interactions: [Row]
  public let monitoring: [Row]
  public let source: String
  public let isVerified: Bool

  private enum CodingKeys: String, CodingKey {
    case id, generic, classes, spellings
    case brandsUK = "brands_uk"
    case brandsUS = "brands_us"
    case alsoCalled = "also_called"
    case speciesNotes = "species_notes"
    case species
    case speciesCautions = "species_cautions"
    case diseaseCautions = "disease_cautions"
    case interactions, monitoring, source
    case isVerified = "verified"
  }

  /// - Parameters:
  ///   - drug: one of the formulary's.
  ///   - formulary: what is known.
  ///   - species: only what holds for it; nil for all.
  ///   - other: only interactions with this drug; nil for all.
  public init(
    _ drug: Formulary.Drug, in formulary: Formulary, species: Species? = nil, with other: Formulary.Drug? = nil
  ) {
    id = drug.id
    generic = drug.generic
    classes = drug.classes.map(formulary.name(ofClass:))
    spellings = drug.otherNames.spellings
    brandsUK = drug.otherNames.brandsUK
    brandsUS = drug.otherNames.brandsUS
    alsoCalled = drug.otherNames.lay
    speciesNotes = drug.speciesNotes
    self.species = species.map { [$0] } ?? []
    source = drug.source
    isVerified = drug.isVerified
    speciesCautions = formulary.cautions(of: drug).filter { species.map($0.species.contains) ?? true }.map { caution in
      var about = caution.species.map(\.rawValue).joined(separator: ", ")
      if !caution.breeds.isEmpty { about += " (\(caution.breeds.joined(separator: ", ")))" }
      if let months = caution.monthsBelow { about += " under \(months) months" }
      return Row(level: caution.level, about: about, text: caution.text, reference: caution.reference)
    }
    diseaseCautions = formulary.diseaseCautions.filter { caution in
      caution.drugs.contains(drug) && (caution.species.isEmpty || species.map(caution.species.contains) ?? true)
    }
    .sorted { $1.level < $0.level }
    .map {
      Row(level: $0.level, about: $0.problems.joined(separator: ", "), text: $0.text, reference: $0.reference)
    }
    interactions = formulary.interactions.filter { row in
      row.species.isEmpty || species.map(row.species.contains) ?? true
    }
    .enumerated().compactMap { place, row -> (place: Int, row: Row)? in
      // The party that the drug stands for; with another drug given, that one must stand for another party.
      let own = row.parties.indices.first { index in
        row.parties[index].contains(drug)
          && (other.map { other in
            row.parties.indices.contains { $0 != index && row.parties[$0].contains(other) }
          } ?? true)
      }
      guard let own else { return nil }
      let about = row.parties.indices.filter { $0 != own }.map { formulary.words(for: row.parties[$0]) }
        .joined(separator: " + ")
      return (
        place, Row(level: row.level, about: about, text: "\(row.effect); \(row.advice)", reference: row.reference)
      )
    }
    .sorted { ($1.row.level ?? .monitor, $0.place) < ($0.row.level ?? .monitor, $1.place) }
    .map(\.row)
    monitoring = formulary.monitoring(of: drug, in: species).map {
      Row(
        level: nil, about: $0.tests.joined(separator: ", "),
        text: $0.checks + ($0.months.map { "; tests at least every \($0) months" } ?? ""), reference: $0.reference)
    }
  }
}
