import Assessment
import Briefing
import Clinical
import Extraction
import Retrieval
import Scheduling
import TextAnalysis
import Vectorization

/// The whole of VetNet in the order in which a case goes through it. Start reading here.
///
///     note → chunks → vectors → hits → assessment → plan → brief
///
/// Each stage takes values and gives values; none knows a file, a clock or a database. `Practice` reads the values from the
/// practice file, calls the stages, and writes what they give.
struct CasePipeline {
  let chunker: Chunker
  let analyzer: Analyzer
  let thesaurus: Thesaurus
  let facts: FactExtractor
  let vectorizer: Vectorizer
  let assessor: CaseAssessor
  let proposer: SlotProposer
  let briefs: BriefBuilder

  /// A note, cut into passages on sentence borders.
  func chunks(of note: ClinicalNote) -> [Chunk] {
    chunker.chunks(of: note.text)
  }

  /// The passages as directions of 512 numbers.
  func vectors(of chunks: [Chunk], in note: ClinicalNote) throws -> [[Float]] {
    try vectorizer.documentVectors(of: chunks.map { analyzer.terms(in: note.text, range: $0.range) })
  }

  /// The passages of the record that bear on a text, each with the reason.
  func hits(for text: String, in source: some ChunkSource, filter: RetrievalFilter, limit: Int) throws -> [Hit] {
    try HybridRetriever(source: source, vectorizer: vectorizer)
      .hits(for: SearchTerms.terms(of: text, analyzer: analyzer, thesaurus: thesaurus), filter: filter, limit: limit)
  }

  /// What an intake asks for: how urgent, how complex, how long, whose work.
  func assessment(of intake: Intake, given context: CaseContext) -> CaseAssessment {
    assessor.assess(intake, context: context)
  }

  /// Where the assessed case fits into the days ahead.
  func plan(for request: VisitRequest, on days: PracticeDay, now: Timestamp, count: Int) -> [SlotProposal] {
    proposer.proposals(for: request, on: days, now: now, count: count)
  }

  /// What the vet should know when the patient comes in.
  func brief(
    _ record: PatientRecord, appointment: Appointment?, assessment: CaseAssessment?, similar: [SimilarLine],
    now: Timestamp, zone: PracticeTimeZone
  ) -> Brief {
    briefs.brief(
      record, appointment: appointment, assessment: assessment, similar: similar, now: now, zone: zone)
  }
}
