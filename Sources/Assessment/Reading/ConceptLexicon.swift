public import Clinical

/// The groups of words that mean one thing to triage: `gums`, `blue`, `strain`.
///
/// A form is one word or several. Between the words of a form, filler words ("her", "really") may stand; commas and
/// sentence ends may not. A form may name another concept, `@not eat*`, and then stands for all its forms.
public struct ConceptLexicon: Sendable {
  /// What a concept is for, as far as code must know.
  enum Kind: Equatable, Sendable {
    /// A phrase inside which shorter meanings don't count: "fit and well" is no fit.
    case mask
    /// What says that all is well; a negation inside it is about that only.
    case state
    /// What is asked for, so that a plan or a wish for it is as good as a statement.
    case request
    /// The young a case is about, who are no other animals.
    case subject
    /// A thing that can be swallowed or met, so that who ate it counts and not whose it was.
    case object
    case other

    /// Whether its words are a sign or a thing, not a way of speaking.
    var isPlain: Bool { self == .other || self == .object }

    init(word: Substring) {
      self =
        switch word {
        case "mask": .mask
        case "state": .state
        case "admin", "circumstance": .request
        case "subject": .subject
        case "object": .object
        default: .other
        }
    }
  }

  struct Form: Sendable {
    let concept: Int
    let words: [Int32]
  }

  private(set) var names: [String] = []
  private(set) var kinds: [Kind] = []
  private var indices: [String: Int] = [:]
  private var index = WordIndex()
  private var formsByFirstWord: [Int32: [Form]] = [:]
  private var fillers: Set<String> = []
  /// The version of the table.
  public let version: String

  /// Fillers allowed between two words of a form.
  private static let longestGap = 3

  /// - Parameters:
  ///   - table: `concepts.tsv`: columns `id`, `kind`, `forms`.
  ///   - knownWords: `known-words.tsv`: column `word`; never taken for misspellings.
  /// - Throws: ``DataTableError`` naming the row whose forms can't be read.
  public init(table: DataTable, knownWords: DataTable) throws(DataTableError) {
    version = table.metadata["version"] ?? ""
    var raw: [String: [String]] = [:]
    for row in table.rows {
      let forms = row.list("forms")
      if forms.isEmpty { throw row.error("forms", "has no words") }
      if row["id"] == "filler" {
        fillers = Set(forms)
        continue
      }
      if indices[row["id"]] != nil { throw row.error("id", "stands there twice") }
      indices[row["id"]] = names.count
      names.append(row["id"])
      kinds.append(Kind(word: row["kind"][...]))
      raw[row["id"]] = forms
    }
    for row in table.rows where row["id"] != "filler" {
      guard let concept = indices[row["id"]] else { continue }
      var expanded: Set<String> = []
      for form in row.list("forms") {
        guard let readings = Self.expand(form, raw) else {
          throw row.error("forms", "names an unknown concept in '\(form)'")
        }
        expanded.formUnion(readings)
      }
      for form in expanded.sorted() { add(form, concept) }
    }
    index.addKnown(knownWords.rows.map { $0["word"] })
  }

  private mutating func add(_ form: String, _ concept: Int) {
    var words: [Int32] = []
    for part in form.split(separator: " ") {
      let part = String(part)
      if part.hasPrefix("=") {
        words.append(index.add(part))
      } else if part.hasSuffix("*") {
        words.append(index.add(part))
      } else {
        for word in IntakeScanner.words(in: part) { words.append(index.add(word.text)) }
      }
    }
    guard let first = words.first else { return }
    formsByFirstWord[first, default: []].append(Form(concept: concept, words: words))
  }

  private static func expand(_ form: String, _ raw: [String: [String]]) -> [String]? {
    guard form.contains("@") else { return [form] }
    var readings = [""]
    for part in form.split(separator: " ") {
      var choices = [String(part)]
      if part.first == "@" {
        guard let forms = raw[String(part.dropFirst())], !forms.contains(where: { $0.contains("@") }) else {
          return nil
        }
        choices = forms
      }
      readings = readings.flatMap { reading in choices.map { reading.isEmpty ? $0 : reading + " " + $0 } }
    }
    return readings
  }

  func index(of name: String) -> Int? { indices[name] }

  func isFiller(_ word: String) -> Bool { fillers.contains(word) }

  /// Whether a word stands in a form, or is a filler or an everyday word.
  func knows(_ word: String) -> Bool { fillers.contains(word) || index.knows(word) }

  /// Every place where a concept stands, masked ones left out, in the order of the text.
  ///
  /// - Complexity: O(words × forms that begin with each).
  func occurrences(in words: [IntakeWord]) -> [ConceptOccurrence] {
    var cache: [String: [Int32]] = [:]
    var identifiers: [[Int32]] = []
    identifiers.reserveCapacity(words.count)
    for word in words {
      if let known = cache[word.text], !word.isName {
        identifiers.append(known)
      } else {
        let found = index.identifiers(of: word.text, isName: word.isName)
        if !word.isName { cache[word.text] = found }
        identifiers.append(found)
      }
    }
    var found: Set<ConceptOccurrence> = []
    for start in words.indices {
      for identifier in identifiers[start] {
        for form in formsByFirstWord[identifier] ?? [] {
          if let end = end(of: form, from: start, words, identifiers) {
            found.insert(ConceptOccurrence(concept: form.concept, words: start..<end))
          }
        }
      }
    }
    let masks = found.filter { kinds[$0.concept] == .mask }
    let visible = found.filter { occurrence in
      kinds[occurrence.concept] != .mask
        && !masks.contains { $0.words.count > occurrence.words.count && $0.words.contains(range: occurrence.words) }
    }
    return visible.sorted()
  }

  private func end(of form: Form, from start: Int, _ words: [IntakeWord], _ identifiers: [[Int32]]) -> Int? {
    var position = start + 1
    for word in form.words.dropFirst() {
      var gap = 0
      while true {
        guard position < words.count, words[position].phrase == words[start].phrase else { return nil }
        if contains(identifiers[position], word) { break }
        guard gap < (kinds[form.concept] == .mask ? 0 : Self.longestGap), isFiller(words[position].text) else {
          return nil
        }
        gap += 1
        position += 1
      }
      position += 1
    }
    return position
  }

  private func contains(_ sorted: [Int32], _ value: Int32) -> Bool {
    for candidate in sorted {
      if candidate == value { return true }
      if candidate > value { return false }
    }
    return false
  }
}

/// A concept at a place of the text.
struct ConceptOccurrence: Hashable, Comparable, Sendable {
  let concept: Int
  /// Indices of ``IntakeWord``.
  let words: Range<Int>

  static func < (lhs: Self, rhs: Self) -> Bool {
    (lhs.words.lowerBound, lhs.words.upperBound, lhs.concept)
      < (rhs.words.lowerBound, rhs.words.upperBound, rhs.concept)
  }
}

extension Range where Bound == Int {
  func contains(range other: Range<Int>) -> Bool { lowerBound <= other.lowerBound && other.upperBound <= upperBound }
}
