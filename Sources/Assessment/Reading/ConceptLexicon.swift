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
    /// What tells that words are no report: a comparison, a habit, a joke, hearsay. See ``OwnReading``.
    case figure
    /// What is wrong, or what befell the animal.
    case sign
    case other

    /// Whether its words are a sign or a thing, not a way of speaking.
    var isPlain: Bool { self == .other || self == .object || self == .sign }

    init(word: Substring) {
      self =
        switch word {
        case "mask": .mask
        case "state": .state
        case "admin", "circumstance": .request
        case "subject": .subject
        case "object": .object
        case "figure": .figure
        case "sign", "cause", "special": .sign
        default: .other
        }
    }
  }

  private(set) var names: [String] = []
  private(set) var kinds: [Kind] = []
  private var indices: [String: Int] = [:]
  private var forms = ConceptForms()
  private var fillers: Set<String> = []
  /// The version of the table.
  public let version: String

  /// Fillers allowed between two words of a form.
  private static let longestGap = 3

  /// - Parameters:
  ///   - table: `concepts.tsv`: columns `id`, `kind`, `forms`.
  ///   - knownWords: `known-words.tsv`: column `word`; never taken for misspellings.
  ///   - alsoKnown: other words that are right as they are.
  /// - Throws: ``DataTableError`` naming the row whose forms can't be read.
  public init(table: DataTable, knownWords: DataTable, alsoKnown: Set<String> = []) throws(DataTableError) {
    version = table.metadata["version"] ?? ""
    var rows: [DataTable.Row] = []
    for row in table.rows {
      guard !row.withBytes("forms", \.isEmpty) else { throw row.error("forms", "has no words") }
      let id = row["id"]
      if id == "filler" {
        fillers = Set(row.list("forms"))
        continue
      }
      if indices[id] != nil { throw row.error("id", "stands there twice") }
      indices[id] = names.count
      names.append(id)
      kinds.append(Kind(word: row["kind"][...]))
      rows.append(row)
    }
    for (concept, row) in rows.enumerated() {
      try row.forEachPart("forms") { form throws(DataTableError) in
        guard form.contains(UInt8(ascii: "@")) else {
          forms.add(form, of: concept)
          return
        }
        guard let readings = readings(of: form, rows) else {
          throw row.error("forms", "names an unknown concept in '\(String(decoding: form, as: UTF8.self))'")
        }
        for reading in readings { forms.add(reading, of: concept) }
      }
    }
    forms.finish(knowing: knownWords, and: alsoKnown)
  }

  /// Every sequence of words that a form with concepts in it stands for; nil where it names none of the table, or one whose
  /// forms name others.
  private mutating func readings(of form: UnsafeBufferPointer<UInt8>, _ rows: [DataTable.Row]) -> [[Int32]]? {
    var readings: [[Int32]] = [[]]
    for part in form.split(separator: 0x20) {
      var choices: [[Int32]] = []
      if part.first == UInt8(ascii: "@") {
        guard let concept = indices[String(decoding: part.dropFirst(), as: UTF8.self)],
          !rows[concept].withBytes("forms", { $0.contains(UInt8(ascii: "@")) })
        else { return nil }
        rows[concept].forEachPart("forms") { choices.append(forms.identifiers(of: $0)) }
      } else {
        choices.append(forms.identifiers(of: UnsafeBufferPointer(rebasing: part)))
      }
      readings = readings.flatMap { reading in choices.map { reading + $0 } }
    }
    return readings
  }

  func index(of name: String) -> Int? { indices[name] }

  func isFiller(_ word: String) -> Bool { fillers.contains(word) }

  /// Whether a word stands in a form, or is a filler or an everyday word.
  func knows(_ word: String) -> Bool { fillers.contains(word) || forms.index.knows(word) }

  /// Whether a word that is no form's would be taken for a misspelt one.
  func isTakenForSlip(_ word: String) -> Bool { forms.index.isTakenForSlip(word) }

  /// Every place where a concept stands, masked ones left out, in the order of the text.
  ///
  /// - Complexity: O(words × forms that begin with each).
  func occurrences(in words: [IntakeWord]) -> [ConceptOccurrence] {
    let identifiers = forms.index.identifiers(of: words)
    var found: Set<ConceptOccurrence> = []
    for start in words.indices {
      for identifier in identifiers[start] {
        forms.forEach(beginningWith: identifier) { form in
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

  private func end(
    of form: ConceptForms.Form, from start: Int, _ words: [IntakeWord], _ identifiers: [[Int32]]
  ) -> Int? {
    var position = start + 1
    for word in forms.wordsBehindFirst(of: form) {
      var gap = 0
      while true {
        guard position < words.count, words[position].phrase == words[start].phrase else { return nil }
        // "Been a bit stiff" is not "been bit": behind its article the word is a little of something.
        if contains(identifiers[position], word), gap == 0 || !isAmount(at: position, words) { break }
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

  private func isAmount(at position: Int, _ words: [IntakeWord]) -> Bool {
    words[position].text == "bit" && words[position - 1].text == "a"
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
