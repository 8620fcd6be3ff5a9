package import VetNet

/// Learns from notes with their names marked by which signs a word that the rules leave is a name after all.
public struct NameFitter: Sendable {
  /// A word of a note whose names are marked.
  package struct Example: Sendable {
    /// Whose notes it is from.
    let practice: String
    let evidence: NameEvidence
    let isName: Bool

    package init(practice: String, evidence: NameEvidence, isName: Bool) {
      self.practice = practice
      self.evidence = evidence
      self.isName = isName
    }
  }

  /// What the weights learned from all other practices find in the notes of one.
  public struct Figures: Codable, Sendable, Equatable {
    /// Words of names that the rules leave, and how many of them are found.
    public let left: Int
    public let found: Int
    /// Other words, and how many of them are taken out beside those that the rules take.
    public let others: Int
    public let lost: Int
  }

  /// The strength of the prior that a sign tells nothing.
  private static let penalty = 1.0
  /// A sign that stands at fewer words has no weight.
  private static let leastWords = 3
  /// The share of words that are no names which may be taken out beside those that the rules take: a name that stays is a harm, a word that
  /// goes is a small loss.
  private static let mostLost = 0.005

  private let examples: [Example]
  private let practices: [String]

  package init(_ examples: [Example]) {
    self.examples = examples
    practices = Set(examples.map(\.practice)).sorted()
  }

  /// The weights of all examples; from which log-odds on a word is taken out is found by leaving out each practice in turn.
  package func weights() -> NameWeights {
    let all = Self.fit(examples)
    return NameWeights(intercept: all.intercept, least: Self.least(leftOut()), weights: all.weights)
  }

  /// The text of `names/evidence-weights.tsv`.
  ///
  /// - Parameter files: the names of the files that the notes are from.
  /// - Returns: a header that names them, and a row for each sign.
  public func table(from files: [String]) -> String {
    weights().text(
      source:
        "Learned by 'vetnet evaluate fit-names' from Evaluations/names (\(files.joined(separator: ", "))); not written by hand"
    )
  }

  /// Leaves out each practice in turn; the least log-odds are those of all.
  public func crossValidation() -> [(practice: String, figures: Figures)] {
    let judged = leftOut()
    let least = Self.least(judged)
    return practices.map { practice in
      let own = judged.filter { $0.example.practice == practice }
      let names = own.filter { $0.example.isName && !$0.example.evidence.isTaken }
      let others = own.filter { !$0.example.isName }
      return (
        practice,
        Figures(
          left: names.count, found: names.count { $0.logOdds >= least }, others: others.count,
          lost: others.count { !$0.example.evidence.isTaken && $0.logOdds >= least })
      )
    }
  }

  /// Each example by what the other practices teach.
  private func leftOut() -> [(example: Example, logOdds: Double)] {
    practices.flatMap { practice in
      let weights = Self.fit(examples.filter { $0.practice != practice })
      return examples.filter { $0.practice == practice }.map { ($0, weights.logOdds($0.evidence.signs)) }
    }
  }

  private static func least(_ judged: [(example: Example, logOdds: Double)]) -> Double {
    let others = judged.filter { !$0.example.isName }
    let left = others.filter { !$0.example.evidence.isTaken }.map(\.logOdds).sorted(by: >)
    let most = Int(mostLost * Double(others.count))
    return most < left.count ? left[most].nextUp : 0
  }

  private static func fit(_ examples: [Example]) -> NameWeights {
    var counts: [String: Int] = [:]
    for example in examples { for sign in example.evidence.signs { counts[sign, default: 0] += 1 } }
    let signs = counts.filter { $0.value >= leastWords }.keys.sorted()
    let places = Dictionary(uniqueKeysWithValues: signs.enumerated().map { ($1, $0) })
    var columns = LogisticFitter.Columns(count: signs.count)
    for (row, example) in examples.enumerated() {
      for sign in example.evidence.signs {
        guard let place = places[sign] else { continue }
        columns.rows[place].append(Int32(row))
        columns.values[place].append(1)
      }
    }
    let fit = LogisticFitter(penalty: penalty, tolerance: 0.01).fit(
      columns, labels: examples.map(\.isName), rowWeights: Array(repeating: 1, count: examples.count),
      isBounded: Array(repeating: false, count: signs.count))
    return NameWeights(
      intercept: fit.intercept, least: 0, weights: Dictionary(uniqueKeysWithValues: zip(signs, fit.weights)))
  }
}
