import Answering
import Clinical
import Glibc

/// Learns a ``TranslationModel`` from questions and the sentences that answer them.
///
/// Every word of a question is taken to come from one term of its answer, or from none; how likely each term gives each word is
/// found by expectation maximisation. Counts are discounted, because a word and a term that met once say little.
struct TranslationFitter {
  struct Pair: Sendable {
    let words: [String]
    /// Of the sentences that answer.
    let terms: [String]
    /// The practice whose record it is from; empty where it is from none.
    var practice = ""
  }

  private static let rounds = 3
  /// What is taken from each expected count, and added to each total.
  private static let discount = 0.05
  private static let caution = 2.0
  /// How much of a word is taken to come from nowhere, as a share of a term's say.
  private static let nowhere = 0.3

  private static let mostTerms = 60

  /// Leaves out what only one practice says: names of its clients, animals and staff, above all.
  private static func withoutNames(_ pairs: [Pair]) -> [Pair] {
    var practices: [String: Set<String>] = [:]
    for pair in pairs {
      for term in Set(pair.words + pair.terms) { practices[term, default: []].insert(pair.practice) }
    }
    func isCommon(_ term: String) -> Bool {
      guard let found = practices[term] else { return false }
      return found.contains("") || found.count > 1
    }
    return pairs.map { pair in
      Pair(words: pair.words.filter(isCommon), terms: pair.terms.filter(isCommon), practice: pair.practice)
    }
  }

  /// In what share of the questions with a word the answer has the word itself, held near the share of rare words.
  private static func shareMet(_ pairs: [Pair]) -> [String: Double] {
    var counts: [String: (asked: Double, met: Double)] = [:]
    for pair in pairs {
      let terms = Set(pair.terms)
      for word in pair.words {
        var count = counts[word] ?? (0, 0)
        count.asked += 1
        if terms.contains(word) { count.met += 1 }
        counts[word] = count
      }
    }
    let rare = counts.values.filter { $0.asked <= rareCount }
    let asked = rare.reduce(0) { $0 + $1.asked }
    let share = asked > 0 ? rare.reduce(0) { $0 + $1.met } / asked : 0
    var shares = counts.mapValues { ($0.met + caution * share) / ($0.asked + caution) }
    shares[TranslationModel.rare] = share
    return shares
  }

  private static let rareCount = 2.0

  /// - Complexity: O(pairs of a word and a term) a round.
  static func model(fitting pairs: [Pair]) -> TranslationModel {
    let pairs = withoutNames(pairs)
    var total = 0.0
    var background: [String: Double] = [:]
    for pair in pairs {
      for word in pair.words { background[word, default: 0] += 1 }
      total += Double(pair.words.count)
    }
    guard total > 0 else { return TranslationModel() }
    let shares = background.mapValues { $0 / total }
    let meetings = Meetings(pairs, background: shares)
    let likelihoods = likelihoods(of: meetings)
    let met = shareMet(pairs)
    var words: [String: TranslationModel.Word] = [
      TranslationModel.rare: TranslationModel.Word(rarity: log(total), met: met[TranslationModel.rare] ?? 0, terms: [])
    ]
    for (word, share) in shares {
      let likely = (meetings.places[word] ?? [:]).compactMap { term, place -> (term: String, lift: Double)? in
        let lift = log(likelihoods[place] / share)
        return lift >= TranslationModel.leastLift ? (term, lift) : nil
      }
      words[word] = TranslationModel.Word(
        rarity: -log(share), met: met[word] ?? 0,
        terms: Array(likely.sorted { ($1.lift, $0.term) < ($0.lift, $1.term) }.prefix(mostTerms)))
    }
    return TranslationModel(words: words)
  }

  /// Every meeting of a word and a term, each a parameter; flat, so that a round is a pass over arrays.
  private struct Meetings {
    /// The parameter of a word and a term.
    private(set) var places: [String: [String: Int]] = [:]
    /// By parameter: its term.
    private(set) var termOf: [Int] = []
    private(set) var terms: [String: Int] = [:]
    /// By word asked: its share of all words, and the parameters of the terms answered.
    private(set) var all: [(background: Double, parameters: [Int])] = []

    init(_ pairs: [Pair], background: [String: Double]) {
      for pair in pairs {
        for word in pair.words {
          all.append((background[word] ?? 0, pair.terms.map { parameter(word, $0) }))
        }
      }
    }

    private mutating func parameter(_ word: String, _ term: String) -> Int {
      let termPlace = terms[term] ?? terms.count
      terms[term] = termPlace
      if let place = places[word]?[term] { return place }
      places[word, default: [:]][term] = termOf.count
      termOf.append(termPlace)
      return termOf.count - 1
    }
  }

  /// By parameter: how likely a term of the answer brings the word into the question, by expectation maximisation.
  private static func likelihoods(of meetings: Meetings) -> [Double] {
    var likelihoods = [Double](repeating: 1, count: meetings.termOf.count)
    for round in 0..<rounds {
      var counts = [Double](repeating: 0, count: meetings.termOf.count)
      var totals = [Double](repeating: 0, count: meetings.terms.count)
      for meeting in meetings.all {
        let none = round == 0 ? 1 : meeting.background * Double(meeting.parameters.count + 1) * nowhere
        let sum = meeting.parameters.reduce(none) { $0 + likelihoods[$1] }
        for place in meeting.parameters {
          let share = likelihoods[place] / sum
          counts[place] += share
          totals[meetings.termOf[place]] += share
        }
      }
      for place in counts.indices {
        likelihoods[place] = max(0, counts[place] - discount) / (totals[meetings.termOf[place]] + caution)
      }
    }
    return likelihoods
  }
}
