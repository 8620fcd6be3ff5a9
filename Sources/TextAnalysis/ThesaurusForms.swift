/// The forms of a thesaurus, found by the term they begin with.
///
/// A question asks for a handful of thousands of forms, so a form is analysed when a question has its first term. To know that
/// term of all forms, their distinct first words are enough, since most forms begin with a plain word.
struct ThesaurusForms: Sendable {
  /// A form as a sequence of terms, and the groups it belongs to.
  struct Pattern: Sendable {
    let terms: [String]
    var groups: [Int]
  }

  private struct Form: Sendable {
    let text: String
    let group: Int
    /// The form before it that begins with the same term; -1 for the first.
    let previous: Int
  }

  private var forms: [Form] = []
  /// The last form that begins with a term.
  private var lastForms: [String: Int] = [:]
  /// The first term of a plain word that some form begins with.
  private var firstTerms: [String: String] = [:]
  private let analyzer: Analyzer

  init(analyzer: Analyzer) {
    self.analyzer = analyzer
  }

  /// Adds a form of a group; one without any term asks for nothing.
  mutating func add(_ form: String, group: Int) {
    guard let term = firstTerm(of: form) else { return }
    forms.append(Form(text: form, group: group, previous: lastForms[term] ?? -1))
    lastForms[term] = forms.count - 1
  }

  /// The forms that begin with a term, those of most terms first, then in the order of the table.
  ///
  /// - Complexity: O(forms that begin with the term).
  func patterns(beginningWith term: String) -> [Pattern] {
    guard var index = lastForms[term] else { return [] }
    var places: [Int] = []
    while index >= 0 {
      places.append(index)
      index = forms[index].previous
    }
    var patterns: [Pattern] = []
    for place in places.reversed() {
      let (terms, group) = (terms(of: forms[place].text), forms[place].group)
      if let known = patterns.firstIndex(where: { $0.terms == terms }) {
        if !patterns[known].groups.contains(group) { patterns[known].groups.append(group) }
      } else {
        patterns.append(Pattern(terms: terms, groups: [group]))
      }
    }
    return patterns.sorted { $0.terms.count > $1.terms.count }
  }

  /// Whether some form begins with a term.
  func begin(with term: String) -> Bool { lastForms[term] != nil }

  /// The terms that forms begin with, in alphabetical order.
  ///
  /// - Complexity: O(first terms).
  func firstTerms(where isWanted: (String) -> Bool) -> [String] { lastForms.keys.filter(isWanted).sorted() }

  private mutating func firstTerm(of form: String) -> String? {
    guard let word = Self.plainWord(beginning: form) else { return terms(of: form).first }
    if let known = firstTerms[word] { return known.isEmpty ? nil : known }
    let term = analyzer.firstTerm(ofPlainWord: word)
    firstTerms[word] = term
    return term.isEmpty ? nil : term
  }

  /// The first word of a form where it consists of letters alone and stands alone; nil where it takes the tokenizer to tell.
  private static func plainWord(beginning form: String) -> String? {
    form.withUTF8Bytes { bytes in
      let end = bytes.firstIndex { !(0x61...0x7A).contains($0 | 0x20) } ?? bytes.count
      guard end > 0, end <= TokenScanner.longestRun, end == bytes.count || bytes[end] == 0x20 else { return nil }
      return String(decoding: UnsafeBufferPointer(rebasing: bytes[..<end]), as: UTF8.self)
    }
  }

  /// The analysed words of a form, stop words included, each compound as a whole.
  private func terms(of form: String) -> [String] {
    Thesaurus.wholes(analyzer.tokens(in: form, keepingStopWords: true))
  }
}
