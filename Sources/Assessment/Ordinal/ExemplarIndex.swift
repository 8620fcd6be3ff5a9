public import Clinical
import Foundation
import TextAnalysis

/// An exemplar that resembles a case.
public struct ExemplarHit: Hashable, Sendable {
  public let id: String
  public let text: String
  public let urgency: Urgency
  /// Cosine of the two texts' TF-IDF vectors, 0...1.
  public let similarity: Double
}

/// Finds the exemplars nearest to a text: cosine of TF-IDF vectors over word stems, neighbouring pairs and letter groups, so
/// that misspelt words still meet.
public struct ExemplarIndex: Sendable {
  private struct Posting: Sendable {
    let exemplar: Int32
    let weight: Float
  }

  public let exemplars: [Exemplar]
  private var postings: [String: [Posting]] = [:]
  private var inverseFrequency: [String: Double] = [:]
  private let stemmer = Stemmer()

  private static let groupLength = 4
  private static let groupShare = 0.35

  /// - Complexity: O(letters of all exemplars).
  public init(_ exemplars: [Exemplar]) {
    self.exemplars = exemplars
    let counts = exemplars.map { Self.terms($0.intake.text, stemmer) }
    var frequency: [String: Int] = [:]
    for terms in counts { for term in terms.keys { frequency[term, default: 0] += 1 } }
    inverseFrequency = frequency.mapValues { log(Double(exemplars.count + 1) / Double($0)) }
    for (index, terms) in counts.enumerated() {
      for (term, weight) in unit(terms) {
        postings[term, default: []].append(Posting(exemplar: Int32(index), weight: Float(weight)))
      }
    }
  }

  /// The most similar exemplars, best first, equal ones in their order.
  ///
  /// - Parameters:
  ///   - text: the intake's words.
  ///   - limit: how many at most.
  ///   - isAllowed: leaves exemplars out, such as a case's own situation while fitting.
  /// - Returns: indices into ``exemplars`` with their similarity.
  /// - Complexity: O(postings of the text's terms).
  func nearest(_ text: String, limit: Int, where isAllowed: (Int) -> Bool = { _ in true }) -> [(
    index: Int, similarity: Double
  )] {
    var sums = [Double](repeating: 0, count: exemplars.count)
    // In the order of the terms, so that sums round the same way each time.
    for (term, weight) in unit(Self.terms(text, stemmer)).sorted(by: { $0.key < $1.key }) {
      for posting in postings[term] ?? [] { sums[Int(posting.exemplar)] += weight * Double(posting.weight) }
    }
    return sums.indices.filter { sums[$0] > 0 && isAllowed($0) }
      .sorted { (sums[$0], $1) > (sums[$1], $0) }.prefix(limit).map { (index: $0, similarity: min(1, sums[$0])) }
  }

  func hit(_ found: (index: Int, similarity: Double)) -> ExemplarHit {
    let exemplar = exemplars[found.index]
    return ExemplarHit(
      id: exemplar.intake.id, text: exemplar.intake.text, urgency: exemplar.urgency, similarity: found.similarity)
  }

  /// For each level above blue, the share of the neighbours' similarity that is at or above it; one half where there are none.
  static func votes(_ neighbours: [(urgency: Urgency, similarity: Double)]) -> [Double] {
    let total = neighbours.reduce(0) { $0 + $1.similarity }
    return (1...4).map { rank in
      guard total > 0 else { return 0.5 }
      return neighbours.reduce(0) { $0 + ($1.urgency.rank >= rank ? $1.similarity : 0) } / total
    }
  }

  private func unit(_ terms: [String: Double]) -> [String: Double] {
    var weighted: [String: Double] = [:]
    var sum = 0.0
    for (term, value) in terms.sorted(by: { $0.key < $1.key }) {
      guard let frequency = inverseFrequency[term] else { continue }
      let weight = value * frequency
      weighted[term] = weight
      sum += weight * weight
    }
    guard sum > 0 else { return [:] }
    let norm = sum.squareRoot()
    return weighted.mapValues { $0 / norm }
  }

  private static func terms(_ text: String, _ stemmer: Stemmer) -> [String: Double] {
    var terms: [String: Double] = [:]
    var previous: (stem: String, phrase: Int)?
    for word in IntakeScanner.words(in: text) {
      let stem = word.number == nil ? stemmer.stem(word.text) : "#"
      terms[stem] = 1
      if let previous, previous.phrase == word.phrase { terms[previous.stem + " " + stem] = 0.7 }
      previous = (stem, word.phrase)
      let bytes = Array("^\(stem)$".utf8)
      guard bytes.count > groupLength else { continue }
      for start in 0...(bytes.count - groupLength) {
        terms["~" + String(decoding: bytes[start..<(start + groupLength)], as: UTF8.self)] = groupShare
      }
    }
    return terms
  }
}
