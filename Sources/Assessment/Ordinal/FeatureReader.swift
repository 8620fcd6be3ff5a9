import Clinical
import TextAnalysis

/// Turns a read intake and what the rules made of it into named features for the learned part of triage.
///
/// Meanings that are denied, past, hypothetical or about another animal have names of their own, so that "no blood" never
/// counts as blood; words stand as they are, with their neighbours, among which the denial is.
public struct FeatureReader: Sendable {
  let lexicon: ConceptLexicon
  private let grammar: Set<Int>

  private static let groupLengths = 3...5
  /// How many words apart the stems of a clause pair may stand: about a clause of speech.
  private static let clauseReach = 7
  private let stemmer = Stemmer()

  public init(lexicon: ConceptLexicon) {
    self.lexicon = lexicon
    grammar = Set(["not", "cant", "becoming", "trying", "turn"].compactMap { lexicon.index(of: $0) })
  }

  /// Every feature once, with the first words that show it.
  ///
  /// - Complexity: O(words + signs²).
  func features(
    _ reading: IntakeReading, facts: PatientFacts, triage: TriageResult, channel: String?, routing: [String]
  ) -> [CaseFeature] {
    var found = Collected()
    addWords(reading, to: &found)
    addLetters(reading, to: &found)
    addSigns(reading, to: &found)
    addSpecies(reading, facts, triage, to: &found)
    addFindings(triage, reading, to: &found)
    addBackground(facts, channel, to: &found)
    for name in routing { found.add(CaseFeature(.routing, name)) }
    return found.features
  }

  // MARK: - Words

  private func addWords(_ reading: IntakeReading, to found: inout Collected) {
    var content: [(index: Int, stem: String)] = []
    let last = reading.words.last?.sentence
    for (index, word) in reading.words.enumerated() {
      let place = index..<(index + 1)
      found.add(CaseFeature(.words, word.text, words: place))
      if word.sentence == 0 { found.add(CaseFeature(.places, "first \(word.text)", words: place)) }
      if word.sentence == last { found.add(CaseFeature(.places, "last \(word.text)", words: place)) }
      if !Self.articles.contains(word.text) { content.append((index, stemmer.stem(word.text))) }
    }
    for place in content.indices.dropLast() {
      let (first, next) = (content[place], content[place + 1])
      let words = first.index..<(next.index + 1)
      found.add(
        CaseFeature(.pairs, "\(reading.words[first.index].text) \(reading.words[next.index].text)", words: words))
      found.add(CaseFeature(.stems, "\(first.stem) \(next.stem)", words: words))
      guard place + 2 < content.count else { continue }
      let far = content[place + 2]
      found.add(CaseFeature(.stems, "\(first.stem)|\(far.stem)", words: first.index..<(far.index + 1)))
    }
    addClausePairs(content, reading, to: &found)
  }

  /// People say one thing in many orders and with words between: "tongue gone a funny dusky colour", "dusky, her tongue".
  private func addClausePairs(
    _ content: [(index: Int, stem: String)], _ reading: IntakeReading, to found: inout Collected
  ) {
    for (place, first) in content.enumerated() {
      let sentence = reading.words[first.index].sentence
      for next in content[(place + 1)...] {
        let isNear = next.index - first.index <= Self.clauseReach
        guard isNear, reading.words[next.index].sentence == sentence else { break }
        let (low, high) = first.stem < next.stem ? (first.stem, next.stem) : (next.stem, first.stem)
        found.add(CaseFeature(.clausePairs, "\(low) & \(high)", words: first.index..<(next.index + 1)))
      }
    }
  }

  private func addLetters(_ reading: IntakeReading, to found: inout Collected) {
    var letters: [UInt8] = [0x20]
    for word in reading.words {
      letters += word.text.utf8.filter { ($0 >= 0x61 && $0 <= 0x7A) || ($0 >= 0x30 && $0 <= 0x39) }
      if letters.last != 0x20 { letters.append(0x20) }
    }
    for length in Self.groupLengths where letters.count >= length {
      for start in 0...(letters.count - length) {
        found.add(CaseFeature(.letters, String(decoding: letters[start..<(start + length)], as: UTF8.self)))
      }
    }
  }

  private func addSigns(_ reading: IntakeReading, to found: inout Collected) {
    var present: [(name: String, words: Range<Int>)] = []
    var bySentence: [Int: [String: Range<Int>]] = [:]
    for (concept, places) in reading.byConcept.sorted(by: { $0.key < $1.key }) where !grammar.contains(concept) {
      let name = lexicon.names[concept]
      for place in places {
        let kind = Self.kind(reading.standing(of: [place]))
        let feature = kind.isEmpty ? name : "\(kind) \(name)"
        found.add(CaseFeature(.signs, feature, words: place.words))
        bySentence[reading.sentence(of: place), default: [:]][feature] = place.words
        if kind.isEmpty, present.last?.name != name { present.append((name, place.words)) }
      }
    }
    present.sort { $0.name < $1.name }
    for (place, first) in present.enumerated() {
      for second in present[(place + 1)...] {
        found.add(CaseFeature(.signPairs, "\(first.name) & \(second.name)", words: first.words))
      }
    }
    for (_, signs) in bySentence.sorted(by: { $0.key < $1.key }) {
      let signs = signs.sorted { $0.key < $1.key }
      for (place, first) in signs.enumerated() {
        for second in signs[(place + 1)...] {
          found.add(CaseFeature(.sentenceSigns, "\(first.key) & \(second.key)", words: first.value))
        }
      }
    }
  }

  private func addSpecies(
    _ reading: IntakeReading, _ facts: PatientFacts, _ triage: TriageResult, to found: inout Collected
  ) {
    let species = facts.species?.rawValue ?? "unknown"
    for (concept, places) in reading.byConcept.sorted(by: { $0.key < $1.key }) where !grammar.contains(concept) {
      for place in places {
        let kind = Self.kind(reading.standing(of: [place]))
        found.add(CaseFeature(.speciesSigns, "\(species) \(kind) \(lexicon.names[concept])", words: place.words))
      }
    }
    for finding in triage.fired {
      let words = finding.evidence.first.flatMap { reading.words(in: $0.range) }
      found.add(CaseFeature(.speciesSigns, "\(species) rule \(finding.id)", words: words))
    }
  }

  /// Empty for what counts.
  private static func kind(_ standing: Standing) -> String {
    switch standing {
    case .present, .uncertain: ""
    case .negated: "not"
    case .past, .hypothetical, .otherAnimal, .household, .notMeant: "aside"
    }
  }

  private static let articles: Set<String> = [
    "a", "an", "the", "of", "to", "and", "or", "in", "on", "at", "is", "it", "its", "he", "she", "him", "her", "his",
    "they", "them", "their", "i", "we", "my", "our", "me", "us", "you", "your", "be", "been", "was", "were", "are",
    "am", "as", "so", "that", "this", "with", "for", "from", "by", "but", "if", "has", "have", "had", "do", "does",
    "did",
  ]

  // MARK: - Rules and patient

  private func addFindings(_ triage: TriageResult, _ reading: IntakeReading, to found: inout Collected) {
    for finding in triage.fired {
      let words = finding.evidence.first.flatMap { reading.words(in: $0.range) }
      found.add(CaseFeature(.findings, "rule \(finding.id)", words: words))
      found.add(CaseFeature(.findings, "group \(finding.group) \(finding.level.rawValue)", words: words))
    }
    if triage.hasTooLittleInformation {
      found.add(CaseFeature(.findings, "nothing found"))
    } else {
      for level in Urgency.allCases where level > .blue && triage.urgency >= level {
        found.add(CaseFeature(.findings, "level \(level.rawValue)"))
      }
    }
    for finding in triage.suppressed {
      found.add(CaseFeature(.findings, "\(Self.kind(finding.reason)) level \(finding.level.rawValue)"))
    }
    for letter in ABCDELetter.allCases {
      let status = triage.abcde[letter] ?? .notStated
      let words = triage.abcdeEvidence[letter]?.first.flatMap { reading.words(in: $0.range) }
      found.add(CaseFeature(.survey, "\(letter.rawValue) \(status.rawValue)", words: words))
    }
  }

  private func addBackground(_ facts: PatientFacts, _ channel: String?, to found: inout Collected) {
    let species = facts.species?.rawValue ?? "unknown"
    let age = Self.ageBand(facts.age)
    for name in [
      "species \(species)", "age \(age)", "sex \(facts.sex.rawValue)", "channel \(channel ?? "unknown")",
      "species \(species) age \(age)",
    ] { found.add(CaseFeature(.patient, name)) }
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

/// Features, each once with its first place.
private struct Collected {
  private(set) var features: [CaseFeature] = []
  private var seen: [FeatureBlock: Set<String>] = [:]

  mutating func add(_ feature: CaseFeature) {
    if seen[feature.block, default: []].insert(feature.name).inserted { features.append(feature) }
  }
}
