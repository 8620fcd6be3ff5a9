import Clinical
import TextAnalysis
import Testing
import VetNetTestSupport

@testable import Assessment

struct WordIndexTests {
  /// The words of the shipped concepts: plain, `=exact` and `prefix*`.
  private func formWords() throws -> [String] {
    var words: Set<String> = []
    for row in try modelTable("triage/concepts.tsv").rows {
      for form in row.list("forms") { words.formUnion(form.split(separator: " ").map(String.init)) }
    }
    return words.filter { !$0.hasPrefix("@") }.sorted()
  }

  @Test func `a word finds the forms that a look at each of them finds`() throws {
    let forms = try formWords()
    var index = WordIndex()
    var identifiers: [Int32: String] = [:]
    for form in forms {
      var text = form
      identifiers[text.withUTF8 { index.add($0) }] = form
    }
    let known = try modelTable("triage/known-words.tsv")
    index.addKnown(known, column: "word")
    index.finish()
    #expect(identifiers.count == forms.count && forms.count > 2000)

    let stemmer = Stemmer()
    let plain = forms.filter { !$0.hasPrefix("=") && !$0.hasSuffix("*") }
    let stems = Dictionary(grouping: plain.filter { $0.utf8.count > 2 }, by: { stemmer.stem($0) })
    let (written, knownTexts) = (Set(forms), Set(known.rows.map { $0["word"] }))
    let prefixes = forms.filter { $0.hasSuffix("*") }.map { ($0, String($0.dropLast())) }
    // Every fourth: a look at each form takes its time.
    let texts = knownTexts.union(plain).sorted().enumerated().filter { $0.offset % 4 == 0 }.map(\.element)
    for text in texts + ["dying", "dies", "v/d", "24h", "xx"] {
      var expected = written.intersection([text, "=" + text])
      if text.utf8.count > 2 { expected.formUnion(stems[stemmer.stem(text)] ?? []) }
      expected.formUnion(prefixes.filter { text.hasPrefix($0.1) }.map(\.0))
      // What is found nowhere and unknown may be misspelt; known words never are.
      guard !expected.isEmpty || knownTexts.contains(text) else { continue }
      #expect(Set(index.identifiers(of: text).compactMap { identifiers[$0] }) == expected, "\(text)")
    }
  }

  @Test(arguments: [
    ("seziure", true), ("haemmorhage", true), ("diarrhoeaa", true), ("having", false), ("electrolytes", false),
  ])
  func `a slip of the hand is forgiven where the word is unknown`(word: String, isFound: Bool) throws {
    var index = WordIndex()
    for form in ["seizure", "haemorrhag*", "diarrhoea", "heaving", "electrocuted"] {
      var text = form
      _ = text.withUTF8 { index.add($0) }
    }
    index.addKnown(try modelTable("triage/known-words.tsv"), column: "word")
    index.finish()
    #expect(index.identifiers(of: word).isEmpty != isFound)
  }

  @Test func `everyday words one slip from a form are found in a vocabulary, and known from then on`() throws {
    func table(_ name: String, _ rows: [String]) throws -> DataTable {
      try DataTable(
        name: name, text: (["# title: t", "# source: s", "# licence: l"] + rows).joined(separator: "\n") + "\n")
    }
    let concepts = try table(
      "concepts", ["id\tkind\tforms", "heave\tsign\theaving|seizure", "bleed\tsign\thaemorrhag*"])
    let toxins = try table("toxins", ["id\tkind\tforms", "grape\tsign\traisins"])
    let known = try table("known", ["word", "cockatiel"])
    let vocabulary = [
      "having", "heaving", "seizures", "raisins", "raising", "tables", "Heaving", "it's", "cat", "having", "",
    ]
    let found = try KnownWords.extended(known, forms: [concepts, toxins], vocabulary: vocabulary)
    #expect(found.added == ["having", "raising"])
    #expect(found.all == ["cockatiel", "having", "raising"])
    // What was written is read again, and then nothing is left to add.
    let again = try DataTable(name: "known", text: KnownWords.text(found.all, version: "3"), required: ["word"])
    #expect(again.metadata["version"] == "3" && again.rows.map { $0["word"] } == found.all)
    #expect(try KnownWords.extended(again, forms: [concepts, toxins], vocabulary: vocabulary).added.isEmpty)
  }
}
