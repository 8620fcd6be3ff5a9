import Chart
import Clinical
import Extraction
import TextAnalysis

/// Answers whether a laboratory value is high, low or normal from the range that the record prints beside it.
struct RangeAnswer {
  private enum Asked { case high, low, normal, abnormal }

  let question: Question
  let analyzer: Analyzer
  let zone: PracticeTimeZone

  /// The value that answers, and whether it says yes.
  ///
  /// - Returns: nil where nothing like that is asked, no range is known, or the values of a past time disagree.
  func outcome(in record: PatientRecord) -> (value: MeasureAnswer.Value, isYes: Bool)? {
    guard question.isYesOrNo, let asked,
      question.roles.isDisjoint(with: [.why, .who, .when, .advice, .permission, .others, .extreme, .comparison, .trend])
    else { return nil }
    var plain = question
    plain.groups.removeAll { group in question.classes.words(of: group.text).allSatisfy { $0.isOne(of: .ranges) } }
    let measure = MeasureAnswer(question: plain, analyzer: analyzer, zone: zone)
    let values = measure.candidates(in: record).filter { $0.item.fact.kind == .lab }
    let inPeriod =
      question.period.map { period in values.filter { period.contains(zone.timestamp(of: $0.date)) } } ?? values
    let answers = inPeriod.compactMap { value in Self.says(value.item.fact, asked).map { (value: value, isYes: $0) } }
    guard let last = answers.last, last.value.date == inPeriod.last?.date else { return nil }
    if question.isAboutPast, question.period == nil, answers.contains(where: { $0.isYes != last.isYes }) { return nil }
    return last
  }

  private var asked: Asked? {
    // "High protein food", "low dose": beside a thing, not after it.
    let words = question.classes.words(of: question.text)
    guard let place = words.first(.ranges), words.last(.ranges) == place, place > 0 || words.count == 2,
      words.count <= Self.longest
    else { return nil }
    if words[place].isOne(of: .high) { return .high }
    if words[place].isOne(of: [.low, .lowered]) { return .low }
    return words[place].isOne(of: .abnormal) ? .abnormal : .normal
  }

  private static func says(_ fact: Fact, _ asked: Asked) -> Bool? {
    let flag = fact.lab?.flag
    guard flag != nil || fact.isWithinReference != nil else { return nil }
    switch asked {
    case .high: return flag == .high
    case .low: return flag == .low
    case .normal: return flag == nil
    case .abnormal: return flag != nil
    }
  }

  private static let longest = 8
}
