import Clinical
import TextAnalysis

/// Every word of the concept forms, found again in text through inflection, prefixes and misspelling.
///
/// A form's word matches a text's word when they are equal, when their stems are, when the form's word ends in `*` and the
/// text's begins so, or when the text's word is no known word and one typing slip away (two in words of nine letters, where
/// the consonants stay: "electrolytes" is not "electrocuted").
/// A form's word written `=word` matches only itself.
///
/// Words are compared by hashes of 64 bits, stemmed and compared letter by letter only where a text asks for it: the tables are
/// read at every start of the program.
struct WordIndex: Sendable {
  /// Identifiers by the hash of the form's word as it is written.
  private var identifiers: [UInt64: Int32] = [:]
  private var prefixLengths: [Int] = []
  /// Words that match other inflections, until ``finish()``.
  private var inflected: [(number: Int32, text: String)] = []
  private var stems = StemIndex(of: [])
  private var known: Set<UInt64> = []
  private let stemmer = Stemmer()
  /// Of the forms' words that a misspelt one may be meant for.
  private var spellings = SpellingIndex()

  private static let star = UInt8(ascii: "*")
  private static let equal = UInt8(ascii: "=")

  /// The identifier of a form's word, UTF-8, added when new.
  mutating func add(_ word: UnsafeBufferPointer<UInt8>) -> Int32 {
    let hash = FNV1a.hash(word)
    if let identifier = identifiers[hash] { return identifier }
    let identifier = Int32(identifiers.count)
    identifiers[hash] = identifier
    if word.last == Self.star {
      let prefix = UnsafeBufferPointer(rebasing: word.dropLast())
      if !prefixLengths.contains(prefix.count) {
        prefixLengths.append(prefix.count)
        prefixLengths.sort()
      }
      spellings.add(beginning: prefix, identifier)
    } else if word.first != Self.equal {
      if word.count > 2 { inflected.append((identifier, String(decoding: word, as: UTF8.self))) }
      spellings.add(word, identifier)
    }
    return identifier
  }

  /// Words that are right as they are, however near to a sign of disease: `having` is not `heaving`.
  mutating func addKnown(_ table: DataTable, column: String) {
    known.reserveCapacity(known.count + table.rows.count)
    for row in table.rows { known.insert(row.withBytes(column, FNV1a.hash)) }
  }

  mutating func addKnown(_ words: Set<String>) { known.formUnion(words.map { FNV1a.hash(Array($0.utf8)) }) }

  /// Makes what was added ready to be found.
  mutating func finish() {
    stems = StemIndex(of: inflected)
    inflected = []
  }

  /// The identifiers of all form words that a text's word stands for, ascending.
  ///
  /// - Parameters:
  ///   - word: folded, as ``IntakeWord`` has it.
  ///   - isName: whether it is written as a name, which is no misspelling: Stacey is not spacey.
  /// - Returns: none for a word that is nowhere near a form's.
  func identifiers(of word: String, isName: Bool = false) -> [Int32] {
    let bytes = Array(word.utf8)
    var found = spelled(word, bytes)
    if found.isEmpty, !isName, !known.contains(FNV1a.hash(bytes)) { found = spellings.identifiers(meantBy: bytes) }
    return found.sorted()
  }

  /// Of each word of a text, the identifiers of the form words that it stands for.
  func identifiers(of words: [IntakeWord]) -> [[Int32]] {
    var cache: [String: [Int32]] = [:]
    return words.map { word in
      if let known = cache[word.text], !word.isName { return known }
      let found = identifiers(of: word.text, isName: word.isName)
      if !word.isName { cache[word.text] = found }
      return found
    }
  }

  /// Whether a word is no form's, and would be taken for a misspelt one.
  func isTakenForSlip(_ word: String) -> Bool {
    let bytes = Array(word.utf8)
    return spelled(word, bytes).isEmpty && !identifiers(of: word).isEmpty
  }

  /// The identifiers of the form words that a word is, inflected or not.
  private func spelled(_ word: String, _ bytes: [UInt8]) -> Set<Int32> {
    var found: Set<Int32> = []
    if let exact = identifiers[FNV1a.hash(bytes)] { found.insert(exact) }
    if let exact = identifiers[FNV1a.hash([Self.equal] + bytes)] { found.insert(exact) }
    if bytes.count > 2 { found.formUnion(stems.numbers(ofStem: stemmer.stem(word))) }
    for length in prefixLengths where length <= bytes.count {
      if let prefix = identifiers[FNV1a.hash(bytes[..<length] + [Self.star])] { found.insert(prefix) }
    }
    return found
  }

  /// Whether a word is everyday, or stands in a form as it is.
  func knows(_ word: String) -> Bool {
    let bytes = Array(word.utf8)
    let hash = FNV1a.hash(bytes)
    return known.contains(hash) || identifiers[hash] != nil || identifiers[FNV1a.hash([Self.equal] + bytes)] != nil
  }
}
