public import Clinical

/// Reads the facts of a note: drugs with dose and action, weights and other measurements, laboratory values,
/// vaccinations, problems with their status, allergies, what the owner decided, what is still to come.
///
///     extractor.facts(in: "Wt 12.4kg. Started meloxicam 0.1mg/kg SID. FIV neg. O declined dental", kind: .consult)
///
/// Facts come in the order of the text. Nothing is inferred from silence: what is not written yields no fact.
public struct FactExtractor: Sendable {
  public let findings: FindingExtractor
  public let vitals: VitalsReader
  private let drugs: DrugReader
  private let labs: LabReader
  private let prevention: PreventionReader
  private let events: EventReader
  package let reactions: ReactionReader
  private let phrases: ContextPhrases
  /// Has to be raised where code reads other facts from the same tables: facts made by another version are read again.
  public static let codeVersion = 4

  /// - Throws: ``DataTableError`` naming the table and row that can't be understood.
  package init(tables: ReadingTables, words: FactWords, vitals: VitalsReader, parser: QuantityParser)
    throws(DataTableError)
  {
    findings = words.findings
    let classes = findings.classifier.wordClasses
    let phrases = try ContextPhrases(table: tables.factContext, classes: classes)
    self.vitals = vitals
    self.phrases = phrases
    drugs = DrugReader(lexicon: words.drugs, phrases: phrases, parser: parser)
    labs = try LabReader(table: tables.labs, phrases: phrases, parser: parser, months: .month)
    prevention = try PreventionReader(table: tables.prevention, phrases: phrases, months: .month)
    events = try EventReader(table: tables.events, classes: classes)
    reactions = words.reactions
  }

  /// The facts of a note's text, in order.
  ///
  /// `kind` tells what an unmarked drug means: dispensed in a prescription, given in a surgery.
  ///
  /// - Complexity: O(bytes), with the cues of its sentence for every fact.
  public func facts(in text: String, kind: NoteKind) -> [Fact] {
    let classifier = findings.classifier
    let context = FactContext(assertions: classifier.context(of: text), classifier: classifier, kind: kind)
    let found = findings.findings(in: context.assertions)
    let labFacts = labs.facts(in: context)
    let named = drugMentions(in: context)
    let mentions = named.filter { !isMeasured($0, in: labFacts, context) }
    let implied = DrugEllipsis(phrases: phrases, parser: vitals.parser).mentions(after: named, in: context)
    var facts = measurements(context)
    facts += labFacts
    facts += drugs.facts(of: Self.inOrder(mentions + implied.map(\.drug)), in: context).filter { fact in
      fact.kind != .vaccination || !labFacts.contains { $0.range.overlaps(fact.range) }
    }.compactMap { withVaccination($0, context) }
    let drugRanges = facts.filter { $0.kind == .vaccination || $0.kind == .parasiteControl }.map(\.range)
    facts += prevention.facts(in: context).filter { fact in
      !drugRanges.contains { $0.overlaps(fact.range) } && !labFacts.contains { $0.range.overlaps(fact.range) }
    }
    facts += events.facts(in: context, drugs: mentions, findings: found)
    let ended = facts.filter { $0.kind == .drug && $0.action == .stopped }
      .map { context.text.wordRange(of: $0.range) }
    let stopped = ended.map { words in implied.first { $0.drug.words == words }?.antecedent ?? words }
    facts += reactions.facts(in: context, drugs: mentions, findings: found, stopped: stopped)
    let preventions = facts.filter { $0.kind == .vaccination || $0.kind == .parasiteControl }.map(\.range)
    let medicines = mentions.map { context.text.byteRange(of: $0.words) }
    facts += found.filter { finding in
      // "KC" beside "given" is the vaccine, "flea treatment" no flea, "metronidazole" no poison.
      !preventions.contains { $0.overlaps(finding.range) } && !medicines.contains { $0.overlaps(finding.range) }
    }.map { fact(of: $0, context) }

    let dates = lineDates(context)
    for index in facts.indices where facts[index].writtenDate == nil {
      let word = context.text.wordRange(of: facts[index].range).lowerBound
      facts[index].writtenDate = dates.last { $0.line.contains(word) }?.date
    }
    return facts.sorted {
      ($0.range.lowerBound, $0.range.upperBound, $0.kind.rawValue, $0.name, $0.valueRange?.lowerBound ?? 0)
        < ($1.range.lowerBound, $1.range.upperBound, $1.kind.rawValue, $1.name, $1.valueRange?.lowerBound ?? 0)
    }
  }

  private static func inOrder(_ mentions: [DrugMention]) -> [DrugMention] {
    mentions.sorted { $0.words.lowerBound < $1.words.lowerBound }
  }

  package func drugMentions(in context: FactContext) -> [DrugMention] { drugs.lexicon.mentions(in: context.text) }

  // MARK: - From the other readers

  /// The vital signs, each weight with the earlier one it is compared with.
  private func measurements(_ context: FactContext) -> [Fact] {
    var result: [Fact] = []
    for vital in vitals.vitals(in: context.text) {
      let fact = fact(of: vital, context)
      // "6.3 kg (13.9 lb)" is one weighing.
      if fact.kind == .weight, let last = result.last, last.kind == .weight, isSameWeight(last, fact, context) {
        continue
      }
      result.append(fact)
      if fact.kind == .weight, let earlier = earlierWeight(than: vital, context) { result.append(earlier) }
    }
    return result
  }

  private func isSameWeight(_ first: Fact, _ second: Fact, _ context: FactContext) -> Bool {
    guard let one = first.value, let other = second.value, second.range.lowerBound - first.range.upperBound <= 4 else {
      return false
    }
    return abs(one - other) <= max(one, other) * 0.02 && first.original?.unit != second.original?.unit
  }

  /// "was 2.42 in June '24", in the unit of the weight it is compared with.
  private func earlierWeight(than vital: VitalSign, _ context: FactContext) -> Fact? {
    let text = context.text
    let parser = vitals.parser
    let end = text.wordRange(of: vital.range).upperBound
    guard let found = EarlierValue.find(behind: end, of: text, parser: parser) else { return nil }
    let unit = found.quantity.unit.isEmpty ? vital.original.unit : found.quantity.unit
    guard let converted = parser.units.converted(found.quantity.value, from: unit), converted.unit == "kg",
      converted.value > vital.value / 4, converted.value < vital.value * 4
    else { return nil }
    let amount = Amount(
      value: converted.value, unit: converted.unit,
      original: Quantity(
        value: found.quantity.value, unit: unit, dimension: "mass", range: found.quantity.range,
        isUnitInferred: found.quantity.unit.isEmpty))
    var fact = Fact(
      .measurement(Measurement(.weight, amount)), name: vital.measure.rawValue,
      range: text.byteRange(of: found.words), valueRange: found.quantity.range,
      assertion: Assertion(temporality: .historical))
    for index in found.words.upperBound..<min(found.words.upperBound + 3, text.words.count) {
      if let (date, _) = context.date(at: index, months: .month) {
        fact.writtenDate = context.string(date)
        break
      }
    }
    return fact
  }

  /// A name that is a drug's and a test's ("glucose", "insulin") is the test where a result was read from it, or where
  /// nothing is given.
  private func isMeasured(_ mention: DrugMention, in labs: [Fact], _ context: FactContext) -> Bool {
    let range = context.text.byteRange(of: mention.words)
    if labs.contains(where: { $0.range.overlaps(range) && $0.kind == .lab }) { return true }
    return self.labs.isAnalyte(mention.words, context.text) && !drugs.isGiven(mention, context)
  }

  private func fact(of vital: VitalSign, _ context: FactContext) -> Fact {
    let amount = Amount(
      value: vital.value, unit: vital.unit, upper: vital.upper, comparison: vital.original.comparison,
      isImplausible: !vital.isPlausible, original: vital.original)
    return Fact(
      .measurement(Measurement(vital.measure, amount)), name: vital.measure.rawValue, range: vital.range,
      valueRange: vital.original.range, assertion: assertion(of: vital, context))
  }

  /// Nobody weighs people here: of "3.9 kg on the baby scales" and "weighed by the nurse: 3.9 kg" the weight is the animal's, of
  /// "the baby weighs 3.9 kg" it isn't. And it was weighed: "6.35 kg on the table scales" is on no table of options.
  private func assertion(of vital: VitalSign, _ context: FactContext) -> Assertion {
    var assertion = assertion(ofMeasurement: vital.range, context)
    guard vital.measure == .weight else { return assertion }
    let text = context.text
    let isOfScale = { (cue: Assertion.Cue) in
      let behind = text.wordRange(of: cue.range).upperBound
      return behind < text.words.count && text.words[behind].isOne(of: .scale)
    }
    if assertion.polarity == .uncertain, assertion.cues.contains(where: isOfScale) {
      assertion.polarity = .present
      assertion.cues.removeAll(where: isOfScale)
    }
    guard assertion.experiencer == .other else { return assertion }
    let weighing = text.wordRange(of: vital.range).lowerBound
    let isAnnounced = text.words[weighing].kind == .word
    let sentence = text.sentence(ofWord: weighing)
    guard isAnnounced || sentence.contains(where: { text.words[$0].isOne(of: .scale) }),
      // "His sister came too and the nurse weighed her".
      sentence.allSatisfy({ text.words[$0].classes.isDisjoint(with: .relative) })
    else { return assertion }
    let others = assertion.cues.filter(context.classifier.tellsOfAnother)
    let areBystanders = others.allSatisfy { cue in
      let words = text.wordRange(of: cue.range)
      let isSubject = isAnnounced && words.upperBound == weighing
      return !isSubject && words.contains { !text.words[$0].classes.isDisjoint(with: .somebody.union(.people)) }
        && words.allSatisfy { text.words[$0].classes.isDisjoint(with: Self.animals) }
    }
    guard !others.isEmpty, areBystanders else { return assertion }
    assertion.experiencer = .patient
    assertion.cues.removeAll { others.contains($0) }
    return assertion
  }

  private static var animals: WordClassSet { .creature.union(.relative).union(.group).union(.first) }

  /// A measurement is dated by its own phrase: in "2.55 kg (2.42 in June)" only the second is past.
  private func assertion(ofMeasurement range: Range<Int>, _ context: FactContext) -> Assertion {
    let words = context.text.wordRange(of: range)
    var assertion = context.assertion(of: words)
    guard assertion.temporality == .historical else { return assertion }
    let phrase = context.text.byteRange(of: context.phrase(around: words))
    let own = assertion.cues.filter { $0.range.lowerBound < phrase.upperBound }
    if own.count < assertion.cues.count {
      assertion.temporality = .current
      assertion.cues = own
    }
    return assertion
  }

  private func fact(of finding: Finding, _ context: FactContext) -> Fact {
    let words = context.text.wordRange(of: finding.range)
    let phrase = context.phrase(around: words)
    let near = max(phrase.lowerBound, words.lowerBound - 3)..<min(phrase.upperBound, words.upperBound + 4)
    let detail = FindingDetail(
      concept: finding.concept, system: finding.system.isEmpty ? nil : finding.system,
      side: phrases.nearest(to: words, in: near, of: context.text, axis: .side)?.side, isChronic: finding.isChronic,
      candidates: finding.candidates)
    let content: Fact.Content =
      switch finding.kind {
      case .problem: .problem(detail)
      case .procedure, .test: .procedure(detail)
      case .sign, .exposure: .finding(detail)
      }
    return Fact(content, name: finding.name, range: finding.range, assertion: finding.assertion)
  }

  /// A vaccine's name without brand or word of vaccination may be the disease: then there is no fact.
  private func withVaccination(_ fact: Fact, _ context: FactContext) -> Fact? {
    guard var prevention = fact.prevention else { return fact }
    let words = context.text.wordRange(of: fact.range)
    let sentence = context.text.sentence(ofWord: words.lowerBound)
    let near = max(sentence.lowerBound, words.lowerBound - 8)..<min(sentence.upperBound, words.upperBound + 12)
    self.prevention.applyAction(to: &prevention, fact.assertion, of: words, within: near, context)
    var fact = fact
    guard fact.kind == .vaccination else {
      fact.content = .parasiteControl(prevention)
      return fact
    }
    if prevention.event.brand == nil, prevention.event.action == nil { return nil }
    fact.content = .vaccination(prevention)
    return fact
  }

  /// Lines that begin with a date, as histories that were copied from elsewhere do.
  private func lineDates(_ context: FactContext) -> [(line: Range<Int>, date: String)] {
    var result: [(line: Range<Int>, date: String)] = []
    for (index, word) in context.text.words.enumerated() where word.flags.contains(.lineStart) {
      guard let (words, end) = context.date(at: index, months: .month), words.count >= 2 else { continue }
      // "6/52" is six weeks, "6/12 check" half a year, "1/2 of a tablet" no date.
      if words.count == 3, context.string((end - 1)..<end) == "52" { continue }
      let behind = end..<min(end + 2, context.text.words.count)
      if words.count == 3, behind.contains(where: { context.text.words[$0].isOne(of: .portion) }) {
        continue
      }
      result.append((context.line(of: index), context.string(words)))
    }
    return result
  }

}
