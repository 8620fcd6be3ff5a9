import Chart
import Clinical
import Extraction

/// Answers who saw a patient last, and who did an operation, with the note that this person signed.
struct PeopleAnswer {
  let question: Question
  let naming: FactNaming
  let groups: PreventionGroups

  private static let visits: Set<NoteKind> = [.consult, .nurse, .surgery]

  /// A sentence of the note that the person signed; nil where the question asks for somebody else.
  func unit(in record: PatientRecord, units: [EvidenceUnit]) -> EvidenceUnit? {
    guard question.asks(for: .who), !question.isYesOrNo else { return nil }
    if question.has(.operating) {
      guard
        let topic = EventTopic(
          question, record, naming: naming, kinds: [.procedure], groups: groups,
          passing: [.operating, .vet, .who])
      else { return nil }
      let done = topic.items(in: record).filter {
        $0.fact.assertion.temporality == .current && $0.note.author != nil
          && (question.period?.contains($0.note.recordedAt) ?? true)
      }
      guard let item = done.last(where: { $0.note.kind == .surgery }) else { return nil }
      return units.first { $0.note.id == item.note.id && $0.range.overlaps(item.fact.range) }
    }
    let isPlain = question.groups.allSatisfy { group in
      group.force != .specific
        || question.classes.words(of: group.text).allSatisfy { $0.isOne(of: [.seeing, .vet, .nurse]) }
    }
    guard isPlain, question.asks(for: .last) || question.period != nil, question.has(.seeing)
    else {
      return nil
    }
    let wantsNurse = question.has(.nurse)
    return units.last { unit in
      Self.visits.contains(unit.note.kind) && unit.note.author != nil && (!wantsNurse || unit.note.kind == .nurse)
        && (question.period?.contains(unit.note.recordedAt) ?? true)
    }.flatMap { last in units.first { $0.note.id == last.note.id } }
  }
}
