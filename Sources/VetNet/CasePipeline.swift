import Answering
import Assessment
import Briefing
import Chart
import Clinical
import Extraction
import Retrieval
import Scheduling
import Vectorization

/// The whole of VetNet in the order in which a case goes through it. Start reading here.
///
///     note → chunks → vectors → hits → assessment → plan → brief
///
/// Each stage takes values and gives values; none knows a file, a clock or a database. ``Practice`` reads the values from the
/// practice file, calls these functions, and writes what they give. A stage is built from `Models/` when it is first called,
/// which is all that can fail here: with ``PracticeError``, naming the table and line.
struct CasePipeline {
  let models: ModelDirectory

  /// Notes, each cut into passages on sentence borders, with the passages' terms and the note's facts.
  func chunks(of notes: [ClinicalNote]) throws -> [NoteDigest] { try reader().digests(of: notes) }

  /// What reads one note for ``chunks(of:)``: a value that other threads may use.
  func reader() throws -> NoteReader {
    NoteReader(chunker: try models.chunker(), analyzer: try models.analyzer(), facts: try models.extractors().facts)
  }

  /// The passages as directions of 512 numbers, in the order of the digests and of their passages.
  func vectors(of digests: [NoteDigest], by vectorizer: Vectorizer) throws -> [[Float]] {
    try vectorizer.documentVectors(of: digests.flatMap(\.terms))
  }

  /// The passages of the record that resemble a described case, best first, each with the reason.
  func hits(
    for text: String, in source: some ChunkSource, by vectorizer: Vectorizer, filter: RetrievalFilter, limit: Int
  ) throws -> [Hit] {
    models.beginSearching()
    // First what another core has not begun with.
    let signs = try models.caseSigns()
    let terms = SearchTerms.terms(
      of: text, analyzer: try models.analyzer(), thesaurus: try models.thesaurus(), signs: signs)
    return try HybridRetriever(source: source, vectorizer: vectorizer).hits(for: terms, filter: filter, limit: limit)
  }

  /// What an intake asks for: how urgent, how complex, how long, whose work.
  ///
  /// - Parameters:
  ///   - intake: the words it arrived in.
  ///   - history: what the record adds; nil when the patient is not on file.
  ///   - today: facts of the intake itself, for cases without a record.
  ///   - clinicianID: who will see the case, where that is settled.
  ///   - booked: what kind of visit it is in the diary; nil for what the words suggest.
  ///   - samples: the minutes of similar past visits.
  ///   - learner: what the practice's finished visits taught about lengths.
  ///   - settled: a level that somebody gave instead of the program's.
  ///   - name: the triage protocol.
  /// - Returns: the assessment with its reasons.
  /// - Throws: ``PracticeError`` when a protocol or table can't be used.
  func assessment(
    of intake: Intake, history: CaseHistory?, today: [Fact], clinicianID: String?, booked: VisitType? = nil,
    samples: [DurationSample], learner: DurationLearner?, settled: SettledLevel? = nil, protocol name: String
  ) throws -> CaseAssessment {
    var known = history?.facts ?? CaseFacts()
    if history == nil { known.load = RecordLoad(today: today) }
    return try models.assessor(protocol: name).assess(
      intake, patient: history?.context ?? PatientContext(), facts: known, clinicianID: clinicianID, booked: booked,
      samples: samples, learner: learner, settled: settled)
  }

  /// An assessed intake as a session of questions, at the end of which somebody accepts the level or overrides it with a reason.
  ///
  /// - Throws: ``PracticeError`` when a protocol or table can't be used.
  func guided(
    _ assessment: CaseAssessment, of intake: Intake, patient: PatientContext, protocol name: String
  ) throws -> GuidedTriage {
    try models.assessor(protocol: name).guided(assessment, of: intake, patient: patient)
  }

  /// What an intake's own words state.
  func facts(of intake: Intake) throws -> [Fact] {
    try models.extractors().facts.facts(in: intake.text, kind: .intake)
  }

  /// Where the assessed case fits into the days ahead, without moving anybody.
  func plan(
    _ request: VisitRequest, on days: PracticeDay, rules: SchedulingRules, now: Timestamp, count: Int
  ) -> [SlotProposal] {
    SlotProposer(rules: rules).proposals(for: request, on: days, now: now, count: count)
  }

  /// What the vet should know when the patient comes in; nil for a patient that has died.
  func brief(_ record: PatientRecord, _ context: BriefContext) throws -> Brief? {
    try models.briefBuilder().brief(record, context)
  }

  /// What the record says to a question.
  func answer(
    _ question: String, about record: PatientRecord, askedAt: Timestamp, zone: PracticeTimeZone, by answerer: Answerer
  ) -> Answer {
    answerer.answer(question, about: record, askedAt: askedAt, zone: zone)
  }

  /// What the records of all patients say to a question: of each patient that a search found, the notes that may bear on it.
  func answer(
    _ question: String, aboutPractice passages: [PatientRecord], askedAt: Timestamp, zone: PracticeTimeZone,
    by answerer: Answerer
  ) -> Answer {
    answerer.answer(question, aboutPractice: passages, askedAt: askedAt, zone: zone)
  }
}
