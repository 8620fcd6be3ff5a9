import Clinical
import Extraction
import TextAnalysis

/// The words of a question, and what each has been used for while it is parsed.
///
/// A word that frames the question, names the patient or says when is no part of what the question is about.
struct QuestionFrame {
  let text: String
  let written: [Token]
  /// In lower case, without possessives.
  let words: [ClassedWord]
  /// By word: what it frames the question with; nil for a word of the topic.
  private(set) var framing: [QuestionLexicon.Role?]
  /// By word: whether it says whom or when.
  private(set) var isNaming: [Bool]
  /// By word: the kinds of fact that it asks for.
  private(set) var kinds: [Set<FactKind>]
  private(set) var roles: Set<QuestionLexicon.Role> = []
  /// Kinds of fact of which the question names one.
  private(set) var namedKinds: Set<FactKind> = []

  init(_ text: String, classes: QuestionClasses) {
    self.text = text
    written = Tokenizer().tokens(in: text).filter { !$0.text.isEmpty }.flatMap(Self.apart)
    words = written.map { classes.word(WordForm.withoutPossessive($0.text.lowercased()), at: $0.range) }
    framing = Array(repeating: nil, count: words.count)
    isNaming = Array(repeating: false, count: words.count)
    kinds = Array(repeating: [], count: words.count)
  }

  /// A contraction is its verb and *not*; every other word stays as it is written.
  private static func apart(_ token: Token) -> [Token] {
    let folded = CaseFoldFilter().apply(to: [token]).flatMap(WordPhrases.apart)
    return folded.count == 2 ? folded : [token]
  }

  // MARK: - What words are used for

  /// Marks the words of phrases that frame a question, longest phrases first.
  mutating func mark(_ phrases: [QuestionLexicon.Phrase]) {
    for phrase in phrases {
      for range in occurrences(of: phrase.words) {
        if phrase.role.saysLittle {
          markAsking(range, phrase.role)
        } else {
          markFraming(range, phrase.role)
        }
      }
    }
  }

  /// Words that ask and may stand in the topic too: they are looked for with the little they say.
  private mutating func markAsking(_ range: Range<Int>, _ role: QuestionLexicon.Role) {
    // "The most recent bloods" asks for no extreme.
    if role == .extreme, range.allSatisfy({ framing[$0] == .last || framing[$0] == .current }) { return }
    roles.insert(role)
    for index in range where framing[index] == nil { framing[index] = .weak }
  }

  private mutating func markFraming(_ range: Range<Int>, _ role: QuestionLexicon.Role) {
    guard range.allSatisfy({ framing[$0] == nil || framing[$0] == .ignore || framing[$0] == .weak }) else { return }
    if role == .weak, range.contains(where: { framing[$0] == .weak }) { return }
    for index in range { framing[index] = role }
    if ![.ignore, .weak, .body, .plain].contains(role) { roles.insert(role) }
  }

  /// Marks words of everyday speech, by the terms that search has for them.
  mutating func markOrdinary(weak: Set<String>, plain: Set<String>, _ analyzer: Analyzer) {
    for (index, token) in written.enumerated() where framing[index] == nil {
      let terms = analyzer.tokens(in: text, range: token.range, keepingStopWords: true).map(\.text)
      if words[index].text == WordForm.not {
        framing[index] = .ignore
      } else if words[index].text.allSatisfy(\.isNumber) || words[index].text.count == 1
        || terms.contains(where: weak.contains)
      {
        // A bare number says little by itself: a year is in the notes' dates, a dose beside its drug.
        framing[index] = .weak
      } else if terms.contains(where: plain.contains) {
        framing[index] = .plain
      }
    }
  }

  /// The times that the question names, whose words are no part of its topic.
  mutating func takePeriods(now: Timestamp, zone: PracticeTimeZone) -> [PeriodParser.Found] {
    var periods = PeriodParser(now: now, zone: zone).parseAll(words)
    // "Since the spring of 2023": up to now.
    if periods.count == 1, let since = words.first(.since), periods[0].words.lowerBound > since,
      periods[0].words.lowerBound <= since + 4
    {
      let period = periods[0].period.lowerBound..<max(periods[0].period.upperBound, now.adding(days: 1))
      periods[0] = PeriodParser.Found(period: period, words: periods[0].words)
    }
    for period in periods { for index in period.words { markNaming(index) } }
    return periods
  }

  /// Marks the words that say whom the question is about.
  mutating func markNames(_ names: [String]) {
    // Each word of a name by itself: owners are called by either.
    let nameWords = names.flatMap(Self.nameWords)
    for word in nameWords { for range in occurrences(of: [word]) { markNaming(range.lowerBound) } }
    // "The old Lab" is a Labrador.
    let long = nameWords.filter { $0.count >= 5 }
    for (index, token) in written.enumerated() where index > 0 && words[index].text.count >= 3 {
      let isCapital = text.slice(utf8: token.range)?.first?.isUppercase == true
      if isCapital, long.contains(where: { $0.hasPrefix(words[index].text) }) { markNaming(index) }
    }
  }

  private mutating func markNaming(_ index: Int) {
    framing[index] = .ignore
    isNaming[index] = true
  }

  /// Marks the words that ask for a kind of fact.
  mutating func mark(_ topics: [QuestionLexicon.Topic], names: [String]) {
    let nameWords = names.flatMap(Self.nameWords)
    for topic in topics {
      for range in topic.cues.flatMap(occurrences) {
        let isName = nameWords.contains { $0.hasPrefix(words[range.lowerBound].text) }
        if isName, range.allSatisfy({ framing[$0] == .ignore }) { continue }
        if topic.isNamed { namedKinds.insert(topic.kind) }
        for index in range where !topic.isNamed { kinds[index].insert(topic.kind) }
        // "is she on": the last word carries the topic, the others frame it.
        if let last = range.last { framing[last] = nil }
      }
    }
  }

  /// "Which teeth came out": where every word frames the question, those that say something are its topic as well.
  mutating func freeContent(_ analyzer: Analyzer) {
    let content = Set(analyzer.tokens(in: text).map(\.range.lowerBound))
    for index in words.indices where !isNaming[index] && content.contains(written[index].range.lowerBound) {
      framing[index] = nil
    }
  }

  // MARK: - What is asked

  /// Settles what single words leave open, by the words beside them.
  mutating func settleRoles(periods: Int) {
    // "Which of her eyes": the same question as "which eye".
    if words.has(.which), framing.contains(.body) { roles.insert(.side) }
    // "… than when he had the abscess" asks for no date.
    if let place = words.last(.when), place > 0, !words[place - 1].isOne(of: [.conjunction, .sincewhen]),
      !text.lowercased().contains(". when"), !text.lowercased().contains("? when")
    {
      roles.remove(.when)
    }
    // "When did it start": the first that is written of it.
    if roles.contains(.when), roles.contains(.beginning), !roles.contains(.last) { roles.insert(.first) }
    if periods > 1 { roles.insert(.comparison) }
    guard words.has(.before) else { return }
    // "Weight before the amlodipine": a moment, not whether it ever was.
    if words.last?.isOne(of: .before) != true, words.first?.isOne(of: .whetherOpeners) != true,
      !words.has([.ever, .any, .never, .previous])
    {
      roles.remove(.ever)
    }
    // "Before" beside "after" asks for two moments, not whether it ever was.
    if words.has(.after), !words.has([.or, .ever, .any]) {
      roles.remove(.ever)
      roles.insert(.comparison)
    }
  }

  private func occurrences(of phrase: [String]) -> [Range<Int>] {
    guard !phrase.isEmpty, phrase.count <= words.count else { return [] }
    var found: [Range<Int>] = []
    for start in 0...(words.count - phrase.count) where words[start].text == phrase[0] {
      let range = start..<(start + phrase.count)
      if zip(words[range], phrase).allSatisfy({ $0.text == $1 }) { found.append(range) }
    }
    return found
  }

  static func nameWords(_ name: String) -> [String] {
    name.lowercased().split { !$0.isLetter && !$0.isNumber && !WordForm.isApostrophe($0) }.map(String.init)
  }
}
