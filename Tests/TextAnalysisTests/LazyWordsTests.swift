import Clinical
import Testing
import VetNetTestSupport

@testable import TextAnalysis

/// What is worked out only where it is asked for, beside the same worked out for all at once.
struct LazyWordsTests {
  private let analyzer: Analyzer
  /// Every form of the shipped tables, and words whose beginnings spelling or stemming change.
  private let forms: [String]

  init() throws {
    analyzer = try Fixtures.analyzer.get()
    var forms: [String] = []
    for file in ["lexicon/thesaurus.tsv", "briefing/question-synonyms.tsv", "lexicon/irregular-forms.tsv"] {
      for row in try modelTable(file).rows { forms += row.list("forms") }
    }
    for drug in try DrugNames(
      drugs: modelTable("formulary/drugs.tsv"), classes: modelTable("formulary/drug-classes.tsv")
    ).drugs { forms += drug.names + drug.layNames + drug.classNames }
    for row in try Fixtures.spelling.get().rows { forms += [row["from"], row["to"], row["from"] + "ing pain"] }
    self.forms =
      forms + [
        "dying", "dyed", "lying down", "tying", "Dying dog", "oesophageal", "OEDEMA", "tyre", "kerb crawler", "a",
        "A lot",
        "x-ray", "V+/D-", "T4", "12 hours", "8-12", "½ tablet", "owner's", "b.i.d.", "aenemic-like", "haem.", "q12h",
        "éclair", "naïve", "foetal-heart", "i/d", "--", "",
      ]
  }

  @Test func `a form is found by its first term, as if all forms had been analysed`() throws {
    var lazy = ThesaurusForms(analyzer: analyzer)
    var eager: [String: [(terms: [String], groups: [Int])]] = [:]
    for (group, form) in forms.enumerated() {
      var form = form
      form.withUTF8 { lazy.add($0, group: group) }
      let terms = Thesaurus.wholes(analyzer.tokens(in: form, keepingStopWords: true))
      guard let first = terms.first else { continue }
      if let known = eager[first, default: []].firstIndex(where: { $0.terms == terms }) {
        eager[first]?[known].groups.append(group)
      } else {
        eager[first, default: []].append((terms, [group]))
      }
    }
    #expect(eager.count > 1000)
    let near = Dictionary(grouping: eager.keys) { $0.prefix(2) }.mapValues { $0.sorted() }
    for (first, patterns) in eager {
      let expected = patterns.sorted { $0.terms.count > $1.terms.count }
      let found = lazy.patterns(beginningWith: first)
      #expect(found.map(\.terms) == expected.map(\.terms), "\(first)")
      #expect(found.map(\.groups) == expected.map(\.groups), "\(first)")
      #expect(lazy.begin(with: first))
      #expect(lazy.firstTerms(near: first) == near[first.prefix(2)])
    }
    #expect(!lazy.begin(with: "zzz"))
  }

  @Test func `words are found by their stems, as if all had been stemmed`() throws {
    var words: [(number: Int32, text: String)] = []
    for (number, form) in forms.enumerated() { words.append((Int32(number), form.lowercased())) }
    for row in try modelTable("triage/known-words.tsv").rows { words.append((Int32(words.count), row["word"])) }
    let index = StemIndex(of: words)
    let stemmer = Stemmer()
    for (stem, group) in Dictionary(grouping: words, by: { stemmer.stem($0.text) }) {
      #expect(index.numbers(ofStem: stem) == group.map(\.number), "\(stem)")
    }
    #expect(index.numbers(ofStem: "zzz") == [])
  }

  @Test func `a word whose beginning is said to be kept keeps it`() throws {
    let rules = try Fixtures.lexicon.get().spelling
    var kept = 0
    for form in forms {
      var word = String(form.lowercased().prefix { $0.isASCII && $0.isLetter })
      guard !word.isEmpty, word.withUTF8(rules.keepsBeginning) else { continue }
      kept += 1
      #expect(rules.fold(word).prefix(2) == word.prefix(2), "\(word)")
    }
    #expect(kept > forms.count / 4)
    for word in ["oedema", "oesophagus", "haematuria", "foetus", "kerb"] {
      var word = word
      let isKept = word.withUTF8(rules.keepsBeginning)
      #expect(!isKept, "\(word)")
    }
  }
}
