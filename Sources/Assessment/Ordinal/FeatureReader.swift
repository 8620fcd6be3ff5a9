import Clinical
import TextAnalysis

/// Turns a read intake and what the rules made of it into named numbers for the learned part of triage.
///
/// Words that are denied, past, hypothetical or about another animal have names of their own, so that "no blood" never
/// counts as blood. ``FeatureScale`` then
/// brings the words to one length: a long letter is not more urgent for being long.
public struct FeatureReader: Sendable {
  let lexicon: ConceptLexicon
  private let stemmer = Stemmer()
  private let grammar: Set<Int>

  private static let pairShare = 0.7
  /// Of findings of the rules and facts about the patient, beside blocks of words whose length is 1.
  private static let ruleShare = 0.25

  public init(lexicon: ConceptLexicon) {
    self.lexicon = lexicon
    grammar = Set(["not", "cant", "becoming", "trying", "turn"].compactMap { lexicon.index(of: $0) })
  }

  /// - Complexity: O(words × rules of assertion).
  func features(_ reading: IntakeReading, facts: PatientFacts, triage: TriageResult, channel: String?) -> [CaseFeature]
  {
    var words = Collected()
    addWords(reading, to: &words)
    var signs = Collected()
    addConcepts(reading, to: &signs)
    return words.features + signs.features + rules(triage) + background(facts, channel)
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
      features.append(CaseFeature("rule:\(finding.id)", Self.ruleShare))
      if groups.insert("group:\(finding.group) \(finding.level.rawValue)").inserted {
        features.append(CaseFeature("group:\(finding.group) \(finding.level.rawValue)", Self.ruleShare))
      }
    }
    if triage.hasTooLittleInformation {
      features.append(CaseFeature("patient:nothing found", Self.ruleShare))
    } else {
      for level in Urgency.allCases where level > .blue && triage.urgency >= level {
        features.append(CaseFeature("level:\(level.rawValue)", Self.ruleShare))
      }
    }
    for finding in triage.suppressed {
      features.append(
        CaseFeature("\(Self.kind(finding.reason))-level:\(finding.level.rawValue)", Self.ruleShare))
    }
    for letter in ABCDELetter.allCases {
      guard let status = triage.abcde[letter], status != .notStated else { continue }
      features.append(CaseFeature("survey:\(letter.rawValue) \(status.rawValue)", Self.ruleShare))
    }
    var seen: Set<String> = []
    return features.filter { seen.insert($0.name).inserted }
  }

  private func background(_ facts: PatientFacts, _ channel: String?) -> [CaseFeature] {
    [
      "patient:species \(facts.species?.rawValue ?? "unknown")", "patient:age \(Self.ageBand(facts.age))",
      "patient:sex \(facts.sex.rawValue)", "patient:channel \(channel ?? "unknown")",
    ].map { CaseFeature($0, Self.ruleShare) }
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
  private(set) var features: [CaseFeature] = []
  private var seen: Set<String> = []

  mutating func add(_ feature: CaseFeature) {
    if seen.insert(feature.name).inserted { features.append(feature) }
  }
}
