/// A name that was taken out of a text.
public struct RemovedName: Codable, Hashable, Sendable {
  public enum Kind: String, Codable, CaseIterable, Sendable {
    case person, place, contact, animal

    /// What stands in its place.
    var mark: String { "[\(self == .person ? "name" : rawValue)]" }
  }

  public let kind: Kind
  /// Code points of the text as it was written.
  public let original: Range<Int>
  /// Code points of the text as it is given away: those of the mark.
  public let given: Range<Int>

  private enum CodingKeys: String, CodingKey { case kind, start, end, originalStart, originalEnd }

  init(kind: Kind, original: Range<Int>, given: Range<Int>) {
    self.kind = kind
    self.original = original
    self.given = given
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    kind = try values.decode(Kind.self, forKey: .kind)
    func range(_ first: CodingKeys, _ last: CodingKeys) throws -> Range<Int> {
      let (start, end) = (try values.decode(Int.self, forKey: first), try values.decode(Int.self, forKey: last))
      guard start <= end else {
        throw DecodingError.dataCorruptedError(forKey: last, in: values, debugDescription: "before its start")
      }
      return start..<end
    }
    given = try range(.start, .end)
    original = try range(.originalStart, .originalEnd)
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(kind, forKey: .kind)
    try values.encode(given.lowerBound, forKey: .start)
    try values.encode(given.upperBound, forKey: .end)
    try values.encode(original.lowerBound, forKey: .originalStart)
    try values.encode(original.upperBound, forKey: .originalEnd)
  }
}

/// A text without its names, which knows where each of its places stood.
public struct RedactedText: Sendable {
  public let text: String
  public let removed: [RemovedName]

  /// - Parameters:
  ///   - original: the text as it was written.
  ///   - names: code points that are names, in order, apart from each other.
  init(_ original: String, removing names: [(range: Range<Int>, kind: RemovedName.Kind)]) {
    let scalars = Array(original.unicodeScalars)
    var result = String.UnicodeScalarView()
    var removed: [RemovedName] = []
    var place = 0
    for (range, kind) in names {
      result.append(contentsOf: scalars[place..<range.lowerBound])
      let start = result.count
      result.append(contentsOf: kind.mark.unicodeScalars)
      removed.append(RemovedName(kind: kind, original: range, given: start..<result.count))
      place = range.upperBound
    }
    result.append(contentsOf: scalars[place...])
    text = String(result)
    self.removed = removed
  }

  /// Where a range of this text stood in the text as it was written; a mark stands for all of its name.
  ///
  /// - Parameter range: code points of ``text``.
  /// - Returns: code points of the text as it was written.
  public func originalRange(of range: Range<Int>) -> Range<Int> {
    func place(_ point: Int, isEnd: Bool) -> Int {
      var shift = 0
      for name in removed {
        if point <= name.given.lowerBound { break }
        if point < name.given.upperBound || (point == name.given.upperBound && isEnd) {
          return isEnd ? name.original.upperBound : name.original.lowerBound
        }
        shift = name.original.upperBound - name.given.upperBound
      }
      return point + shift
    }
    let start = place(range.lowerBound, isEnd: false)
    return start..<max(start, place(range.upperBound, isEnd: true))
  }
}
