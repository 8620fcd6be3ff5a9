public import Clinical
import Extraction
public import TextAnalysis

/// Turns the words of a question into what is asked and about what.
public struct QuestionParser: Sendable {
  private let lexicon: QuestionLexicon
  private let analyzer: Analyzer
  private let thesaurus: Thesaurus
  /// Everyday words in any form.
  private let weakTerms: Set<String>

  public init(lexicon: QuestionLexicon, analyzer: Analyzer, thesaurus: Thesaurus) {
    self.lexicon = lexicon
    self.analyzer = analyzer
    self.thesaurus = thesaurus
    weakTerms = Set(
      lexicon.phrases.filter { $0.role == .weak && $0.words.count == 1 }
        .flatMap { analyzer.tokens(in: $0.words[0], keepingStopWords: true).map(\.text) })
  }

  /// - Parameters:
  ///   - text: the question as typed.
  ///   - names: names of the patient and owner, which say whom, not what.
  ///   - askedAt: the moment that "this year" is relative to.
  ///   - zone: the practice's.
  /// - Returns: what is asked, about what, of when; without groups when nothing is named to look for.
  public func parse(_ text: String, names: [String], askedAt: Timestamp, zone: PracticeTimeZone) -> Question {
    let written = Tokenizer().tokens(in: text).filter { !$0.text.isEmpty }
    let words = written.map { Self.withoutPossessive(Self.plain($0, in: text)) }
    var roles: Set<QuestionLexicon.Role> = []
    // What each word has been used for; a word used to frame the question is no part of its topic.
    var framing = [QuestionLexicon.Role?](repeating: nil, count: words.count)
    for phrase in lexicon.phrases {
      for start in occurrences(of: phrase.words, in: words) {
        let range = start..<(start + phrase.words.count)
        guard range.allSatisfy({ framing[$0] == nil || framing[$0] == .ignore }) else { continue }
        for index in range { framing[index] = phrase.role }
        if ![.ignore, .weak, .body].contains(phrase.role) { roles.insert(phrase.role) }
      }
    }
    for (index, token) in written.enumerated() where framing[index] == nil {
      if words[index].hasSuffix("n't") || words[index].hasSuffix("n’t") {
        framing[index] = .ignore
      } else if words[index].allSatisfy(\.isNumber)
        || analyzer.tokens(in: text, range: token.range, keepingStopWords: true).contains(where: {
          weakTerms.contains($0.text)
        })
      {
        // A bare number says little by itself: a year is in the notes' dates, a dose beside its drug.
        framing[index] = .weak
      }
    }
    let period = PeriodParser(now: askedAt, zone: zone).parse(words)
    for index in period?.words ?? 0..<0 { framing[index] = .ignore }
    for name in names {
      // Each word of a name by itself: owners are called by either.
      for word in Self.nameWords(name) {
        for start in occurrences(of: [word], in: words) { framing[start] = .ignore }
      }
    }
    var kindsOfWord = [Set<FactKind>](repeating: [], count: words.count)
    for topic in lexicon.topics {
      for cue in topic.cues {
        for start in occurrences(of: cue, in: words) {
          let range = start..<(start + cue.count)
          for index in range { kindsOfWord[index].insert(topic.kind) }
          // "is she on": the last word carries the topic, the others frame it.
          if let last = range.last { framing[last] = nil }
        }
      }
    }
    let groups = self.groups(text, written, framing: framing, kinds: kindsOfWord)
    // "Which of her eyes": the same question as "which eye".
    if words.contains("which"), framing.contains(.body) { roles.insert(.side) }
    return Question(
      text: text, roles: roles, isYesOrNo: Self.isYesOrNo(words, roles), groups: groups, period: period?.period)
  }

  private func groups(
    _ text: String, _ written: [Token], framing: [QuestionLexicon.Role?], kinds: [Set<FactKind>]
  ) -> [Question.Group] {
    let context = GroupContext(
      text: text, written: written, tokens: analyzer.tokens(in: text, keepingStopWords: true),
      expansions: thesaurus.expansions(of: text), framing: framing, kinds: kinds)
    var groups: [Question.Group] = []
    var index = 0
    while index < written.count {
      // The longest expanded phrase that begins here.
      let lower = written[index].range.lowerBound
      let upper = context.expansions.filter { $0.range.lowerBound == lower }.map(\.range.upperBound).max()
      var end = index + 1
      while end < written.count, written[end].range.upperBound <= upper ?? 0 { end += 1 }
      if var group = context.group(of: index..<end) {
        if end - index > 1 { group.words = (index..<end).compactMap { context.group(of: $0..<($0 + 1)) } }
        groups.append(group)
      }
      index = end
    }
    return Self.promoted(groups)
  }

  /// The best there is counts in full: a question of kinds alone ("what does she weigh?") is about the kind, one of everyday
  /// words alone about those.
  private static func promoted(_ groups: [Question.Group]) -> [Question.Group] {
    guard let best = groups.map(\.force.rawValue).max(), best < 1 else { return groups }
    return groups.map { group in
      group.force.rawValue == best
        ? Question.Group(text: group.text, alternatives: group.alternatives, kinds: group.kinds, force: .specific)
        : group
    }
  }

  private func occurrences(of phrase: [String], in words: [String]) -> [Int] {
    guard !phrase.isEmpty, phrase.count <= words.count else { return [] }
    return (0...(words.count - phrase.count)).filter { Array(words[$0..<($0 + phrase.count)]) == phrase }
  }

  private static func plain(_ token: Token, in text: String) -> String {
    (text.slice(utf8: token.range).map(String.init) ?? token.text).lowercased()
  }

  private static func nameWords(_ name: String) -> [String] {
    name.lowercased().split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "'" }).map(String.init)
  }

  private static func withoutPossessive(_ word: String) -> String {
    word.hasSuffix("'s") || word.hasSuffix("’s") ? String(word.dropLast(2)) : word
  }

  private static func isYesOrNo(_ words: [String], _ roles: Set<QuestionLexicon.Role>) -> Bool {
    let openers: Set = [
      "is", "was", "were", "are", "has", "have", "had", "does", "did", "do", "any", "ever", "can", "could",
    ]
    if !roles.isDisjoint(with: [.why, .when, .who, .amount, .count, .trend, .side]) { return false }
    return words.first.map(openers.contains) == true || roles.contains(.ever)
  }
}
