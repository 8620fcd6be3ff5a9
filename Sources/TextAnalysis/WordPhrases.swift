package import Clinical

/// Phrases that are looked up word by word, as written but for case, apostrophes and contractions (``WordForm``).
///
/// Stems would be too much here: "lunges" and "lungs" share one. A star within a phrase stands for one or two words, whatever
/// they are: "ring * first" is said of anybody. A name in angle brackets stands for any word of that class, `<name?>` for such a
/// word or none: "<kin> is <degree?> allergic".
///
/// Words are compared by the hashes of their letters, and all phrases lie in one list: thousands are read at every start of the program.
package struct WordPhrases: Sendable {
  /// The words of all phrases one after the other.
  private var words: [UInt64] = []
  private var phrases: [Phrase] = []
  /// By first word, the first and the last of its phrases.
  private var places: [UInt64: Places] = [:]
  private let slots: PhraseSlots

  private struct Phrase: Sendable {
    let start: UInt32
    let end: UInt32
    /// The phrase after it that begins alike; -1 for the last.
    var next: Int32 = -1
  }

  private struct Places: Sendable {
    let first: Int32
    var last: Int32
  }

  /// - Parameters:
  ///   - texts: the phrases.
  ///   - slots: what ``slots(of:)`` read.
  package init(_ texts: [String], slots: PhraseSlots = PhraseSlots()) {
    self.slots = slots
    for var text in texts { text.withUTF8 { add($0) } }
  }

  /// - Parameters:
  ///   - row: of a table.
  ///   - column: where its phrases stand.
  ///   - slots: what ``slots(of:)`` read.
  package init(_ row: DataTable.Row, _ column: String, slots: PhraseSlots = PhraseSlots()) {
    self.slots = slots
    row.forEachPart(column) { add($0) }
  }

  private mutating func add(_ text: UnsafeBufferPointer<UInt8>) {
    if text.allSatisfy({ (0x61...0x7A).contains($0) || $0 == 0x20 }) {
      // Most phrases are plain words, which the tokenizer leaves as they are, and few of them read as something else.
      let start = words.count
      var place = 0
      while place < text.count {
        let end = text[place...].firstIndex(of: 0x20) ?? text.count
        if end > place { add(plain: UnsafeBufferPointer(rebasing: text[place..<end])) }
        place = end + 1
      }
      addPhrase(from: start)
    } else {
      for pattern in Self.withoutOptions(Self.pattern(String(decoding: text, as: UTF8.self))[...]) {
        let start = words.count
        words += pattern.map { FNV1a.hash($0.utf8) }
        addPhrase(from: start)
      }
    }
  }

  /// Makes the last words a phrase: one for each of the words that it may begin with.
  private mutating func addPhrase(from start: Int) {
    guard start < words.count else { return }
    for first in slots.words[words[start]] ?? [words[start]] {
      let phrase = Int32(phrases.count)
      phrases.append(Phrase(start: UInt32(start), end: UInt32(words.count)))
      if let known = places[first]?.last {
        phrases[Int(known)].next = phrase
        places[first]?.last = phrase
      } else {
        places[first] = Places(first: phrase, last: phrase)
      }
    }
  }

  private mutating func add(plain word: UnsafeBufferPointer<UInt8>) {
    if WordForm.mayReadOtherwise(word) {
      words += WordForm.words(String(decoding: word, as: UTF8.self)).map { FNV1a.hash($0.utf8) }
    } else {
      words.append(FNV1a.hash(word))
    }
  }

  /// A phrase with and without each of the words that may be left out, the longer ones first.
  private static func withoutOptions(_ words: ArraySlice<String>) -> [[String]] {
    guard let place = words.firstIndex(where: { isSlot($0[...]) && $0.hasSuffix("?>") }) else { return [Array(words)] }
    let before = Array(words[..<place])
    let rest = withoutOptions(words[(place + 1)...])
    let slot = words[place].dropLast(2) + ">"
    return rest.map { before + [String(slot)] + $0 } + rest.map { before + $0 }
  }

  private static let gapMark = "*"
  private static let gap = FNV1a.hash(gapMark.utf8)
  private static let widestGap = 2

  private static func pattern(_ text: String) -> [String] {
    guard text.utf8.contains(UInt8(ascii: "*")) || text.utf8.contains(UInt8(ascii: "<")) else { return words(of: text) }
    return text.split(separator: " ").flatMap { $0 == gapMark || isSlot($0) ? [String($0)] : words(of: String($0)) }
  }

  private static func isSlot(_ word: Substring) -> Bool { word.hasPrefix("<") && word.hasSuffix(">") }

  /// The classes that phrases name.
  ///
  /// - Parameter classes: `extraction/word-classes.tsv`.
  /// - Returns: their words by their names in angle brackets; words that are written by their ending alone are left out.
  package static func slots(of classes: DataTable) -> PhraseSlots {
    var slots: [UInt64: Set<UInt64>] = [:]
    for row in classes.rows {
      let name = FNV1a.hash("<\(row["class"])>".utf8)
      row.forEachPart("words") { word in
        if word.first != UInt8(ascii: "*") { slots[name, default: []].insert(FNV1a.hash(word)) }
      }
    }
    return PhraseSlots(words: slots.mapValues { $0.sorted() })
  }

  /// The words of a phrase, as ``words(in:range:)`` reads them.
  package static func words(of phrase: String) -> [String] {
    // Most phrases are plain words, which the tokenizer leaves as they are.
    if phrase.utf8.allSatisfy({ (0x61...0x7A).contains($0) || $0 == 0x20 }) {
      return phrase.utf8.split(separator: 0x20).flatMap { WordForm.words(String(decoding: $0, as: UTF8.self)) }
    }
    return words(in: phrase, range: nil).map(\.text)
  }

  /// The bytes of the first phrase among the words.
  package func first(in words: [Token]) -> Range<Int>? {
    if phrases.isEmpty { return nil }
    let hashes = words.map { FNV1a.hash($0.text.utf8) }
    for (index, hash) in hashes.enumerated() {
      var place = places[hash]?.first ?? -1
      while place >= 0 {
        let phrase = phrases[Int(place)]
        if let last = end(of: Int(phrase.start)..<Int(phrase.end), in: hashes, at: index) {
          return words[index].range.lowerBound..<words[last].range.upperBound
        }
        place = phrase.next
      }
    }
    return nil
  }

  /// The place of the last word of a phrase that begins at a word; nil where it does not stand there.
  private func end(of phrase: Range<Int>, in hashes: [UInt64], at start: Int) -> Int? {
    var place = start
    for index in phrase {
      let part = words[index]
      if part == Self.gap {
        let rest = (index + 1)..<phrase.upperBound
        return (1...Self.widestGap).lazy.compactMap { end(of: rest, in: hashes, at: place + $0) }.first
      }
      guard place < hashes.count, hashes[place] == part || slots.has(hashes[place], in: part) else {
        return nil
      }
      place += 1
    }
    return place - 1
  }

  /// The words of a text as phrases compare them: "pre-visit" is two.
  package static func words(in text: String, range: Range<Int>?) -> [Token] {
    let tokens = Tokenizer().tokens(in: text, range: range)
    let parts = tokens.indices.filter { index in
      index + 1 == tokens.count || tokens[index + 1].range.lowerBound >= tokens[index].range.upperBound
    }
    var words: [Token] = []
    words.reserveCapacity(parts.count)
    for token in CaseFoldFilter().apply(to: parts.map { tokens[$0] }) { append(token, to: &words, in: text) }
    return words
  }

  private static func append(_ token: Token, to words: inout [Token], in text: String) {
    // "Didn t", "can´t": the scanner of the index parts what is one word.
    if token.text == "t", let last = words.last, isJoined(last, token, in: text),
      case .denied(let verb, _)? = WordForm.read(last.text + "t")
    {
      words[words.count - 1].text = verb
      words.append(Token(text: WordForm.not, range: token.range, position: token.position))
      return
    }
    words += apart(token)
  }

  /// Whether an apostrophe alone stands between two words, or what is before can be no word by itself.
  private static func isJoined(_ first: Token, _ second: Token, in text: String) -> Bool {
    let between = Array((text.slice(utf8: first.range.upperBound..<second.range.lowerBound) ?? "").utf8)
    return !between.isEmpty
      && (between == [0x20] && WordForm.isCutContraction(first.text)
        || WordForm.apostropheLength(between, at: 0) == between.count)
  }

  /// A token as the words it reads as: the verb and the *not* of a contraction, each with its bytes.
  package static func apart(_ token: Token) -> [Token] {
    // Folding has made every apostrophe a straight one.
    var token = token
    if token.text.utf8.contains(UInt8(ascii: "'")) {
      token.text = WordForm.withoutPossessive(token.text)
      token.text.removeAll { $0 == "'" }
    }
    let words = WordForm.words(token.text)
    guard words.count == 2, case .denied(_, let tail)? = WordForm.read(token.text) else {
      token.text = words[0]
      return [token]
    }
    let middle = token.range.upperBound - tail - (token.range.count - token.text.utf8.count)
    return [
      Token(text: words[0], range: token.range.lowerBound..<middle, position: token.position),
      Token(text: words[1], range: middle..<token.range.upperBound, position: token.position),
    ]
  }
}

/// The words of the classes that phrases name, by hashes.
package struct PhraseSlots: Sendable {
  /// In order, by the name of the class.
  fileprivate let words: [UInt64: [UInt64]]

  fileprivate init(words: [UInt64: [UInt64]]) { self.words = words }

  /// No slots.
  package init() { words = [:] }

  fileprivate func has(_ word: UInt64, in name: UInt64) -> Bool {
    guard let words = words[name] else { return false }
    var (low, high) = (0, words.count)
    while low < high {
      let middle = (low + high) / 2
      if words[middle] < word { low = middle + 1 } else { high = middle }
    }
    return low < words.count && words[low] == word
  }
}

extension PhraseSlots: Packable {
  package func pack(into packer: inout Packer) {
    packer.add(list: words.sorted { $0.key < $1.key }) { packer, slot in
      packer.add(slot.key)
      packer.add(all: slot.value)
    }
  }

  package init(from unpacker: inout Unpacker) throws(PackingError) {
    let slots = try unpacker.list { unpacker throws(PackingError) in
      (try unpacker.value(UInt64.self), try unpacker.all(UInt64.self))
    }
    words = Dictionary(slots, uniquingKeysWith: { first, _ in first })
  }
}

extension WordPhrases {
  /// Without the slots, which many share.
  package func pack(into packer: inout Packer) {
    packer.add(all: words)
    packer.add(all: phrases)
    let places = places.sorted { $0.value.first < $1.value.first }
    packer.add(all: places.map(\.key))
    packer.add(all: places.map(\.value))
  }

  package init(from unpacker: inout Unpacker, slots: PhraseSlots = PhraseSlots()) throws(PackingError) {
    self.slots = slots
    words = try unpacker.all()
    phrases = try unpacker.all()
    let (keys, values) = (try unpacker.all(UInt64.self), try unpacker.all(Places.self))
    places = Dictionary(zip(keys, values), uniquingKeysWith: { first, _ in first })
  }
}
