public import Clinical

/// The groups of words that mean one thing to triage: `gums`, `blue`, `strain`.
///
/// A form is one word or several. Between the words of a form, filler words ("her", "really") may stand; commas and
/// sentence ends may not. A form may name another concept, `@not eat*`, and then stands for all its forms; a concept of the kind
/// `class` is there for that alone. `@belly & @hard` stands for both orders.
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
    /// Words that forms name in one place of theirs (`@their`), and that mean nothing by themselves.
    case wordClass
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
        case "class": .wordClass
        case "sign", "cause", "special": .sign
        default: .other
        }
    }
  }

  private struct Form: Sendable {
    let concept: Int
    /// Where its words stand in ``formWords``.
    let words: Range<Int>
    /// Its place among the forms of its row, counted from 0.
    let place: Int32
    /// The form before it with the same first word; -1 for the first.
    let previous: Int32
  }

  /// A form of the table: the row's `id`, and its place in the row, counted from 0.
  package struct FormPlace: Hashable, Sendable {
    package let row: String
    package let place: Int

    package init(row: String, place: Int) {
      self.row = row
      self.place = place
    }
  }

  private(set) var names: [String] = []
  private(set) var kinds: [Kind] = []
  private var indices: [String: Int] = [:]
  private var index = WordIndex()
  /// Identifiers of the forms' words, form after form.
  private var formWords: [Int32] = []
  private var forms: [Form] = []
  /// The last form that begins with a word, by the word's identifier; -1 for none.
  private var lastForms: [Int32] = []
  /// What forms may name.
  private var classes = ConceptClassIndex()
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
    for (concept, row) in rows.enumerated() where kinds[concept] != .wordClass {
      var place: Int32 = 0
      try row.forEachPart("forms") { form throws(DataTableError) in
        defer { place += 1 }
        guard form.contains(UInt8(ascii: "@")) || form.contains(UInt8(ascii: "&")) else {
          let start = formWords.count
          appendWords(of: form)
          addForm(concept, place, start..<formWords.count)
          return
        }
        guard let readings = readings(of: form, rows, within: []) else {
          let text = String(decoding: form, as: UTF8.self)
          throw row.error("forms", "names no concept, or one that names it in turn, in '\(text)'")
        }
        for reading in readings {
          let start = formWords.count
          formWords.append(contentsOf: reading)
          addForm(concept, place, start..<formWords.count)
        }
      }
    }
    index.addKnown(knownWords, column: "word")
    index.addKnown(alsoKnown)
    index.finish()
  }

  private mutating func addForm(_ concept: Int, _ place: Int32, _ range: Range<Int>) {
    guard let first = range.first.map({ Int(formWords[$0]) }) else { return }
    while lastForms.count <= first { lastForms.append(-1) }
    forms.append(Form(concept: concept, words: range, place: place, previous: lastForms[first]))
    lastForms[first] = Int32(forms.count - 1)
  }

  /// Adds the identifiers of a form's words to ``formWords``.
  private mutating func appendWords(of form: UnsafeBufferPointer<UInt8>) {
    for part in form.split(separator: 0x20) {
      let part = UnsafeBufferPointer(rebasing: part)
      // What the scanner would make of small letters, without the scanner.
      if part.first == UInt8(ascii: "=") || part.last == UInt8(ascii: "*")
        || part.allSatisfy({ (0x61...0x7A).contains($0) })
      {
        formWords.append(index.add(part))
      } else {
        for word in IntakeScanner.words(in: String(decoding: part, as: UTF8.self)) {
          var text = word.text
          formWords.append(text.withUTF8 { index.add($0) })
        }
      }
    }
  }

  /// Every sequence of words that a form stands for, a concept's single words as one; nil where it names no concept of the table,
  /// or one of those that it is `within`.
  private mutating func readings(
    of form: UnsafeBufferPointer<UInt8>, _ rows: [DataTable.Row], within: [Int]
  ) -> [[Int32]]? {
    // What stands on either side of a mark for both orders.
    let sides = form.split(separator: 0x20).split { $0.elementsEqual([UInt8(ascii: "&")]) }
    var readingsOfSides: [[[Int32]]] = []
    for side in sides {
      var readings: [[Int32]] = [[]]
      for part in side {
        let choices: [[Int32]]
        if part.first == UInt8(ascii: "@") {
          let name = String(decoding: part.dropFirst(), as: UTF8.self)
          guard let named = self.choices(name, rows, within) else { return nil }
          choices = named
        } else {
          choices = [takeWords(of: UnsafeBufferPointer(rebasing: part))]
        }
        readings = readings.flatMap { reading in choices.map { reading + $0 } }
      }
      readingsOfSides.append(readings)
    }
    switch readingsOfSides.count {
    case 1: return readingsOfSides[0]
    case 2:
      let (left, right) = (readingsOfSides[0], readingsOfSides[1])
      return left.flatMap { left in right.flatMap { [left + $0, $0 + left] } }
    default: return nil
    }
  }

  /// What may stand where a form names a concept: one identifier for all its forms of one word, and its longer forms.
  private mutating func choices(_ name: String, _ rows: [DataTable.Row], _ within: [Int]) -> [[Int32]]? {
    guard let concept = indices[name], !within.contains(concept) else { return nil }
    if let known = classes.choices[concept] { return known }
    var words: [Int32] = []
    var longer: [[Int32]] = []
    var isReadable = true
    rows[concept].forEachPart("forms") { form in
      guard let readings = readings(of: form, rows, within: within + [concept]) else {
        isReadable = false
        return
      }
      for reading in readings {
        if reading.count == 1 { words.append(reading[0]) } else { longer.append(reading) }
      }
    }
    guard isReadable else { return nil }
    var spelling = "=@\(name)"
    classes.add(concept, spelling.withUTF8 { index.add($0) }, words: words, longer: longer)
    return classes.choices[concept]
  }

  private mutating func takeWords(of form: UnsafeBufferPointer<UInt8>) -> [Int32] {
    let start = formWords.count
    appendWords(of: form)
    defer { formWords.removeSubrange(start...) }
    return Array(formWords[start...])
  }

  func index(of name: String) -> Int? { indices[name] }

  func isFiller(_ word: String) -> Bool { fillers.contains(word) }

  /// Whether a word stands in a form, or is a filler or an everyday word.
  func knows(_ word: String) -> Bool { fillers.contains(word) || index.knows(word) }

  /// Whether a word that is no form's would be taken for a misspelt one.
  func isTakenForSlip(_ word: String) -> Bool { index.isTakenForSlip(word) }

  /// Every place where a concept stands, masked ones left out, in the order of the text.
  ///
  /// - Complexity: O(words × forms that begin with each).
  func occurrences(in words: [IntakeWord]) -> [ConceptOccurrence] {
    var found: Set<ConceptOccurrence> = []
    forEachForm(in: words) { form, range in found.insert(ConceptOccurrence(concept: form.concept, words: range)) }
    let masks = found.filter { kinds[$0.concept] == .mask }
    let visible = found.filter { occurrence in
      kinds[occurrence.concept] != .mask
        && !masks.contains { $0.words.count > occurrence.words.count && $0.words.contains(range: occurrence.words) }
    }
    return visible.sorted()
  }

  /// The forms that stand in a text, masked ones among them.
  ///
  /// - Complexity: as of an intake's reading.
  package func forms(in text: String) -> Set<FormPlace> {
    var found: Set<FormPlace> = []
    forEachForm(in: IntakeScanner.words(in: text)) { form, _ in
      found.insert(FormPlace(row: names[form.concept], place: Int(form.place)))
    }
    return found
  }

  /// UTF-8 bytes of the places where a concept stands in a text and no mask hides it; none for an unknown one.
  package func places(of concept: String, in text: String) -> [Range<Int>] {
    let words = IntakeScanner.words(in: text)
    return occurrences(in: words).filter { names[$0.concept] == concept }.map {
      words[$0.words.lowerBound].range.lowerBound..<words[$0.words.upperBound - 1].range.upperBound
    }
  }

  /// Whether a text has words that say that something is well, whoever and whenever it is about.
  package func isReassuring(_ text: String) -> Bool {
    occurrences(in: IntakeScanner.words(in: text)).contains { kinds[$0.concept] == .state }
  }

  private func forEachForm(in words: [IntakeWord], _ body: (Form, Range<Int>) -> Void) {
    var cache: [String: [Int32]] = [:]
    var identifiers: [[Int32]] = []
    identifiers.reserveCapacity(words.count)
    for word in words {
      if let known = cache[word.text], !word.isName {
        identifiers.append(known)
      } else {
        let found = classes.withClasses(index.identifiers(of: word.text, isName: word.isName))
        if !word.isName { cache[word.text] = found }
        identifiers.append(found)
      }
    }
    for start in words.indices {
      for identifier in identifiers[start] where identifier < lastForms.count {
        var place = lastForms[Int(identifier)]
        while place >= 0 {
          let form = forms[Int(place)]
          place = form.previous
          if let end = end(of: form, from: start, words, identifiers) { body(form, start..<end) }
        }
      }
    }
  }

  private func end(of form: Form, from start: Int, _ words: [IntakeWord], _ identifiers: [[Int32]]) -> Int? {
    var position = start + 1
    for word in formWords[form.words.dropFirst()] {
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
