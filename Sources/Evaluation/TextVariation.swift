import Clinical
public import TextAnalysis

/// Writes a text again in other words, so that repeated notes are neither equal nor all of one vocabulary.
///
/// Neighbouring sentences change places, numbers move by up to a tenth, words give way to other words of the same practice, and
/// a few to words nobody has written before. What comes out makes no sense; its lengths, its shape and the way its words are
/// spread are those of notes, which is what a measurement of size needs.
public struct TextVariation: Sendable {
  /// How much is changed, as shares of what could be.
  public struct Rates: Hashable, Sendable {
    public var swappedSentences = 0.15
    public var changedNumbers = 0.5
    public var replacedWords = 0.06
    /// Among replaced words: those made up of the head of one word and the tail of another. New words keep coming in any
    /// large collection of text, and an index has to hold them.
    public var newWords = 0.15

    public init() {}
  }

  public let rates: Rates
  private let vocabulary: [[UInt8]]
  private let sentences: SentenceSplitter

  /// - Parameters:
  ///   - texts: whose words are used; those of four and more small letters.
  ///   - sentences: finds what changes places.
  ///   - rates: how much is changed.
  public init(texts: [String], sentences: SentenceSplitter, rates: Rates = Rates()) {
    self.rates = rates
    self.sentences = sentences
    var words: Set<[UInt8]> = []
    for text in texts {
      let bytes = Array(text.utf8)
      for run in Self.runs(in: bytes) where run.kind == .word { words.insert(Array(bytes[run.range])) }
    }
    vocabulary = words.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// The text in other words.
  ///
  /// - Complexity: O(length).
  public func vary(_ text: String, using generator: inout some RandomNumberGenerator) -> String {
    let shuffled = swapSentences(of: text, using: &generator)
    var result: [UInt8] = []
    result.reserveCapacity(shuffled.count + 64)
    for run in Self.runs(in: shuffled) {
      let bytes = shuffled[run.range]
      switch run.kind {
      case .word where chance(rates.replacedWords, &generator): result += word(using: &generator) ?? Array(bytes)
      case .number where chance(rates.changedNumbers, &generator): result += Self.moved(bytes, using: &generator)
      default: result += bytes
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private func chance(_ share: Double, _ generator: inout some RandomNumberGenerator) -> Bool {
    Double.random(in: 0..<1, using: &generator) < share
  }

  private func swapSentences(of text: String, using generator: inout some RandomNumberGenerator) -> [UInt8] {
    let bytes = Array(text.utf8)
    var order = sentences.sentences(in: text)
    let places = order
    var index = 0
    while index + 1 < order.count {
      if chance(rates.swappedSentences, &generator) {
        order.swapAt(index, index + 1)
        index += 1
      }
      index += 1
    }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var end = 0
    for (place, sentence) in zip(places, order) {
      result += bytes[end..<place.lowerBound]
      result += bytes[sentence]
      end = place.upperBound
    }
    return result + bytes[end...]
  }

  private func word(using generator: inout some RandomNumberGenerator) -> [UInt8]? {
    guard let first = vocabulary.randomElement(using: &generator) else { return nil }
    guard chance(rates.newWords, &generator), let second = vocabulary.randomElement(using: &generator) else {
      return first
    }
    return first.prefix((first.count + 1) / 2) + second.suffix((second.count + 1) / 2)
  }

  /// A number within a tenth of the one written, with as many decimals.
  static func moved(_ digits: ArraySlice<UInt8>, using generator: inout some RandomNumberGenerator) -> [UInt8] {
    let point = UInt8(ascii: ".")
    guard let value = Int(String(decoding: digits.filter { $0 != point }, as: UTF8.self)) else { return Array(digits) }
    let factor = Double.random(in: 0.9...1.1, using: &generator)
    var moved = Array(String(Int((Double(value) * factor).rounded())).utf8)
    guard let place = digits.firstIndex(of: point) else { return moved }
    let decimals = digits.endIndex - place - 1
    while moved.count <= decimals { moved.insert(UInt8(ascii: "0"), at: 0) }
    moved.insert(point, at: moved.count - decimals)
    return moved
  }

  enum Kind { case word, number, other }

  /// The text as runs that follow each other without gaps. Words begin and end with a small letter and hold nothing else, so
  /// that names, headings and `HR` stay; numbers stand free of dates, times, ratios and codes.
  static func runs(in bytes: [UInt8]) -> [(kind: Kind, range: Range<Int>)] {
    var runs: [(kind: Kind, range: Range<Int>)] = []
    var index = 0
    while index < bytes.count {
      let start = index
      var kind = Kind.other
      if isDigit(bytes[index]) {
        while index < bytes.count, isDigit(bytes[index]) { index += 1 }
        if index + 1 < bytes.count, bytes[index] == UInt8(ascii: "."), isDigit(bytes[index + 1]) {
          index += 1
          while index < bytes.count, isDigit(bytes[index]) { index += 1 }
        }
        let isCode = start > 0 && (joins(bytes[start - 1]) || isLetter(bytes[start - 1]))
        let goesOn = index + 1 < bytes.count && joins(bytes[index]) && isDigit(bytes[index + 1])
        let isPadded = bytes[start] == UInt8(ascii: "0") && index - start > 1 && isDigit(bytes[start + 1])
        if !isCode, !goesOn, !isPadded, index - start <= 6 { kind = .number }
      } else if isLetter(bytes[index]) {
        while index < bytes.count, isLetter(bytes[index]) { index += 1 }
        if index - start >= 4, bytes[start..<index].allSatisfy({ (0x61...0x7A).contains($0) }) { kind = .word }
      } else {
        index += 1
      }
      runs.append((kind, start..<index))
    }
    return runs
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// Letters of ASCII, and every byte of others.
  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) || byte >= 0x80 }

  private static func joins(_ byte: UInt8) -> Bool { "/-:.".utf8.contains(byte) }
}
