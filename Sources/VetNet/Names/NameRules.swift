import Clinical
import Store

/// The words by which names of people and places are known in notes, from `Models/names`.
struct NameRules: Sendable {
  /// Lists of `patterns.tsv`.
  enum List: String, CaseIterable {
    case title, role, naming, street, site, place, particle, everyday, saying, function, phrase, calendar
  }

  /// Given names, small letters.
  let given: Set<String>
  private let known: Set<String>
  /// Words of the clinical tables, which may have a capital within a sentence.
  private let terms: Set<String>
  /// Words that are written with a capital and are no names.
  private let capitalised: Set<String>
  private let lists: [List: Set<String>]
  /// Of `naming`, those of two or three words.
  let namingPhrases: [[String]]
  /// Words that are no name together, whatever each is; by each of their words, with its place among them.
  let plainPhrases: [String: [(phrase: [String], place: Int)]]
  /// For what the rules leave.
  let weights: NameWeights

  init(models: ModelDirectory) throws {
    func words(_ file: String, ofRows ending: String = "") throws -> Set<String> {
      let table = try models.table("names/\(file).tsv", required: ["id"])
      var all: Set<String> = []
      for row in table.rows where row["id"].hasSuffix(ending) {
        all.formUnion(row.list(file == "given-names" ? "names" : "words").map { $0.lowercased() })
      }
      return all
    }
    var lists: [List: Set<String>] = [:]
    let patterns = try models.table("names/patterns.tsv", required: ["id", "words"], uniqueKey: "id")
    for row in patterns.rows {
      guard let list = List(rawValue: row["id"]) else { throw row.error("id", "is no list of words beside names") }
      lists[list] = Set(row.list("words"))
    }
    self.lists = lists
    namingPhrases = (lists[.naming] ?? []).map { $0.split(separator: " ").map(String.init) }.filter { $0.count > 1 }
      .sorted { $0.count > $1.count }
    var plainPhrases: [String: [(phrase: [String], place: Int)]] = [:]
    for text in lists[.phrase] ?? [] {
      let phrase = text.split(separator: " ").map(String.init)
      for (place, word) in phrase.enumerated() { plainPhrases[word, default: []].append((phrase, place)) }
    }
    self.plainPhrases = plainPhrases
    let table = try models.table(NameWeights.file, required: ["id", "weight"], uniqueKey: "id")
    weights = try models.usable { () throws(DataTableError) in try NameWeights(table: table) }
    given = try words("given-names")
    capitalised = try words("capitalised")
    terms = try words("known-words", ofRows: "-term")
    let everyday = lists[.everyday] ?? []
    // What stands in small letters in texts may be a name all the same, typed in haste.
    known = [.calendar, .function, .saying, .role, .street, .site].reduce(
      into: try words("known-words").subtracting(given.subtracting(everyday)).union(capitalised)
    ) { all, list in all.formUnion(lists[list] ?? []) }
  }

  func has(_ word: String, in list: List) -> Bool { lists[list]?.contains(word) ?? false }

  private static let endings = ["'s", "s", "es", "ed", "ing", "ly", "er", "ish", "like", "wise"]

  /// Whether a word in small letters is an everyday or clinical one; so is one with an ending that such a word takes, and one made of such
  /// words by hyphens.
  func isKnown(_ word: String) -> Bool {
    let word = word.replacing("’", with: "'")
    if known.contains(word) { return true }
    // "He'll", "OK'd": no names, whatever stands before.
    if let mark = word.lastIndex(of: "'"), ["'ll", "'d", "'ve", "'re"].contains(word[mark...]) {
      return known.contains(String(word[..<mark]))
    }
    if word.contains("-") {
      return word.split(separator: "-").allSatisfy { $0.count < 3 || isKnown(String($0)) }
    }
    for ending in Self.endings where word.hasSuffix(ending) && word.count > ending.count + 2 {
      let stem = String(word.dropLast(ending.count))
      if known.contains(stem) || known.contains(stem + "e") { return true }
      if stem.count > 3, stem.last == stem.dropLast().last, known.contains(String(stem.dropLast())) { return true }
    }
    return false
  }

  /// Whether a word in small letters is a given name and nothing else.
  func isGivenOnly(_ word: String) -> Bool { given.contains(word) && !has(word, in: .everyday) }

  /// Whether a word itself, and not only a form of it, is an everyday or clinical one.
  func isListed(_ word: String) -> Bool { known.contains(word) }

  /// Whether a word is a clinical one, by itself.
  func isTerm(_ word: String) -> Bool { terms.contains(word) }

  /// Whether a word is written with a capital by everybody, and names no person or place.
  func isCapitalised(_ word: String) -> Bool { capitalised.contains(word) }

  /// Whether a word in small letters says what somebody did or does: an irregular form by its list, any other by its endings, which the
  /// verb's other forms bear out ("reports" beside "reported" and "reporting").
  func isVerb(_ word: String) -> Bool {
    if has(word, in: .saying) { return true }
    if word.hasSuffix("ed"), word.count > 4 { return isKnown(word) }
    if word.hasSuffix("ing"), word.count > 5 { return isKnown(word) }
    guard word.hasSuffix("s"), !word.hasSuffix("ss"), word.count > 3 else { return false }
    let stem = word.hasSuffix("ies") ? word.dropLast(3) + "i" : word.dropLast()
    let root = stem.hasSuffix("e") ? stem.dropLast() : stem
    let present = root.hasSuffix("i") ? root.dropLast() + "y" : root
    return known.contains(root + "ed") && known.contains(present + "ing")
  }
}
