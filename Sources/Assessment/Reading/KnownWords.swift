public import Clinical

/// Everyday words that triage must not take for misspelt signs of disease (`triage/known-words.tsv`): `having` is not `heaving`.
public enum KnownWords {
  /// The words of the table with those of a vocabulary that the forms of `tables` would be found in.
  ///
  /// - Parameters:
  ///   - table: `triage/known-words.tsv` as it is; its words stay, names and words of practices among them that no general
  ///     vocabulary has.
  ///   - tables: whose forms are looked for in messages: `triage/concepts.tsv`, `triage/toxins.tsv`.
  ///   - vocabulary: words of English; only those in small letters count.
  /// - Returns: all words in the order of their bytes, and those that are new.
  /// - Throws: ``DataTableError`` naming the row whose forms can't be read.
  public static func extended(
    _ table: DataTable, forms tables: [DataTable], vocabulary: some Sequence<String>
  ) throws(DataTableError) -> (all: [String], added: [String]) {
    var lexicons: [ConceptLexicon] = []
    for forms in tables { lexicons.append(try ConceptLexicon(table: forms, knownWords: table)) }
    let known = Set(table.rows.map { $0["word"] })
    let near = vocabulary.filter { word in
      !word.isEmpty && word.utf8.allSatisfy { (0x61...0x7A).contains($0) } && !known.contains(word)
        && lexicons.contains { $0.isTakenForSlip(word) }
    }
    let added = Set(near)
    return (known.union(added).sorted(), added.sorted())
  }

  /// The file that holds them.
  public static func text(_ words: [String], version: String) -> String {
    ([
      "# title: Everyday words that must never be taken for a misspelt sign of disease",
      "# source: Words of general English vocabularies that lie one slip from a form of concepts.tsv or toxins.tsv, found by 'vetnet evaluate known-words', and a few of practices",
      "# licence: MIT, written for VetNet", "# version: \(version)", "word",
    ] + words).joined(separator: "\n") + "\n"
  }
}
