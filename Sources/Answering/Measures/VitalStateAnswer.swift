import Assessment
import Chart
import Clinical
import Extraction

/// Answers whether an animal was febrile, hypothermic, tachycardic … from what was measured and what is normal for its species
/// and age, in whatever unit it was written.
struct VitalStateAnswer {
  let question: Question
  let ranges: VitalRanges
  let zone: PracticeTimeZone

  private struct State {
    let kind: FactKind
    let measure: VitalMeasure
    let isHigh: Bool
  }

  /// The value that answers, and whether it says yes.
  ///
  /// - Returns: nil where no such state is asked for, nothing was measured at the time, or, of a past without a date, values disagree.
  func outcome(in record: PatientRecord) -> (value: MeasureAnswer.Value, isYes: Bool)? {
    guard question.isYesOrNo,
      question.roles.isDisjoint(with: [.why, .who, .when, .advice, .permission, .others, .extreme, .comparison, .trend]
      ),
      let state = asked
    else { return nil }
    let values = record.recordedFacts([state.kind]).compactMap { item -> MeasureAnswer.Value? in
      guard item.fact.assertion.experiencer == .patient, item.fact.assertion.temporality == .current,
        !item.fact.isImplausible, let number = item.fact.value
      else { return nil }
      return MeasureAnswer.Value(item: item, number: number, date: zone.date(of: item.note.recordedAt))
    }
    let then = question.period.map { period in values.filter { period.contains($0.item.note.recordedAt) } } ?? values
    let judged = then.compactMap { value in says(value, state, record.patient).map { (value: value, isYes: $0) } }
    guard let last = judged.last else { return nil }
    if question.period != nil { return judged.last { $0.isYes } ?? last }
    let isOfLatest = question.asks(for: .last) || question.isAboutPresent
    return isOfLatest || judged.allSatisfy { $0.isYes == last.isYes } ? last : nil
  }

  private func says(_ value: MeasureAnswer.Value, _ state: State, _ patient: Patient) -> Bool? {
    let normal = ranges.normal(
      state.measure, in: patient.species, days: patient.ageInDays(on: value.date).map(Double.init))
    return normal.map { state.isHigh ? value.number > $0.upperBound : value.number < $0.lowerBound }
  }

  private var asked: State? {
    let classes = question.classes.words(of: question.text).classes
    let named = Self.states.filter { classes.contains($0.name) }
    return named.count == 1 ? named[0].state : nil
  }

  /// What is asked for, by the class of its names.
  private static let states: [(name: QuestionClass, state: State)] = [
    (.febrile, State(kind: .temperature, measure: .temperature, isHigh: true)),
    (.hypothermic, State(kind: .temperature, measure: .temperature, isHigh: false)),
    (.tachycardic, State(kind: .heartRate, measure: .heartRate, isHigh: true)),
    (.bradycardic, State(kind: .heartRate, measure: .heartRate, isHigh: false)),
    (.tachypnoeic, State(kind: .respiratoryRate, measure: .respiratoryRate, isHigh: true)),
  ]
}
