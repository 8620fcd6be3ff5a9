import Chart
import Clinical
import Extraction

/// Answers what a patient does not tolerate, where a question asks for that in general ("any allergies?", "drugs to avoid?") or
/// of one thing ("which antibiotic does she react to?").
///
/// Notes seldom say "allergy": "meloxicam STOPPED, not to have it again" is one to whoever holds the syringe. Bans and reactions
/// of every kind are shown, suspected ones and mere precautions too: an alarm too many harms nobody. "No known allergies" after one of them stands beside it, never instead of it.
struct ReactionAnswer {
  /// What the record says of reactions; every unit is of the patient.
  struct Outcome {
    let answerClass: Answer.Class
    let units: [EvidenceUnit]
  }

  let question: Question
  let alerts: AlertLexicon
  let classifier: AssertionClassifier

  private static let limit = 6

  /// Whether nothing but reactions is asked for: no drug, sign or time of theirs.
  var isAsked: Bool {
    let things = question.groups.filter { $0.force == .specific }
    return !things.isEmpty && things.allSatisfy { $0.kinds.contains(.allergy) && !$0.isDrug }
      && question.period == nil && question.namedKinds.isSubset(of: [.allergy, .drug])
      && question.roles.isDisjoint(with: Self.otherAims)
  }

  /// What the reaction is asked to be to, as groups that a sentence about it names; empty unless the question asks for
  /// reactions to something.
  private var causes: [Question.Group] {
    let things = question.groups.filter { $0.force == .specific && !$0.isOrdinary }
    let causes = things.filter { !$0.kinds.contains(.allergy) && !$0.alternatives.isEmpty }
    let isAsked = question.groups.contains { $0.kinds.contains(.allergy) } && question.period == nil
    return isAsked && question.roles.isDisjoint(with: Self.otherAims.subtracting([.why])) ? causes : []
  }

  private static let otherAims: Set<QuestionLexicon.Role> = [
    .why, .when, .who, .side, .others, .first, .change, .frequency,
  ]

  /// Nil when something else is asked, or the record has no word of any reaction; without units where all it has are others'
  /// reactions ("owner is allergic to …") and germs' sensitivities.
  ///
  /// - Parameter units: of the record, in time order.
  /// - Returns: the class, and the sentences that carry it.
  /// - Complexity: linear in the length of the notes; O(units · reactions) where a cause is named.
  func outcome(among units: [EvidenceUnit]) -> Outcome? {
    let causes = self.causes
    guard isAsked || !causes.isEmpty else { return nil }
    var contexts: [String: AssertionContext] = [:]
    func isOfPatient(_ focus: Range<Int>, _ note: ClinicalNote) -> Bool {
      let context = contexts[note.id] ?? classifier.context(of: note.text)
      contexts[note.id] = context
      return classifier.assertion(of: focus, in: context).experiencer == .patient
    }
    let own = units.filter { !$0.isOfOtherPatient }
    let asserted = own.filter { unit in
      if let focus = alerts.reaction(in: unit.note.text, range: unit.range), isOfPatient(focus, unit.note) {
        return true
      }
      return unit.facts.contains { fact in
        fact.kind == .allergy && fact.assertion.experiencer == .patient && fact.assertion.polarity != .absent
          && fact.range.overlaps(unit.range) && !alerts.isException(unit.range, of: unit.note)
      }
    }
    // "No allergies except penicillin" is no denial.
    let denied = own.last { unit in
      unit.facts.contains {
        $0.kind == .allergy && $0.assertion.polarity == .absent && $0.assertion.experiencer == .patient
          && $0.allergy?.subject == nil && $0.range.overlaps(unit.range)
      } && !question.classes.words(of: unit.text).has(.exception)
    }
    if !causes.isEmpty {
      // A laboratory's "resistant to" is a germ's.
      let fitting = asserted.filter { unit in
        unit.note.kind != .lab && causes.allSatisfy { Self.names($0, near: unit, in: units) }
      }
      guard let last = fitting.last else { return nil }
      return told(fitting, upTo: last, denied)
    }
    guard let last = asserted.last else {
      if let denied { return Outcome(answerClass: .negative, units: [denied]) }
      let told = units.filter { $0.facts.contains { $0.kind == .allergy } }
      let isOfOthers = told.allSatisfy { unit in
        unit.isOfOtherPatient || alerts.isException(unit.range, of: unit.note)
          || unit.facts.allSatisfy { $0.kind != .allergy || $0.assertion.experiencer == .other }
      }
      return !told.isEmpty && isOfOthers ? Outcome(answerClass: .notRecorded, units: []) : nil
    }
    return told(asserted, upTo: last, denied)
  }

  /// A later "no known allergies" speaks against what was noted before.
  private func told(_ asserted: [EvidenceUnit], upTo last: EvidenceUnit, _ denied: EvidenceUnit?) -> Outcome {
    let shown = Array(asserted.suffix(Self.limit))
    if let denied, denied.position > last.position, denied.note.id != last.note.id {
      return Outcome(answerClass: .conflicting, units: shown + [denied])
    }
    return Outcome(answerClass: .found, units: shown)
  }

  /// Whether a sentence, or one beside it in its note, names a thing or a member of its class.
  private static func names(_ group: Question.Group, near unit: EvidenceUnit, in units: [EvidenceUnit]) -> Bool {
    units.contains { other in
      other.note.id == unit.note.id && abs(other.position - unit.position) <= 1
        && group.alternatives.contains {
          !$0.isLoose && !$0.terms.isEmpty && $0.terms.allSatisfy(other.terms.contains)
        }
    }
  }
}
