import Assessment
import Briefing
import Clinical
import VetNet

/// A brief as JSON.
struct BriefOutput: Encodable {
  struct Line: Encodable {
    let text: String
    let citations: [Int]
  }

  struct Section: Encodable {
    let title: String
    let kind: Brief.Section.Kind
    let lines: [Line]
  }

  let patient: PatientOutput
  let appointment: AppointmentOutput?
  let clinician_name: String?
  let prepared_at: String
  let sections: [Section]
  let citations: [AnswerOutput.CitationOutput]
  let assessment: CaseAssessment?

  init(_ brief: Brief, zone: PracticeTimeZone) {
    patient = PatientOutput(brief.patient, on: zone.date(of: brief.preparedAt))
    appointment = brief.appointment.map { AppointmentOutput($0, zone: zone) }
    clinician_name = brief.clinicianName
    prepared_at = zone.iso8601(brief.preparedAt)
    sections = brief.sections.map { section in
      Section(
        title: section.title, kind: section.kind,
        lines: section.lines.map { Line(text: $0.text, citations: $0.citations) })
    }
    citations = brief.citations.map { AnswerOutput.CitationOutput($0, zone: zone) }
    assessment = brief.assessment
  }
}
