import Chart
import Clinical
import Extraction
import TextAnalysis

/// Answers what a patient is on from the drugs' latest mentions, where a question asks just that.
struct MedicationAnswer {
  let question: Question
  let analyzer: Analyzer
  /// By the words of a group: how closely they name the drug of the record that they name best.
  private let closest: [String: Double]

  init(question: Question, analyzer: Analyzer, record: PatientRecord) {
    self.question = question
    self.analyzer = analyzer
    let drugs = record.recordedFacts([.drug])
    var seen: Set<String> = []
    let distinct = drugs.filter { seen.insert($0.fact.name + ($0.fact.drugEvent?.brand ?? "")).inserted }
    var closest: [String: Double] = [:]
    for group in question.groups {
      for item in distinct {
        let terms = Set(analyzer.terms(in: item.fact.name) + analyzer.terms(in: item.fact.drugEvent?.brand ?? ""))
        for alternative in group.alternatives where !alternative.terms.isEmpty && !alternative.isLoose {
          guard alternative.terms.allSatisfy(terms.contains) else { continue }
          closest[group.text] = max(closest[group.text] ?? 0, alternative.weight)
        }
      }
    }
    self.closest = closest
  }

  /// What the record says of the drugs asked about.
  enum Outcome {
    /// The latest mention of each current drug.
    case given([RecordedFact])
    /// Every drug asked about was stopped or declined: its latest mention.
    case ended([RecordedFact])
  }

  /// Nil when the question asks something else, or the record knows no such drug.
  func outcome(
    of record: PatientRecord, _ chart: PatientChart, at now: Timestamp, near units: [EvidenceUnit]
  ) -> Outcome? {
    guard mayBeAboutNow else { return nil }
    let courses = chart.drugs
    let current = courses.current(at: now)
    let groups = question.groups.filter { $0.force == .specific && !$0.kinds.contains(.drug) }
    let mentioned = record.recordedFacts([.drug]).filter { $0.fact.assertion.experiencer == .patient }
    let drugGroups = groups.filter { group in mentioned.contains { names($0.fact, group) } }
    let wantsDose = question.asks(for: .amount) || question.asks(for: .frequency)
    if drugGroups.isEmpty {
      // Without any word for drugs this is another question.
      guard question.kinds.contains(.drug), !current.isEmpty, question.asks(for: .current) || question.isAboutPresent
      else { return nil }
      return .given(
        serving(groups, current, mentioned, units).flatMap { Self.told($0.regimen ?? $0.dosed ?? $0.latest, of: $0) })
    }
    let isBare = groups.count == drugGroups.count && !question.isYesOrNo
    let isWhether = groups.count == drugGroups.count && question.isYesOrNo && asksWhetherGiven
    guard question.asks(for: .current) || question.kinds.contains(.drug) || wantsDose || isBare || isWhether else {
      return nil
    }
    let asked = current.filter { entry in drugGroups.contains { names(entry.latest.fact, $0) } }
    if !asked.isEmpty {
      return .given(
        asked.flatMap { course in
          Self.told(
            tells(course.latest, units) ? course.latest : course.regimen ?? course.dosed ?? course.latest,
            of: course)
        })
    }
    // "amitriptyline?": whether it is on it.
    let isDrugAlone = question.isTerse && question.groups.count == drugGroups.count && !wantsDose
    guard isDrugAlone || (question.isYesOrNo && (question.asks(for: .current) || question.isAboutPresent)) else {
      return nil
    }
    let ended = courses.ended.map(\.latest).filter { end in drugGroups.contains { names(end.fact, $0) } }
    let given = mentioned.filter { item in
      item.fact.assertion.temporality != .hypothetical && drugGroups.contains { names(item.fact, $0) }
    }
    // "Current itch treatment": the injection that was given after the tablets were stopped.
    if let later = replacing(ended, among: given) { return .given([later]) }
    if !ended.isEmpty { return .ended(ended) }
    // "Is she on heart pills?", told long ago and never ended: nobody said no.
    if isWhether, !question.asks(for: .current), !question.kinds.contains(.drug) { return nil }
    // Not among what is given now, but nobody ended it: the last word on it, with its date, is no no.
    return given.last.map { .given([$0]) }
  }

  /// Of the drugs that an open question asks for, the last that was given, where that was after any other was ended.
  private func replacing(_ ended: [RecordedFact], among given: [RecordedFact]) -> RecordedFact? {
    guard let end = ended.last, !question.isYesOrNo || question.isTerseYesOrNo else { return nil }
    return given.last { item in
      item.note.recordedAt >= end.note.recordedAt && item.fact.assertion.isActive
        && !DrugCourse.isEnd(item.fact)
        && !ended.contains { $0.fact.name == item.fact.name }
    }
  }

  /// "Is Bella on insulin", "does he get apoquel".
  private var asksWhetherGiven: Bool {
    question.isAboutPresent && !question.isTerseYesOrNo && question.has([.on, .receiving])
  }

  /// Whether a later mention says how much without being read as a dose: "Prednisolone from 40 mg to 30 mg a day".
  private func tells(_ item: RecordedFact, _ units: [EvidenceUnit]) -> Bool {
    guard item.fact.assertion.polarity == .present, item.fact.assertion.temporality == .current,
      let unit = units.first(where: { $0.note.id == item.note.id && $0.range.overlaps(item.fact.range) }),
      !unit.facts.contains(where: { $0.kind == .lab })
    else { return false }
    let words = question.classes.words(in: unit)
    guard let place = words.firstIndex(where: { $0.range.overlaps(item.fact.range) }) else { return false }
    return WrittenDose.stands(in: words[place...].prefix(8), of: .doseUnits, question.classes)
  }

  /// Whether the question may be about what is given now.
  private var mayBeAboutNow: Bool {
    question.period == nil && !question.isAboutPast
      && question.roles.isDisjoint(with: [
        .why, .when, .who, .first, .last, .trend, .ever, .advice, .permission, .comparison, .change, .others, .next,
      ])
  }

  /// The drugs of which some sentence says that they are for what is asked ("for her heart"); all of them where none does.
  private func serving(
    _ groups: [Question.Group], _ current: [DrugCourse], _ mentioned: [RecordedFact], _ units: [EvidenceUnit]
  ) -> [DrugCourse] {
    let serving = current.filter { entry in
      mentioned.contains { item in
        guard item.fact.name == entry.latest.fact.name,
          let place = units.firstIndex(where: { $0.note.id == item.note.id && $0.range.overlaps(item.fact.range) })
        else { return false }
        return groups.contains { group in
          group.alternatives.contains { !$0.terms.isEmpty && $0.terms.allSatisfy(units[place].terms.contains) }
        }
      }
    }
    // What stands on the same prescription belongs to it.
    let notes = Set(serving.map(\.latest.note.id))
    return serving.isEmpty ? current : current.filter { notes.contains($0.latest.note.id) }
  }

  /// What says how a course stands: where the latest word names no measured dose, the one that does goes with it.
  private static func told(_ latest: RecordedFact, of course: DrugCourse) -> [RecordedFact] {
    guard !DrugCourse.isMeasured(latest.fact), let dosed = course.measured,
      dosed.note.id != latest.note.id || dosed.fact.range != latest.fact.range
    else { return [latest] }
    return [dosed, latest]
  }

  /// Whether the question names the drug by its name, brand or class.
  func isAsked(_ fact: Fact) -> Bool {
    question.groups.contains { $0.force == .specific && !$0.kinds.contains(.drug) && names(fact, $0) }
  }

  /// Whether a group of the question names the drug, its brand or its class, and no other of the record more closely: where
  /// prednisolone is on record, "pred" is no other steroid.
  private func names(_ fact: Fact, _ group: Question.Group) -> Bool {
    let closeness = closeness(of: fact, to: group)
    return closeness > 0 && closeness >= (closest[group.text] ?? 0) - 0.05
  }

  private func closeness(of fact: Fact, to group: Question.Group) -> Double {
    let terms = Set(analyzer.terms(in: fact.name) + analyzer.terms(in: fact.drugEvent?.brand ?? ""))
    return group.alternatives.filter { !$0.isLoose && !$0.terms.isEmpty && $0.terms.allSatisfy(terms.contains) }.map(
      \.weight
    ).max()
      ?? 0
  }
}
