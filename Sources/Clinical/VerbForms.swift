/// The forms of English verbs: by rule, and from `Models/lexicon/verb-forms.tsv` those that no rule gives.
///
///     verbs.forms(of: "decline")   // decline, declines, declined, declining
///     verbs.forms(of: "stop")      // stop, stops, stopped, stopping
///     verbs.forms(of: "give")      // give, gives, gave, given, giving
///
/// - Source: the rules are those of any grammar of English, in British spelling: a final "e" goes before "ing", a consonant and "y"
///   become "ies" and "ied", a consonant is doubled behind the single vowel of a verb of one syllable, an "l" behind any single vowel.
public struct VerbForms: Sendable {
  /// What of a verb no rule gives.
  private struct Irregular: Sendable {
    let past: [String]
    let gerund: String?
    let third: String?
  }

  private var irregular: [String: Irregular] = [:]

  /// Regular verbs only.
  public init() {}

  /// - Parameter table: `verb-forms.tsv`: `verb`, `past` (past tense and participle), and, where a rule doesn't give them, `gerund`
  ///   and `third` (person).
  /// - Throws: ``DataTableError`` for a verb that isn't one word of small letters, stands there twice, or has no form of its own.
  public init(table: DataTable) throws(DataTableError) {
    for row in table.rows {
      let verb = row["verb"]
      guard Self.isVerb(verb) else { throw row.error("verb", "is not one word of two or more small letters") }
      let form = Irregular(
        past: row.list("past"), gerund: row.list("gerund").first, third: row.list("third").first)
      guard !form.past.isEmpty || form.gerund != nil || form.third != nil else {
        throw row.error("past", "is empty, as are the verb's other forms; write one, or leave the verb to the rules")
      }
      guard irregular.updateValue(form, forKey: verb) == nil else { throw row.error("verb", "stands there twice") }
    }
  }

  /// Whether a word can be looked up: two or more small letters.
  public static func isVerb(_ word: some StringProtocol) -> Bool {
    word.utf8.count > 1 && word.utf8.allSatisfy { (0x61...0x7A).contains($0) }
  }

  /// The forms of a verb, each once: as it stands in a dictionary, third person, past, participle, gerund.
  ///
  /// - Parameter verb: in small letters.
  /// - Returns: three or more forms; of a word that is no verb what the rules make of it.
  public func forms(of verb: String) -> [String] {
    let own = irregular[verb]
    var forms: [String] = []
    let past = own.map(\.past) ?? []
    for form in [verb, own?.third ?? Self.third(verb)] + (past.isEmpty ? [Self.past(verb)] : past)
      + [own?.gerund ?? Self.gerund(verb)]
    where !forms.contains(form) {
      forms.append(form)
    }
    return forms
  }

  // MARK: - Rules

  private static func third(_ verb: String) -> String {
    if let stem = stemBeforeY(verb) { return stem + "ies" }
    return verb + (["s", "sh", "ch", "x", "z", "o"].contains(where: verb.hasSuffix) ? "es" : "s")
  }

  private static func past(_ verb: String) -> String {
    if let stem = stemBeforeY(verb) { return stem + "ied" }
    if verb.hasSuffix("e") { return verb + "d" }
    return doubled(verb) + "ed"
  }

  private static func gerund(_ verb: String) -> String {
    if verb.hasSuffix("ie") { return verb.dropLast(2) + "ying" }
    if verb.hasSuffix("e"), !["ee", "oe", "ye"].contains(where: verb.hasSuffix) { return verb.dropLast() + "ing" }
    return doubled(verb) + "ing"
  }

  /// What stands before a "y" that becomes "ie": "carr" of "carry", nothing of "stay".
  private static func stemBeforeY(_ verb: String) -> String? {
    guard verb.hasSuffix("y"), let before = verb.dropLast().last, !vowels.contains(before) else { return nil }
    return String(verb.dropLast())
  }

  /// "Stopp" of "stop" and "cancell" of "cancel"; other verbs as they are.
  private static func doubled(_ verb: String) -> String {
    let letters = Array(verb)
    guard letters.count > 2, let last = letters.last, !vowels.contains(last), !["w", "x", "y"].contains(last),
      vowels.contains(letters[letters.count - 2]), !vowels.contains(letters[letters.count - 3])
    else { return verb }
    let syllables = letters.indices.count { place in
      vowels.contains(letters[place]) && (place == 0 || !vowels.contains(letters[place - 1]))
    }
    return syllables == 1 || last == "l" ? verb + String(last) : verb
  }

  private static let vowels: Set<Character> = ["a", "e", "i", "o", "u"]
}
