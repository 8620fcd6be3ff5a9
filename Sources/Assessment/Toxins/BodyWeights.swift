public import Clinical

/// What an animal weighs at least and at most, for doses where nobody says it.
public struct BodyWeights: Sendable {
  private struct Breed: Sendable {
    let species: Species
    /// Folded words of a name of the breed.
    let words: [String]
    let range: ClosedRange<Double>
  }

  private var bySpecies: [Species: ClosedRange<Double>] = [:]
  private var breeds: [Breed] = []

  /// - Parameter table: `body-weights.tsv`: columns `species`, `forms` (of a breed; empty for the species), `least_kg`, `most_kg`.
  /// - Throws: ``DataTableError`` for an unknown species, or weights that are no range.
  public init(table: DataTable) throws(DataTableError) {
    for row in table.rows {
      guard let species = Species(rawValue: row["species"]) else { throw row.error("species", "is unknown") }
      let least = try row.number("least_kg")
      let most = try row.number("most_kg")
      guard least > 0, most >= least else { throw row.error("least_kg", "is no weight below most_kg") }
      let names = row.list("forms")
      if names.isEmpty { bySpecies[species] = least...most }
      for name in names {
        breeds.append(Breed(species: species, words: IntakeScanner.words(in: name).map(\.text), range: least...most))
      }
    }
  }

  /// Kilograms; nil for species of which nothing can be said.
  ///
  /// A breed is believed of a grown animal only: nobody is taken to be big, and a pup of a big breed isn't. Of several breeds in
  /// the text the smallest counts, since the other may be a visitor's.
  func range(of facts: PatientFacts, in reading: IntakeReading) -> ClosedRange<Double>? {
    guard let species = facts.species, let any = bySpecies[species] else { return nil }
    let breedWords = facts.breedName.map { IntakeScanner.words(in: $0).map(\.text) } ?? []
    let words = reading.words.map(\.text)
    let isYoung = facts.age.map { $0 < 365 } ?? words.contains { Self.young.contains($0) }
    if isYoung { return any }
    let named = breeds.filter { breed in
      breed.species == species && (breedWords.contains(breed.words) || words.contains(breed.words))
    }
    guard !named.contains(where: { _ in Self.isCross(words) || Self.isCross(breedWords) }) else { return any }
    return named.map(\.range).min { $0.lowerBound < $1.lowerBound } ?? any
  }

  private static let young: Set<String> = ["pup", "pups", "puppy", "puppies", "kitten", "kittens", "baby", "young"]

  /// A crossbreed may be of any size.
  private static func isCross(_ words: [String]) -> Bool {
    words.contains { ["x", "cross", "mix", "mixed", "miniature", "mini"].contains($0) }
  }
}
