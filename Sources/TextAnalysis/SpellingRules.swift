public import Clinical

/// Spelling differences between British and American English, as a table of letter sequences.
///
/// Columns: `id`, `place` (`prefix`, `inside`, `suffix`, `word`), `from`, `to`, `except` (words or beginnings of words
/// that the rule leaves alone, separated by `|`). A rule sees a folded word; all rules run in the table's order.
///
///     rules.fold("oedema")        // "edema"
///     rules.fold("hyperkalaemia") // "hyperkalemia"
public struct SpellingRules: Sendable {
  private enum Place: String { case prefix, inside, suffix, word }

  private struct Rule {
    let place: Place
    let from: [UInt8]
    let to: [UInt8]
    let exceptions: [[UInt8]]
  }

  private let rules: [Rule]
  /// The letters of each rule's `from`: a word that lacks one can be left alone without a closer look.
  private let letters: [UInt32]
  private let words: [String: String]
  /// Where a rule may begin that changes one of a word's first two letters, or what decides about that: pairs of letters
  /// that begin with the first, the second or the third.
  private let beginnings: [LetterPairs]

  /// No rules: every word stays as it is.
  public static let none = SpellingRules()

  private init() {
    rules = []
    letters = []
    words = [:]
    beginnings = []
  }

  /// - Throws: ``DataTableError`` for an unknown place or an empty sequence.
  public init(table: DataTable) throws(DataTableError) {
    var rules: [Rule] = []
    var words: [String: String] = [:]
    for row in table.rows {
      guard let place = Place(rawValue: row["place"]) else { throw row.error("place", "is no place") }
      guard !row["from"].isEmpty else { throw row.error("from", "is empty") }
      if place == .word {
        words[row["from"]] = row["to"]
      } else {
        rules.append(
          Rule(
            place: place, from: Array(row["from"].utf8), to: Array(row["to"].utf8),
            exceptions: row.list("except").map { Array($0.utf8) }))
      }
    }
    self.rules = rules
    letters = rules.map { Self.letters(of: $0.from) }
    self.words = words
    beginnings = (0..<3).map { offset in
      var pairs = LetterPairs()
      for rule in rules where offset == 0 || rule.place != .prefix { pairs.insert(rule.from) }
      if offset == 0 {
        for (from, to) in words where from.utf8.prefix(2).elementsEqual(to.utf8.prefix(2)) == false {
          pairs.insert(Array(from.utf8.prefix(2)))
        }
      }
      return pairs
    }
  }

  /// Whether ``fold(_:)`` is known to keep the first two letters of a word of small ASCII letters. A quick look: of some
  /// words that do keep them it doesn't know.
  func keepsBeginning(of word: UnsafeBufferPointer<UInt8>) -> Bool {
    for (offset, pairs) in beginnings.enumerated() where offset < word.count {
      if pairs.contains(word[offset], offset + 1 < word.count ? word[offset + 1] : 0) { return false }
    }
    return true
  }

  public func fold(_ word: String) -> String {
    if let known = words[word] { return known }
    guard word.utf8.count > 3 else { return word }
    var present = Self.letters(of: word.utf8)
    // Most words have no rule at all, and need no copy.
    guard let first = self.letters.firstIndex(where: { $0 & ~present == 0 }) else { return word }
    var letters = Array(word.utf8)
    var changed = false
    for index in first..<rules.count where self.letters[index] & ~present == 0 {
      let rule = rules[index]
      if letters.count < rule.from.count { continue }
      if rule.exceptions.contains(where: { letters.starts(with: $0) }) { continue }
      switch rule.place {
      case .prefix:
        guard letters.starts(with: rule.from) else { continue }
        letters.replaceSubrange(0..<rule.from.count, with: rule.to)
        (changed, present) = (true, present | Self.letters(of: rule.to))
      case .suffix:
        guard Self.stands(rule.from, at: letters.count - rule.from.count, in: letters) else { continue }
        letters.replaceSubrange((letters.count - rule.from.count)..., with: rule.to)
        (changed, present) = (true, present | Self.letters(of: rule.to))
      case .inside:
        var at = 0
        while at + rule.from.count <= letters.count {
          if Self.stands(rule.from, at: at, in: letters) {
            letters.replaceSubrange(at..<at + rule.from.count, with: rule.to)
            (changed, present) = (true, present | Self.letters(of: rule.to))
            at += rule.to.count
          } else {
            at += 1
          }
        }
      case .word: break
      }
    }
    return changed ? String(decoding: letters, as: UTF8.self) : word
  }

  private static func stands(_ sequence: [UInt8], at place: Int, in letters: [UInt8]) -> Bool {
    for (offset, letter) in sequence.enumerated() where letters[place + offset] != letter { return false }
    return true
  }

  /// A bit for each of 32 groups of bytes, in which every small letter has its own.
  private static func letters(of bytes: some Sequence<UInt8>) -> UInt32 {
    bytes.reduce(0) { $0 | 1 << UInt32($1 & 31) }
  }
}

/// A set of pairs of letters; a few bytes that are no letters count as letters.
private struct LetterPairs: Sendable {
  /// By the first letter, a bit for the second.
  fileprivate var rows = [UInt32](repeating: 0, count: 32)

  /// Adds the first two letters of a sequence; with one letter alone, whatever follows it.
  mutating func insert(_ letters: [UInt8]) {
    guard let first = letters.first else { return }
    rows[Int(first & 31)] |= letters.count > 1 ? 1 << UInt32(letters[1] & 31) : .max
  }

  func contains(_ first: UInt8, _ second: UInt8) -> Bool { rows[Int(first & 31)] & 1 << UInt32(second & 31) != 0 }
}

extension SpellingRules: Packable {
  package func pack(into packer: inout Packer) {
    packer.add(list: rules) { packer, rule in
      rule.place.pack(into: &packer)
      packer.add(all: rule.from)
      packer.add(all: rule.to)
      packer.add(list: rule.exceptions) { $0.add(all: $1) }
    }
    packer.add(all: letters)
    packer.add(list: words.sorted { $0.key < $1.key }) { packer, word in
      packer.add(word.key)
      packer.add(word.value)
    }
    packer.add(list: beginnings) { $0.add(all: $1.rows) }
  }

  package init(from unpacker: inout Unpacker) throws(PackingError) {
    rules = try unpacker.list { unpacker throws(PackingError) in
      Rule(
        place: try unpacker.choice(), from: try unpacker.all(), to: try unpacker.all(),
        exceptions: try unpacker.list { unpacker throws(PackingError) in try unpacker.all() })
    }
    letters = try unpacker.all()
    let pairs = try unpacker.list { unpacker throws(PackingError) in (try unpacker.text(), try unpacker.text()) }
    words = Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    beginnings = try unpacker.list { unpacker throws(PackingError) in LetterPairs(rows: try unpacker.all()) }
    guard beginnings.allSatisfy({ $0.rows.count == 32 }) else { throw PackingError() }
  }
}
