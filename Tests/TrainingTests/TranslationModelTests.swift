import Chart
import Clinical
import Foundation
import RecordTestSupport
import Testing
import VetNetTestSupport

@testable import Answering
@testable import Training

/// Which terms of answers go with which words of questions.
@Suite struct TranslationModelTests {
  private static let kinds = [
    TranslationFitter.Pair(words: ["fed", "what"], terms: ["diet", "renal", "wet"]),
    TranslationFitter.Pair(words: ["fed", "now"], terms: ["diet", "kibbl"]),
    TranslationFitter.Pair(words: ["insur", "what"], terms: ["policy", "lifetim"]),
    TranslationFitter.Pair(words: ["insur"], terms: ["policy", "lapsed"]),
    TranslationFitter.Pair(words: ["weigh", "what"], terms: ["kg", "bcs"]),
  ]
  /// Each kind several times among questions for other things, as in a collection.
  private static let pairs =
    (0..<8).flatMap { _ in kinds }
    + (0..<60).map { TranslationFitter.Pair(words: ["thing\($0)"], terms: ["other\($0)"]) }

  private static func lift(_ word: String, _ term: String, _ model: TranslationModel) -> Double {
    model.meanings(of: word)?.terms.first { $0.term == term }?.closeness ?? 0
  }

  @Test func `a word goes with the term that stands in its answers, more than with what stands beside it once`() {
    let model = TranslationFitter.model(fitting: Self.pairs)
    #expect(Self.lift("fed", "diet", model) > Self.lift("fed", "renal", model))
    #expect(Self.lift("insur", "policy", model) > 0)
    #expect(Self.lift("fed", "policy", model) == 0)
    #expect(model.meanings(of: "unheard") == nil)
  }

  /// The same by the book: dictionaries of dictionaries, one round after the other.
  private static func slow(_ pairs: [TranslationFitter.Pair]) -> [String: [String: Double]] {
    var share: [String: Double] = [:]
    let total = Double(pairs.reduce(0) { $0 + $1.words.count })
    for pair in pairs { for word in pair.words { share[word, default: 0] += 1 / total } }
    var likelihood: [String: [String: Double]] = [:]
    for pair in pairs { for term in pair.terms { for word in pair.words { likelihood[term, default: [:]][word] = 1 } } }
    for round in 0..<3 {
      var counts: [String: [String: Double]] = [:]
      for pair in pairs {
        for word in pair.words {
          let none = round == 0 ? 1 : share[word, default: 1] * Double(pair.terms.count + 1) * 0.3
          let sum = pair.terms.reduce(none) { $0 + likelihood[$1, default: [:]][word, default: 0] }
          for term in pair.terms {
            counts[term, default: [:]][word, default: 0] += likelihood[term, default: [:]][word, default: 0] / sum
          }
        }
      }
      for (term, words) in counts {
        let all = words.values.reduce(0, +) + 2
        for (word, count) in words { likelihood[term, default: [:]][word] = max(0, count - 0.05) / all }
      }
    }
    var lifts: [String: [String: Double]] = [:]
    for (term, words) in likelihood {
      for (word, value) in words {
        let lift = log(value / share[word, default: 1])
        if lift >= 1 { lifts[word, default: [:]][term] = min(1, lift / 4) }
      }
    }
    return lifts
  }

  @Test func `the fast estimate equals the one by the book`() {
    var random = SplitMix64(seed: 7)
    let words = (0..<12).map { "word\($0)" }
    let terms = (0..<20).map { "term\($0)" }
    for _ in 0..<20 {
      let pairs = (0..<40).map { _ in
        TranslationFitter.Pair(
          words: Set((0..<3).compactMap { _ in words.randomElement(using: &random) }).sorted(),
          terms: Set((0..<5).compactMap { _ in terms.randomElement(using: &random) }).sorted())
      }
      let model = TranslationFitter.model(fitting: pairs)
      let expected = Self.slow(pairs)
      for word in words {
        let found = Dictionary(
          uniqueKeysWithValues: (model.meanings(of: word)?.terms ?? []).map { ($0.term, $0.closeness) })
        #expect(Set(found.keys) == Set((expected[word] ?? [:]).keys))
        // Lifts are written to one decimal of a full lift of four.
        for (term, closeness) in found { #expect(abs(closeness - (expected[word]?[term] ?? -1)) <= 0.0126) }
      }
    }
  }

  @Test func `to lack a word counts for more the more its answers have it too`() {
    let pairs = (0..<6).map { _ in
      TranslationFitter.Pair(words: ["problem", "rabi"], terms: ["rabi", "vaccin", "given"])
    }
    let model = TranslationFitter.model(fitting: pairs)
    #expect(model.weight(of: "rabi") > model.weight(of: "problem"))
    // What was never asked counts as what was asked once.
    let rare = TranslationFitter.Pair(words: ["tularaemia"], terms: ["tularaemia"])
    let known = TranslationFitter.model(fitting: pairs + [rare])
    #expect(known.weight(of: "unheard") == known.weight(of: TranslationModel.rare))
    #expect(known.weight(of: "unheard") > 0)
  }

  @Test func `a model survives its table`() throws {
    let model = TranslationFitter.model(fitting: Self.pairs)
    let text = model.text(head: [("title", "t"), ("source", "s"), ("licence", "l")])
    let again = try TranslationModel(table: DataTable(name: "t", text: text))
    #expect(again.text(head: [("title", "t"), ("source", "s"), ("licence", "l")]) == text)
    #expect(again.meanings(of: "fed")?.terms.map(\.term) == model.meanings(of: "fed")?.terms.map(\.term))
  }

  @Test func `a word that stands twice and a rarity that is no number are refused`() {
    let head = "# title: t\n# source: s\n# licence: l\nword\trarity\tmet\tterms\n"
    #expect(throws: DataTableError.self) {
      let row = "fed\t2.0\t0.3\tdiet 3.0\n"
      _ = try TranslationModel(table: DataTable(name: "t", text: head + row + row))
    }
    #expect(throws: DataTableError.self) {
      try TranslationModel(table: DataTable(name: "t", text: head + "fed\tmany\t0.3\tdiet 3.0\n"))
    }
  }

  @Test func `every cell of the shipped table can be read`() throws {
    let table = try modelTable("briefing/answer-translations.tsv")
    let model = try TranslationModel(table: table)
    #expect(!table.rows.isEmpty)
    for row in table.rows where !row["terms"].isEmpty {
      let meanings = try #require(model.meanings(of: row["word"]), "\(row["word"])")
      #expect(!meanings.terms.isEmpty && meanings.terms.allSatisfy { (0...1).contains($0.closeness) })
    }
  }

  @Test func `a sentence that shares no word with the question is found by what such words are answered with`() throws {
    let model = TranslationFitter.model(fitting: Self.pairs)
    let notes = [
      note("N1", "2025-01-02", "Bright. Ears clean. Temperature normal."),
      note("N2", "2025-02-02", "Renal diet only. Coat good."),
    ]
    let signs = try SignReader(
      table: modelTable("briefing/answer-cues.tsv", uniqueKey: "id"),
      values: modelTable("briefing/answer-values.tsv", uniqueKey: "id"),
      classes: modelTable("extraction/word-classes.tsv"),
      closed: QuestionClasses(table: modelTable("answering/word-classes.tsv")))
    let units = try UnitBuilder(
      sections: Fixtures.sections.get(), sentences: Fixtures.sentences.get(), analyzer: Fixtures.analyzer.get(),
      signs: signs
    ).units(of: PatientRecord(patient: Patient(id: "P1", name: "Fern", species: .dog), notes: notes, facts: [:]))
    let translation = QuestionTranslation(of: ["fed"], by: model, in: units)
    let best = try #require(units.indices.max { translation.own[$0] < translation.own[$1] })
    #expect(units[best].text.contains("Renal diet"))
    #expect(translation.note[best] == translation.own[best])
    let neighbour = try #require(units.firstIndex { $0.text.contains("Coat") })
    #expect(translation.own[neighbour] == 0 && translation.beside[neighbour] == translation.own[best])
  }
}
