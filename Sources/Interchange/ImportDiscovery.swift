/// What was found under the given paths: the files in the order of import, and what was left out.
public struct ImportDiscovery: Hashable, Sendable {
  public let sources: [ImportSource]
  public let problems: [ImportFileProblem]
}

extension ImportDiscovery {
  /// Finds the files to import, in dependency order: an animal's owner before the animal, the animal before its notes.
  ///
  /// A folder gives the `.jsonl`, `.ndjson`, `.csv` and `.tsv` files directly in it whose name (`notes.jsonl`) or first
  /// rows say what they hold, and the `.txt` and `.md` files with front matter anywhere below it; hidden files and
  /// rejects files are passed over. Files of one kind come in the order of the paths given, then alphabetically.
  ///
  /// - Parameters:
  ///   - paths: files and folders; `-` is standard input.
  ///   - kind: what files given by name hold, where they or standard input don't say.
  ///   - format: their format, where their name doesn't say; JSON Lines by default.
  ///   - vocabulary: for the head lines of tables whose name says nothing.
  /// - Returns: the sources, and what was left out or can't be read.
  /// - Throws: ``InterchangeError`` for a path that isn't there, can't be read, or holds nothing to import. A file
  ///   *within* a folder that can't be read is a problem instead.
  public static func find(
    _ paths: [String], kind: ImportKind? = nil, format: ImportFormat? = nil, vocabulary: ImportVocabulary
  ) throws(InterchangeError) -> ImportDiscovery {
    var finder = SourceFinder(vocabulary: vocabulary)
    for (position, path) in paths.enumerated() {
      try finder.add(path, position: position, kind: kind, format: format)
    }
    return finder.result()
  }
}
