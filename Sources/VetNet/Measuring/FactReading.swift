public import Clinical
import Extraction

/// Reads facts from notes and does nothing else, on one core: for measuring how fast extraction is.
public struct FactReading: Sendable {
  private let extractor: FactExtractor

  /// - Throws: ``PracticeError`` for a table that is missing or can't be used.
  public init(models: ModelDirectory) throws {
    extractor = try models.extractors().facts
  }

  /// How many facts some notes have.
  public func count(in notes: [ClinicalNote]) -> Int {
    notes.reduce(0) { $0 + extractor.facts(in: $1.text, kind: $1.kind).count }
  }
}
