public import Clinical
import Foundation

/// The project's top folder, found from this file.
public var projectDirectory: String {
  URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path
}

/// The shipped `Models/`, which tests judge as they judge code.
public var modelsDirectory: String { projectDirectory + "/Models" }

/// A table of `Models/`, such as `lexicon/stop-words.tsv`.
public func modelTable(_ path: String, required: [String] = [], uniqueKey: String? = nil) throws -> DataTable {
  var bytes = try modelData(path)
  if PhraseNotation.isUsed(by: bytes) {
    bytes = try PhraseNotation(verbs: VerbForms(table: modelTable(PhraseNotation.verbFile))).resolved(bytes, name: path)
  }
  if let names = NameLexicon.file(namedBy: bytes) {
    bytes = try NameLexicon(modelTable(names)).resolved(bytes, name: path)
  }
  return try DataTable(name: path, utf8: bytes, required: required, uniqueKey: uniqueKey)
}

/// A file of `Models/`, as it is.
public func modelData(_ path: String) throws -> [UInt8] {
  [UInt8](try Data(contentsOf: URL(filePath: modelsDirectory + "/" + path)))
}
