import Assessment
import Briefing
import Clinical
import Extraction
import Retrieval
import Store

/// Gathers what briefs are made from. One serves a whole day: what the appointments share is read once.
final class BriefPreparation {
  let practice: Practice
  let now: Timestamp
  private let staffNames: [String: String]
  private let formularyVersion: String
  /// Nil before anything is indexed.
  private let cases: CaseFinder?
  /// As read again for checking quotes.
  private var reread: [String: ClinicalNote] = [:]
  /// Those of them that are not what was written.
  private var altered: Set<String> = []

  private static let similarLimit = 2
  private static let similarCandidates = 40
  /// Older messages were about an earlier visit.
  private static let messageDays = 10

  init(_ practice: Practice, now: Timestamp) throws {
    self.practice = practice
    self.now = now
    let staff = try practice.connection.staff.list().map { ($0.value.id, $0.value.name) }
    staffNames = Dictionary(staff, uniquingKeysWith: { first, _ in first })
    formularyVersion = try practice.models.formularyVersion()
    cases = try CaseFinder(practice, before: now)
  }

  func brief(_ patient: Stored<Patient>, appointment: Appointment?) throws -> Brief {
    try practice.assessment.keptBrief(patient, appointment, now: now) {
      try newBrief(patient, appointment: appointment)
    }
  }

  func newBrief(_ patient: Stored<Patient>, appointment: Appointment?) throws -> Brief {
    let connection = practice.connection
    let record = try practice.records.record(of: patient, at: now)
    let history = CaseHistory(record, at: now, zone: practice.timeZone)
    var context = BriefContext(appointment: appointment, now: now, zone: practice.timeZone)
    context.visit.assessment = try appointment.flatMap {
      try assessment(of: $0, patient: patient.value, history: history)
    }
    let intakes = try recentIntakes(of: patient)
    context.visit.messages = try intakes.map { intake in
      AssessedMessage(
        intake: intake, assessment: try practice.assessment.assessment(of: intake, history: history, clinicianID: nil))
    }
    context.visit.presented = try presented(context.visit)
    context.namesakes = try connection.patients.patients(named: patient.value.name).map(\.value)
      .filter { $0.id != patient.value.id && $0.deceasedAt == nil }
    context.household = try household(of: patient)
    context.staffNames = staffNames
    context.formularyVersion = formularyVersion
    context.visit.similar = try similarLines(
      to: context.visit.presented, problems: history.context.problems, except: patient.value)
    guard let brief = try CasePipeline(models: practice.models).brief(record, context) else {
      throw PracticeError(.invalidArgument, "\(patient.value.id) has died and gets no brief")
    }
    return try verified(brief)
  }

  /// What triage makes of the reason as booked; nil where there is none.
  private func assessment(
    of appointment: Appointment, patient: Patient, history: CaseHistory
  ) throws -> CaseAssessment? {
    guard let reason = Self.reason(appointment) else { return nil }
    let intake = Intake(
      id: appointment.id, patientID: appointment.patientID, receivedAt: now, species: patient.species, sex: patient.sex,
      text: reason)
    let learner = try practice.assessment.durationLearner(at: now)
    let hits = try learner.isTaught ? [] : cases?.hits(for: reason, limit: Practice.Assessment.neighbourLimit) ?? []
    return try CasePipeline(models: practice.models).assessment(
      of: intake, history: history, today: [], clinicianID: appointment.clinicianID, booked: appointment.visitType,
      samples: practice.assessment.durationSamples(from: hits, before: now), learner: learner,
      protocol: Practice.Assessment.defaultTriageProtocol)
  }

  private static func reason(_ appointment: Appointment) -> String? {
    appointment.reason.flatMap { $0.contains { !$0.isWhitespace } ? $0 : nil }
  }

  /// What was sent in about a patient lately: the owner's own words about why they come.
  private func recentIntakes(of patient: Stored<Patient>) throws -> [Intake] {
    let since = now.adding(days: -Self.messageDays)
    return try practice.connection.intakes.intakes(patient: patient.rowID).map(\.value)
      .filter { intake in intake.receivedAt.map { $0 <= now && $0 >= since } ?? false }
      .sorted { ($0.receivedAt ?? now, $0.id) < ($1.receivedAt ?? now, $1.id) }
  }

  /// The reason and the messages, with the findings and drugs they name.
  private func presented(_ visit: BriefContext.Visit) throws -> [PresentedText] {
    var texts: [(reference: SourceReference, text: String, assessment: CaseAssessment?)] = []
    if let appointment = visit.appointment, let reason = Self.reason(appointment) {
      texts.append((SourceReference(.appointment, appointment.id), reason, visit.assessment))
    }
    texts += visit.messages.map { (SourceReference(.intake, $0.intake.id), $0.intake.text, $0.assessment) }
    guard !texts.isEmpty else { return [] }
    let extractors = try practice.models.extractors()
    return texts.map { reference, text, assessment in
      PresentedText(
        reference: reference, text: text, findings: extractors.findings.findings(in: text),
        facts: extractors.facts.facts(in: text, kind: .intake), assessment: assessment)
    }
  }

  /// Cases of other patients of the species that share what this one comes for.
  ///
  /// The retriever ranks passages; only those whose note records the same findings of its own patient are shown, with what
  /// they share, so that likeness of wording alone (a time, a weight, a name) makes no case similar. A problem says more than
  /// a sign, and one sign alone too little.
  private func similarLines(
    to texts: [PresentedText], problems: [String], except patient: Patient
  ) throws -> [SimilarLine] {
    guard let cases else { return [] }
    let concepts = Set(
      texts.flatMap(\.findings).filter { $0.assertion.isActive && $0.kind != .test && $0.kind != .procedure }
        .map(\.name))
    guard !concepts.isEmpty else { return [] }
    let words = (texts.map(\.text) + concepts.sorted()).joined(separator: "\n")
    let hits = try cases.hits(for: words, limit: Self.similarCandidates)
    var found: [(weight: Int, line: SimilarLine)] = []
    var seen: Set<String> = [patient.id]
    for hit in hits where !seen.contains(hit.patientID) {
      guard let row = try practice.connection.recordIDs.row(.note, hit.noteID) else { continue }
      let facts = try practice.connection.facts.facts(generation: cases.generation.rowID, note: row)
        .compactMap { Fact($0.value) }
        .filter { ($0.kind == .problem || $0.kind == .finding) && $0.assertion.isActive }
      let shared = facts.filter { concepts.contains($0.name) }
      let also = Set(facts.map(\.name)).intersection(problems).subtracting(concepts)
      let names = Set(shared.map(\.name))
      let weight = names.count + Set(shared.filter { $0.kind == .problem }.map(\.name)).count + also.count
      guard let first = shared.first, weight > 1,
        let other = try practice.connection.patients.patients(id: hit.patientID).first?.value,
        other.species == patient.species
      else { continue }
      seen.insert(hit.patientID)
      let note = try practice.records.note(hit.noteID)
      let listed = (names.sorted() + also.sorted()).prefix(4).joined(separator: ", ")
      let line = SimilarLine(
        text: "\(other.name) (\(other.id)), \(practice.timeZone.date(of: note.recordedAt)): \(listed)", note: note,
        range: first.range)
      found.append((weight, line))
    }
    // Most in common first; the retriever's order between equals.
    return found.enumerated().sorted { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) }
      .prefix(Self.similarLimit).map(\.element.line)
  }

  /// A brief with every quote read again from its note; a line whose source no longer holds is left out.
  private func verified(_ brief: Brief) throws -> Brief {
    brief.keepingLines(
      where: try brief.citations.map { citation in
        let note = try reread[citation.noteID] ?? practice.records.note(citation.noteID)
        if reread[citation.noteID] == nil {
          reread[citation.noteID] = note
          if try !practice.integrity.isIntact(noteID: citation.noteID) { altered.insert(citation.noteID) }
        }
        return citation.holds(in: note) && !altered.contains(citation.noteID)
      })
  }
}

/// Finds past cases by their words, for many questions in a row.
///
/// By words alone: reading the vectors of a whole practice for each of forty appointments takes most of the time, and what
/// briefs show of a case has to name the same findings anyway.
private struct CaseFinder {
  let generation: Generation
  private let retriever: HybridRetriever<SQLiteChunkSource>
  private let filter: RetrievalFilter
  private let models: ModelDirectory

  /// Nil when nothing is indexed.
  init?(_ practice: Practice, before now: Timestamp) throws {
    guard let live = try practice.connection.generations.live() else { return nil }
    generation = live
    models = practice.models
    // One source for all: it remembers what the filter admits.
    retriever = HybridRetriever(
      source: SQLiteChunkSource(
        connection: practice.connection, generation: live,
        memo: practice.memos.judgements.isOn ? practice.memos.chunkTables : nil),
      vectorizer: nil,
      configuration: .lexical)
    // Where no note is of a later time, each moment admits the same.
    let isAll = try practice.memos.judgements.allIndexed(
      before: now, practice.assessment.fileState().records, practice.connection)
    filter = isAll ? RetrievalFilter() : RetrievalFilter(dates: Timestamp(seconds: .min / 2)..<now)
  }

  func hits(for text: String, limit: Int) throws -> [Hit] {
    let terms = SearchTerms.terms(of: text, analyzer: try models.analyzer(), thesaurus: try models.thesaurus())
    return try retriever.hits(for: terms, filter: filter, limit: limit)
  }
}
