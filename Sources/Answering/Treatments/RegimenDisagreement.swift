import Clinical
import Extraction

/// Finds where what is given, as an owner reports it, is not what was prescribed, and where two notes of a few days differ on it.
///
/// The later word is not always the right one: "says she gives it every other day to save money" is no change of the
/// prescription, and who asks for the dose has to see both.
struct RegimenDisagreement {
  /// A report so long after the prescription is of a change that nobody wrote down.
  private static let reportDays = 200
  /// Two notes of so few days are of one regimen, unless the later one changes it.
  private static let visitDays = 10
  /// Two doses further apart in time are a change that nobody wrote down.
  private static let kindDays = 120
  /// Two records of so few days are of one visit, whenever that was.
  private static let sameVisitDays = 1.5
  /// What is said of a drug goes on for so many sentences.
  private static let carriedSentences = 2

  let question: Question
  let signs: SignReader
  let frequencies: FrequencyWords
  let classifier: AssertionClassifier

  /// One sentence that says how the drug is given.
  private struct Statement {
    let unit: EvidenceUnit
    let regimen: WrittenRegimen
    /// The drug's name stands in it.
    let isNamed: Bool
    /// It passes on what somebody else said; its whole note does.
    let isHearsay: Bool
    let isMessage: Bool
    let isChange: Bool
    /// It says since when, or that it was never so: of a time before it was written.
    let reachesBack: Bool
  }

  /// The two sentences that disagree; nil where none do or the question is for something else.
  ///
  /// - Parameters:
  ///   - finder: of the question's words; its units are the record.
  ///   - best: the sentence that answers best by its words.
  ///   - isAsked: whether a drug's fact is of the drug asked about.
  /// - Returns: both, the earlier first.
  func disagreement(in finder: EvidenceFinder, best: EvidenceUnit?, isAsked: (Fact) -> Bool) -> [EvidenceUnit]? {
    guard asksForRegimen || asksForDose else { return nil }
    var drug: String?
    /// Where the drug was last named.
    var named: EvidenceUnit?
    var statements: [Statement] = []
    for unit in finder.units
    where !unit.isOfOtherPatient && question.periods.allSatisfy({ $0.contains(unit.note.recordedAt) }) {
      let fact = unit.facts.first { $0.kind == .drug && isAsked($0) && $0.assertion.experiencer == .patient }
      if let fact {
        // A change that was advised, or a taper: what was prescribed before may be over.
        guard fact.assertion.temporality != .hypothetical, !tapers(unit) else {
          statements = []
          continue
        }
        // Of another drug of the kind asked about the regimen is another.
        if drug != fact.name { statements = [] }
        drug = fact.name
        named = unit
      }
      let isCarried =
        named.map { $0.note.id == unit.note.id && unit.position - $0.position <= Self.carriedSentences } ?? false
      if let statement = statement(unit, fact, isCarried: isCarried, finder), drug != nil {
        statements.append(statement)
      }
      // "Rang for more Prascend. She gives one a day, 1 mg": until another drug is named.
      if fact == nil, unit.facts.contains(where: { $0.kind == .drug }) { named = nil }
    }
    if asksForRegimen, let two = disagreement(among: statements) { return two }
    return asksForDose ? disagreement(ofOneVisit: statements, best: best) : nil
  }

  /// What was prescribed at the visit that is asked about, and what the label, the nurse or the owner says it was.
  private func disagreement(ofOneVisit statements: [Statement], best: EvidenceUnit?) -> [EvidenceUnit]? {
    guard let best else { return nil }
    let visit = statements.filter { said in
      !said.regimen.isDenied
        && abs(Double(said.unit.note.recordedAt.seconds - best.note.recordedAt.seconds)) / 86_400 <= Self.sameVisitDays
    }
    for (index, first) in visit.enumerated() where first.isNamed {
      for second in visit[(index + 1)...]
      where second.unit.note.id != first.unit.note.id && (first.isChange || !second.isChange)
        && first.regimen.contradicts(second.regimen)
      {
        return [first.unit, second.unit]
      }
    }
    return nil
  }

  private func disagreement(among statements: [Statement]) -> [EvidenceUnit]? {
    guard let last = statements.last else { return nil }
    for reported in statements.reversed() where (reported.isMessage || reported.isHearsay) && !reported.isChange {
      guard
        let said = statements.last(where: { said in
          said.isNamed && !said.regimen.isDenied && !said.isMessage && (reported.isMessage || !said.isHearsay)
        })
      else { break }
      if isReported(reported, of: said), said.regimen.contradicts(reported.regimen),
        !reported.regimen.isDenied || reported.reachesBack
      {
        return [said.unit, reported.unit].sorted { $0.position < $1.position }
      }
      break
    }
    guard !last.isChange, let before = statements.last(where: { $0.unit.note.id != last.unit.note.id }),
      days(before, last) <= reach(from: before, to: last), !before.regimen.isDenied, !last.regimen.isDenied,
      before.regimen.contradicts(last.regimen)
    else { return nil }
    return [before.unit, last.unit]
  }

  /// "10 mg SID for 7 days then 5 mg SID".
  private func tapers(_ unit: EvidenceUnit) -> Bool { question.classes.words(of: unit.text).has(.then) }

  /// For how many days two doses are of one regimen: few in two consultations, and only of two hands; more in records of two
  /// kinds, such as a visit and a prescription, where the dose is what is asked.
  private func reach(from first: Statement, to second: Statement) -> Double {
    let asksForDose = question.asks(for: .amount) || question.asks(for: .frequency)
    let areDosed = [first, second].allSatisfy { $0.regimen.dose != nil && $0.regimen.timesPerDay != nil }
    if asksForDose, areDosed, first.unit.note.kind != second.unit.note.kind { return Double(Self.kindDays) }
    return first.unit.note.author == second.unit.note.author ? -1 : Double(Self.visitDays)
  }

  /// Whether one is a report of what the other prescribes: written after it, or on its day.
  private func isReported(_ report: Statement, of said: Statement) -> Bool {
    report.unit.note.id != said.unit.note.id && (-0.9...Double(Self.reportDays)).contains(days(said, report))
  }

  private func days(_ first: Statement, _ second: Statement) -> Double {
    Double(second.unit.note.recordedAt.seconds - first.unit.note.recordedAt.seconds) / 86_400
  }

  private func statement(_ unit: EvidenceUnit, _ fact: Fact?, isCarried: Bool, _ finder: EvidenceFinder) -> Statement? {
    let signs = signs.signs(of: unit)
    let isMessage = unit.note.kind == .phone || unit.note.kind == .intake
    guard signs.isDisjoint(with: [.question, .plan, .proposal]) || fact != nil else { return nil }
    guard
      let name = fact?.range
        ?? unnamed(
          unit, isCarried: isCarried,
          isReport: isMessage || signs.contains(.hearsay) || unit.note.kind == .prescription, finder)
    else { return nil }
    let assertion = fact?.assertion ?? classifier.assertion(of: name, in: classifier.context(of: unit.note.text))
    let regimen = WrittenRegimen(
      of: unit, at: name, fact: fact, isDenied: assertion.polarity == .absent && !name.isEmpty,
      frequencies: frequencies,
      classes: question.classes)
    guard !regimen.isEmpty, assertion.polarity != .uncertain else { return nil }
    return Statement(
      unit: unit, regimen: regimen, isNamed: fact != nil, isHearsay: signs.contains(.hearsay), isMessage: isMessage,
      isChange: fact?.hasAction(in: Self.changes) == true || signs.contains(.change),
      reachesBack: question.classes.words(of: unit.text).has(.longPast))
  }

  /// What owners call a drug, or leave unsaid where the note is about it, is read only where they tell of it.
  private func unnamed(_ unit: EvidenceUnit, isCarried: Bool, isReport: Bool, _ finder: EvidenceFinder) -> Range<Int>? {
    guard isReport, !unit.facts.contains(where: { $0.kind == .drug }) else { return nil }
    if let named = namedPart(of: unit, finder) { return named }
    let words = question.classes.words(of: unit.text)
    let tellsAmount = words.has(.portion) || WrittenDose.stands(in: words, of: .doseUnits, question.classes)
    return isCarried && tellsAmount ? unit.range.lowerBound..<unit.range.lowerBound : nil
  }

  private func namedPart(of unit: EvidenceUnit, _ finder: EvidenceFinder) -> Range<Int>? {
    finder.groups.indices.lazy.filter { finder.groups[$0].force == .specific }
      .compactMap { EvidenceFinder.part($0, finder.groups[$0], in: unit) }
      .first { $0.closeness >= Match.naming }?.range
  }

  /// Whether the question is for what is given now, how much, how often, where, or for the drug alone.
  private var asksForRegimen: Bool {
    guard question.kinds.isDisjoint(with: [.allergy, .reaction]) else { return false }
    let isOfNow =
      question.roles.isDisjoint(with: [
        .why, .when, .who, .first, .trend, .advice, .permission, .comparison, .change, .others, .next,
      ]) && (!question.asks(for: .count) || asksForUnits) && !question.isAboutPast
    return isOfNow || question.asks(for: .frequency)
  }

  /// Whether it is for how much of a drug was given, or how often, at any time.
  private var asksForDose: Bool {
    question.roles.isDisjoint(with: [
      .why, .when, .who, .trend, .advice, .permission, .comparison, .others, .next, .ever,
    ]) && question.kinds.isDisjoint(with: [.allergy, .reaction])
      && (question.asks(for: .amount) || question.asks(for: .frequency) || asksForUnits)
  }

  /// "How many units": what a drug is measured in.
  private var asksForUnits: Bool { question.has([.amountunit, .insulinunit]) }

  private static let changes: [TreatmentAction] = [.changed, .started, .stopped]
}
