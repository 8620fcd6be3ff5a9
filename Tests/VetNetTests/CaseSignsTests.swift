import PracticeTestSupport
import Testing
import TextAnalysis
import Vectorization
import VetNetTestSupport

@testable import VetNet

struct CaseSignsTests {
  private let analyzer: Analyzer
  private let signs: CaseSigns

  init() throws {
    let models = try shippedModels()
    analyzer = try models.analyzer()
    signs = try models.caseSigns()
  }

  /// The weight of a word in a description; nil when it is not among the terms.
  private func weight(_ word: String, in text: String) throws -> Double? {
    let stem = try #require(analyzer.terms(in: word).first)
    return signs.terms(of: text, analyzer: analyzer).first { $0.text == stem }?.weight
  }

  @Test(arguments: [
    ("Lame since Sunday, no swelling, not vomiting", "lame", "swelling"),
    ("Off food and drinking a lot. Denies diarrhoea.", "drinking", "diarrhoea"),
    ("Coughing at night; her sister has ringworm", "coughing", "ringworm"),
  ])
  func `what a description denies or says of another counts less`(text: String, stated: String, denied: String) throws {
    let stated = try #require(try weight(stated, in: text))
    let denied = try #require(try weight(denied, in: text))
    #expect(stated == 1)
    #expect(denied < 0.5 && denied > 0)
  }

  @Test(arguments: [
    ("temp 104.2 F at home", "40.1"), ("weighs 11 lb", "5"), ("a cat of 22 lb", "10"),
  ])
  func `a measurement is looked for in the record's unit too`(text: String, number: String) throws {
    let added = signs.terms(of: text, analyzer: analyzer).filter { $0.expandedFrom != nil }
    #expect(added.map(\.text) == [number])
    #expect(added.allSatisfy { $0.weight < 1 })
  }

  @Test(arguments: [19, 45, 400])
  func `a number of any length is read without harm`(digits: Int) {
    let number = String(repeating: "3", count: digits)
    for unit in ["g", "lb", "F"] {
      #expect(!signs.terms(of: "please help, she ate \(number)\(unit)", analyzer: analyzer).isEmpty)
    }
  }

  @Test func `measurements in the record's unit, and texts without signs, gain nothing`() {
    for text in ["T 40.1 C, 12.4 kg", "stiff after rest", ""] {
      #expect(signs.terms(of: text, analyzer: analyzer).map(\.text) == analyzer.terms(in: text))
    }
  }
}
