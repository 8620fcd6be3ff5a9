public import Clinical
import Extraction
public import TextAnalysis

/// Turns the words of a question into what is asked and about what.
public struct QuestionParser: Sendable {
  private let lexicon: QuestionLexicon
  let analyzer: Analyzer
  let thesaurus: Thesaurus
  /// What only questions say.
  let synonyms: Thesaurus
  let concepts: ConceptMap
  /// Everyday words in any form.
  private let weakTerms: Set<String>
  private let plainTerms: Set<String>

  public init(
    lexicon: QuestionLexicon, analyzer: Analyzer, thesaurus: Thesaurus, synonyms: Thesaurus, concepts: ConceptMap
  ) {
    self.synonyms = synonyms
    self.concepts = concepts
    self.lexicon = lexicon
    self.analyzer = analyzer
    self.thesaurus = thesaurus
    func terms(_ role: QuestionLexicon.Role) -> Set<String> {
      Set(
        lexicon.phrases.filter { $0.role == role && $0.words.count == 1 }
          .flatMap { analyzer.tokens(in: $0.words[0], keepingStopWords: true).map(\.text) })
    }
    weakTerms = terms(.weak)
    plainTerms = terms(.plain)
  }

  /// - Parameters:
  ///   - text: the question as typed.
  ///   - names: names of the patient, its species and owner, which say whom, not what.
  ///   - askedAt: the moment that "this year" is relative to.
  ///   - zone: the practice's.
  /// - Returns: what is asked, about what, of when; without groups when nothing is named to look for.
  public func parse(_ text: String, names: [String], askedAt: Timestamp, zone: PracticeTimeZone) -> Question {
    guard let singular = Self.withoutPlurals(text) else {
      return parse(plain: text, names, askedAt, zone, isSeries: false)
    }
    return parse(plain: singular, names, askedAt, zone, isSeries: true)
  }

  private func parse(
    plain text: String, _ names: [String], _ askedAt: Timestamp, _ zone: PracticeTimeZone, isSeries: Bool
  ) -> Question {
    let written = Tokenizer().tokens(in: text).filter { !$0.text.isEmpty }.flatMap(Self.apart)
    let words = written.map { WordForm.withoutPossessive($0.text.lowercased()) }
    var roles: Set<QuestionLexicon.Role> = []
    // What each word has been used for; a word used to frame the question is no part of its topic.
    var framing = [QuestionLexicon.Role?](repeating: nil, count: words.count)
    for phrase in lexicon.phrases {
      for start in occurrences(of: phrase.words, in: words) {
        let range = start..<(start + phrase.words.count)
        if phrase.role.saysLittle {
          // "The most recent bloods" asks for no extreme.
          if phrase.role == .extreme, range.allSatisfy({ framing[$0] == .last || framing[$0] == .current }) { continue }
          // Such a word may stand in the topic too: it asks, and is looked for with the little it says.
          roles.insert(phrase.role)
          for index in range where framing[index] == nil { framing[index] = .weak }
          continue
        }
        guard range.allSatisfy({ framing[$0] == nil || framing[$0] == .ignore || framing[$0] == .weak }) else {
          continue
        }
        if phrase.role == .weak, range.contains(where: { framing[$0] == .weak }) { continue }
        for index in range { framing[index] = phrase.role }
        if ![.ignore, .weak, .body, .plain].contains(phrase.role) { roles.insert(phrase.role) }
      }
    }
    for (index, token) in written.enumerated() where framing[index] == nil {
      let terms = analyzer.tokens(in: text, range: token.range, keepingStopWords: true).map(\.text)
      if words[index] == WordForm.not {
        framing[index] = .ignore
      } else if words[index].allSatisfy(\.isNumber) || words[index].count == 1
        || terms.contains(where: weakTerms.contains)
      {
        // A bare number says little by itself: a year is in the notes' dates, a dose beside its drug.
        framing[index] = .weak
      } else if terms.contains(where: plainTerms.contains) {
        framing[index] = .plain
      }
    }
    var periods = PeriodParser(now: askedAt, zone: zone).parseAll(words)
    // "Since the spring of 2023": up to now.
    if periods.count == 1, let since = words.firstIndex(of: "since"), periods[0].words.lowerBound > since,
      periods[0].words.lowerBound <= since + 4
    {
      let period = periods[0].period.lowerBound..<max(periods[0].period.upperBound, askedAt.adding(days: 1))
      periods[0] = PeriodParser.Found(period: period, words: periods[0].words)
    }
    // Words for whom and when.
    var naming = [Bool](repeating: false, count: words.count)
    for period in periods {
      for index in period.words {
        framing[index] = .ignore
        naming[index] = true
      }
    }
    for name in names {
      // Each word of a name by itself: owners are called by either.
      for word in Self.nameWords(name) {
        for start in occurrences(of: [word], in: words) {
          framing[start] = .ignore
          naming[start] = true
        }
      }
    }
    // "The old Lab" is a Labrador.
    let nameWords = names.flatMap(Self.nameWords).filter { $0.count >= 5 }
    for (index, token) in written.enumerated() where words[index].count >= 3 {
      let isCapital = text.slice(utf8: token.range)?.first?.isUppercase == true
      if isCapital, index > 0, nameWords.contains(where: { $0.hasPrefix(words[index]) }) {
        framing[index] = .ignore
        naming[index] = true
      }
    }
    var kindsOfWord = [Set<FactKind>](repeating: [], count: words.count)
    var named: Set<FactKind> = []
    for topic in lexicon.topics {
      for cue in topic.cues {
        for start in occurrences(of: cue, in: words) {
          let range = start..<(start + cue.count)
          if range.allSatisfy({
            framing[$0] == .ignore && names.flatMap(Self.nameWords).contains { $0.hasPrefix(words[start]) }
          }) {
            continue
          }
          if topic.isNamed { named.insert(topic.kind) }
          for index in range where !topic.isNamed { kindsOfWord[index].insert(topic.kind) }
          // "is she on": the last word carries the topic, the others frame it.
          if let last = range.last { framing[last] = nil }
        }
      }
    }
    let species = Set(names.compactMap(Species.init(rawValue:)))
    let asides = QuestionAsides(text, written, words: words).places
    var groups = self.groups(
      text, written, framing: framing, kinds: kindsOfWord, species: species, asides: asides)
    if groups.isEmpty {
      // "Which teeth came out": where every word frames the question, those that say something are its topic as well.
      let content = Set(analyzer.tokens(in: text).map(\.range.lowerBound))
      for index in words.indices where !naming[index] && content.contains(written[index].range.lowerBound) {
        framing[index] = nil
      }
      groups = self.groups(
        text, written, framing: framing, kinds: kindsOfWord, species: species, asides: asides)
    }
    // "Which of her eyes": the same question as "which eye".
    if words.contains("which"), framing.contains(.body) { roles.insert(.side) }
    // "… than when he had the abscess" asks for no date.
    if let place = words.lastIndex(of: "when"), place > 0, !Self.joints.contains(words[place - 1]),
      !text.lowercased().contains(". when"), !text.lowercased().contains("? when")
    {
      roles.remove(.when)
    }
    // "When did it start": the first that is written of it.
    if roles.contains(.when), roles.contains(.beginning), !roles.contains(.last) { roles.insert(.first) }
    if periods.count > 1 { roles.insert(.comparison) }
    // "Weight before the amlodipine": a moment, not whether it ever was.
    if words.contains("before"), words.last != "before", words.first.map(Self.openers.contains) != true,
      words.allSatisfy({ !["ever", "any", "never", "previously", "past"].contains($0) })
    {
      roles.remove(.ever)
    }
    // "Before" beside "after" asks for two moments, not whether it ever was.
    if words.contains("before"), words.contains("after"), !words.contains("or"),
      !words.contains("ever"), !words.contains("any")
    {
      roles.remove(.ever)
      roles.insert(.comparison)
    }
    let isPlainYesOrNo =
      Self.isYesOrNo(words, roles) || Self.endsInYesOrNo(text, roles) || Self.turnsToYesOrNo(text, roles)
    let isTerseYesOrNo =
      !isPlainYesOrNo && !text.contains("%")
      && Self.isTerseYesOrNo(words, roles, asks: text.last == "?")
      && groups.allSatisfy { $0.kinds.isDisjoint(with: Self.valueKinds) }
    let isTerm = written.indices.map { index in
      !asides.contains(index) && !periods.contains { $0.words.contains(index) }
        && !names.contains { Self.nameWords($0).contains(words[index]) }
    }
    let terms = written.indices.filter { isTerm[$0] }
      .flatMap { analyzer.terms(in: text, range: written[$0].range) }.filter(TranslationModel.isWord)
    return Question(
      text: text, terms: terms, words: Set(words).union(isSeries ? ["values"] : []), roles: roles,
      isYesOrNo: isPlainYesOrNo || isTerseYesOrNo,
      isTerseYesOrNo: isTerseYesOrNo,
      isAboutPresent: Self.first(of: Self.presentVerbs, before: Self.pastVerbs, in: words),
      isAboutPast: Self.first(of: Self.pastVerbs, before: Self.presentVerbs, in: words), groups: groups,
      circumstances: QuestionClauses(text, things: groups.filter { $0.force != .weak }.map(\.range)).circumstances,
      namedKinds: named, sidePart: words.first { Self.sideParts.contains($0) || Question.paired.contains($0) },
      period: periods.first?.period, periods: periods.map(\.period),
      tests: lexicon.tests)
  }

  /// Whether a word frames questions or is everyday speech.
  func knows(_ word: String) -> Bool {
    let terms = analyzer.tokens(in: word, keepingStopWords: true).map(\.text)
    return lexicon.words.contains(word) || terms.contains { weakTerms.contains($0) || plainTerms.contains($0) }
      || !thesaurus.expansions(of: word).isEmpty
  }

  private func occurrences(of phrase: [String], in words: [String]) -> [Int] {
    guard !phrase.isEmpty, phrase.count <= words.count else { return [] }
    return (0...(words.count - phrase.count)).filter { words[$0] == phrase[0] && words[$0...].starts(with: phrase) }
  }

  private static let presentVerbs: Set = ["is", "are", "has", "have", "does", "do", "can", "should", "gets", "takes"]
  private static let pastVerbs: Set = ["was", "were", "did", "had", "got", "took", "came", "went"]

  private static func first(of verbs: Set<String>, before others: Set<String>, in words: [String]) -> Bool {
    words.first { verbs.contains($0) || others.contains($0) }.map(verbs.contains) ?? false
  }

  /// A contraction is its verb and *not*; every other word stays as it is written.
  private static func apart(_ token: Token) -> [Token] {
    let folded = CaseFoldFilter().apply(to: [token]).flatMap(WordPhrases.apart)
    return folded.count == 2 ? folded : [token]
  }

  private static func nameWords(_ name: String) -> [String] {
    name.lowercased().split(whereSeparator: { !$0.isLetter && !$0.isNumber && !WordForm.isApostrophe($0) }).map(
      String.init)
  }

  private static let sideParts: Set = [
    "eye", "eyes", "ear", "ears", "leg", "legs", "stifle", "knee", "hip", "hips", "quarter", "foot", "paw", "limb",
    "elbow", "shoulder", "kidney", "lung", "teat", "jaw", "wing", "chest", "flank", "nostril", "cheek", "hock", "fore",
    "hind", "testicle", "axilla", "armpit", "groin",
  ]
  private static let joints: Set = ["and", "or", "but", "so", "from", "since", "by", "until"]
  private static let valueKinds: Set<FactKind> = [
    .weight, .bodyCondition, .temperature, .heartRate, .respiratoryRate, .lab,
  ]
}
