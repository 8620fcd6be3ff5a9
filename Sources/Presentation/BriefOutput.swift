public import Assessment
public import Briefing
public import Clinical
public import VetNet

/// A brief as JSON.
public struct BriefOutput: Encodable {
  public struct Line: Encodable {
    let text: String
    let citations: [Int]
    let references: [SourceReference]
  }

  public struct Trend: Encodable {
    struct Point: Encodable {
      let date: String
      let value: Double
      let citation: Int
    }

    let name: String
    let unit: String
    let points: [Point]
  }

  public struct Section: Encodable {
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
  let trends: [Trend]
  /// A suggestion.
  let risk: RiskLevel?
  let formulary: String?

  public init(_ brief: Brief, zone: PracticeTimeZone) {
    patient = PatientOutput(brief.patient, on: zone.date(of: brief.preparedAt))
    appointment = brief.appointment.map { AppointmentOutput($0, zone: zone) }
    clinician_name = brief.clinicianName
    prepared_at = zone.iso8601(brief.preparedAt)
    sections = brief.sections.map { section in
      Section(
        title: section.title, kind: section.kind,
        lines: section.lines.map { Line(text: $0.text, citations: $0.citations, references: $0.references) })
    }
    citations = brief.citations.map { AnswerOutput.CitationOutput($0, zone: zone) }
    assessment = brief.assessment
    trends = brief.trends.map { trend in
      Trend(
        name: trend.name, unit: trend.unit,
        points: trend.points.map { .init(date: "\($0.date)", value: $0.value, citation: $0.citation) })
    }
    risk = brief.risk
    formulary = brief.formularyVersion
  }
}
