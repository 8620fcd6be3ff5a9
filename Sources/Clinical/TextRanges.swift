extension String {
  /// The text between two UTF-8 offsets.
  ///
  /// - Complexity: O(length of the range) for native strings.
  /// - Returns: nil when the range leaves the text or cuts a code point in two.
  public func slice(utf8 range: Range<Int>) -> Substring? {
    guard range.lowerBound >= 0, range.upperBound <= utf8.count else { return nil }
    let lower = utf8.index(utf8.startIndex, offsetBy: range.lowerBound)
    let upper = utf8.index(utf8.startIndex, offsetBy: range.upperBound)
    guard lower.samePosition(in: unicodeScalars) != nil, upper.samePosition(in: unicodeScalars) != nil else {
      return nil
    }
    return self[lower..<upper]
  }

  /// The same range counted in Unicode code points, as files and JSON count.
  ///
  /// - Complexity: O(upper bound).
  /// - Returns: nil under the conditions of ``slice(utf8:)``.
  public func codePoints(utf8 range: Range<Int>) -> Range<Int>? {
    guard let slice = slice(utf8: range) else { return nil }
    let lower = unicodeScalars.distance(from: unicodeScalars.startIndex, to: slice.startIndex)
    return lower..<(lower + slice.unicodeScalars.count)
  }

  /// The UTF-8 range of a range counted in code points: the inverse of ``codePoints(utf8:)``.
  public func utf8Range(codePoints range: Range<Int>) -> Range<Int>? {
    let scalars = unicodeScalars
    guard range.lowerBound >= 0,
      let lower = scalars.index(scalars.startIndex, offsetBy: range.lowerBound, limitedBy: scalars.endIndex),
      let upper = scalars.index(lower, offsetBy: range.count, limitedBy: scalars.endIndex)
    else { return nil }
    let start = utf8.distance(from: utf8.startIndex, to: lower)
    return start..<(start + utf8.distance(from: lower, to: upper))
  }
}
