import Clinical
import Extraction

/// Answers whether an anaesthetic or sedation went wrong before, which whoever plans the next one must not miss: what notes of
/// anaesthetics say of airway, breathing, circulation, temperature and recovery.
struct AnaesthesiaAnswer {
  struct Outcome {
    let answerClass: Answer.Class
    /// In time order; empty where the record is silent.
    let units: [EvidenceUnit]
  }

  let question: Question
  let words: AnaesthesiaWords
  let classifier: AssertionClassifier

  private static let limit = 6

  /// What notes of anaesthetics say of how they went.
  ///
  /// - Parameter units: of the record, in time order.
  /// - Returns: nil where something else is asked, or notes of anaesthetics don't say how they went.
  /// - Complexity: O(units · things named) beside the reading of the notes.
  func outcome(among units: [EvidenceUnit]) -> Outcome? {
    guard words.first(.askedMeans, in: question.text) != nil, words.first(.askedTrouble, in: question.text) != nil,
      question.roles.isDisjoint(with: [.count, .amount, .others, .side])
    else { return nil }
    // No note of any anaesthetic: what else went wrong is no answer.
    guard units.contains(where: { words.first(.noteMeans, in: $0.note.text, range: $0.range) != nil }) else {
      return Outcome(answerClass: .notRecorded, units: [])
    }
    let (trouble, smooth) = told(units)
    // "At the dental": the anaesthetics of notes that name it, where any do.
    let things = question.groups.filter { $0.force == .specific && words.first(.askedMeans, in: $0.text) == nil }
      .filter { words.first(.askedTrouble, in: $0.text) == nil }
    let fitting = trouble.filter { unit in
      things.allSatisfy { thing in units.contains { $0.note.id == unit.note.id && Self.names(thing, $0) } }
    }
    let shown = fitting.isEmpty ? trouble : fitting
    if !shown.isEmpty { return Outcome(answerClass: .found, units: Array(shown.suffix(Self.limit))) }
    return smooth.isEmpty ? nil : Outcome(answerClass: .negative, units: Array(smooth.suffix(2)))
  }

  private func told(_ units: [EvidenceUnit]) -> (trouble: [EvidenceUnit], smooth: [EvidenceUnit]) {
    var isOfAnaesthetic: [String: Bool] = [:]
    var contexts: [String: AssertionContext] = [:]
    var (trouble, smooth): ([EvidenceUnit], [EvidenceUnit]) = ([], [])
    for unit in units where !unit.isOfOtherPatient && !isOutside(unit) {
      let note = unit.note
      let isOf = isOfAnaesthetic[note.id] ?? (words.first(.noteMeans, in: note.text) != nil)
      isOfAnaesthetic[note.id] = isOf
      guard isOf else { continue }
      if let focus = words.first(.trouble, in: note.text, range: unit.range) {
        let context = contexts[note.id] ?? classifier.context(of: note.text)
        contexts[note.id] = context
        let assertion = classifier.assertion(of: focus, in: context)
        if assertion.polarity != .absent, assertion.experiencer == .patient { trouble.append(unit) }
      } else if let focus = words.first(.smooth, in: note.text, range: unit.range),
        words.first(.noteMeans, in: note.text, range: unit.range) != nil
      {
        // "Recovery not smooth" is no smooth one; "no complications" has its no in itself.
        let context = contexts[note.id] ?? classifier.context(of: note.text)
        contexts[note.id] = context
        let saysNo = note.text.slice(utf8: focus).map {
          $0.lowercased().hasPrefix("no ") || $0.lowercased().hasPrefix("without")
        }
        let assertion = classifier.assertion(of: focus, in: context)
        if assertion.experiencer == .patient, saysNo == true || assertion.polarity == .present { smooth.append(unit) }
      }
    }
    return (trouble, smooth)
  }

  private func isOutside(_ unit: EvidenceUnit) -> Bool {
    guard let period = question.period else { return false }
    return !period.contains(unit.note.recordedAt)
  }

  private static func names(_ group: Question.Group, _ unit: EvidenceUnit) -> Bool {
    group.alternatives.contains { !$0.isLoose && !$0.terms.isEmpty && $0.terms.allSatisfy(unit.terms.contains) }
  }
}
