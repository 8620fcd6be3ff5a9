import Clinical
import TextAnalysis

/// Turns a read intake and what the rules made of it into named numbers for the learned part of triage.
///
/// Words that are denied, past, hypothetical or about another animal have names of their own, so that "no blood" never
/// counts as blood. The words' part has a bounded length: a long letter is not more urgent for being long.
public struct FeatureReader: Sendable {
  let lexicon: ConceptLexicon
  private let stemmer = Stemmer()
  private let grammar: Set<Int>

  /// The length to which the part made of words is brought, and below which a short text is not stretched.
  private static let length = 4.0
  private static let least = 3.0
  private static let pairShare = 0.7
  private static let backgroundShare = 0.5

  public init(lexicon: ConceptLexicon) {
    self.lexicon = lexicon
    grammar = Set(["not", "cant", "becoming", "trying", "turn"].compactMap { lexicon.index(of: $0) })
  }

  /// - Complexity: O(words × rules of assertion).
  func features(_ reading: IntakeReading, facts: PatientFacts, triage: TriageResult, channel: String?) -> [CaseFeature]
  {
    var said = Collected()
    addWords(reading, to: &said)
    addConcepts(reading, to: &said)
    var features = said.scaled(to: Self.length, least: Self.least)
    features += rules(triage)
    features += background(facts, channel)
    return features
  }

  // MARK: - Words

  private func addWords(_ reading: IntakeReading, to said: inout Collected) {
    var previous: (stem: String, phrase: Int, index: Int)?
    for (index, word) in reading.words.enumerated() {
      if Self.articles.contains(word.text) { continue }
      let stem = word.number == nil ? stemmer.stem(word.text) : "#"
      let kind = Self.kind(reading.standing(ofWords: index..<(index + 1)))
      said.add(CaseFeature("\(kind):\(stem)", words: index..<(index + 1)))
      if kind == "word", let previous, previous.phrase == word.phrase {
        said.add(CaseFeature("pair:\(previous.stem) \(stem)", Self.pairShare, words: previous.index..<(index + 1)))
      }
      previous = kind == "word" ? (stem, word.phrase, index) : nil
    }
  }

  private func addConcepts(_ reading: IntakeReading, to said: inout Collected) {
    for (concept, places) in reading.byConcept.sorted(by: { $0.key < $1.key }) where !grammar.contains(concept) {
      for place in places {
        let kind = Self.kind(reading.standing(of: [place]))
        let name = kind == "word" ? "sign" : kind + "-sign"
        said.add(CaseFeature("\(name):\(lexicon.names[concept])", words: place.words))
      }
    }
  }

  private static func kind(_ standing: Standing) -> String {
    switch standing {
    case .present, .uncertain: "word"
    case .negated: "not"
    case .past, .hypothetical, .otherAnimal: "aside"
    }
  }

  private static let articles: Set<String> = [
    "a", "an", "the", "of", "to", "and", "or", "in", "on", "at", "is", "it", "its", "he", "she", "him", "her", "his",
    "they", "them", "their", "i", "we", "my", "our", "me", "us", "you", "your", "be", "been", "was", "were", "are",
    "am", "as", "so", "that", "this", "with", "for", "from", "by", "but", "if", "has", "have", "had", "do", "does",
    "did",
  ]

  // MARK: - Rules and patient

  private func rules(_ triage: TriageResult) -> [CaseFeature] {
    var features: [CaseFeature] = []
    var groups: Set<String> = []
    for finding in triage.fired {
      features.append(CaseFeature("rule:\(finding.id)"))
      if groups.insert("group:\(finding.group) \(finding.level.rawValue)").inserted {
        features.append(CaseFeature("group:\(finding.group) \(finding.level.rawValue)"))
      }
    }
    if triage.hasTooLittleInformation {
      features.append(CaseFeature("patient:nothing found"))
    } else {
      for level in Urgency.allCases where level > .blue && triage.urgency >= level {
        features.append(CaseFeature("level:\(level.rawValue)"))
      }
    }
    for finding in triage.suppressed {
      features.append(
        CaseFeature("\(Self.kind(finding.reason))-level:\(finding.level.rawValue)", Self.backgroundShare))
    }
    for letter in ABCDELetter.allCases {
      guard let status = triage.abcde[letter], status != .notStated else { continue }
      features.append(CaseFeature("survey:\(letter.rawValue) \(status.rawValue)"))
    }
    var seen: Set<String> = []
    return features.filter { seen.insert($0.name).inserted }
  }

  private func background(_ facts: PatientFacts, _ channel: String?) -> [CaseFeature] {
    [
      "patient:species \(facts.species?.rawValue ?? "unknown")", "patient:age \(Self.ageBand(facts.age))",
      "patient:sex \(facts.sex.rawValue)", "patient:channel \(channel ?? "unknown")",
    ].map { CaseFeature($0, Self.backgroundShare) }
  }

  /// Bands in which illness differs; days.
  private static func ageBand(_ days: Double?) -> String {
    guard let days else { return "unknown" }
    return switch days {
    case ..<14: "newborn"
    case ..<120: "very young"
    case ..<365: "young"
    case ..<(9 * 365): "adult"
    default: "old"
    }
  }
}

/// Features of words, each once with its first place.
private struct Collected {
  private var features: [CaseFeature] = []
  private var indices: [String: Int] = [:]

  mutating func add(_ feature: CaseFeature) {
    guard indices[feature.name] == nil else { return }
    indices[feature.name] = features.count
    features.append(feature)
  }

  /// Brought to one Euclidean length; a text of few words to less.
  func scaled(to length: Double, least: Double) -> [CaseFeature] {
    let norm = features.reduce(0) { $0 + $1.value * $1.value }.squareRoot()
    let factor = length / max(norm, least)
    return features.map { CaseFeature($0.name, $0.value * factor, words: $0.words) }
  }
}
