public import Answering
public import Clinical
public import VetNet

/// The contract's JSON for an answer.
public struct AnswerOutput: Encodable {
  public struct CitationOutput: Encodable {
    let note_id: String
    let patient_id: String
    let recorded_at: String
    let author: String?
    let start: Int
    let end: Int
    let quote: String
    /// The day of the note that the words were carried over from.
    let copied_from: String?
    /// Only where the note says so.
    let other_patient: Bool?

    public init(_ citation: Citation, zone: PracticeTimeZone) {
      note_id = citation.noteID
      patient_id = citation.patientID
      recorded_at = zone.iso8601(citation.recordedAt)
      author = citation.author
      start = citation.codePoints.lowerBound
      end = citation.codePoints.upperBound
      quote = citation.quote
      copied_from = citation.copiedFrom.map { "\(zone.date(of: $0))" }
      other_patient = citation.isOfOtherPatient ? true : nil
    }
  }

  let answer_class: Answer.Class
  let candidates: [PatientOutput]
  let answer: String
  /// What the sentences come to; only where it is computed from them, or says which way they answer.
  let headline: String?
  let sentences: [CitedSentence]
  let citations: [CitationOutput]
  let explanation: Explanation?

  public init(_ answer: Answer, zone: PracticeTimeZone, today: CalendarDate, explains: Bool) {
    answer_class = answer.answerClass
    candidates = answer.candidates.map { PatientOutput($0, on: today) }
    self.answer = answer.text
    headline = answer.headline
    sentences = answer.sentences
    citations = answer.citations.map { CitationOutput($0, zone: zone) }
    explanation = explains ? answer.explanation : nil
  }
}
