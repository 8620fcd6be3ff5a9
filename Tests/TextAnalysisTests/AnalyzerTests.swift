import Clinical
import Testing
import TextAnalysis
import VetNetTestSupport

@Suite struct AnalyzerTests {
  private let analyzer: Analyzer

  init() throws { analyzer = try Fixtures.analyzer.get() }

  @Test(arguments: 0..<30) func `the cached analyzer equals its filters one after the other`(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    let text = RandomText.notes(pieces: 150, using: &generator)
    var slow = Tokenizer().tokens(in: text)
    for filter in analyzer.filters { slow = filter.apply(to: slow) }
    #expect(analyzer.tokens(in: text) == slow)
  }

  @Test(arguments: 0..<20) func `no filter moves a range`(seed: UInt64) {
    var generator = SplitMix64(seed: seed &+ 77)
    let text = RandomText.notes(pieces: 150, using: &generator)
    let ranges = Set(Tokenizer().tokens(in: text).map(\.range))
    #expect(analyzer.tokens(in: text).allSatisfy { ranges.contains($0.range) })
  }

  @Test(arguments: [
    ("haematuria", "hematuria"), ("oedema", "edema"), ("diarrhoea", "diarrhea"), ("tumours", "tumor"),
    ("hospitalised", "hospitalized"), ("sterilisation", "sterilization"), ("oesophagus", "esophagus"),
    ("anaemia", "anemia"), ("hyperkalaemia", "hyperkalemia"), ("orthopaedic", "orthopedic"), ("foetus", "fetus"),
    ("colour", "color"), ("dyspnoea", "dyspnea"), ("faeces", "feces"), ("leucocytes", "leukocytes"),
    ("sulphonamide", "sulfonamide"), ("caesarean", "cesarean"), ("behaviour", "behavior"), ("frusemide", "furosemide"),
    ("phenobarbitone", "phenobarbital"), ("haemorrhagic", "hemorrhagic"), ("anaesthetised", "anesthetized"),
    ("seizures", "seizure"), ("siezure", "seizure"), ("diahorrea", "diarrhea"), ("Vomitting", "vomiting"),
    ("Métacam", "metacam"), ("itch", "itching"),
  ]) func `spellings of one word give one term`(first: String, second: String) {
    #expect(analyzer.terms(in: first) == analyzer.terms(in: second))
  }

  @Test(arguments: [
    ("prednisone", "prednisolone"), ("Vetmedin", "Vetoryl"), ("exercise", "exercize"), ("promise", "promize"),
    ("dexamethasone", "dexmedetomidine"), ("hyperthyroid", "hypothyroid"),
  ]) func `different words stay different`(first: String, second: String) {
    #expect(analyzer.terms(in: first) != analyzer.terms(in: second))
  }

  @Test(arguments: ["t4", "50mg", "pu/pd", "0.1", "985112345678900", "q12h", "v+", "5/6", "12.03.24"])
  func `numbers and codes are not stemmed`(word: String) {
    #expect(Stemmer().stem(word) == word)
  }

  @Test(arguments: [("aed", "aed"), ("upped", "upped"), ("gas", "gas"), ("cds", "cds"), ("dyes", "dye")])
  func `no word loses all but a letter or two`(word: String, stem: String) {
    #expect(Stemmer().stem(word) == stem)
  }

  /// - Source: sample pairs of the Porter 2 vocabulary as published with the algorithm.
  @Test(arguments: [
    ("consist", "consist"), ("consisted", "consist"), ("consistency", "consist"), ("consolations", "consol"),
    ("knackeries", "knackeri"), ("knitted", "knit"), ("knocking", "knock"),
  ]) func `stems are Porter 2's`(word: String, stem: String) {
    #expect(Stemmer().stem(word) == stem)
  }

  @Test func `shorthand, its parts and its meaning share a place`() {
    let tokens = analyzer.tokens(in: "PU/PD since")
    let first = tokens.filter { $0.position == 0 }.map(\.text)
    #expect(first.contains("pu/pd") && first.contains("polyuria") && first.contains("polydipsia"))
    #expect(tokens.allSatisfy { $0.range == 0..<5 || $0.range == 0..<2 || $0.range == 3..<5 })
  }

  @Test func `the example of the documentation`() {
    #expect(
      analyzer.terms(in: "PU/PD for 3 weeks") == ["pu/pd", "polyuria", "polydipsia", "pu", "pd", "3", "week"])
  }

  @Test func `stop words go, and stay when asked for`() {
    let terms = analyzer.terms(in: "he is not eating")
    #expect(terms == ["eat"])
    #expect(analyzer.tokens(in: "he is not eating", keepingStopWords: true).map(\.text) == ["he", "is", "not", "eat"])
    #expect(analyzer.tokens(in: "does he", keepingStopWords: true).map(\.text) == ["does", "he"])
  }

  @Test func `the version names the contents of the tables`() throws {
    let stopWords = try Fixtures.stopWords.get()
    let shorthand = try Fixtures.shorthand.get()
    let spelling = try Fixtures.spelling.get()
    let same = Analyzer(lexicon: try AnalysisLexicon(stopWords: stopWords, shorthand: shorthand, spelling: spelling))
    #expect(same.version == analyzer.version)
    let otherWords = try DataTable(name: "t", text: "word\tkind\nthe\tarticle\n")
    let other = Analyzer(lexicon: try AnalysisLexicon(stopWords: otherWords, shorthand: shorthand, spelling: spelling))
    #expect(other.version != analyzer.version)
    #expect(analyzer.version.hasPrefix("text-2-") && analyzer.version.utf8.count == 7 + 16)
  }

  @Test func `many threads get the same terms`() async {
    var generator = SplitMix64(seed: 5)
    let texts = (0..<50).map { _ in RandomText.notes(pieces: 60, using: &generator) }
    let expected = texts.map { analyzer.terms(in: $0) }
    let shared = analyzer
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<16 { group.addTask { texts.map { shared.terms(in: $0) } == expected } }
      for await same in group { #expect(same) }
    }
  }
}

@Suite struct StopWordTableTests {
  @Test func `no stop word is a word that a record turns on`() throws {
    let words = try Fixtures.lexicon.get().stopWords
    for word in ["eating", "vomiting", "blood", "left", "right", "dog", "cat", "pain", "ill", "im", "iv", "sick"] {
      #expect(!words.contains(word), "\(word)")
    }
    #expect(words.count > 200)
  }

  @Test func `spelling rules are reached and settle`() throws {
    let rules = try SpellingRules(table: Fixtures.spelling.get())
    for row in try Fixtures.spelling.get().rows {
      #expect(!row["source"].isEmpty)
      if row["place"] == "word" {
        let once = rules.fold(row["from"])
        #expect(once == row["to"], "\(row["from"])")
      }
    }
  }
}
