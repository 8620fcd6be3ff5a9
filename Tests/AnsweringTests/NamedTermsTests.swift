import Chart
import Clinical
import Extraction
import RecordTestSupport
import Testing

@testable import Answering

/// The postings by which a question's phrases find their sentences, beside looking at each sentence for each phrase.
@Suite struct NamedTermsTests {
  private static let words = ["cough", "spleen", "mass", "urine", "cultur", "limp"]

  private func units(_ random: inout SplitMix64) -> [EvidenceUnit] {
    (0..<30).map { place in
      let terms = Set(
        (0..<Int.random(in: 0...3, using: &random)).compactMap { _ in Self.words.randomElement(using: &random) })
      let named = (0..<Int.random(in: 0...2, using: &random)).compactMap { _ in Self.words.randomElement(using: &random)
      }
      return EvidenceUnit(
        note: note("N\(place)", "2026-01-01", "text"), range: 0..<4, section: "body", tokens: [], terms: terms,
        facts: [], factTerms: Dictionary(named.map { ($0, 0..<1) }, uniquingKeysWith: { first, _ in first }), place: 0,
        position: place)
    }
  }

  @Test func `a phrase is named where each of its terms stands, in words or in a fact`() {
    var random = SplitMix64(seed: 5)
    var found = 0
    for _ in 0..<20 {
      let units = units(&random)
      let named = NamedTerms(units)
      for _ in 0..<20 {
        let terms = (0..<Int.random(in: 0...3, using: &random)).compactMap { _ in
          (Self.words + ["nowhere"]).randomElement(using: &random)
        }
        let phrase = Question.Group.Alternative(terms: terms, weight: 1, reason: nil)
        let slow = units.indices.filter { EvidenceFinder.names(phrase, in: units[$0]) }
        found += slow.count
        #expect(named.units(naming: phrase) == slow)
      }
    }
    #expect(found > 100)
  }

  @Test(arguments: [
    "what did the spleen mass turn out to be?", "is she still coughing?", "any reaction to meloxicam?",
    "when was the urine cultured?",
  ])
  func `what sentences name of a question is what each alone would be said to name`(question: String) throws {
    let texts = [
      "Coughing at night. Spleen: mass of 3 cm. Urine collected, cultured.",
      "Meloxicam stopped: vomiting. Mass was benign.",
      "No cough. Splenic haemangioma on histology.", "Weight 12 kg. Bright.",
    ]
    let extractor = try Fixtures.extractors.get().facts
    let notes = texts.enumerated().map { note("N\($0)", "2026-03-0\($0 + 1)", $1) }
    let facts = Dictionary(
      uniqueKeysWithValues: notes.map { ($0.id, extractor.facts(in: $0.text, kind: $0.kind)) })
    let units = try UnitBuilder(
      sections: Fixtures.sections.get(), sentences: Fixtures.sentences.get(), analyzer: AnswerFixtures.analyzer.get(),
      signs: AnswerFixtures.signs.get()
    ).units(of: PatientRecord(patient: Patient(id: "P", name: "Fern", species: .dog), notes: notes, facts: facts))
    let named = NamedTerms(units)
    var count = 0
    for (place, group) in try AnswerFixtures.parse(question).groups.enumerated() {
      let fast = EvidenceFinder.parts(place, group, units: units, named)
      let slow = units.map { EvidenceFinder.part(place, group, in: $0) }
      #expect(fast.map(\.?.range) == slow.map(\.?.range))
      #expect(fast.map(\.?.closeness) == slow.map(\.?.closeness))
      count += slow.count { $0 != nil }
    }
    #expect(count > 0)
  }
}
