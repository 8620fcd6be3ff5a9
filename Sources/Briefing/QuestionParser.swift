public import Clinical
import Extraction
public import TextAnalysis

/// Turns the words of a question into what is asked and about what.
public struct QuestionParser: Sendable {
  private let lexicon: QuestionLexicon
  private let analyzer: Analyzer
  private let thesaurus: Thesaurus

  public init(lexicon: QuestionLexicon, analyzer: Analyzer, thesaurus: Thesaurus) {
    self.lexicon = lexicon
    self.analyzer = analyzer
    self.thesaurus = thesaurus
  }

  /// - Parameters:
  ///   - text: the question as typed.
  ///   - names: names of the patient and owner, which say whom, not what.
  ///   - askedAt: the moment that "this year" is relative to.
  ///   - zone: the practice's.
  public func parse(_ text: String, names: [String], askedAt: Timestamp, zone: PracticeTimeZone) -> Question {
    let written = Tokenizer().tokens(in: text).filter { !$0.text.isEmpty }
    let words = written.map { Self.plain($0, in: text) }
    var roles: Set<QuestionLexicon.Role> = []
    // What each word has been used for; a word used to frame the question is no part of its topic.
    var framing = [QuestionLexicon.Role?](repeating: nil, count: words.count)
    for phrase in lexicon.phrases {
      for start in occurrences(of: phrase.words, in: words) {
        let range = start..<(start + phrase.words.count)
        guard range.allSatisfy({ framing[$0] == nil || framing[$0] == .ignore }) else { continue }
        for index in range { framing[index] = phrase.role }
        if phrase.role != .ignore, phrase.role != .weak { roles.insert(phrase.role) }
      }
    }
    let period = PeriodParser(now: askedAt, zone: zone).parse(words)
    for index in period?.words ?? 0..<0 { framing[index] = .ignore }
    for name in names {
      for start in occurrences(of: Self.nameWords(name), in: words.map(Self.withoutPossessive)) {
        for index in start..<(start + Self.nameWords(name).count) { framing[index] = .ignore }
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
    return Question(
      text: text, roles: roles, isYesOrNo: Self.isYesOrNo(words, roles), groups: groups, period: period?.period)
  }

  private func groups(
    _ text: String, _ written: [Token], framing: [QuestionLexicon.Role?], kinds: [Set<FactKind>]
  ) -> [Question.Group] {
    let tokens = analyzer.tokens(in: text, keepingStopWords: true)
    let expansions = thesaurus.expansions(of: tokens)
    var groups: [Question.Group] = []
    var index = 0
    while index < written.count {
      let token = written[index]
      // The longest expanded phrase that begins here, as far as it is not framing throughout.
      let starting = expansions.filter { $0.range.lowerBound == token.range.lowerBound }
      let upper = starting.map(\.range.upperBound).max() ?? token.range.upperBound
      var end = index + 1
      while end < written.count, written[end].range.upperBound <= upper { end += 1 }
      let members = index..<end
      index = end
      let topical = members.filter { framing[$0] == nil || framing[$0] == .weak }
      guard !topical.isEmpty else { continue }
      let range = token.range.lowerBound..<max(upper, token.range.upperBound)
      let own = tokens.filter { range.contains($0.range.lowerBound) }
      var alternatives = Self.ownAlternatives(own)
      for expansion in expansions where range.contains(expansion.range.lowerBound) {
        alternatives.append(
          Question.Group.Alternative(terms: expansion.terms, weight: expansion.weight, reason: "\(expansion.row): \(expansion.phrase)"))
      }
      let groupKinds = topical.reduce(into: Set<FactKind>()) { $0.formUnion(kinds[$1]) }
      guard !alternatives.isEmpty || !groupKinds.isEmpty else { continue }
      let isWeak = topical.allSatisfy { framing[$0] == .weak }
      groups.append(
        Question.Group(
          text: text.slice(utf8: range).map(String.init) ?? token.text, alternatives: alternatives, kinds: groupKinds,
          weight: isWeak ? 0.35 : 1))
    }
    return groups
  }

  /// The words themselves: all of them together, or, where shorthand has readings, each reading.
  private static func ownAlternatives(_ tokens: [Token]) -> [Question.Group.Alternative] {
    guard !tokens.isEmpty else { return [] }
    let positions = Set(tokens.map(\.position))
    if positions.count == 1 {
      return tokens.map { Question.Group.Alternative(terms: [$0.text], weight: 1, reason: nil) }
    }
    var firstOfPosition: [Int: String] = [:]
    for token in tokens where firstOfPosition[token.position] == nil { firstOfPosition[token.position] = token.text }
    let terms = positions.sorted().compactMap { firstOfPosition[$0] }
    return [Question.Group.Alternative(terms: terms, weight: 1, reason: nil)]
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
    let openers: Set = ["is", "was", "were", "are", "has", "have", "had", "does", "did", "do", "any", "ever", "can", "could"]
    if !roles.isDisjoint(with: [.why, .when, .who, .amount, .count, .trend, .side]) { return false }
    return words.first.map(openers.contains) == true || roles.contains(.ever)
  }
}
