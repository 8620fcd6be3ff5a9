public import Clinical

/// Whether a sentence says no number, side or drug that what it cites doesn't.
public enum SentenceSupport {
  static let sides: Set<String> = ["left", "right", "both", "bilateral"]

  /// The date and the patient of a cited note are known from its entry and count as cited, and so does the number of citations.
  public static func holds(_ sentence: CitedSentence, in citations: [Citation], drugs: Set<String>) -> Bool {
    let cited = sentence.citations.filter(citations.indices.contains).map { citations[$0] }
    guard !cited.isEmpty, cited.count == sentence.citations.count else { return false }
    return fault(in: sentence.text, citing: cited, drugs: drugs) == nil
  }

  /// The first word that says a number, side or drug which the citations don't, as what it is.
  static func fault(in text: String, citing cited: [Citation], drugs: Set<String>) -> GuestFault? {
    let source = cited.map {
      "\($0.quote) \($0.noteID) \($0.patientID) \($0.author ?? "") \(PracticeTimeZone.utc.date(of: $0.recordedAt))"
    }.joined(separator: " ")
      .lowercased()
    let (known, said) = (words(source), words(text.lowercased()))
    for word in said where !known.contains(word) {
      if word.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }) {
        if word == String(cited.count) || number(word, standsIn: known) { continue }
        return .number
      }
      if sides.contains(word) { return .side }
      if drugs.contains(word) { return .drug }
    }
    return nil
  }

  private static func number(_ word: String, standsIn known: Set<String>) -> Bool {
    guard let value = Double(word) else { return false }
    return known.contains { Double($0) == value }
  }

  /// Letters and digits in runs; a number keeps its decimal point and parts from its unit.
  static func words(_ text: String) -> Set<String> {
    var words: Set<String> = []
    var current: [UInt8] = []
    func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7a).contains(byte) || byte >= 0x80 }
    func flush() {
      while current.last == UInt8(ascii: ".") { current.removeLast() }
      if !current.isEmpty { words.insert(String(decoding: current, as: UTF8.self)) }
      current = []
    }
    for byte in text.utf8 {
      let isNumber = current.first.map(isDigit) ?? false
      if isDigit(byte) {
        if !isNumber { flush() }
        current.append(byte)
      } else if byte == UInt8(ascii: "."), isNumber {
        current.append(byte)
      } else if isLetter(byte) {
        if isNumber { flush() }
        current.append(byte)
      } else {
        flush()
      }
    }
    flush()
    return words
  }
}
