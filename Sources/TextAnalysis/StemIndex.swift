import Synchronization

/// Words found by their stems. A word is stemmed when a stem is first asked for that begins with the same two letters: of
/// thousands of words a text asks for a few dozen.
///
///     let index = StemIndex(of: [(0, "straining"), (1, "strains"), (2, "vomit")])
///     index.numbers(ofStem: "strain")  // [0, 1]
public final class StemIndex: Sendable {
  private let words: [(number: Int32, text: String)]
  /// By their beginnings, places in ``words``.
  private let places: [[Int32]]
  private let stemmer = Stemmer()
  /// What was worked out so far: for a beginning, the numbers by their stems.
  private let known = Mutex<[Int: [String: [Int32]]]>([:])

  /// - Parameter words: lower case; several may have the same number.
  public init(of words: [(number: Int32, text: String)]) {
    var places = [[Int32]](repeating: [], count: Self.beginningCount)
    for (place, word) in words.enumerated() { places[Self.beginning(of: word.text.utf8)].append(Int32(place)) }
    self.words = words
    self.places = places
  }

  /// The numbers of the words with a stem, in the order they were given.
  public func numbers(ofStem stem: String) -> [Int32] {
    let beginning = Self.beginning(of: stem.utf8)
    guard !places[beginning].isEmpty else { return [] }
    return known.withLock { known in
      if let stems = known[beginning] { return stems[stem] ?? [] }
      var stems: [String: [Int32]] = [:]
      for place in places[beginning] {
        let (number, text) = words[Int(place)]
        stems[stemmer.stem(text), default: []].append(number)
      }
      known[beginning] = stems
      return stems[stem] ?? []
    }
  }

  static let beginningCount = 1 << 10

  /// Where words with the same first two letters lie together; some others too. Of these two a stemmer changes one alone: it
  /// makes `die` of `dying`.
  static func beginning(of letters: some Sequence<UInt8>) -> Int {
    var letters = letters.makeIterator()
    let first = Int((letters.next() ?? 0) & 31)
    let second = (letters.next() ?? 0) | 0x20
    return first << 5 | Int((second == UInt8(ascii: "y") ? UInt8(ascii: "i") : second) & 31)
  }
}
