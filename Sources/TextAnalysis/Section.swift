/// A part of a note under one heading, or before the first.
public struct Section: Hashable, Sendable {
  /// The kind of a section without a heading.
  public static let body = "body"
  /// The kind of a section whose heading no table row names.
  public static let other = "other"

  /// What the heading announces: `history`, `subjective`, `objective`, `assessment`, `plan`, `diagnostics`,
  /// `treatment`, `advice`, …, ``other`` or ``body``.
  public let kind: String
  /// The heading with its colon, from the start of its line; empty where there is none. UTF-8 bytes.
  public let heading: Range<Int>
  /// What follows, up to the next heading. UTF-8 bytes; begins where the heading ends.
  public let body: Range<Int>

  public init(kind: String, heading: Range<Int>, body: Range<Int>) {
    self.kind = kind
    self.heading = heading
    self.body = body
  }

  /// Heading and body.
  public var range: Range<Int> { heading.lowerBound..<body.upperBound }
}
