import Clinical
import Testing
import TextAnalysis
import VetNetTestSupport

@testable import Assessment

struct IntakeReadingTests {
  @Test func `words keep their bytes, lose apostrophes and part digits from letters`() {
    let text = "Can’t wee, V/D x3, 5min — T39.5C. p&m"
    let words = IntakeScanner.words(in: text)
    #expect(
      words.map(\.text) == ["cant", "wee", "v/d", "x", "3", "5", "min", "t", "39.5", "c", "p&m"])
    #expect(words.allSatisfy { text.slice(utf8: $0.range) != nil })
    #expect(words[8].number == 39.5)
    #expect(words[0].phrase != words[2].phrase && words[9].sentence != words[10].sentence)
  }

  @Test(arguments: ["9999999999999999", String(repeating: "9", count: 400), String(repeating: "9", count: 400) + ".5"])
  func `what has more digits than anything counted is a word, not a number`(digits: String) {
    let words = IntakeScanner.words(in: "vomiting for \(digits) days")
    #expect(words.map(\.text) == ["vomiting", "for", digits, "days"])
    #expect(words.allSatisfy { $0.number == nil })
  }

  @Test func `random bytes never break the scanner`() {
    var generator = SplitMix64(seed: 21)
    let alphabet = Array("aé'’-/&+?.,! \n39🐶<>ß").map(String.init)
    for _ in 0..<300 {
      let text = (0..<40).map { _ in alphabet[Int(generator.next() % UInt64(alphabet.count))] }.joined()
      for word in IntakeScanner.words(in: text) { #expect(text.slice(utf8: word.range) != nil, "\(text)") }
    }
  }

  @Test func `edit distance agrees with its recursive definition`() {
    func slow(_ a: ArraySlice<UInt8>, _ b: ArraySlice<UInt8>) -> Int {
      guard let x = a.last else { return b.count }
      guard let y = b.last else { return a.count }
      var best = min(
        slow(a.dropLast(), b) + 1, slow(a, b.dropLast()) + 1, slow(a.dropLast(), b.dropLast()) + (x == y ? 0 : 1))
      if a.count > 1, b.count > 1, x == b[b.endIndex - 2], y == a[a.endIndex - 2] {
        best = min(best, slow(a.dropLast(2), b.dropLast(2)) + 1)
      }
      return best
    }
    var generator = SplitMix64(seed: 2)
    for _ in 0..<150 {
      let left = (0..<Int(generator.next() % 6)).map { _ in UInt8(97 + generator.next() % 3) }
      let right = (0..<Int(generator.next() % 6)).map { _ in UInt8(97 + generator.next() % 3) }
      for limit in 0...2 {
        #expect((EditDistance.between(left, right, limit: limit) != nil) == (slow(left[...], right[...]) <= limit))
      }
    }
  }

  @Test(arguments: [
    ("siezures", "seizure"), ("diarrohea", "diarrhoea"), ("colapsed", "collapse"), ("vommiting", "vomit"),
    ("swolen belly", "bloated"), ("unresponsve", "unresponsive"), ("haemmorhage", "bleed"),
  ])
  func `misspelt signs are recognised`(text: String, concept: String) throws {
    let reading = try Shipped.reader().reading(of: text)
    let index = try #require(reading.lexicon.index(of: concept))
    #expect(!reading.occurrences(of: index).isEmpty)
  }

  @Test(arguments: ["electrolytes running", "her stablemate", "strip paint", "droppings like", "snapping at a wasp"])
  func `no word turns into another's sign`(text: String) throws {
    let reading = try Shipped.reader().reading(of: text)
    for name in ["electro", "wound", "pain", "collapse", "fracture"] {
      let index = try #require(reading.lexicon.index(of: name))
      #expect(reading.occurrences(of: index).isEmpty, "\(name) in \(text)")
    }
  }

  @Test(arguments: ["having a nice day", "fit and well", "he wants feeding", "reaching for toys", "later today"])
  func `everyday words are no signs`(text: String) throws {
    let reading = try Shipped.reader().reading(of: text)
    for name in ["retch", "seizure", "bleed", "collapse"] {
      let index = try #require(reading.lexicon.index(of: name))
      #expect(reading.occurrences(of: index).isEmpty, "\(name) in \(text)")
    }
  }

  @Test(arguments: [
    ("this is Stacey about her booster", "altered-mentation"), ("Stacey rang about the booster", "altered-mentation"),
    ("bile acids came back normal", "burn"), ("she won't come to say hello", "unresponsive"),
    ("he is not coming to the door any more", "unresponsive"),
    ("she keeps peeing outside the tray", "cat-blocked"),
  ])
  func `names and idioms fire nothing`(text: String, finding: String) throws {
    let result = try Shipped.engine().assess(Intake(text, species: .cat))
    #expect(!result.fired.contains { $0.id == finding })
  }

  @Test(arguments: [
    ("there is blood in the urine this morning", "blood-urine"), ("he swallowed a sock", "foreign-body"),
    ("she keeps peeing outside the tray", "urine-mild"), ("sick twice", "vomit"),
    ("he's been sick twice today", "vomit"),
    ("he won't come to, we have been shaking him", "unresponsive"), ("acid splashed on her back", "burn"),
  ])
  func `plain words are read`(text: String, finding: String) throws {
    let result = try Shipped.engine().assess(Intake(text, species: .cat))
    #expect(result.fired.contains { $0.id == finding }, "\(result.fired.map(\.id))")
  }

  @Test(arguments: [
    ("for two days", SpokenQuantity.Kind.duration, 48.0), ("half an hour", .duration, 0.5),
    ("since last night", .since, 12),
    ("three hours ago", .ago, 3), ("a couple of weeks", .duration, 336), ("5min", .duration, 1.0 / 12),
    ("8 week old", .age, 1344),
  ])
  func `spans of time are read`(text: String, kind: SpokenQuantity.Kind, hours: Double) throws {
    let quantity = try #require(Shipped.reader().reading(of: text).quantities.first)
    #expect(quantity.kind == kind && abs(quantity.value - hours) < 1e-6)
  }

  @Test func `clock times and weights are no counts`() throws {
    for text in ["at 7 this morning", "18kg spaniel", "T 39", "since 2am"] {
      let quantities = try Shipped.reader().reading(of: text).quantities
      #expect(!quantities.contains { $0.kind == .count && $0.value > 1 && text != "T 39" }, "\(text)")
    }
  }

  @Test func `the tables of Models are whole`() throws {
    for name in ["triage/concepts.tsv", "complexity/points.tsv", "complexity/cues.tsv", "specialties/cues.tsv"] {
      let table = try modelTable(name, uniqueKey: "id")
      #expect(!(table.metadata["source"] ?? "").isEmpty && !(table.metadata["licence"] ?? "").isEmpty, "\(name)")
    }
  }
}
