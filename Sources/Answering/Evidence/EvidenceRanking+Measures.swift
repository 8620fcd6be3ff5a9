import Chart
import Clinical
import Extraction
import Glibc

/// What is measured of a sentence beside a question, apart from how late it was written.
extension EvidenceRanking {
  static func measure(_ reading: inout Reading, _ finder: EvidenceFinder) {
    coverage(&reading, finder)
    names(&reading, finder)
    kinds(&reading, finder.question)
    forms(&reading, finder.question)
    noteKind(&reading, finder.question)
    assertion(&reading, finder.question)
    time(&reading, finder.question)
    reading.features[.length] = log(Double(1 + reading.match.unit.tokens.count))
  }

  /// How much of what is asked the sentence names, and how closely, by the weights of the question's groups.
  private static func coverage(_ reading: inout Reading, _ finder: EvidenceFinder) {
    let (match, groups) = (reading.match, finder.groups)
    let known = groups.indices.filter { finder.holders[$0] > 0 }
    func share(of some: [Int], _ closeness: (Int) -> Double) -> Double? {
      let total = some.reduce(0) { $0 + finder.weights[$1] }
      return total > 0 ? some.reduce(0) { $0 + finder.weights[$1] * closeness($1) } / total : nil
    }
    func exact(_ group: Int) -> Double { match.own[group] >= 1 ? 1 : 0 }
    var features = Measures<EvidenceFeature>()
    features[.own] = share(of: known) { match.own[$0] } ?? 0
    features[.beside] = share(of: known) { max(match.own[$0], match.beside[$0]) } ?? 0
    features[.note] = share(of: known) { match.note[$0] } ?? 0
    features[.around] = share(of: known) { max(match.own[$0], match.beside[$0], match.around[$0]) } ?? 0
    features[.exact] = share(of: known, exact) ?? 0
    let asked = known.filter { finder.question.isAsked(groups[$0]) }
    if let named = share(of: asked, { match.own[$0] }) { features[.asked] = named }
    if let named = share(of: asked, exact) { features[.askedExact] = named }
    features[.related] = finder.relatedShare(match)
    if let rarest = known.max(by: { finder.weights[$0] < finder.weights[$1] }) { features[.rarest] = match.own[rarest] }
    let things = known.filter { groups[$0].force == .specific }
    if !things.isEmpty {
      features[.things] = Double(things.count { match.own[$0] > 0 }) / Double(things.count)
      features[.weakest] = things.map { match.own[$0] }.min() ?? 0
      features[.weakestBeside] = things.map { max(match.own[$0], match.beside[$0]) }.min() ?? 0
      features[.weakestNote] = things.map { match.note[$0] }.min() ?? 0
    }
    reading.features = features
  }

  /// Whether the sentence names the patients, animals and the side that the question does.
  private static func names(_ reading: inout Reading, _ finder: EvidenceFinder) {
    let (question, match) = (finder.question, reading.match)
    let names = finder.groups.indices.filter { finder.groups[$0].isName }
    if !names.isEmpty {
      let areNamed = names.allSatisfy { max(match.own[$0], match.beside[$0]) > 0 }
      reading.features[areNamed ? .named : .unnamed] = 1
    }
    let askedSides = question.sides
    if askedSides.count == 1 {
      let sides = Side.named(in: match.unit, question.classes)
      if !sides.isEmpty { reading.features[sides.isDisjoint(with: askedSides) ? .otherSide : .sameSide] = 1 }
    }
    let isAboutOthers = question.asks(for: .others) || !names.isEmpty
    if match.unit.isOfOtherPatient { reading.features[.otherPatient] = 1 }
    if !reading.isAboutPatient { reading.features[isAboutOthers ? .someoneAsked : .someoneElse] = 1 }
    let groups = finder.groups
    reading.features[.kindInNote] = groups.indices.contains { !groups[$0].kinds.isEmpty && match.note[$0] > 0 } ? 1 : 0
  }

  /// Whether the sentence has facts and values of the kinds that are asked for.
  private static func kinds(_ reading: inout Reading, _ question: Question) {
    let (match, kinds) = (reading.match, question.kinds)
    if kinds.contains(.drug), match.unit.facts.contains(where: { $0.kind == .drug }) {
      reading.features[.drugNamed] = 1
    }
    reading.features[.kind] = match.unit.facts.contains { kinds.contains($0.kind) } ? 1 : 0
    reading.features[.value] = question.wantsValue && match.parts.contains { $0.fact?.hasValue == true } ? 1 : 0
    if question.asksForMeasure, hasNumberBeside(match, question.classes) { reading.features[.valueBeside] = 1 }
  }

  /// Whether the sentence is of the form of an answer: a date for "when", a reason for "why".
  private static func forms(_ reading: inout Reading, _ question: Question) {
    for (form, sign, feature) in Self.forms where question.asks(for: form) && reading.signs.contains(sign) {
      reading.features[feature] = 1
    }
    if question.isYesOrNo, reading.signs.contains(.refusal) { reading.features[.refusal] = 1 }
    if reading.signs.contains(.duration), question.asksForDuration { reading.features[.duration] = 1 }
    if question.isYesOrNo || question.asks(for: .current), reading.signs.contains(.ending) {
      reading.features[.ending] = 1
    }
    if reading.signs.contains(.question) { reading.features[.asks] = 1 }
    if reading.signs.contains(.head) { reading.features[.head] = 1 }
    if question.wantsValue, !reading.signs.contains(.number) { reading.features[.noNumber] = 1 }
  }

  /// What the kind of note and the section tell.
  private static func noteKind(_ reading: inout Reading, _ question: Question) {
    let (unit, kinds) = (reading.match.unit, question.kinds)
    switch unit.note.kind {
    case .lab where kinds.contains(.lab): reading.features[.labNote] = 1
    case .prescription where kinds.contains(.drug): reading.features[.prescriptionNote] = 1
    case .surgery where kinds.contains(.procedure): reading.features[.surgeryNote] = 1
    case .phone, .intake:
      if question.asks(for: .advice) || kinds.contains(.ownerDecision) { reading.features[.messageNote] = 1 }
    default: break
    }
    if unit.copiedFrom != nil { reading.features[.copied] = 1 }
    if LastEntries.planSections.contains(unit.section) {
      let wantsPlan = question.asks(for: .next) || question.asks(for: .advice)
      reading.features[wantsPlan ? .planWanted : .plan] = 1
    }
  }

  /// What the sentence's own assertion is: a denial, a plan, a doubt, the past.
  private static func assertion(_ reading: inout Reading, _ question: Question) {
    if reading.isDenial {
      reading.features[question.isYesOrNo ? .deniedInYesNo : .denied] = 1
      if question.asks(for: .when) || question.asks(for: .first) { reading.features[.deniedWhen] = 1 }
    }
    if reading.isHypothetical {
      let wantsPlans = question.asks(for: .advice) || question.asks(for: .next)
      reading.features[wantsPlans ? .hypotheticalAdvice : .hypothetical] = 1
    }
    if reading.assertion.polarity == .uncertain { reading.features[.uncertain] = 1 }
    if reading.assertion.temporality == .historical { reading.features[.historical] = 1 }
  }

  /// Whether the note is of the time that is asked about.
  private static func time(_ reading: inout Reading, _ question: Question) {
    let unit = reading.match.unit
    if !question.periods.isEmpty {
      let isInside = question.periods.contains { $0.contains(unit.note.recordedAt) }
      reading.features[isInside ? .inPeriod : .outOfPeriod] = 1
    }
    if question.recency == .recencyNow { reading.features[.lateNow] = unit.place }
  }

  private static let forms: [(QuestionLexicon.Role, SentenceSigns, EvidenceFeature)] = [
    (.when, .date, .date), (.next, .date, .date), (.amount, .dose, .dose), (.amount, .number, .number),
    (.count, .numeral, .number), (.trend, .number, .number), (.why, .reason, .reason), (.who, .person, .person),
    (.side, .side, .side), (.frequency, .frequency, .frequency), (.advice, .instruction, .instruction),
    (.change, .change, .change), (.comparison, .comparison, .comparison), (.comparison, .number, .number),
    (.permission, .prohibition, .prohibition),
  ]
}
