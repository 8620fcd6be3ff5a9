import Clinical
import Synchronization

/// The forms of a thesaurus, found by the term they begin with.
///
/// A question asks for a handful of thousands of forms, so a form is analysed when a question has its first term, and its first
/// word when a question has a term that begins with the same two letters: these a stemmer leaves alone, and of the rules of
/// spelling it is known which words they change there.
struct ThesaurusForms: Sendable {
  /// A form as a sequence of terms, and the groups it belongs to.
  struct Pattern: Sendable {
    let terms: [String]
    var groups: [Int]
  }

  private struct Form: Sendable {
    let start: UInt32
    let end: UInt32
    let group: Int32
    /// The form before it of the same beginning; -1 for the first.
    let previous: Int32
  }

  /// The forms one after the other.
  private var letters: [UInt8] = []
  private var forms: [Form] = []
  /// The last form of each beginning.
  private var lastForms = [Int32](repeating: -1, count: StemIndex.beginningCount)
  /// The beginnings of first words that the rules of spelling may change, by the words' hashes.
  private var respelled: [UInt64: Int] = [:]
  private let firstTerms = FirstTerms()
  private let analyzer: Analyzer

  init(analyzer: Analyzer) {
    self.analyzer = analyzer
  }

  /// Adds a form of a group, UTF-8; one without any term asks for nothing. All are added before the first is looked for.
  mutating func add(_ form: UnsafeBufferPointer<UInt8>, group: Int) {
    guard let beginning = beginning(ofForm: form) else { return }
    let start = letters.count
    letters.append(contentsOf: form)
    forms.append(
      Form(
        start: UInt32(start), end: UInt32(letters.count), group: Int32(group), previous: lastForms[beginning]))
    lastForms[beginning] = Int32(forms.count - 1)
  }

  /// Adds a form, and the same with spaces for its joints: "anti-sickness" is written in two words as well.
  mutating func addParted(_ form: UnsafeBufferPointer<UInt8>, group: Int) {
    add(form, group: group)
    guard form.contains(where: Self.isJoint) else { return }
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: form.count) { parted in
      for (index, byte) in form.enumerated() { parted[index] = Self.isJoint(byte) ? 0x20 : byte }
      add(UnsafeBufferPointer(parted), group: group)
    }
  }

  private static func isJoint(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "-") || byte == UInt8(ascii: "/") }

  /// The forms that begin with a term, those of most terms first, then in the order of the table.
  ///
  /// - Complexity: O(forms that begin with the term), the first time O(forms whose term begins with the same two letters).
  func patterns(beginningWith term: String) -> [Pattern] {
    var patterns: [Pattern] = []
    for place in places(beginningWith: term) {
      let (terms, group) = (terms(of: text(of: forms[Int(place)])), Int(forms[Int(place)].group))
      if let known = patterns.firstIndex(where: { $0.terms == terms }) {
        if !patterns[known].groups.contains(group) { patterns[known].groups.append(group) }
      } else {
        patterns.append(Pattern(terms: terms, groups: [group]))
      }
    }
    return patterns.sorted { $0.terms.count > $1.terms.count }
  }

  /// Whether some form begins with a term.
  func begin(with term: String) -> Bool { !places(beginningWith: term).isEmpty }

  /// The terms that forms begin with and whose first two letters are those of `word`, in alphabetical order.
  func firstTerms(near word: String) -> [String] {
    let beginning = word.prefix(2)
    return withForms(beginningLike: word) { $0.keys.filter { $0.prefix(2) == beginning }.sorted() }
  }

  private func places(beginningWith term: String) -> [Int32] { withForms(beginningLike: term) { $0[term] ?? [] } }

  /// Runs `body` on the forms, in the order of the table, whose beginning is that of `term`, by their first terms.
  private func withForms<Result>(beginningLike term: String, _ body: ([String: [Int32]]) -> Result) -> Result {
    let beginning = StemIndex.beginning(of: term.utf8)
    return firstTerms.known.withLock { known in
      if let forms = known[beginning] { return body(forms) }
      let forms = worked(out: beginning)
      known[beginning] = forms
      return body(forms)
    }
  }

  private func worked(out beginning: Int) -> [String: [Int32]] {
    var places: [Int32] = []
    var place = lastForms[beginning]
    while place >= 0 {
      places.append(place)
      place = forms[Int(place)].previous
    }
    var terms: [String: String] = [:]
    var result: [String: [Int32]] = [:]
    for place in places.reversed() {
      let form = text(of: forms[Int(place)])
      guard let word = Self.plainWord(beginning: form) else {
        if let term = self.terms(of: form).first { result[term, default: []].append(place) }
        continue
      }
      let term = terms[word] ?? analyzer.firstTerm(ofPlainWord: word)
      terms[word] = term
      if !term.isEmpty { result[term, default: []].append(place) }
    }
    return result
  }

  private func text(of form: Form) -> String {
    letters.withUnsafeBufferPointer {
      String(decoding: UnsafeBufferPointer(rebasing: $0[Int(form.start)..<Int(form.end)]), as: UTF8.self)
    }
  }

  // MARK: - Beginnings

  /// The beginning of a form's first term, worked out only where its letters don't tell; nil for a form without terms.
  private mutating func beginning(ofForm form: UnsafeBufferPointer<UInt8>) -> Int? {
    let end = Self.letterCount(form)
    // A plain word stands for itself; it is respelled and stemmed. Of longer runs the first four letters are sure to be the
    // first term's.
    let isPlain = end > 0 && end <= TokenScanner.longestRun && (end == form.count || form[end] == 0x20)
    guard isPlain || end >= 4 else { return workedOut(form) }
    let spelling = analyzer.lexicon.spelling
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: end) { lower in
      for index in 0..<end { lower[index] = form[index] | 0x20 }
      let word = UnsafeBufferPointer(lower)
      if spelling.keepsBeginning(of: word) { return StemIndex.beginning(of: word) }
      guard isPlain else { return workedOut(form) }
      let hash = FNV1a.hash(word)
      if let known = respelled[hash] { return known }
      let beginning = StemIndex.beginning(of: spelling.fold(String(decoding: word, as: UTF8.self)).utf8)
      respelled[hash] = beginning
      return beginning
    }
  }

  private func workedOut(_ form: UnsafeBufferPointer<UInt8>) -> Int? {
    terms(of: String(decoding: form, as: UTF8.self)).first.map { StemIndex.beginning(of: $0.utf8) }
  }

  /// How many ASCII letters a form begins with.
  private static func letterCount(_ form: UnsafeBufferPointer<UInt8>) -> Int {
    form.firstIndex { !(0x61...0x7A).contains($0 | 0x20) } ?? form.count
  }

  /// The first word of a form where it consists of letters alone and stands alone; nil where it takes the tokenizer to tell.
  private static func plainWord(beginning form: String) -> String? {
    form.withUTF8Bytes { bytes in
      let end = letterCount(bytes)
      guard end > 0, end <= TokenScanner.longestRun, end == bytes.count || bytes[end] == 0x20 else { return nil }
      return String(decoding: UnsafeBufferPointer(rebasing: bytes[..<end]), as: UTF8.self)
    }
  }

  /// The analysed words of a form, stop words included, each compound as a whole.
  private func terms(of form: String) -> [String] {
    Thesaurus.wholes(analyzer.tokens(in: form, keepingStopWords: true))
  }
}

/// What was worked out of the forms' first terms so far: for a beginning, the forms by their terms.
private final class FirstTerms: Sendable {
  let known = Mutex<[Int: [String: [Int32]]]>([:])
}

extension ThesaurusForms {
  /// What forms are added by is left out: what is read back is complete.
  func pack(into packer: inout Packer) {
    packer.add(all: letters)
    packer.add(all: forms)
    packer.add(all: lastForms)
  }

  /// With the analyzer that the forms were added with.
  init(from unpacker: inout Unpacker, analyzer: Analyzer) throws(PackingError) {
    self.init(analyzer: analyzer)
    letters = try unpacker.all()
    forms = try unpacker.all()
    lastForms = try unpacker.all()
    guard lastForms.count == StemIndex.beginningCount else { throw PackingError() }
  }
}
