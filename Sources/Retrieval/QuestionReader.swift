import TextAnalysis
import Vectorization

/// Fits a question to the collection it is asked of: additions that would drown the question are held back, and a word that
/// stands nowhere is read as the one it was probably meant to be.
///
/// - A phrase with twenty synonyms isn't worth twenty words: what is added for the same words of the question counts at most
///   ``limit`` together, and more in a question of few words, which has less to lose: ``budget`` shared out over its words.
/// - A rare synonym of a common word says no more than the word does: an addition counts as if it were no rarer than the
///   words it was added for. In text of another field, where `wind` is everywhere and `flatulence` once, the thesaurus then
///   does no harm.
///
/// - Source: the second rule follows the synonym operator of INQUERY (J. Broglio et al., TREC-3, 1994), which gives a
///   group of synonyms one rarity. Own measurement, nDCG@10 of the whole search without additions, with them as they
///   stand in the table, and so limited: Cranfield .394, .388, .394; CISI .433, .428, .442; similar cases of the
///   sample practice in two parts .426 and .491, .463 and .451, .530 and .585; limits from 1 to 4 lie within .03. With the
///   budget, questions about one patient, of four words on average, .904 and .905, .871 and .891 in two parts; longer
///   ones, of eight words and more, stay within .005.
public struct QuestionReader: Hashable, Sendable {
  /// What additions for the same words come to at most; the words themselves are worth 1 each.
  public var limit = 2.0
  /// What additions for all words come to before ``limit`` holds for each.
  public var budget = 24.0
  /// What additions for the same words come to at most, however few words the question has.
  public var highestLimit = 8.0
  /// Whether an addition counts as no rarer than the words it was added for.
  public var limitsRarity = true
  /// What a correction counts; 0 corrects nothing.
  public var correctionWeight = 0.8

  public init() {}

  /// The question's terms as the collection can answer them, in their order, additions and corrections after them.
  ///
  /// An addition that stands nowhere is dropped; a word of the question that stands nowhere stays unless a correction takes
  /// its place, as it says how little of the question is known.
  ///
  /// - Throws: what the source throws.
  func terms(
    _ asked: [QueryTerm], in source: some ChunkSource, statistics: CollectionStatistics
  ) throws -> [QueryTerm] {
    let frequencies = try source.documentFrequencies(
      of: Set(asked.map(\.text)).union(asked.flatMap(\.standsFor)).sorted())
    func isKnown(_ term: String) -> Bool { frequencies[term] ?? 0 > 0 }

    var terms: [QueryTerm] = []
    for term in asked where term.standsFor.isEmpty {
      if isKnown(term.text) || correctionWeight <= 0 {
        terms.append(term)
      } else if let meant = try nearest(to: term.text, in: source) {
        terms.append(
          QueryTerm(meant, weight: term.weight * correctionWeight, expandedFrom: "\(term.text) (misspelt)"))
      } else {
        terms.append(term)
      }
    }
    let limit = max(limit, min(highestLimit, budget / Double(max(1, terms.count))))
    for group in Self.groups(asked) {
      let isKnownAsAsked = group[0].standsFor.allSatisfy(isKnown)
      let rarity = group[0].standsFor.map { Self.rarity($0, frequencies, statistics) }.max() ?? 0
      var additions: [QueryTerm] = []
      for var term in group where isKnown(term.text) && !(term.isCorrection && isKnownAsAsked) {
        // Words that stand nowhere have the greatest rarity, so that they limit nothing.
        if limitsRarity { term.weight *= min(1, rarity / Self.rarity(term.text, frequencies, statistics)) }
        if let place = additions.firstIndex(where: { $0.text == term.text }) {
          if additions[place].weight < term.weight { additions[place] = term }
        } else {
          additions.append(term)
        }
      }
      let total = additions.reduce(0) { $0 + $1.weight }
      let scale = total > limit ? limit / total : 1
      for var term in additions {
        term.weight *= scale
        terms.append(term)
      }
    }
    return terms
  }

  /// The additions by the words they were made for, in the order of the question.
  private static func groups(_ terms: [QueryTerm]) -> [[QueryTerm]] {
    var places: [[String]: Int] = [:]
    var groups: [[QueryTerm]] = []
    for term in terms where !term.standsFor.isEmpty {
      if let place = places[term.standsFor] {
        groups[place].append(term)
      } else {
        places[term.standsFor] = groups.count
        groups.append([term])
      }
    }
    return groups
  }

  private static func rarity(
    _ term: String, _ frequencies: [String: Int], _ statistics: CollectionStatistics
  ) -> Double {
    TermWeighting.inverseDocumentFrequency(
      documentFrequency: frequencies[term] ?? 0, documentCount: statistics.chunkCount)
  }

  /// The term of the collection that is one slip away, two in long words; of several the nearest, then the most frequent.
  /// The first two letters are trusted.
  private func nearest(to term: String, in source: some ChunkSource) throws -> String? {
    guard EditDistance.isCorrectable(term) else { return nil }
    let limit = EditDistance.limit(for: term)
    var best: (distance: Int, frequency: Int, text: String)?
    let candidates = try source.terms(beginningWith: String(term.prefix(2)))
    for (text, frequency) in candidates.sorted(by: { $0.key < $1.key }) {
      guard let distance = EditDistance.between(term, text, limit: limit) else { continue }
      if let best, (best.distance, -best.frequency) <= (distance, -frequency) { continue }
      best = (distance, frequency, text)
    }
    return best?.text
  }
}
