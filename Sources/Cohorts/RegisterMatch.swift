import Chart
public import Clinical
import Extraction

/// A patient that fits a question to the whole practice, with the notes that say so.
public struct RegisterMatch: Sendable {
  public var patient: Patient
  let standing: RegisterVerdict.Standing
  let remark: String
  /// The newest fact of each condition; empty where silence is what was asked for.
  var items: [FactReference]
  /// The words that say it, where they are no fact's: a plan.
  var passage: (note: ClinicalNote, range: Range<Int>)?
  /// The patient's last entry, which a list shows where nothing is recorded.
  public var lastEntry: ClinicalNote?
  /// When the newest of them was written; nil without any.
  var newest: Timestamp? { items.map(\.recordedAt).max() }

  /// The notes that the sentence rests on, by the ids of the record it was made from.
  public var noteIDs: [String] { items.map(\.noteID) }

  /// Whether nothing is recorded, which any note of the patient's may show.
  public var isSilent: Bool { items.isEmpty && passage == nil }
}

extension RegisterQuestion {
  /// Whether a patient fits; nil where it doesn't, or where the record leaves it open. The courses are those of the patient's drugs,
  /// where they were folded before; nil where the record has their facts.
  func match(_ record: PatientRecord, courses: [DrugCourseState]?, judge: RegisterJudge) -> RegisterMatch? {
    var verdicts = conditions.compactMap { verdict($0, record, courses, judge) }
    guard !verdicts.isEmpty, areAlternatives || verdicts.count == conditions.count else { return nil }
    let standings = verdicts.map(\.standing)
    guard let standing = areAlternatives ? standings.min() : standings.max() else { return nil }
    if areAlternatives { verdicts.removeAll { $0.standing > standing } }
    var remarks: [String] = []
    for verdict in verdicts where !verdict.remark.isEmpty && !remarks.contains(verdict.remark) {
      remarks.append(verdict.remark)
    }
    return RegisterMatch(
      patient: record.patient, standing: standing, remark: remarks.joined(separator: ", "),
      items: verdicts.flatMap { [$0.contrary, $0.item].compactMap(\.self) })
  }

  private func verdict(
    _ condition: Condition, _ record: PatientRecord, _ courses: [DrugCourseState]?, _ judge: RegisterJudge
  ) -> RegisterVerdict? {
    if asksForCourses(condition) {
      return judge.onDrug(
        condition, courses ?? DrugCourses(record.recordedFacts([.drug])).states)
    }
    if condition.isNegated, let label = condition.protection, !judge.groups.suits(label, record.patient.species) {
      return nil
    }
    if condition.isNegated, condition.isNeutering, record.patient.isNeutered { return nil }
    return judge.verdict(condition, record)
  }
}

extension RegisterQuestion.Condition {
  /// Whether the registration says it too, and for good.
  fileprivate var isNeutering: Bool {
    kind == .procedure && !names.isEmpty && names.isSubset(of: ["neutering", "spay", "castration"])
  }
}

extension Patient {
  fileprivate var isNeutered: Bool { sex == .maleNeutered || sex == .femaleSpayed }
}
