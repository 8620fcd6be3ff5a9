/// The heading of a section, where its words say what the sentences below are about: "Histology: mast cell tumour, grade II".
///
/// "S:" and "Plan:" announce a part of any note and say nothing of a subject.
package struct HeadingWords {
  /// From its first letter to its last byte.
  package let words: Range<Int>

  package init?(of section: Section, in bytes: [UInt8]) {
    let heading = section.heading
    guard let first = heading.first(where: { Self.isLetter(bytes[$0]) }),
      heading.count(where: { Self.isLetter(bytes[$0]) }) >= Self.fewestLetters
    else { return nil }
    words = first..<heading.upperBound
  }

  /// Whether a sentence goes on right behind it, on its line.
  package func isBeside(_ sentence: Range<Int>, in bytes: [UInt8]) -> Bool {
    words.upperBound <= sentence.lowerBound && !bytes[words.upperBound..<sentence.lowerBound].contains(0x0A)
  }

  private static let fewestLetters = 2

  private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7A || byte >= 0x80 }
}
