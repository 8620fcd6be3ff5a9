public import Clinical
import Extraction
import FoundationEssentials
import LinearAlgebra
import Store
import TextAnalysis
import Vectorization

/// Chunks, vectors and facts of notes without a practice file: what a worker does for a practice whose notes are split among several.
public struct NoteEmbedder: Sendable {
  /// Names the projection.
  public let model: String
  /// Names the rules by which text is cut and read.
  public let rules: String
  private let reader: NoteReader

  /// With the default projection, or that of a model file.
  ///
  /// - Parameters:
  ///   - models: whose rules read the text.
  ///   - file: a model file; nil for the default one.
  /// - Throws: ``PracticeError`` for a table or a model that can't be used.
  public init(models: ModelDirectory, modelFile file: String? = nil) throws {
    let kept = try ModelFile.verified(file.map(FileContents.bytes) ?? models.data(IndexModel.defaultFile), in: models)
    guard kept.model.analyzerVersion == (try models.analyzer().version) else {
      throw PracticeError(
        .models,
        "'\(file ?? IndexModel.defaultFile)' was made for the analyser \(kept.model.analyzerVersion), not this one",
        hint: "Maybe train it again with this program.")
    }
    try self.init(
      models: models, model: ContentHash(stored: kept.checksum).hexadecimal,
      embedding: NoteReader.Embedding(model: kept.model, projection: models.usable { try kept.projection() }))
  }

  init(models: ModelDirectory, model: String, embedding: NoteReader.Embedding) throws {
    self.model = model
    rules = try models.indexRulesVersion()
    var reader = NoteReader(
      chunker: try models.chunker(), analyzer: try models.analyzer(), facts: try models.extractors().facts)
    reader.embedding = embedding
    self.reader = reader
  }

  /// What is derived from each note, in order, worked out on all cores.
  public func embed(_ notes: [ClinicalNote], vectorsAs form: EmbeddedVector.Form) -> [EmbeddedNote] {
    zip(notes, reader.digests(of: notes)).map { note, digest in
      EmbeddedNote(note, digest, model: model, rules: rules, form: form)
    }
  }
}

extension ModelFile {
  /// A model file's content, its checksum compared.
  static func verified(_ bytes: [UInt8], in models: ModelDirectory) throws -> ModelFile {
    let file = try models.usable { try ModelFile(bytes: bytes) }
    try models.usable { try file.verify { ContentHash(of: Array($0)).bytes } }
    return file
  }
}

/// Whole files, by their bytes.
public enum FileContents {
  /// - Throws: ``PracticeError`` with `notFound` where it can't be read.
  public static func bytes(_ path: String) throws -> [UInt8] {
    guard let data = try? Data(contentsOf: URL(filePath: path)) else {
      throw PracticeError(.notFound, "can't read '\(path)'", hint: "Maybe the name is mistyped.")
    }
    return [UInt8](data)
  }

  /// BLAKE2b-256 of some bytes, as hexadecimal digits.
  public static func digest(_ bytes: [UInt8]) -> String { ContentHash(of: bytes).hexadecimal }

  /// Writes a file whole: beside its place, brought to the disk, then renamed.
  ///
  /// - Throws: ``PracticeError`` saying where, and whether the disk is full; nothing stands in its place then but what stood there.
  public static func write(_ bytes: [UInt8], to path: String) throws {
    do throws(StoreError) {
      try FileBytes.write(bytes, to: path)
    } catch {
      let isFull = error.code == .diskFull
      throw PracticeError(
        .failed,
        isFull ? "the disk is full, or refuses to be written: '\(path)' was not kept" : "can't write '\(path)'",
        hint: isFull ? "Maybe free some space and run it again: what is done already is kept." : nil)
    }
  }
}
