public import Chart
public import Clinical
import Extraction
import TextAnalysis

/// A patient's chart with what it takes to show it.
public struct ChartedPatient: Sendable {
  public let patient: Patient
  public let chart: PatientChart
  /// The notes it rests on, by id.
  public let notes: [String: ClinicalNote]
  /// Weight and laboratory values over time.
  public let measures: [MeasuredSeries]
  /// UTF-8 bytes of the sentences of each note that speaks of a drug's course, a problem or prevention.
  private let sentences: [String: [Range<Int>]]

  init(
    _ record: PatientRecord, protections: PreventionGroups, sentences splitter: SentenceSplitter, zone: PracticeTimeZone
  ) {
    patient = record.patient
    measures = MeasuredSeries.all(in: record, zone: zone)
    chart = PatientChart(record, protections: protections)
    let notes = Dictionary(record.notes.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    self.notes = notes
    var items = chart.drugs.all.flatMap { [$0.begun, $0.regimen, $0.latest] }.compactMap(\.self)
    items += chart.problems.all.flatMap { [$0.stage.begun, $0.latest] }
    items += chart.prevention.all.flatMap { [$0.latest].compactMap(\.self) + $0.dues }
    let rests = Set(items.map(\.note.id))
    sentences = Dictionary(
      uniqueKeysWithValues: rests.map { ($0, splitter.sentences(in: notes[$0]?.text ?? "")) })
  }

  /// UTF-8 bytes of the sentence that a fact begins in, in its note.
  public func sentence(of item: RecordedFact) -> Range<Int> {
    sentences[item.note.id]?.first { $0.contains(item.fact.range.lowerBound) } ?? item.fact.range
  }
}

extension Practice.Briefs {
  /// What a patient's record says, folded once.
  ///
  /// - Parameters:
  ///   - reference: an id, a microchip, or a name that fits one patient.
  ///   - now: the moment as of which the record is read.
  /// - Returns: the chart as of `now`, with the notes it rests on.
  /// - Throws: ``PracticeError`` when no patient or several fit, ``ModelError`` when a table can't be read.
  /// - Complexity: O(notes + facts of the patient).
  package func chart(of reference: String, now: Timestamp) throws -> ChartedPatient {
    try reading {
      ChartedPatient(
        try practice.records.record(of: try practice.records.stored(patient: reference), at: now),
        protections: try models.preventionGroups(),
        sentences: try models.sentences(), zone: timeZone)
    }
  }
}
