import Clinical
import Extraction
import Glibc
import TextAnalysis

/// A sentence that may be evidence: what it asserts of the question's topic, and how well it fits.
struct Reading {
  let match: Match
  /// Of what weighs most among what it names.
  let assertion: Assertion
  /// It denies anything specific that it names.
  let deniesPart: Bool
  let signs: SentenceSigns
  /// Of the clause in which it names what weighs most; of all of it where it names nothing.
  let nearSigns: SentenceSigns
  /// Of the clauses in which it names anything specific.
  let partSigns: SentenceSigns
  /// Per part of the match: whether it is denied, and the signs of its clause where its sentence tells of a no.
  let partDenials: [Bool]
  let partClauses: [SentenceSigns]
  var features: Measures<EvidenceFeature>
  /// By ``AnswerModel``; comparable within a question.
  var score = 0.0
  /// The share of the probability of all of the question's sentences.
  var share = 0.0

  var isDenial: Bool { assertion.polarity == .absent }
  var isAboutPatient: Bool { assertion.experiencer == .patient }
  /// Advice and conditions say nothing about what was.
  var isHypothetical: Bool { assertion.temporality == .hypothetical }

  static func isEarlier(_ first: Reading, _ second: Reading) -> Bool {
    (first.match.unit.note.recordedAt, first.match.unit.position) < (
      second.match.unit.note.recordedAt, second.match.unit.position
    )
  }
}

/// Ranks the sentences of a record by how likely they answer a question.
struct EvidenceRanking {
  /// Sentences that name less than this share of what the best one names don't say which notes compete.
  private static let competingShare = 0.6

  let question: Question
  let finder: EvidenceFinder
  /// Best first.
  let readings: [Reading]

  init(_ finder: EvidenceFinder, signs: SignReader, classifier: AssertionClassifier, model: AnswerModel) {
    self.init(finder, Self.readings(finder, signs: signs, classifier: classifier), model: model)
  }

  /// Ranks readings that were measured before.
  init(_ finder: EvidenceFinder, _ measured: [Reading], model: AnswerModel) {
    question = finder.question
    self.finder = finder
    var readings = measured
    for index in readings.indices { readings[index].score = model.score(readings[index].features) }
    let best = readings.map(\.score).max() ?? 0
    let total = readings.reduce(0) { $0 + exp($1.score - best) }
    for index in readings.indices { readings[index].share = exp(readings[index].score - best) / max(total, 1e-12) }
    self.readings = readings.sorted {
      ($1.score, $0.match.unit.position) < ($0.score, $1.match.unit.position)
    }
  }

  /// The sentences that hold anything of what was asked, measured, in the order of the record.
  static func readings(
    _ finder: EvidenceFinder, signs: SignReader, classifier: AssertionClassifier, all: Bool = false
  ) -> [Reading] {
    // By note: what a note says is read once for all of its sentences.
    var notes: [[Match]] = []
    for match in finder.matches(all: all) {
      if notes.last?.last?.unit.note.id == match.unit.note.id {
        notes[notes.count - 1].append(match)
      } else {
        notes.append([match])
      }
    }
    var readings = Concurrent.map(notes, portion: 4) { matches -> [Reading] in
      guard let note = matches.first?.unit.note else { return [] }
      let context = classifier.context(of: note.text)
      return matches.map { reading($0, finder, signs, classifier, context) }
    }.flatMap { $0 }
    measureRecency(&readings, finder.question)
    return translated(readings, by: finder)
  }

  /// The readings that are candidates, with what the finder's translation says of each.
  static func translated(_ readings: [Reading], by finder: EvidenceFinder) -> [Reading] {
    guard let translation = finder.translation else { return readings }
    return readings.filter { finder.isCandidate($0.match) }.map { reading in
      var reading = reading
      reading.features[.met] = translation.met[reading.match.place]
      guard !translation.own.isEmpty else { return reading }
      reading.features[.translated] = translation.own[reading.match.place]
      reading.features[.translatedBeside] = translation.beside[reading.match.place]
      reading.features[.translatedNote] = translation.note[reading.match.place]
      return reading
    }
  }

  private static func reading(
    _ match: Match, _ finder: EvidenceFinder, _ signs: SignReader, _ classifier: AssertionClassifier,
    _ context: AssertionContext
  ) -> Reading {
    let assertions = match.parts.map { part -> Assertion in
      let said = Self.assertion(of: part, in: match.unit, classifier, context)
      return part.isContrary ? said.reversed : said
    }
    let deniesPart = zip(match.parts, assertions).contains { part, assertion in
      finder.groups[part.group].force == .specific && assertion.polarity == .absent
    }
    let topic = topicPart(of: match, finder) ?? 0
    let unitSigns = signs.signs(of: match.unit)
    // A clause without words of refusal is none of a sentence without them.
    let clauses = match.parts.map { part in
      unitSigns.contains(.refusal) ? signs.signs(of: match.unit, near: part.range) : []
    }
    var reading = Reading(
      match: match, assertion: assertions.indices.contains(topic) ? assertions[topic] : Assertion(),
      deniesPart: deniesPart, signs: unitSigns,
      nearSigns: match.parts.isEmpty ? unitSigns : signs.signs(of: match.unit, near: match.parts[topic].range),
      partSigns: finder.question.isYesOrNo
        ? match.parts.filter { finder.groups[$0.group].force == .specific }.reduce(into: []) {
          $0.formUnion(signs.signs(of: match.unit, near: $1.range))
        } : [],
      partDenials: assertions.map { $0.polarity == .absent }, partClauses: clauses,
      features: Measures())
    measure(&reading, finder)
    return reading
  }

  private static func assertion(
    of part: Match.Part, in unit: EvidenceUnit, _ classifier: AssertionClassifier, _ context: AssertionContext
  ) -> Assertion {
    // "Hx of Addison's? no hx."
    if let answer = unit.answer, answer.asked.contains(part.range.lowerBound) {
      var assertion = classifier.assertion(of: part.range, in: context)
      assertion.polarity = answer.isYes ? .present : .absent
      return assertion
    }
    // "NKDA": the denial is in the fact itself.
    if let fact = part.fact, fact.kind == .allergy, fact.assertion.polarity == .absent { return fact.assertion }
    let head = classifier.assertion(of: part.range, in: context)
    guard head.polarity == .present else { return head }
    // "HR 108, no murmur", "cornea: no ulcer": a phrase is denied with any of its words.
    return part.others.lazy.map { classifier.assertion(of: $0, in: context) }.first { $0.polarity == .absent } ?? head
  }

  /// The part that says what is asked: the weightiest, but of "stones on x-ray" the stones, not the x-ray.
  private static func topicPart(of match: Match, _ finder: EvidenceFinder) -> Int? {
    func isMeans(_ part: Match.Part) -> Bool {
      part.fact?.kind == .procedure || finder.groups[part.group].kinds.contains(.lab)
    }
    return match.parts.indices.first { index in
      finder.groups[match.parts[index].group].force == .specific && !isMeans(match.parts[index])
    } ?? match.parts.indices.first
  }

  private static func measure(_ reading: inout Reading, _ finder: EvidenceFinder) {
    let (question, match) = (finder.question, reading.match)
    let groups = finder.groups
    let known = groups.indices.filter { finder.holders[$0] > 0 }
    let total = known.reduce(0) { $0 + finder.weights[$1] }
    func share(_ closeness: (Int) -> Double) -> Double {
      total > 0 ? known.reduce(0) { $0 + finder.weights[$1] * closeness($1) } / total : 0
    }
    var features = Measures<EvidenceFeature>()
    features[.own] = share { match.own[$0] }
    features[.beside] = share { max(match.own[$0], match.beside[$0]) }
    features[.note] = share { match.note[$0] }
    features[.around] = share { max(match.own[$0], match.beside[$0], match.around[$0]) }
    features[.exact] = share { match.own[$0] >= 1 ? 1 : 0 }
    let asked = known.filter { question.isAsked(groups[$0]) }
    let askedTotal = asked.reduce(0) { $0 + finder.weights[$1] }
    if askedTotal > 0 {
      features[.asked] = asked.reduce(0) { $0 + finder.weights[$1] * match.own[$1] } / askedTotal
      features[.askedExact] = asked.reduce(0) { $0 + (match.own[$1] >= 1 ? finder.weights[$1] : 0) } / askedTotal
    }
    features[.related] = finder.relatedShare(match)
    if let rarest = known.max(by: { finder.weights[$0] < finder.weights[$1] }) { features[.rarest] = match.own[rarest] }
    let things = known.filter { groups[$0].force == .specific }
    if !things.isEmpty {
      features[.things] = Double(things.count { match.own[$0] > 0 }) / Double(things.count)
      features[.weakest] = things.map { match.own[$0] }.min() ?? 0
      features[.weakestBeside] = things.map { max(match.own[$0], match.beside[$0]) }.min() ?? 0
      features[.weakestNote] = things.map { match.note[$0] }.min() ?? 0
    }
    let names = groups.indices.filter { groups[$0].isName }
    if !names.isEmpty {
      features[names.allSatisfy { max(match.own[$0], match.beside[$0]) > 0 } ? .named : .unnamed] = 1
    }
    let askedSides = question.sides
    if askedSides.count == 1 {
      let sides = Side.named(in: match.unit)
      let isSame = !sides.isDisjoint(with: askedSides)
      if !sides.isEmpty { features[isSame ? .sameSide : .otherSide] = 1 }
    }
    if question.kinds.contains(.drug), match.unit.facts.contains(where: { $0.kind == .drug }) {
      features[.drugNamed] = 1
    }
    let kinds = question.kinds
    features[.kind] = match.unit.facts.contains { kinds.contains($0.kind) } ? 1 : 0
    features[.kindInNote] = groups.indices.contains { !groups[$0].kinds.isEmpty && match.note[$0] > 0 } ? 1 : 0
    features[.value] = question.wantsValue && match.parts.contains { $0.fact?.hasValue == true } ? 1 : 0
    if question.asksForMeasure, hasNumberBeside(match) { features[.valueBeside] = 1 }
    if match.unit.isOfOtherPatient { features[.otherPatient] = 1 }
    for (form, sign, feature) in Self.forms where question.asks(for: form) && reading.signs.contains(sign) {
      features[feature] = 1
    }
    if question.isYesOrNo, reading.signs.contains(.refusal) { features[.refusal] = 1 }
    if question.asksForDuration, reading.signs.contains(.duration) { features[.duration] = 1 }
    switch match.unit.note.kind {
    case .lab where kinds.contains(.lab): features[.labNote] = 1
    case .prescription where kinds.contains(.drug): features[.prescriptionNote] = 1
    case .surgery where kinds.contains(.procedure): features[.surgeryNote] = 1
    case .phone, .intake:
      if question.asks(for: .advice) || kinds.contains(.ownerDecision) { features[.messageNote] = 1 }
    default: break
    }
    if reading.isDenial {
      features[question.isYesOrNo ? .deniedInYesNo : .denied] = 1
      if question.asks(for: .when) || question.asks(for: .first) { features[.deniedWhen] = 1 }
    }
    if reading.isHypothetical {
      let wantsPlans = question.asks(for: .advice) || question.asks(for: .next)
      features[wantsPlans ? .hypotheticalAdvice : .hypothetical] = 1
    }
    let isAboutOthers = question.asks(for: .others) || !names.isEmpty
    if !reading.isAboutPatient { features[isAboutOthers ? .someoneAsked : .someoneElse] = 1 }
    if question.isYesOrNo || question.asks(for: .current), reading.signs.contains(.ending) { features[.ending] = 1 }
    if reading.signs.contains(.question) { features[.asks] = 1 }
    if reading.signs.contains(.head) { features[.head] = 1 }
    if match.unit.copiedFrom != nil { features[.copied] = 1 }
    if reading.assertion.polarity == .uncertain { features[.uncertain] = 1 }
    if !question.periods.isEmpty {
      let isInside = question.periods.contains { $0.contains(match.unit.note.recordedAt) }
      features[isInside ? .inPeriod : .outOfPeriod] = 1
    }
    if question.wantsValue, !reading.signs.contains(.number) { features[.noNumber] = 1 }
    if reading.assertion.temporality == .historical { features[.historical] = 1 }
    if question.recency == .recencyNow { features[.lateNow] = match.unit.place }
    if ["plan", "treatment", "advice"].contains(match.unit.section) {
      features[question.asks(for: .next) || question.asks(for: .advice) ? .planWanted : .plan] = 1
    }
    features[.length] = log(Double(1 + match.unit.tokens.count))
    reading.features = features
  }

  /// Whether a number stands in the three words after what weighs most: "pheno level today 23", not "ALP 402 … pheno".
  /// A grade counts on either side: "murmur 4/6", "gr II/VI murmur".
  static func hasNumberBeside(_ match: Match) -> Bool {
    match.target.map { hasNumber(in: match.unit, beside: $0) } ?? false
  }

  static func hasNumber(in unit: EvidenceUnit, beside target: Range<Int>) -> Bool {
    let words = WordPhrases.words(in: unit.note.text, range: unit.range)
    guard let place = words.lastIndex(where: { $0.range.overlaps(target) }) else { return false }
    let near = max(0, place - 5)..<min(words.count, place + 5)
    if near.contains(where: { index in
      isGrade(words[index].text, of: index < place ? ["6"] : ["6", "9", "10"]) || isRomanGrade(words, at: index)
    }) {
      return true
    }
    return words[place...].prefix(4).contains { word in
      word.range.upperBound > target.upperBound && word.text.first?.isNumber == true && !word.text.contains("/")
    }
  }

  /// "2/6", "7/10".
  private static func isGrade(_ word: String, of scales: Set<String>) -> Bool {
    let parts = word.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count == 2 && !parts[0].isEmpty && scales.contains(String(parts[1]))
  }

  /// "II/VI", "grade III", "murmur IV": beside such a word "IV" is no vein.
  private static func isRomanGrade(_ words: [Token], at index: Int) -> Bool {
    guard ["i", "ii", "iii", "iv", "v", "ii/vi", "iii/vi", "iv/vi", "v/vi", "i/vi"].contains(words[index].text) else {
      return false
    }
    return words[index].text.contains("/") || (index + 1 < words.count && words[index + 1].text == "vi")
      || (index > 0 && ["gr", "grade", "murmur"].contains(words[index - 1].text))
  }

  private static let forms: [(QuestionLexicon.Role, SentenceSigns, EvidenceFeature)] = [
    (.when, .date, .date), (.next, .date, .date), (.amount, .dose, .dose), (.amount, .number, .number),
    (.count, .numeral, .number), (.trend, .number, .number), (.why, .reason, .reason), (.who, .person, .person),
    (.side, .side, .side), (.frequency, .frequency, .frequency), (.advice, .instruction, .instruction),
    (.change, .change, .change), (.comparison, .comparison, .comparison), (.comparison, .number, .number),
    (.permission, .prohibition, .prohibition),
  ]

  private static func measureRecency(_ readings: inout [Reading], _ question: Question) {
    let most = readings.map { $0.features[.own] }.max() ?? 0
    let dates = Set(
      readings.filter { $0.features[.own] >= most * competingShare }.map(\.match.unit.note.recordedAt)
    ).sorted()
    guard dates.count > 1 else { return }
    for index in readings.indices {
      let date = readings[index].match.unit.note.recordedAt
      let later = dates.count { $0 > date }
      let place = 1 - Double(min(later, dates.count - 1)) / Double(dates.count - 1)
      readings[index].features[question.recency] = place
    }
  }
}

extension Assertion {
  /// What it says of the contrary: benign is not malignant.
  fileprivate var reversed: Assertion {
    var other = self
    switch polarity {
    case .present: other.polarity = .absent
    case .absent: other.polarity = .present
    default: break
    }
    return other
  }
}

extension Question {
  /// Which way time counts.
  fileprivate var recency: EvidenceFeature {
    if asks(for: .first) { return .recencyFirst }
    if asks(for: .last) || asks(for: .current) || asks(for: .next) || isAboutPresent { return .recencyNow }
    if isAboutPast { return .recencyPast }
    return isTerse ? .recencyTerse : .recencyAny
  }
}
