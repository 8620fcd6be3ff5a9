import Clinical
import Extraction

/// What each sentence of a record says of the words of one question, by a translation model.
struct QuestionTranslation: Sendable {
  /// Per sentence: the mean over the words that the model knows, weighted by their rarity, 0...1; by it and its neighbours; by its note.
  private(set) var own: [Double] = []
  private(set) var beside: [Double] = []
  private(set) var note: [Double] = []
  /// By word that the model knows: how closely any sentence means it.
  private(set) var closest: [String: Double] = [:]

  /// - Complexity: O(terms of the units).
  init(of words: [String], by model: TranslationModel, in units: [EvidenceUnit]) {
    var byTerm: [String: [(word: Int, closeness: Double)]] = [:]
    var known: [String] = []
    var rarities: [Double] = []
    for word in Set(words).sorted() {
      guard let meanings = model.meanings(of: word) else { continue }
      for item in meanings.terms { byTerm[item.term, default: []].append((known.count, item.closeness)) }
      known.append(word)
      rarities.append(meanings.rarity)
    }
    guard !known.isEmpty else { return }
    let each = units.map { unit -> [Double] in
      var best = [Double](repeating: 0, count: known.count)
      for term in unit.translatedTerms {
        for item in byTerm[term] ?? [] where item.closeness > best[item.word] { best[item.word] = item.closeness }
      }
      return best
    }
    let total = rarities.reduce(0, +)
    func mean(_ values: [Double]) -> Double { zip(values, rarities).reduce(0) { $0 + $1.0 * $1.1 } / total }
    func most(_ first: [Double], _ second: [Double]) -> [Double] { zip(first, second).map { max($0, $1) } }
    var ofNote: [String: [Double]] = [:]
    for (unit, values) in zip(units, each) {
      ofNote[unit.note.id] = ofNote[unit.note.id].map { most($0, values) } ?? values
    }
    own = each.map(mean)
    beside = units.indices.map { index in
      let near = [index - 1, index + 1].filter {
        units.indices.contains($0) && units[$0].note.id == units[index].note.id
      }
      return mean(near.reduce(each[index]) { most($0, each[$1]) })
    }
    note = units.map { mean(ofNote[$0.note.id] ?? []) }
    for (place, word) in known.enumerated() { closest[word] = each.map { $0[place] }.max() ?? 0 }
  }
}

extension EvidenceUnit {
  /// Its terms, those of the names of its facts, and their kinds with a colon before them; numbers say nothing.
  var translatedTerms: [String] {
    terms.filter(TranslationFitter.isWord)
      + factTerms.keys.filter { !terms.contains($0) && TranslationFitter.isWord($0) }
      + Set(facts.map { ":\($0.kind.rawValue)" })
  }
}
