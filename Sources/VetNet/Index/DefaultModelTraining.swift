import Clinical
import FoundationEssentials
import Interchange
import Store
import TextAnalysis
import Vectorization

/// Trains the projection that ships with VetNet, on a folder of notes; `make default-model` calls it on `Corpus/`.
public enum DefaultModelTraining {
  public struct Summary: Sendable {
    public let chunks: Int
    public let terms: Int
    public let rank: Int
    public let bytes: Int

    public var line: String { "trained on \(chunks) chunks: \(terms) terms, rank \(rank), \(bytes) bytes" }
  }

  /// - Parameters:
  ///   - folder: notes in any format that import reads.
  ///   - models: whose analyser and chunker make the terms.
  ///   - output: the model file.
  /// - Throws: ``PracticeError`` when the folder holds no notes, or the file can't be written.
  /// - Returns: the size of what was trained and written.
  public static func run(folder: String, models: ModelDirectory, output: String) throws -> Summary {
    let texts = try notes(in: folder, models: models).map(\.text)
    guard !texts.isEmpty else { throw PracticeError(.failed, "'\(folder)' holds no notes to train on") }
    let chunker = try models.chunker()
    let analyzer = try models.analyzer()
    var trainer = ProjectionTrainer()
    for text in texts {
      for chunk in chunker.chunks(of: text) { trainer.add(analyzer.terms(in: text, range: chunk.range)) }
    }
    // The seed is part of the model: the same notes give the same file.
    var generator = SplitMix64(seed: 1)
    let trained = try trainer.train(analyzerVersion: analyzer.version, using: &generator)
    let bytes = try ModelFile.bytes(
      of: trained, provenance: "trained on the sample practice in Corpus/, written for VetNet"
    ) { ContentHash(of: Array($0)).bytes }
    do {
      try Data(bytes).write(to: URL(filePath: output))
    } catch {
      throw PracticeError(.failed, "can't write '\(output)'")
    }
    return Summary(
      chunks: trainer.documentCount, terms: trained.projection.buckets.count, rank: trained.model.rank,
      bytes: bytes.count)
  }

  private static func notes(in folder: String, models: ModelDirectory) throws -> [ClinicalNote] {
    do {
      let reader = try ImportReader(
        [folder], options: Interchange.ImportOptions(timeZone: .utc, vocabulary: try models.importVocabulary()))
      var notes: [ClinicalNote] = []
      while let event = try reader.next() {
        if case .record(.note(let note, _), _, _, _) = event { notes.append(note) }
      }
      return notes.sorted { $0.id < $1.id }
    } catch let error as InterchangeError {
      throw PracticeError(.failed, error.description)
    }
  }
}
