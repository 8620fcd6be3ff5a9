import Clinical
import Testing
import VetNetTestSupport

@testable import Assessment

/// What a form may say: words, fillers between them, classes, both orders.
struct ConceptLexiconTests {
  private static func lexicon(_ rows: [String]) throws -> ConceptLexicon {
    try ConceptLexicon(
      table: DataTable(name: "concepts.tsv", text: (["id\tkind\tforms"] + rows).joined(separator: "\n") + "\n"),
      knownWords: DataTable(name: "known-words.tsv", text: "word\nzebra\n"))
  }

  /// The places of concepts in a text, as "name first word-last word".
  private static func found(_ text: String, _ rows: [String]) throws -> [String] {
    let lexicon = try lexicon(rows)
    let words = IntakeScanner.words(in: text)
    return lexicon.occurrences(in: words).map { place in
      "\(lexicon.names[place.concept]) \(words[place.words].map(\.text).joined(separator: " "))"
    }
  }

  private static let rows = [
    "filler\tgrammar\tis|very|her", "their\tclass\this|her|my", "notfree\tgrammar\tnot|can not",
    "belly\tclass\tbelly|tummy|abdom*", "tight\tclass\ttight|swollen",
    "bloated\tsign\t@belly & @tight|drum of @their own",
    "off\tsign\t@notfree eating|off @their food", "worse\tsign\t@off|@bloated",
  ]

  @Test(arguments: [
    ("his tummy is very tight", "bloated tummy is very tight"), ("swollen belly", "bloated swollen belly"),
    ("abdominal swelling, tight", ""), ("a drum of my own", "bloated drum of my own"),
    ("off his food", "off off his food"), ("off the food", ""), ("can not eat", "off can not eat; off not eat"),
    ("not eating", "off not eating"), ("tummy", ""), ("his", ""), ("tight, belly", ""),
  ])
  func `forms name classes, longer concepts and both orders`(text: String, expected: String) throws {
    let signs = try Self.found(text, Self.rows).filter { $0.hasPrefix("bloated") || $0.hasPrefix("off") }
    #expect(signs.joined(separator: "; ") == expected)
  }

  @Test func `a concept that is a form of another brings the other along, at the same words`() throws {
    #expect(try Self.found("swollen belly", Self.rows) == ["bloated swollen belly", "worse swollen belly"])
  }

  @Test func `a class stands nowhere by itself, and no pattern may ask for it`() throws {
    #expect(
      try !Self.found("her belly is tight", Self.rows).contains { $0.hasPrefix("belly") || $0.hasPrefix("their") })
    let lexicon = try Self.lexicon(Self.rows)
    #expect(throws: PatternError(problem: "'their' is a class of words, which stands nowhere by itself")) {
      try Pattern("@bloated @their", lexicon: lexicon)
    }
  }

  @Test(arguments: [
    (["a\tsign\t@b sick"], "@b sick"), (["a\tsign\t@a sick"], "@a sick"),
    (["a\tsign\t@b sick", "b\tsign\t@a ill"], "@b sick"), (["a\tsign\tx & y & z"], "x & y & z"),
  ])
  func `a form that names nothing, or comes back to itself, is refused with its words`(rows: [String], form: String) {
    #expect {
      try Self.lexicon(rows)
    } throws: { error in
      let text = "\(error)"
      return text.contains("concepts.tsv") && text.contains("forms") && text.contains("'\(form)'")
    }
  }

  @Test func `forms tell where in the table they stand, hidden or not`() throws {
    let lexicon = try Self.lexicon(["good\tmask\tas a fiddle|fit as a fiddle", "fit\tsign\tturn|fit"])
    #expect(lexicon.places(of: "fit", in: "fit as a fiddle") == [])
    #expect(lexicon.places(of: "fit", in: "She's had a fit") == [12..<15])
    #expect(
      lexicon.forms(in: "fit as a fiddle") == [
        .init(row: "good", place: 0), .init(row: "good", place: 1), .init(row: "fit", place: 1),
      ])
  }

  @Test func `classes read as the products that they stand for`() throws {
    let (left, right) = (["ant", "bee", "cow", "dee*"], ["elk", "fox", "gnu"])
    func row(_ forms: [String]) -> String { "x\tsign\t" + forms.joined(separator: "|") }
    let classes = [
      "filler\tgrammar\tis|so", "l\tclass\t" + left.joined(separator: "|"), "r\tclass\t" + right.joined(separator: "|"),
      row(["@l & @r", "hop @l"]),
    ]
    let products = left.flatMap { a in right.flatMap { ["\(a) \($0)", "\($0) \(a)"] } } + left.map { "hop \($0)" }
    let written = ["filler\tgrammar\tis|so", row(products)]
    var generator = SplitMix64(seed: 11)
    let words = ["ant", "bees", "cow", "deer", "elk", "fox", "gnus", "hop", "is", "so", "it", ","]
    for _ in 0..<400 {
      let text = (0..<7).map { _ in words[Int(generator.next() % UInt64(words.count))] }.joined(separator: " ")
      #expect(try Self.found(text, classes) == Self.found(text, written), "\(text)")
    }
  }
}
