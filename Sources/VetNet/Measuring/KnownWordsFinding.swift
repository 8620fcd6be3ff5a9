import Assessment
import Clinical

/// Finds the everyday words that triage would take for misspelt signs of disease.
public enum KnownWordsFinding {
  /// Where they are kept, in a model folder.
  public static let file = "triage/known-words.tsv"

  /// - Parameters:
  ///   - models: the forms, and the words that are known already.
  ///   - vocabulary: words of English.
  /// - Returns: the file's text, and which words are new in it.
  /// - Throws: ``PracticeError`` for a table that is missing or can't be used.
  public static func run(models: ModelDirectory, vocabulary: [String]) throws -> (text: String, added: [String]) {
    let known = try models.table(file, required: ["word"], uniqueKey: "word")
    let forms = try ["triage/concepts.tsv", "triage/toxins.tsv"].map { try models.table($0) }
    let words = try models.usable { () throws(DataTableError) in
      try KnownWords.extended(known, forms: forms, vocabulary: vocabulary)
    }
    return (KnownWords.text(words.all, version: known.metadata["version"] ?? "1"), words.added)
  }
}
