/// A passage of one note: the unit that is embedded, indexed, retrieved and cited.
///
/// `range` is in UTF-8 bytes of the note's text, end exclusive, on code point borders, and no stage changes it: that is
/// what makes a citation trustworthy.
public struct Chunk: Hashable, Sendable {
  /// Position among the note's chunks, from 0.
  public var ordinal: Int
  public var range: Range<Int>
  /// The kind of section the passage stands in, such as `plan`; nil where the note has no headings.
  public var section: String?

  public init(ordinal: Int, range: Range<Int>, section: String? = nil) {
    self.ordinal = ordinal
    self.range = range
    self.section = section
  }
}
