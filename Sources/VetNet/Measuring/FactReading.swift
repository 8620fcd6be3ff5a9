public import Clinical
import Extraction
import Glibc

/// Reads facts from notes and does nothing else, on one core: for measuring how fast extraction is.
public struct FactReading: Sendable {
  private let extractor: FactExtractor

  /// - Throws: ``PracticeError`` for a table that is missing or can't be used.
  public init(models: ModelDirectory) throws {
    extractor = try models.extractors().facts
  }

  /// How many facts some notes have, and the seconds that the core worked at them; what other processes took of it doesn't count.
  public func read(_ notes: [ClinicalNote]) -> (facts: Int, coreSeconds: Double) {
    let started = Self.threadSeconds()
    let facts = notes.reduce(0) { $0 + extractor.facts(in: $1.text, kind: $1.kind).count }
    return (facts, Self.threadSeconds() - started)
  }

  private static func threadSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
