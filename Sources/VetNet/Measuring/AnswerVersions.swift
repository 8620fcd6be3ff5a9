import Clinical
import Extraction
import TextAnalysis

extension Practice.Answers {
  /// The versions of what answers rest on, by name.
  package func answerVersions() throws -> [String: String] {
    [
      "vetnet": VetNetVersion.current, "analyzer": try models.analyzer().version,
      "chunking": try models.chunkingVersion(), "facts": try models.extractionVersion(),
      "assertion rules": try models.assertionClassifier().version,
    ]
  }
}

extension ModelDirectory {
  /// Generic and brand names of the formulary, in lower case: single words, for looking for them in a text.
  public func drugNames() throws -> Set<String> {
    var names: Set<String> = []
    for row in try table("formulary/drugs.tsv").rows {
      for column in ["generic", "spellings", "brands_uk", "brands_us"] {
        for name in row.list(column) where !name.contains(" ") && name.utf8.count > 3 {
          names.insert(name.lowercased())
        }
      }
    }
    return names
  }
}
