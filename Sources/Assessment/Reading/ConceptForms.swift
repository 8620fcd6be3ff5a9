import Clinical

/// The sequences of words that stand for concepts, found by their first word.
struct ConceptForms: Sendable {
  struct Form: Sendable {
    let concept: Int
    /// Where its words stand among those of all forms.
    fileprivate let words: Range<Int>
    /// The form before it with the same first word; -1 for the first.
    fileprivate let previous: Int32
  }

  /// Knows every word of a form.
  private(set) var index = WordIndex()
  /// Identifiers of the forms' words, form after form.
  private var words: [Int32] = []
  private var forms: [Form] = []
  /// The last form that begins with a word, by the word's identifier; -1 for none.
  private var lastForms: [Int32] = []

  // MARK: - Building

  /// Adds a form as a table writes it, without concepts in it.
  mutating func add(_ form: UnsafeBufferPointer<UInt8>, of concept: Int) {
    let start = words.count
    appendWords(of: form)
    add(start..<words.count, of: concept)
  }

  /// Adds a form by the identifiers of its words.
  mutating func add(_ form: [Int32], of concept: Int) {
    let start = words.count
    words.append(contentsOf: form)
    add(start..<words.count, of: concept)
  }

  private mutating func add(_ range: Range<Int>, of concept: Int) {
    guard let first = range.first.map({ Int(words[$0]) }) else { return }
    while lastForms.count <= first { lastForms.append(-1) }
    forms.append(Form(concept: concept, words: range, previous: lastForms[first]))
    lastForms[first] = Int32(forms.count - 1)
  }

  /// The identifiers of the words of a form that is not added itself.
  mutating func identifiers(of form: UnsafeBufferPointer<UInt8>) -> [Int32] {
    let start = words.count
    appendWords(of: form)
    defer { words.removeSubrange(start...) }
    return Array(words[start...])
  }

  private mutating func appendWords(of form: UnsafeBufferPointer<UInt8>) {
    for part in form.split(separator: 0x20) {
      let part = UnsafeBufferPointer(rebasing: part)
      // What the scanner would make of small letters, without the scanner.
      if part.first == UInt8(ascii: "=") || part.last == UInt8(ascii: "*")
        || part.allSatisfy({ (0x61...0x7A).contains($0) })
      {
        words.append(index.add(part))
      } else {
        for word in IntakeScanner.words(in: String(decoding: part, as: UTF8.self)) {
          var text = word.text
          words.append(text.withUTF8 { index.add($0) })
        }
      }
    }
  }

  /// Makes the words ready to be found.
  ///
  /// - Parameters:
  ///   - table: column `word`; never taken for misspellings.
  ///   - others: other words that are right as they are.
  mutating func finish(knowing table: DataTable, and others: Set<String>) {
    index.addKnown(table, column: "word")
    index.addKnown(others)
    index.finish()
  }

  // MARK: - Finding

  /// Calls `body` with each form that begins with a word.
  func forEach(beginningWith identifier: Int32, _ body: (Form) -> Void) {
    guard identifier < lastForms.count else { return }
    var place = lastForms[Int(identifier)]
    while place >= 0 {
      let form = forms[Int(place)]
      body(form)
      place = form.previous
    }
  }

  func wordsBehindFirst(of form: Form) -> ArraySlice<Int32> { words[form.words.dropFirst()] }
}
