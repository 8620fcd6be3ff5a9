public import Clinical
public import Extraction
import TextAnalysis

/// A drug that is given, meant or asked about.
public struct DrugUse: Hashable, Sendable {
  public let drug: Formulary.Drug
  /// Nil where nothing is said.
  public let route: DrugRoute?

  public init(_ drug: Formulary.Drug, route: DrugRoute? = nil) {
    self.drug = drug
    self.route = route
  }

  /// Given where it acts, by a route that leaves the rest of the body alone.
  package var isLocal: Bool {
    if let route { return Self.localRoutes.contains(route) }
    return false
  }

  private static let localRoutes: Set<DrugRoute> = [.eye, .ear, .topical]
}

extension Formulary {
  /// A row of the interactions with the drugs that fire it.
  public struct InteractionHit: Hashable, Sendable {
    public let interaction: Interaction
    /// Positions among the uses, ascending.
    public let uses: [Int]
  }

  /// The interactions among some drugs, worst first, then in the order of the table.
  ///
  /// A row that a worse row of more drugs holds already (one of three, where all three are given) is left out.
  ///
  /// - Complexity: O(rows × drugs²).
  public func interactions(among uses: [DrugUse], in species: Species?) -> [InteractionHit] {
    var hits: [InteractionHit] = []
    for interaction in interactions {
      if let species, !interaction.species.isEmpty, !interaction.species.contains(species) { continue }
      if species == nil, !interaction.species.isEmpty { continue }
      let found = Self.combination(of: interaction.parties, in: uses)
      if !found.isEmpty { hits.append(InteractionHit(interaction: interaction, uses: found)) }
    }
    hits = hits.filter { hit in
      !hits.contains { other in
        other.uses.count > hit.uses.count && other.interaction.level >= hit.interaction.level
          && other.interaction.parties.count > hit.interaction.parties.count && Set(other.uses).isSuperset(of: hit.uses)
      }
    }
    return hits.enumerated().sorted {
      ($1.element.interaction.level, $0.offset) < ($0.element.interaction.level, $1.offset)
    }.map(\.element)
  }

  /// All uses that take part in some way of filling each party with a drug of its own; none where no way fills all.
  private static func combination(of parties: [DrugSet], in uses: [DrugUse]) -> [Int] {
    let members = parties.map { party in
      uses.indices.filter { party.contains(uses[$0].drug) && !uses[$0].isLocal }
    }
    var taking: Set<Int> = []
    func fill(_ chosen: [Int]) {
      guard chosen.count < members.count else {
        taking.formUnion(chosen)
        return
      }
      for candidate in members[chosen.count]
      where !chosen.contains(where: { uses[$0].drug.id == uses[candidate].drug.id }) { fill(chosen + [candidate]) }
    }
    fill([])
    return taking.sorted()
  }

  /// What speaks against a drug in an animal, worst first, then in the order of the table.
  ///
  /// - Parameters:
  ///   - drug: the drug.
  ///   - species: the animal's.
  ///   - breed: as registered; rows for breeds need it.
  ///   - months: the age; rows for the young need it.
  /// - Returns: the rows that hold.
  public func cautions(
    of drug: Drug, in species: Species, breed: String? = nil, months: Int? = nil
  ) -> [SpeciesCaution] {
    let words = breed.map { WordForm.runs(of: $0) } ?? []
    return sorted(
      speciesCautions.filter { caution in
        guard caution.drugs.contains(drug), caution.species.contains(species) else { return false }
        if let limit = caution.monthsBelow, months.map({ $0 >= limit }) ?? true { return false }
        return caution.breeds.isEmpty || caution.breeds.contains { Self.names($0, words) }
      }, by: \.level)
  }

  /// Every row about a drug, for all species, worst first.
  public func cautions(of drug: Drug) -> [SpeciesCaution] {
    sorted(speciesCautions.filter { $0.drugs.contains(drug) }, by: \.level)
  }

  /// What a patient's problems or signs say against a drug, worst first.
  public func cautions(of use: DrugUse, with problems: Set<String>, in species: Species?) -> [DiseaseCaution] {
    // A drop acts where it is put: only rows that are about the eye or ear hold, and those name the drug.
    sorted(
      diseaseCautions.filter { caution in
        caution.drugs.contains(use.drug) && caution.problems.contains(where: problems.contains)
          && (caution.species.isEmpty || species.map(caution.species.contains) ?? false)
          && (!use.isLocal || caution.drugs.operands.contains(use.drug.id))
      }, by: \.level)
  }

  /// Why a drug should not be given to a patient that reacted to another: the row, or nil.
  public func crossReaction(of given: Drug, afterReactionTo reacted: Drug) -> CrossReaction? {
    crossReactions.first { $0.reacted.contains(reacted) && $0.given.contains(given) }
  }

  /// What to look at while a drug is given.
  public func monitoring(of drug: Drug, in species: Species?) -> [Monitoring] {
    monitoring.filter {
      $0.drugs.contains(drug) && ($0.species.isEmpty || species.map($0.species.contains) ?? true)
    }
  }

  /// Whether the words of a registered breed hold those of a row's: `labrador` in "Labrador Retriever".
  private static func names(_ breed: String, _ words: [String]) -> Bool {
    let wanted = WordForm.runs(of: breed)
    guard !wanted.isEmpty, wanted.count <= words.count else { return false }
    return (0...(words.count - wanted.count)).contains { Array(words[$0..<($0 + wanted.count)]) == wanted }
  }

  private func sorted<Row>(_ rows: [Row], by level: (Row) -> CautionLevel) -> [Row] {
    rows.enumerated().sorted { (level($1.element), $0.offset) < (level($0.element), $1.offset) }.map(\.element)
  }
}
