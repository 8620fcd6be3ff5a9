public import Clinical

/// Tells whether a note asserts, denies or doubts something, now, once or conditionally, of this patient or another.
///
///     let classifier = try AssertionClassifier(rules: rules, wordClasses: classes)
///     classifier.assertion(of: 3..<11, in: "No vomiting, diarrhoea since Monday").polarity   // .absent
///
/// The target may be any words: what decides are the cues around it, their direction and how far they reach. The cue
/// words, reaches and priorities are in `Models/extraction/assertion-rules.tsv`.
///
/// - Source: the idea of cues with direction, reach and terminators is NegEx's and ConText's: Chapman et al., J Biomed
///   Inform 2001;34:301-310; Harkema et al., J Biomed Inform 2009;42:839-851. The rules are VetNet's own.
public struct AssertionClassifier: Sendable {
  let rules: [AssertionRule]
  /// The `id` of each rule.
  private let ids: [String]
  /// The classes texts must be scanned with.
  public let wordClasses: WordClasses
  let matcher: PhraseMatcher
  /// The version of the rules, from the table's head.
  public let version: String

  /// - Parameters:
  ///   - table: `assertion-rules.tsv`.
  ///   - wordClasses: `word-classes.tsv`.
  /// - Throws: ``DataTableError`` naming the row that can't be understood.
  public init(rules table: DataTable, wordClasses: WordClasses) throws(DataTableError) {
    var rules: [AssertionRule] = []
    var ids: [String] = []
    var matcher = Self.matcher
    for row in table.rows {
      let rule = try AssertionRule(row: row, classes: wordClasses)
      try row.forEachPart("cue") { cue throws(DataTableError) in
        guard matcher.add(utf8: cue, payload: rules.count, classes: wordClasses) else {
          throw row.error("cue", "has '\(String(decoding: cue, as: UTF8.self))', which can't be read")
        }
      }
      rules.append(rule)
      ids.append(row["id"])
    }
    self.init(
      rules: rules, ids: ids, matcher: matcher, wordClasses: wordClasses, version: table.metadata["version"])
  }

  /// - Parameters:
  ///   - rules: what the payloads of `matcher` name.
  ///   - ids: the `id` of each rule.
  ///   - matcher: finds the cues.
  ///   - wordClasses: the classes that the cues were added with.
  ///   - version: of the table.
  init(
    rules: [AssertionRule], ids: [String], matcher: PhraseMatcher, wordClasses: WordClasses, version: String?
  ) {
    self.rules = rules
    self.ids = ids
    self.matcher = matcher
    self.wordClasses = wordClasses
    self.version = version ?? ""
  }

  /// An empty matcher as cues need it.
  static var matcher: PhraseMatcher {
    PhraseMatcher(allowsPlural: false, passingOver: .filler)
  }

  /// The assertion of the words at `target`, UTF-8 bytes of `text`.
  ///
  /// - Complexity: O(bytes of the text); with several targets, make ``AssertionContext`` once instead.
  public func assertion(of target: Range<Int>, in text: String) -> Assertion {
    assertion(of: target, in: context(of: text))
  }

  /// Everything about a text that does not depend on the target.
  ///
  /// - Complexity: O(bytes).
  public func context(of text: String) -> AssertionContext {
    context(of: ScannedText(text, classes: wordClasses))
  }

  public func context(of text: ScannedText) -> AssertionContext {
    AssertionContext(text: text, rules: rules, matcher: matcher)
  }

  /// The assertion of the words at `target` in a text read before.
  ///
  /// - Complexity: O(cues × words of the target's sentence).
  public func assertion(of target: Range<Int>, in context: AssertionContext) -> Assertion {
    assertion(ofWords: context.text.wordRange(of: target), in: context)
  }

  /// Whether a cue says what is so, rather than what is supposed: in "if biopsy declined, trial steroids" nothing was declined.
  private func isFree(
    _ cue: CueMatch, of condition: Range<Int>, _ target: Range<Int>, _ context: AssertionContext
  ) -> Bool {
    guard cue.words.lowerBound >= condition.upperBound,
      context.text.phraseEnd(from: condition.upperBound, before: cue.words.lowerBound) == cue.words.lowerBound
    else { return true }
    if cue.looksBack { return cue.axis != .temporality }
    return context.text.phraseEnd(from: cue.words.upperBound, before: target.lowerBound) == target.lowerBound
  }

  /// "Household: cat with hyperthyroidism": what a heading lists in its own sentence is no return to the patient.
  private func isUnderHeading(_ cue: CueMatch?, _ sentence: Range<Int>) -> Bool {
    cue.map { rules[$0.rule].direction == .heading && sentence.contains($0.words.lowerBound) } ?? false
  }

  /// Whether what is said of another animal at `target` is over.
  ///
  /// - Parameters:
  ///   - target: the words asked about.
  ///   - other: the cue that says that it is another's; nil where the subject of the clause says so.
  ///   - time: the word of time that decided; it counts unless the animal is dead.
  ///   - context: the text that was read.
  /// - Returns: false where neither verb nor death tells.
  private func isOver(
    _ target: Range<Int>, _ other: CueMatch?, _ time: CueMatch?, in context: AssertionContext
  ) -> Bool {
    let span = context.subject(of: target.lowerBound).flatMap { $0.isOther ? $0 : nil }
    guard let subject = other?.words ?? span?.subject else { return false }
    if time.map({ rules[$0.rule].temporality == .current }) ?? true,
      ClauseTense.isDead(from: subject, to: target, in: context.text)
    {
      return true
    }
    guard time == nil, !ClauseTense.isResult(target, context.text) else { return false }
    return span?.past.contains(target.lowerBound) ?? false
      || other.map { ClauseTense.isPast(from: $0.words, to: target, in: context.text) } ?? false
  }

  /// Whether what is supposed or planned is another clause's matter.
  private func isOfAnotherClause(_ cue: CueMatch, _ target: Range<Int>, in context: AssertionContext) -> Bool {
    if cue.looksBack { return ConditionClause.isPartedByJoint(target, from: cue.words, in: context.text) }
    return cue.words.upperBound <= target.lowerBound
      && ConditionClause.ends(cue.words, before: target, in: context.text)
  }

  func assertion(ofWords target: Range<Int>, in context: AssertionContext) -> Assertion {
    guard let first = target.first else { return Assertion() }
    let sentence = context.text.sentence(ofWord: first)
    var decisions = Decisions()
    considerCues(in: sentence, target, context, &decisions)
    considerHeading(over: first, sentence, target, context, &decisions)
    settleTime(target, context, &decisions)
    let earlier =
      decisions.temporality.value ?? .current == .current
      ? earlierDate(over: target, decisions.temporality.namedCue, context) : nil
    let subjectCue = settleSubject(sentence, target, context, &decisions)
    // "Both his brothers blocked": another's story in the past, where no word of time says otherwise.
    let isOther = subjectCue != nil || decisions.experiencer.value == .other
    let isPast = isOther && isOver(target, decisions.experiencer.cue, decisions.temporality.namedCue, in: context)
    var cues: [Assertion.Cue] = []
    for cue in decisions.named {
      let named = Assertion.Cue(rule: ids[cue.rule], range: context.text.byteRange(of: cue.words))
      if !cues.contains(named) { cues.append(named) }
    }
    if let subjectCue { cues.append(subjectCue) }
    if let earlier { cues.append(Assertion.Cue(rule: "earlier-entry", range: context.text.byteRange(of: earlier))) }
    cues.sort { ($0.range.lowerBound, $0.rule) < ($1.range.lowerBound, $1.rule) }
    return Assertion(
      polarity: decisions.polarity.value ?? .present,
      temporality: isPast || earlier != nil ? .historical : decisions.temporality.value ?? .current,
      experiencer: subjectCue != nil ? .other : decisions.experiencer.value ?? .patient, cues: cues)
  }

  /// A cue of no rule: the subject of its clause is another.
  private static let subjectRule = "subject"

  /// Whether a cue says that something is another's.
  func tellsOfAnother(_ cue: Assertion.Cue) -> Bool {
    cue.rule == Self.subjectRule || ids.firstIndex(of: cue.rule).map { rules[$0].experiencer == .other } ?? false
  }

  /// Weighs the cues of the target's sentence that reach it.
  private func considerCues(
    in sentence: Range<Int>, _ target: Range<Int>, _ context: AssertionContext, _ decisions: inout Decisions
  ) {
    var conditionBorder: Int?
    var condition: Range<Int>?
    var reach = CueReach(context: context, rules: rules, target: target, sentence: sentence)
    for index in context.cues(in: sentence) {
      let cue = context.cues[index]
      // Behind a condition's own phrase the talk is of something else: "if blocked again - O not keen".
      if cue.looksBack, let conditionBorder, cue.words.lowerBound >= conditionBorder { continue }
      // Most cues look away from the target: that costs no walk.
      if cue.looksBack ? cue.words.upperBound < target.upperBound : cue.words.lowerBound > target.lowerBound {
        continue
      }
      guard rules[cue.rule].concerns(target, of: context.text) else { continue }
      if rules[cue.rule].temporality == .historical, context.entries.isVisitDate(cue.words) { continue }
      guard let distance = reach?.distance(ofCue: index) else { continue }
      if rules[cue.rule].temporality == .hypothetical, isOfAnotherClause(cue, target, in: context) { continue }
      if let condition, !isFree(cue, of: condition, target, context) { continue }
      decisions.consider(rules[cue.rule], cue, on: cue.axis, distance: distance)
      if rules[cue.rule].isCondition, !cue.looksBack { condition = condition ?? cue.words }
      if rules[cue.rule].isCondition, !cue.looksBack, conditionBorder == nil {
        conditionBorder = context.text.phraseEnd(from: target.upperBound, before: sentence.upperBound)
      }
    }
  }

  /// Weighs the heading that the target stands under.
  private func considerHeading(
    over first: Int, _ sentence: Range<Int>, _ target: Range<Int>, _ context: AssertionContext,
    _ decisions: inout Decisions
  ) {
    guard let heading = context.heading(over: first), rules[heading.rule].concerns(target, of: context.text) else {
      return
    }
    // "DDx: lymphoma, IBD. Not a foreign body.": a later sentence may take something off the list.
    let isLater = !sentence.contains(heading.words.lowerBound)
    for axis in AssertionRule.Axis.allCases {
      if isLater, axis == .polarity, decisions.polarity.value == .absent { continue }
      // "Plan: scan, r/o FB": what is to be ruled out is suspected now.
      if axis == .temporality, decisions.polarity.value == .uncertain,
        rules[heading.rule].temporality == .hypothetical
      {
        continue
      }
      if axis == .temporality, decisions.polarity.value == .absent, rules[heading.rule].isPlan { continue }
      decisions.consider(rules[heading.rule], heading, on: axis, distance: first - heading.words.upperBound)
    }
  }

  /// Takes back a time that is another thing's.
  private func settleTime(_ target: Range<Int>, _ context: AssertionContext, _ decisions: inout Decisions) {
    // "Echo advised to confirm MMVD": the test is advice, what it asks about is suspected now; "ring if weak or twitching" names
    // two things to come, and doubts neither.
    if decisions.polarity.value == .uncertain, let doubt = decisions.polarity.cue,
      let advice = decisions.temporality.cue,
      decisions.temporality.value == .hypothetical, !doubt.looksBack, rules[doubt.rule].reach.scope != .adjacent,
      !advice.looksBack, !rules[advice.rule].isCondition, advice.words.upperBound <= doubt.words.lowerBound
    {
      decisions.temporality = Decision(unmarked: Temporality.current)
    }
    // "HCM on echo in 2021": a date tells since when a lasting condition is known, not that it is over.
    if let time = decisions.temporality.cue, rules[time.rule].isDate, decisions.polarity.value != .absent,
      decisions.experiencer.value != .other, lasts(target, in: context)
    {
      decisions.temporality = Decision(unmarked: Temporality.current)
    }
  }

  /// Compares the cues for whom it is said of with the subject of the clause.
  ///
  /// - Returns: the subject, where it alone says that it is another.
  private func settleSubject(
    _ sentence: Range<Int>, _ target: Range<Int>, _ context: AssertionContext, _ decisions: inout Decisions
  ) -> Assertion.Cue? {
    let first = target.lowerBound
    guard let span = context.subject(of: first), span.subject.upperBound <= first || !span.subject.overlaps(target)
    else { return nil }
    let cue = decisions.experiencer.cue
    let isNearer = cue.map { span.subject.lowerBound > $0.words.upperBound - 1 } ?? true
    if span.isOther, cue == nil {
      return Assertion.Cue(rule: Self.subjectRule, range: context.text.byteRange(of: span.subject))
    }
    if !span.isOther, isNearer, decisions.experiencer.value == .other, span.subject.upperBound <= first,
      !isUnderHeading(cue, sentence)
    {
      decisions.experiencer = Decision(unmarked: Experiencer.patient)
    }
    return nil
  }
}

extension AssertionClassifier: Packable {
  package func pack(into packer: inout Packer) {
    wordClasses.pack(into: &packer)
    packer.add(list: rules) { $1.pack(into: &$0) }
    packer.add(texts: ids)
    matcher.pack(into: &packer)
    packer.add(version)
  }

  package init(from unpacker: inout Unpacker) throws(PackingError) {
    let wordClasses = try WordClasses(from: &unpacker)
    let rules = try unpacker.list { unpacker throws(PackingError) in try AssertionRule(from: &unpacker) }
    let ids = try unpacker.texts()
    let matcher = try PhraseMatcher(from: &unpacker)
    let version = try unpacker.text()
    self.init(rules: rules, ids: ids, matcher: matcher, wordClasses: wordClasses, version: version)
  }
}
