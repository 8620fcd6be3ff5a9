public import Clinical

/// An exemplar that resembles a case.
public struct ExemplarHit: Hashable, Sendable {
  public let id: String
  /// Nil where the texts are not installed.
  public let text: String?
  public let urgency: Urgency
  /// Cosine of the two texts' sketches, 0...1.
  public let similarity: Double
}
