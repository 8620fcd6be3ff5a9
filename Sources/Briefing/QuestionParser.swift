public import Clinical
import Extraction
public import TextAnalysis

/// Turns the words of a question into what is asked and about what.
public struct QuestionParser: Sendable {
  private let lexicon: QuestionLexicon
  private let analyzer: Analyzer
  private let thesaurus: Thesaurus
  /// What only questions say.
  private let synonyms: Thesaurus
  private let concepts: ConceptMap
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
    let written = Tokenizer().tokens(in: text).filter { !$0.text.isEmpty }
    let words = written.map { Self.withoutPossessive(Self.plain($0, in: text)) }
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
      if words[index].hasSuffix("n't") || words[index].hasSuffix("n’t") {
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
      .flatMap { analyzer.terms(in: text, range: written[$0].range) }.filter(TranslationFitter.isWord)
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

  private func groups(
    _ text: String, _ written: [Token], framing: [QuestionLexicon.Role?], kinds: [Set<FactKind>],
    species: Set<Species>, asides: Set<Int>
  ) -> [Question.Group] {
    let tokens = analyzer.tokens(in: text, keepingStopWords: true)
    let context = GroupContext(
      text: text, written: written, tokens: tokens, expansions: thesaurus.expansionsOfWholes(in: tokens),
      synonyms: synonyms.expansionsOfWholes(in: tokens),
      links: concepts.links(in: tokens, species: species, thesaurus: thesaurus), framing: framing, kinds: kinds)
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

  private func occurrences(of phrase: [String], in words: [String]) -> [Int] {
    guard !phrase.isEmpty, phrase.count <= words.count else { return [] }
    return (0...(words.count - phrase.count)).filter { words[$0] == phrase[0] && words[$0...].starts(with: phrase) }
  }

  private static let presentVerbs: Set = ["is", "are", "has", "have", "does", "do", "can", "should", "gets", "takes"]
  private static let pastVerbs: Set = ["was", "were", "did", "had", "got", "took", "came", "went"]

  private static func first(of verbs: Set<String>, before others: Set<String>, in words: [String]) -> Bool {
    words.first { verbs.contains($0) || others.contains($0) }.map(verbs.contains) ?? false
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

  private static let openers: Set = [
    "is", "was", "were", "are", "has", "have", "had", "does", "did", "do", "any", "ever", "can", "could", "would",
    "will", "may", "should", "still", "ok", "okay", "anything", "anybody", "anyone",
  ]
  private static let wordsOfOpenQuestions: Set = [
    "what", "which", "when", "who", "why", "how", "where", "whose", "compare", "list", "last", "latest",
  ]
  private static let sideParts: Set = [
    "eye", "eyes", "ear", "ears", "leg", "legs", "stifle", "knee", "hip", "hips", "quarter", "foot", "paw", "limb",
    "elbow", "shoulder", "kidney", "lung", "teat", "jaw", "wing", "chest", "flank", "nostril", "cheek", "hock", "fore",
    "hind", "testicle", "axilla", "armpit", "groin",
  ]
  private static let joints: Set = ["and", "or", "but", "so", "from", "since", "by", "until"]
  private static let valueKinds: Set<FactKind> = [
    .weight, .bodyCondition, .temperature, .heartRate, .respiratoryRate, .lab,
  ]
  private static let valueRoles: Set<QuestionLexicon.Role> = [
    .why, .when, .who, .amount, .count, .trend, .side,
  ]

  private static func isYesOrNo(_ words: [String], _ roles: Set<QuestionLexicon.Role>) -> Bool {
    if !roles.isDisjoint(with: valueRoles.union([.extreme])) || words.first.map(wordsOfOpenQuestions.contains) == true {
      return false
    }
    return words.first.map(openers.contains) == true || roles.contains(.ever) || words.contains("whether")
  }

  /// "Our old list says epileptic. Is Moss one?": the last sentence asks.
  private static func endsInYesOrNo(_ text: String, _ roles: Set<QuestionLexicon.Role>) -> Bool {
    guard roles.isDisjoint(with: valueRoles) else { return false }
    let sentences = text.lowercased().split { ".?!;".contains($0) }.filter { $0.contains(where: \.isLetter) }
    guard sentences.count > 1, let last = sentences.last else { return false }
    return last.split(whereSeparator: { !$0.isLetter }).first.map { openers.contains(String($0)) } ?? false
  }

  /// "On the scan, was there anything in his ears?": the clause after the last comma asks.
  private static func turnsToYesOrNo(_ text: String, _ roles: Set<QuestionLexicon.Role>) -> Bool {
    guard roles.isDisjoint(with: valueRoles.subtracting([.when])), let comma = text.lastIndex(of: ",") else {
      return false
    }
    let before = text[..<comma].split(whereSeparator: { !$0.isLetter }).map { $0.lowercased() }
    let after = text[comma...].split(whereSeparator: { !$0.isLetter }).map { $0.lowercased() }
    guard after.count > 1, !wordsOfOpenQuestions.subtracting(["when"]).contains(before.first ?? "") else {
      return false
    }
    return openers.contains(after[0]) && subjects.contains(after[1])
  }

  private static let subjects: Set = ["there", "he", "she", "it", "they", "we", "you", "anyone", "anybody", "any"]

  /// "hyperthyroid at the moment?", "both testicles down?": no verb, and yes or no for an answer.
  private static func isTerseYesOrNo(
    _ words: [String], _ roles: Set<QuestionLexicon.Role>, asks: Bool
  ) -> Bool {
    // "Ketotic at diagnosis?" asks for no first of several.
    let roles = words.contains("diagnosis") || words.contains("presentation") ? roles.subtracting([.first]) : roles
    guard (2...(asks ? 9 : 6)).contains(words.count), words.allSatisfy({ !wordsOfOpenQuestions.contains($0) }) else {
      return false
    }
    return roles.isDisjoint(
      with: valueRoles.union([.last, .next, .first, .frequency, .extreme, .comparison, .list, .account]))
  }
}
