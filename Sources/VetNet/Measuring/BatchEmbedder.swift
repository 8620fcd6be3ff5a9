import Clinical
import Store
import Vectorization

/// Text to vectors with the default model and nothing else: no practice file, no facts, no index. Measures the part of indexing
/// that is arithmetic.
public struct BatchEmbedder {
  /// What became of a batch.
  public struct Batch: Sendable {
    /// Analysed terms by passage.
    public let terms: [[String]]
    /// 512 numbers by passage.
    public let vectors: [[Float]]
  }

  private let text: SearchText
  private let vectorizer: Vectorizer
  /// Names the model.
  public let modelChecksum: String

  /// - Throws: ``PracticeError`` when the default model is missing or damaged.
  public init(models: ModelDirectory) throws {
    text = try SearchText(models: models)
    let bytes = try models.data(IndexModel.defaultFile)
    let file = try models.usable { try ModelFile(bytes: bytes) }
    let projection = try models.usable { try file.projection() }
    vectorizer = Vectorizer(model: file.model, projection: projection)
    modelChecksum = ContentHash(stored: file.checksum).hexadecimal
  }

  /// The passages of some texts, analysed on all cores and projected together.
  public func embed(_ texts: [String]) throws -> Batch {
    let terms = text.passages(of: texts).flatMap { $0 }
    return Batch(terms: terms, vectors: try vectorizer.documentVectors(of: terms))
  }
}
