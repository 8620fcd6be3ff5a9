import Clinical
import Extraction
import TextAnalysis

/// What a question is about: its words and phrases, each with every way in which a note may put it.
extension QuestionParser {
  func groups(
    _ frame: QuestionFrame, species: Set<Species>, asides: Set<Int>
  ) -> [Question.Group] {
    let (text, written) = (frame.text, frame.written)
    let tokens = analyzer.tokens(in: text, keepingStopWords: true)
    let context = GroupContext(
      frame: frame, tokens: tokens, expansions: thesaurus.expansionsOfWholes(in: tokens),
      synonyms: synonyms.expansionsOfWholes(in: tokens),
      links: concepts.links(in: tokens, species: species, thesaurus: thesaurus))
    let known = context.knownRanges
    var groups: [Question.Group] = []
    var isAside: [Bool] = []
    var index = 0
    while index < written.count {
      // The longest expanded phrase that begins here.
      let lower = written[index].range.lowerBound
      let upper = known.filter { $0.lowerBound == lower }.map(\.upperBound).max()
      var end = index + 1
      while end < written.count, written[end].range.upperBound <= upper ?? 0 { end += 1 }
      if var group = context.group(of: index..<end) {
        if end - index > 1 { group.words = (index..<end).compactMap { context.group(of: $0..<($0 + 1)) } }
        if end - index > 1, let thing = context.thingMeasured(index..<end) {
          group.alternatives += thing.filter { !group.alternatives.map(\.terms).contains($0.terms) }
        }
        groups.append(group)
        isAside.append(asides.contains(index))
      }
      index = end
    }
    groups = Self.withoutAsides(groups, isAside)
    return Self.promoted(Self.withAllergies(groups))
  }

  /// What only the circumstances of asking name says little, where the question itself names anything.
  private static func withoutAsides(_ groups: [Question.Group], _ isAside: [Bool]) -> [Question.Group] {
    let namesTopic = zip(groups, isAside).contains { group, isAside in
      !isAside && !group.isOrdinary && (group.force == .specific || !group.kinds.isEmpty)
    }
    guard namesTopic else { return groups }
    return zip(groups, isAside).map { group, isAside in
      guard isAside else { return group }
      var group = group
      group.force = .weak
      group.isOrdinary = true
      group.kinds = []
      for index in group.words.indices {
        group.words[index].force = .weak
        group.words[index].isOrdinary = true
        group.words[index].kinds = []
      }
      return group
    }
  }

  /// "Drug allergies", "reactions to medicines": the word for drugs says which allergies, not that drugs are asked about.
  private static func withAllergies(_ groups: [Question.Group]) -> [Question.Group] {
    func isAbout(_ group: Question.Group) -> Bool {
      group.kinds.contains(.allergy) || group.words.contains { $0.kinds.contains(.allergy) }
    }
    guard groups.contains(where: isAbout) else { return groups }
    return groups.map { group in
      var group = group
      if isAbout(group) { group.kinds.insert(.allergy) }
      if group.kinds == [.drug] { group.force = .weak }
      return group
    }
  }

  /// The best there is counts in full: a question of kinds alone ("what does she weigh?") is about the kind, one of everyday
  /// words alone about those.
  private static func promoted(_ groups: [Question.Group]) -> [Question.Group] {
    guard let best = groups.map(\.force.rawValue).max(), best < 1 else { return groups }
    return groups.map { group in
      var group = group
      if group.force.rawValue == best { group.force = .specific }
      group.words = group.words.map { word in
        var word = word
        if word.force.rawValue == best { word.force = .specific }
        return word
      }
      return group
    }
  }
}
