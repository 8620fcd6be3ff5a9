import Clinical
import Extraction

/// What each sentence of a record says of the words of one question, by a translation model.
struct QuestionTranslation: Sendable {
  /// Per sentence: the mean over the words that the model knows, weighted by their rarity, 0...1; by it and its neighbours; by its note.
  private(set) var own: [Double] = []
  private(set) var beside: [Double] = []
  private(set) var note: [Double] = []
  /// Per sentence: the share of what the question's words weigh by ``TranslationModel/weight(of:)`` that it has itself.
  private(set) var met: [Double] = []
  /// Per sentence: what the words weigh that neither it nor its neighbours have; that its note does not have.
  private(set) var unmetBeside: [Double] = []
  private(set) var unmetNote: [Double] = []
  /// What the words weigh that no sentence has.
  private(set) var unmet = 0.0
  /// By word that the model knows: how closely any sentence means it.
  private(set) var closest: [String: Double] = [:]

  /// - Complexity: O(terms of the units).
  init(of words: [String], by model: TranslationModel, in units: [EvidenceUnit]) {
    weigh(Set(words).sorted(), by: model, in: units)
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
      mean(Self.neighbours(of: index, in: units).reduce(each[index]) { most($0, each[$1]) })
    }
    note = units.map { mean(ofNote[$0.note.id] ?? []) }
    for (place, word) in known.enumerated() { closest[word] = each.map { $0[place] }.max() ?? 0 }
  }

  private mutating func weigh(_ words: [String], by model: TranslationModel, in units: [EvidenceUnit]) {
    let weights = words.map(model.weight)
    let total = weights.reduce(0, +)
    let has = units.map { unit in words.map { unit.terms.contains($0) || unit.factTerms[$0] != nil } }
    func either(_ first: [Bool], _ second: [Bool]) -> [Bool] { zip(first, second).map { $0 || $1 } }
    func lacked(_ has: [Bool]) -> Double { zip(weights, has).reduce(0) { $0 + ($1.1 ? 0 : $1.0) } }
    var ofNote: [String: [Bool]] = [:]
    for (unit, has) in zip(units, has) { ofNote[unit.note.id] = ofNote[unit.note.id].map { either($0, has) } ?? has }
    met = has.map { total > 0 ? 1 - lacked($0) / total : 0 }
    unmetBeside = units.indices.map { index in
      lacked(Self.neighbours(of: index, in: units).reduce(has[index]) { either($0, has[$1]) })
    }
    unmetNote = units.map { lacked(ofNote[$0.note.id] ?? []) }
    unmet = lacked(has.reduce(words.map { _ in false }, either))
  }

  private static func neighbours(of index: Int, in units: [EvidenceUnit]) -> [Int] {
    [index - 1, index + 1].filter { units.indices.contains($0) && units[$0].note.id == units[index].note.id }
  }
}

extension EvidenceUnit {
  /// Its terms, those of the names of its facts, and their kinds with a colon before them; numbers say nothing.
  package var translatedTerms: [String] {
    terms.filter(TranslationModel.isWord)
      + factTerms.keys.filter { !terms.contains($0) && TranslationModel.isWord($0) }
      + Set(facts.map { ":\($0.kind.rawValue)" })
  }
}
