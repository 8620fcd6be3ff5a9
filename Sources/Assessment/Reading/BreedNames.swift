public import Clinical

/// Which species the names are of by which owners call an animal: a lab and a frenchie are dogs. Data: `clinical/breeds.tsv`.
public struct BreedNames: Sendable {
  private struct Name: Sendable {
    /// Folded.
    let words: [String]
    let species: Species
    /// Whether the words mean something else too, and so count only where somebody speaks of their own: "the lab rang".
    let isAmbiguous: Bool
  }

  /// By first word.
  private var names: [String: [Name]] = [:]

  /// - Parameter table: `breeds.tsv`: columns `species`, `forms`, `also` (what else the forms mean).
  /// - Throws: ``DataTableError`` for an unknown species, or a row without names.
  public init(table: DataTable) throws(DataTableError) {
    for row in table.rows {
      guard let species = Species(rawValue: row["species"]) else { throw row.error("species", "is unknown") }
      for form in row.list("forms") {
        let words = IntakeScanner.words(in: form).map(\.text)
        guard let first = words.first else { throw row.error("forms", "has a name without words") }
        names[first, default: []].append(Name(words: words, species: species, isAmbiguous: !row["also"].isEmpty))
      }
    }
  }

  /// The species of all breeds that some words of running text name.
  ///
  /// - Complexity: O(words × names that begin with each).
  func species(in words: [IntakeWord]) -> Set<Species> {
    var found: Set<Species> = []
    for index in words.indices {
      for name in candidates(words[index].text) where matches(name, at: index, words) {
        if !name.isAmbiguous || index > 0 && Self.own.contains(words[index - 1].text) { found.insert(name.species) }
      }
    }
    return found
  }

  /// The species of a breed as a form or a record names it; nil for what names none, or several.
  func species(ofBreed breed: String) -> Species? {
    let words = IntakeScanner.words(in: breed)
    let found = Set(
      words.indices.flatMap { index in
        candidates(words[index].text).filter { matches($0, at: index, words) }.map(\.species)
      })
    return found.count == 1 ? found.first : nil
  }

  /// Every word of a name: none is a slip for another word.
  var words: Set<String> { Set(names.values.flatMap { $0.flatMap(\.words) }) }

  private static let own: Set<String> = ["my", "our", "old"]

  /// "Collies", and "the collie's", which the scanner reads alike.
  private func candidates(_ word: String) -> [Name] {
    (names[word] ?? []) + (word.last == "s" ? names[String(word.dropLast())] ?? [] : [])
  }

  private func matches(_ name: Name, at start: Int, _ words: [IntakeWord]) -> Bool {
    guard start + name.words.count <= words.count else { return false }
    return name.words.indices.dropFirst().allSatisfy {
      let word = words[start + $0].text
      return words[start + $0].phrase == words[start].phrase && (word == name.words[$0] || word == name.words[$0] + "s")
    }
  }
}
