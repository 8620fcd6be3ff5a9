public import Answering
public import Chart
public import Clinical
public import Extraction
public import TextAnalysis

/// Answers questions for lists of patients from the facts of the whole practice.
///
/// Each step takes values and gives values; whoever has the practice file loads facts and notes between them:
/// ``read(_:known:)``, ``match(_:_:askedAt:zone:)`` for every patient with such facts, and
/// ``answer(_:_:notes:isComplete:zone:)``.
public struct Register: Sendable {
  private let reader: RegisterReader
  private let alerts: AlertLexicon
  private let plans: PlanCues
  private let sections: SectionSplitter
  private let sentences: SentenceSplitter

  /// - Parameters:
  ///   - reader: reads questions.
  ///   - alerts: tells what an extracted allergy is none of.
  ///   - plans: the words of plans to be seen again.
  ///   - sections: of notes.
  ///   - sentences: of notes.
  public init(
    reader: RegisterReader, alerts: AlertLexicon, plans: PlanCues, sections: SectionSplitter,
    sentences: SentenceSplitter
  ) {
    self.reader = reader
    self.alerts = alerts
    self.plans = plans
    self.sections = sections
    self.sentences = sentences
  }

  /// What a question asks facts for; nil where it asks for something that facts don't name.
  ///
  /// `known` are the names that the practice's facts have, by kind, of ``RegisterReader/kinds``.
  public func read(_ frame: RegisterFrame, known: [FactKind: [String]]) -> RegisterQuestion? {
    reader.read(frame, known: known)
  }

  /// Whether a patient fits; nil where it doesn't, or where its record leaves it open.
  ///
  /// `record` has the patient's facts of the names that the question asks for, in time order. Its notes may be without their
  /// texts, but for those that name a drug's length of course. The `courses` of ``RegisterQuestion/courseDrugs`` are given where they
  /// were folded before; nil where the record has their facts.
  public func match(
    _ question: RegisterQuestion, _ record: PatientRecord, courses: [DrugCourseState]? = nil, askedAt: Timestamp,
    zone: PracticeTimeZone
  ) -> RegisterMatch? {
    let analyzer = reader.analyzer
    let judge = RegisterJudge(
      state: question.state, period: question.question.period, groups: reader.groups,
      analyzer: { analyzer.terms(in: $0) }, now: askedAt, zone: zone)
    return question.match(record, courses: courses, judge: judge)
  }

  /// A match that was not seen again by the time its last plan said; nil where it was, or no plan says when. The notes are the
  /// patient's latest, in time order.
  public func unseen(
    _ match: RegisterMatch, notes: [ClinicalNote], askedAt: Timestamp, zone: PracticeTimeZone
  ) -> RegisterMatch? {
    let plan = StatedReturn.last(in: notes, cues: plans, zone: zone) {
      NoteOutline($0, sections: sections, splitter: sentences)
    }
    guard let plan, plan.day < zone.date(of: askedAt), !plan.isMet(by: notes, zone: zone) else { return nil }
    var match = RegisterMatch(
      patient: match.patient, standing: match.standing, remark: "overdue by the last plan", items: match.items)
    match.passage = (plan.note, plan.sentence)
    return match
  }

  /// The matches in the order of the list, and which notes it takes to word and to cite it.
  ///
  /// The matches are of patients that the question's filter admits, in any order.
  public func list(_ matches: [RegisterMatch]) -> RegisterList { RegisterList(matches) }

  /// The list as an answer, every line of it cited.
  ///
  /// The notes are whole, by the ids that ``RegisterList/noteIDs`` names. A list that was cut short (`isComplete` is false) is not
  /// counted.
  public func answer(
    _ question: RegisterQuestion, _ list: RegisterList, notes: [String: ClinicalNote], isComplete: Bool,
    zone: PracticeTimeZone
  ) -> Answer {
    RegisterComposer(question: question, zone: zone, sections: sections, sentences: sentences, alerts: alerts)
      .answer(list, notes: notes, isComplete: isComplete)
  }
}
