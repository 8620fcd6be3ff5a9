public import Extraction

/// The assertion rules alone, as extraction uses them: for measuring them on sentences from outside.
public struct AssertionReader: Sendable {
  private let classifier: AssertionClassifier
  /// Of the program and the rules.
  public let versions: [String: String]

  /// - Throws: ``PracticeError`` for a table that is missing or can't be used.
  public init(models: ModelDirectory) throws {
    classifier = try models.assertionClassifier()
    versions = ["vetnet": VetNetVersion.current, "assertion rules": classifier.version]
  }

  /// Whether what stands at a place is said of the patient, now, and as a fact.
  ///
  /// - Parameters:
  ///   - target: UTF-8 bytes of `text`.
  ///   - text: a sentence or a note.
  /// - Returns: the three axes, with the rules that decided.
  public func assertion(of target: Range<Int>, in text: String) -> Assertion {
    classifier.assertion(of: target, in: text)
  }
}
