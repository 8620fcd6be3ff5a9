import Foundation

/// How names are compared: whatever way a person types one, the key is the same.
///
/// | rule | one key |
/// |---|---|
/// | letters' case, accents, dots and strokes fall away | `Müller` `muller`, `Łukasz` `Lukasz`, `Sørensen` `Sorensen` |
/// | the two letters that stand for an umlaut fold like it: `ae`, `oe`, `ue` before a consonant (`ae` also before `u`), not behind another vowel or a `q`; `aa`, `ss` for `ß` | `Mueller` `Müller`, `Kjær` `Kjaer`, `Aaberg` `Åberg`, `Strauß` `Strauss` |
/// | apostrophes fall away; hyphens and full stops are spaces | `O'Brien` `O’Brien` `OBrien`, `Anne-Marie` `Anne Marie` |
/// | spaces don't count in a whole name; `Mc` and `O` belong to the word behind them | `Mc Donald` `McDonald`, `Annemarie` |
///
/// - Note: Some names that differ share a key: `Michael` and `Michal`, `Noel` and `Nol`, `Aaron` and `Aron`. More than one
///   result is a question to ask, so such a pair is listed, never guessed. `Joe` and `Jo`, `Blue` and `Blu`, `Bauer` and
///   `Baur` keep keys of their own: at a word's end and behind a vowel the letters are no umlaut.
/// - Source: the spellings are those of DIN 5007-2 for German, and of Danish, Norwegian and Swedish practice (`ø` as `oe`,
///   `å` as `aa`); the rule itself is ours.
enum NameKey {
  /// What is stored: the folded name without spaces, for whole names and their beginnings, then a space and the same in
  /// words, for surnames. A space sorts before every letter, so that "Bella" comes before "Bella Rose".
  static func stored(_ name: String) -> String {
    let words = words(name)
    return words.joined() + " " + words.joined(separator: " ")
  }

  /// The stored keys of a whole name: from the first to before the second.
  static func range(_ compact: String) -> (first: String, end: String) { (compact + " ", compact + "!") }

  /// The folded name without spaces.
  static func compact(_ name: String) -> String { words(name).joined() }

  /// The folded words.
  static func words(_ name: String) -> [String] { joined(spelled(name).map(folded)) }

  /// The name in small letters from a to z as far as it goes, umlauts in two letters, without spaces: what somebody types
  /// who spells a name out.
  static func spelledOut(_ name: String) -> String {
    let text = name.lowercased().map { letter in umlauts[letter] ?? String(letter) }.joined()
    return joined(spelled(text)).joined()
  }

  /// A further key under which a name may be found: its last two letters may stand for an umlaut after all, `Malmoe` for
  /// `Malmö`. What it finds must be ``spelledOut(_:)`` alike.
  static func otherCompact(_ name: String) -> String? {
    let key = compact(name)
    if let last = name.lowercased().last, let both = umlauts[last] { return String(key.dropLast()) + both }
    guard ["ae", "oe", "ue"].contains(where: key.hasSuffix) else { return nil }
    return String(key.dropLast())
  }

  /// Whether a name is typed with marks of its own, which then mean what they say.
  static func hasMarks(_ name: String) -> Bool { name.contains { $0.isLetter && !$0.isASCII } }

  private static let umlauts: [Character: String] = ["ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "æ": "ae", "å": "aa"]
  private static let letters: [Character: String] = [
    "ß": "ss", "æ": "a", "œ": "o", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ħ": "h", "ı": "i", "ŋ": "n",
  ]
  private static let apostrophes: Set<Character> = ["'", "’", "‘", "ʼ", "`", "´", "′", "ʻ", "＇"]
  private static let spaces: Set<Character> = ["-", "‐", "‑", "–", "—", ".", ","]

  /// Small letters without marks, in words.
  private static func spelled(_ name: String) -> [String] {
    var text = ""
    for character in name.lowercased() {
      if apostrophes.contains(character) { continue }
      if character.isWhitespace || spaces.contains(character) {
        text.append(" ")
      } else if let letter = letters[character] {
        text += letter
      } else if character.isASCII {
        text.append(character)
      } else {
        // Marks of the Latin, Greek and Cyrillic scripts; those of others change the letter.
        let bare = String(character).decomposedStringWithCanonicalMapping.unicodeScalars.filter {
          !(0x0300...0x036F).contains($0.value)
        }
        text.unicodeScalars.append(contentsOf: bare)
      }
    }
    return text.split(separator: " ").map(String.init)
  }

  private static let vowels = Set("aeiouy".utf8)

  /// Two letters that stand for one, as the one.
  private static func folded(_ word: String) -> String {
    let bytes = Array(word.utf8)
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      result.append(byte)
      let next = index + 1 < bytes.count ? bytes[index + 1] : 0
      let after = index + 2 < bytes.count ? bytes[index + 2] : 0
      let before = index > 0 ? bytes[index - 1] : 0
      let isConsonantBehind = (0x61...0x7A).contains(after) && !vowels.contains(after)
      let isUmlaut =
        "aou".utf8.contains(byte) && next == UInt8(ascii: "e") && !vowels.contains(before)
        && before != UInt8(ascii: "q")
        && (isConsonantBehind || (byte == UInt8(ascii: "a") && after == UInt8(ascii: "u")))
      let isLongA = byte == UInt8(ascii: "a") && next == byte
      index += isUmlaut || isLongA ? 2 : 1
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func joined(_ words: [String]) -> [String] {
    var result: [String] = []
    var start = ""
    for (index, word) in words.enumerated() {
      if ["mc", "o"].contains(word), index < words.count - 1 {
        start += word
      } else {
        result.append(start + word)
        start = ""
      }
    }
    return result
  }
}

/// A name's key on its way into a table.
///
/// The content hash is taken of the key as it was before names were folded: it must not change with the rule, or the first
/// import after an upgrade would find every record changed.
struct SearchKey: Bindable {
  let name: String

  func bind(to statement: Statement, at index: Int32) throws(StoreError) {
    try statement.bind(NameKey.stored(name), at: index)
  }

  func append(to canonical: inout CanonicalBytes) {
    canonical.append(name.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " "))
  }
}

extension String {
  /// How a name is stored for comparison; see ``NameKey``.
  var searchKey: SearchKey { SearchKey(name: self) }

  /// Whether two names are one, however they are typed.
  public func isSameName(as other: String) -> Bool { NameKey.compact(self) == NameKey.compact(other) }

  /// The words of a name as they are compared.
  public var nameWords: [String] { NameKey.words(self) }
}

extension Connection {
  /// Writes the keys of all names anew, for a file from before the rule.
  func refreshNameKeys() throws(StoreError) {
    for (table, name, key) in [
      ("client", "name", "name_key"), ("patient", "name", "name_key"), ("patient", "owner_name", "owner_name_key"),
    ] {
      let rows = try rows("SELECT id, \(name) FROM \(table) WHERE \(name) IS NOT NULL") { ($0.int64(0), $0.text(1)) }
      for (row, text) in rows {
        try execute("UPDATE \(table) SET \(key) = ? WHERE id = ?", text.searchKey, row)
      }
    }
  }

  /// The rows that a search by name finds, of which those typed with the same marks go before those without.
  func named<Value>(
    _ name: String, like value: (Value) -> String,
    _ search: (_ compactKey: String) throws(StoreError) -> [Value]
  ) throws(StoreError) -> [Value] {
    let key = NameKey.compact(name)
    guard !key.isEmpty else { return [] }
    var found = try search(key)
    if let other = NameKey.otherCompact(name) {
      let spelling = NameKey.spelledOut(name)
      found += try search(other).filter { NameKey.spelledOut(value($0)) == spelling }
    }
    guard NameKey.hasMarks(name) else { return found }
    let typed = name.lowercased().split(whereSeparator: \.isWhitespace)
    let exact = found.filter { value($0).lowercased().split(whereSeparator: \.isWhitespace) == typed }
    return exact.isEmpty ? found : exact
  }
}
