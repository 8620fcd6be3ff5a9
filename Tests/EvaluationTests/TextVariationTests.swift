import Clinical
import Testing
import TextAnalysis
import VetNetTestSupport

@testable import Evaluation

struct TextVariationTests {
  static let text = """
    Wt 36.8kg, was 37.4 on 12/03/2021. Given 0.5ml at 10:15, T4 normal. Owner reports vomiting since yesterday.
    HR 120. Abdomen soft, gums pink. Chip 826099000014471. Recheck in 14 days.
    """

  private func variation(rates: TextVariation.Rates = .init()) throws -> TextVariation {
    TextVariation(
      texts: [Self.text],
      sentences: try SentenceSplitter(abbreviations: modelTable("lexicon/sentence-abbreviations.tsv")),
      rates: rates)
  }

  private func rates(sentences: Double = 0, numbers: Double = 0, words: Double = 0) -> TextVariation.Rates {
    var rates = TextVariation.Rates()
    (rates.swappedSentences, rates.changedNumbers, rates.replacedWords) = (sentences, numbers, words)
    return rates
  }

  @Test func `the same numbers of chance give the same text, others another`() throws {
    let variation = try variation()
    var (first, again, other) = (SplitMix64(seed: 3), SplitMix64(seed: 3), SplitMix64(seed: 4))
    let text = variation.vary(Self.text, using: &first)
    #expect(text == variation.vary(Self.text, using: &again))
    #expect(text != variation.vary(Self.text, using: &other))
    #expect(text != Self.text)
  }

  @Test func `nothing to change changes nothing`() throws {
    var generator = SplitMix64(seed: 1)
    #expect(try variation(rates: rates()).vary(Self.text, using: &generator) == Self.text)
    #expect(try variation().vary("", using: &generator) == "")
  }

  @Test func `numbers move by a tenth at most and keep their decimals; dates, times and codes stay`() throws {
    var generator = SplitMix64(seed: 1)
    for _ in 0..<50 {
      let varied = try variation(rates: rates(numbers: 1)).vary(Self.text, using: &generator)
      for fixed in ["12/03/2021", "10:15", "T4", "826099000014471"] { #expect(varied.contains(fixed)) }
      let weight = try #require(varied.split(separator: " ").dropFirst().first?.split(separator: "k").first)
      let value = try #require(Double(weight))
      #expect(abs(value - 36.8) <= 3.7 && weight.split(separator: ".").last?.count == 1)
    }
  }

  @Test func `swapped sentences are the same sentences`() throws {
    var generator = SplitMix64(seed: 1)
    let varied = try variation(rates: rates(sentences: 1)).vary(Self.text, using: &generator)
    #expect(varied != Self.text)
    #expect(varied.utf8.sorted() == Self.text.utf8.sorted())
    #expect(varied.hasPrefix("Given 0.5ml"))
  }

  @Test func `replaced words come from the texts or are made of two of them`() throws {
    var generator = SplitMix64(seed: 1)
    let known = Set(words(Self.text))
    let variation = try variation(rates: rates(words: 1))
    var coined: Set<String> = []
    for _ in 0..<40 {
      let varied = variation.vary(Self.text, using: &generator)
      // Capitals, units and numbers are nobody's to replace.
      #expect(varied.hasPrefix("Wt 36.8kg, was 37.4 on 12/03/2021. Given 0.5ml at 10:15, T4 "))
      coined.formUnion(words(varied).filter { !known.contains($0) })
    }
    #expect(!coined.isEmpty)
    for word in coined {
      #expect(known.contains { word.hasPrefix($0.prefix(($0.count + 1) / 2)) })
      #expect(known.contains { word.hasSuffix($0.suffix(($0.count + 1) / 2)) })
    }
  }

  private func words(_ text: String) -> [String] {
    let bytes = Array(text.utf8)
    return TextVariation.runs(in: bytes).filter { $0.kind == .word }.map {
      String(decoding: bytes[$0.range], as: UTF8.self)
    }
  }

  @Test(arguments: [text, "", "é12.5", "1.", "..5", "0.5 05 5/6", "Ünïcode wörd 12"])
  func `runs follow each other without gaps`(text: String) {
    let bytes = Array(text.utf8)
    var end = 0
    for run in TextVariation.runs(in: bytes) {
      #expect(run.range.lowerBound == end && !run.range.isEmpty)
      end = run.range.upperBound
    }
    #expect(end == bytes.count)
  }
}
