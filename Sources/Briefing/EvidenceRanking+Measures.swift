import Clinical
import Extraction
import Glibc

/// What is measured of a sentence beside a question, apart from how late it was written.
extension EvidenceRanking {
  static func measure(_ reading: inout Reading, _ finder: EvidenceFinder) {
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

  private static let forms: [(QuestionLexicon.Role, SentenceSigns, EvidenceFeature)] = [
    (.when, .date, .date), (.next, .date, .date), (.amount, .dose, .dose), (.amount, .number, .number),
    (.count, .numeral, .number), (.trend, .number, .number), (.why, .reason, .reason), (.who, .person, .person),
    (.side, .side, .side), (.frequency, .frequency, .frequency), (.advice, .instruction, .instruction),
    (.change, .change, .change), (.comparison, .comparison, .comparison), (.comparison, .number, .number),
    (.permission, .prohibition, .prohibition),
  ]
}
