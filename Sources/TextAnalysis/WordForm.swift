/// The one rule for apostrophes, contractions and slips of the hand in the words that deny, for every scanner and every table.
///
///     WordForm.read("werent")   // .denied(verb: "were", tail: 2)
///     WordForm.read("cannot")   // .denied(verb: "can", tail: 3)
///     WordForm.read("dosent")   // .denied(verb: "does", tail: 2)
///     WordForm.read("nver")     // .slip(of: "never")
///     WordForm.read("were")     // nil: it is what it is
///
/// - An apostrophe is nothing within a word, whatever key it was typed with or whether it was typed at all.
/// - A helping verb with *not* reads as the verb and the word *not*, so that a table says "not done" once.
/// - A denied verb, or a word of the closed class that denies, is read through one slip that makes no other word: a vowel
///   missed, two neighbours swapped, an "e" or "i" before "nt". "Nto" is *not*.
/// - A possessive "'s" is dropped where a word is compared by itself (``withoutPossessive(_:)``).
public enum WordForm: Equatable, Sendable {
  /// A helping verb and *not* in one word; the last `tail` letters are the *not*.
  case denied(verb: String, tail: Int)
  /// Another word, misspelt.
  case slip(of: String)

  /// What a word stands for; nil where it stands for itself.
  ///
  /// - Parameter letters: in lower case, without apostrophes.
  /// - Returns: a denied verb or a slip.
  /// - Complexity: O(length).
  public static func read(_ letters: String) -> WordForm? {
    isCandidate(letters.utf8) ? all[letters] : nil
  }

  /// Whether it is worth looking up: every form ends in "t" or begins as a word that denies.
  @inline(__always)
  private static func isCandidate(_ letters: some BidirectionalCollection<UInt8>) -> Bool {
    guard (3...12).contains(letters.count), let first = letters.first, let last = letters.last else { return false }
    return last == UInt8(ascii: "t") || denialInitials.contains(first)
  }

  /// Whether ``words(_:)`` may give other words than the one that stands there, in small ASCII letters. A quick look: it says so of
  /// some that are left alone.
  package static func mayReadOtherwise(_ letters: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = letters.first, let last = letters.last else { return false }
    return isCandidate(letters) || (pronounInitials.contains(first) && pronounEnds.contains(last))
  }

  /// The words that a word of a text or table reads as: one or two.
  public static func words(_ letters: String) -> [String] {
    switch read(letters) {
    case .denied(let verb, _): [verb, not]
    case .slip(let word): [word]
    case nil: [pronouns[letters] ?? letters]
    }
  }

  /// "Hes", "theyd": a pronoun or question word with what is left of its verb, which says nothing by itself; those that are
  /// no other word.
  private static let pronouns: [String: String] = {
    var pronouns: [String: String] = [:]
    for word in ["he", "she", "what", "who", "when", "where", "how", "there", "that", "here"] {
      pronouns[word + "s"] = word
    }
    for word in ["he", "they", "you"] { for end in ["d", "ll", "ve", "re"] { pronouns[word + end] = word } }
    for end in ["heve", "here", "hell"] { pronouns[end] = nil }
    return pronouns
  }()

  private static let pronounInitials = Set(pronouns.keys.compactMap(\.utf8.first))
  private static let pronounEnds = Set(pronouns.keys.compactMap(\.utf8.last))

  /// "didn t", "wasn t": what is left of a contraction whose apostrophe became a space.
  public static func isCutContraction(_ letters: String) -> Bool { cut.contains(letters) }

  /// Every spelling that reads as something else, with what it reads as: for scanners that compare by hashes.
  public static let all: [String: WordForm] = {
    var forms: [String: WordForm] = [:]
    for word in denials {
      for slip in slips(of: word) where !isWord(slip) { forms[slip] = .slip(of: word) }
    }
    var contractions: [String: WordForm] = [:]
    for verb in helpers { contractions[stem(verb) + "nt"] = .denied(verb: verb, tail: 2) }
    contractions["aint"] = .denied(verb: "is", tail: 2)
    for (spelling, form) in contractions.sorted(by: { $0.key < $1.key }) where spelling.utf8.count >= shortestMisspelt {
      let late = String(spelling.dropLast(2))
      for slip in slips(of: spelling) + [late + "ent", late + "int"] where !isWord(slip) && slip.hasSuffix("t") {
        forms[slip] = forms[slip] ?? form
      }
    }
    // As they are spelt, above any slip of another.
    for (spelling, form) in contractions { forms[spelling] = form }
    forms["cannot"] = .denied(verb: "can", tail: 3)
    forms["nto"] = .slip(of: not)
    return forms
  }()

  /// *Not*, as a contraction reads.
  public static let not = "not"

  // MARK: - Closed classes

  /// The verbs that are joined with *not*.
  public static let helpers: Set<String> = [
    "is", "are", "was", "were", "do", "does", "did", "has", "have", "had", "can", "could", "will", "would", "should",
    "must", "need", "might", "shall",
  ]

  /// What is left of the verb before "n't".
  private static func stem(_ verb: String) -> String {
    switch verb {
    case "can": "ca"
    case "will": "wo"
    case "shall": "sha"
    default: verb
    }
  }

  /// Words that deny and are long enough to be known through a slip.
  private static let denials = [
    "never", "without", "nothing", "negative", "unremarkable", "declined", "declines", "refused", "refuses", "denied",
    "cancelled", "postponed",
  ]
  private static let denialInitials = Set(denials.compactMap(\.utf8.first))

  /// "Can", "don" and "won" are words by themselves.
  private static let cut = Set(helpers.map { stem($0) + "n" }).subtracting(["can", "don", "won", "haven", "shan"])

  // MARK: - Slips

  /// Shorter contractions turn into other words too easily: "dont" and "donut", "cant" and "count".
  private static let shortestMisspelt = 5
  private static let vowels: Set<Character> = ["a", "e", "i", "o", "u"]

  /// Slips that leave the first letter and the order of the consonants, but for two neighbours.
  private static func slips(of word: String) -> [String] {
    let letters = Array(word)
    var found: [String] = []
    for place in letters.indices.dropFirst() {
      if vowels.contains(letters[place]) {
        found.append(String(letters[..<place] + letters[(place + 1)...]))
      }
      if place + 1 < letters.count, letters[place] != letters[place + 1] {
        var swapped = letters
        swapped.swapAt(place, place + 1)
        found.append(String(swapped))
      }
    }
    return found
  }

  /// Words that a slip would make of another.
  private static func isWord(_ letters: String) -> Bool { words.contains(letters) }
  private static let words: Set<String> = ["want", "went", "hadnt", "hasnt", "wasnt", "werent", "refuse", "refused"]
}

extension WordForm {
  /// The bytes of the apostrophe at `index`, straight, curled, a grave or acute accent standing alone; nil for anything else.
  @inlinable
  public static func apostropheLength<Bytes: RandomAccessCollection>(_ bytes: Bytes, at index: Bytes.Index) -> Int?
  where Bytes.Element == UInt8, Bytes.Index == Int {
    let byte = bytes[index]
    if byte == 0x27 || byte == 0x60 { return 1 }
    guard byte >= 0xC2, index + 1 < bytes.endIndex else { return nil }
    let next = bytes[index + 1]
    if (byte == 0xC2 && next == 0xB4) || (byte == 0xCA && (next == 0xBB || next == 0xBC)) { return 2 }
    guard byte == 0xE2, next == 0x80, index + 2 < bytes.endIndex else { return nil }
    let last = bytes[index + 2]
    return last == 0x98 || last == 0x99 || last == 0xB2 ? 3 : nil
  }

  /// Whether a character is an apostrophe by the same rule.
  public static func isApostrophe(_ character: Character) -> Bool { apostrophes.contains(character) }

  private static let apostrophes: Set<Character> = [
    "'", "`", "\u{B4}", "\u{2018}", "\u{2019}", "\u{2032}", "\u{2BB}", "\u{2BC}",
  ]

  /// "Owner's" is owner, "he'd" he.
  public static func withoutPossessive(_ word: String) -> String {
    guard let mark = word.lastIndex(where: isApostrophe), mark > word.startIndex,
      clitics.contains(word[word.index(after: mark)...].lowercased())
    else { return word }
    return String(word[..<mark])
  }

  private static let clitics: Set<String> = ["s", "d", "ll", "ve", "re", "m"]

  /// Whether the bytes of a word end in an apostrophe and "s".
  public static func endsInPossessive<Bytes: RandomAccessCollection>(_ bytes: Bytes) -> Bool
  where Bytes.Element == UInt8, Bytes.Index == Int {
    guard let last = bytes.last, last | 0x20 == UInt8(ascii: "s") else { return false }
    return (1...3).contains { length in
      let mark = bytes.endIndex - 1 - length
      return mark > bytes.startIndex && apostropheLength(bytes, at: mark) == length
    }
  }

  /// The runs of letters in a text, in lower case: the words of a name or a breed.
  public static func runs(of text: some StringProtocol) -> [String] {
    text.lowercased().split { !$0.isLetter }.map(String.init)
  }

  /// The words of a text as phrases compare them: in lower case, cut at white space and without the marks around them,
  /// contractions apart, possessives dropped. "Wasn't Rex's T4 (low)?" is was, not, rex, t4, low.
  ///
  /// What joins letters and digits stays: "q12h", "i/v", "3.5".
  public static func words(of text: String) -> [String] {
    var result: [String] = []
    for part in text.lowercased().split(whereSeparator: \.isWhitespace) {
      let word = withoutPossessive(String(trimmed(part)))
      if word.isEmpty { continue }
      let letters = word.contains(where: isApostrophe) ? String(word.filter { !isApostrophe($0) }) : word
      if letters == "t", let last = result.last, isCutContraction(last), case .denied(let verb, _)? = read(last + "t") {
        result[result.count - 1] = verb
        result.append(not)
      } else {
        result += words(letters)
      }
    }
    return result
  }

  private static func trimmed(_ word: Substring) -> Substring {
    func isMark(_ character: Character) -> Bool { ",.?!;:()\"".contains(character) || isApostrophe(character) }
    var word = word.drop(while: isMark)
    while let last = word.last, isMark(last) { word.removeLast() }
    return word
  }
}
