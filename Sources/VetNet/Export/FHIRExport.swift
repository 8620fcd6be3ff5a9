import Clinical
import Interchange
import Store

/// A practice, or one patient, as one Bundle of FHIR R4.
///
/// Records come first, in the order of the import format; then, patient by patient, what is derived from the notes. What is derived is
/// tagged as such, since an import makes it anew.
struct FHIRExport {
  let practice: Practice
  let source: ExportSource
  let now: Timestamp
  private let records: FHIRRecordWriter
  private let chart: FHIRChartWriter

  init(_ practice: Practice, _ source: ExportSource, now: Timestamp) {
    self.practice = practice
    self.source = source
    self.now = now
    records = FHIRRecordWriter(timeZone: practice.timeZone)
    chart = FHIRChartWriter(timeZone: practice.timeZone, now: now)
  }

  /// - Returns: how many resources of each type were written.
  func write(to file: OutputFile, progress: (Progress) -> Void) throws -> [String: Int] {
    let connection = practice.connection
    let bundle = try FHIRBundleWriter(
      file, practice: try connection.plan.calendarID(), timestamp: practice.timeZone.iso8601(now))
    try bundle.write(try organization())
    let staff = Dictionary(
      try connection.staff.list().map { ($0.value.id, $0.value.name) }, uniquingKeysWith: { first, _ in first })
    var done = 0
    for kind in ImportKind.allCases {
      try source.forEach(kind) { exported in
        let animals = kind == .clients ? try animals(of: exported.rowID) : []
        let record = FHIRRecord(
          exported.record, shownID: exported.shownID, source: exported.source, additions: exported.additions)
        for resource in records.resources(for: record, animals: animals, staff: staff) { try bundle.write(resource) }
        if kind == .appointments, case .appointment(let appointment, _) = exported.record {
          for resource in chart.encounter(of: appointment, id: exported.shownID) { try bundle.write(resource) }
        }
        if kind == .staff { try bundle.write(chart.schedule(of: exported.shownID)) }
        done += 1
        if done % 500 == 0 { progress(Progress(done: done, total: 0, detail: kind.rawValue)) }
      }
    }
    let protections = try practice.models.preventionGroups()
    try source.forEach(.patients) { exported in
      guard let patient = try connection.patients.patient(row: exported.rowID) else { return }
      let record = try practice.records.record(of: patient, at: now)
      for resource in chart.resources(of: record, protections: protections) { try bundle.write(resource) }
      for assessment in try connection.assessments.assessments(patient: patient.rowID) {
        let intake = try assessment.intakeRowID.flatMap { try connection.recordIDs.shown(.intake, $0) }
        try bundle.write(chart.risk(assessment, patient: patient.value.id, intake: intake))
      }
      done += 1
      progress(Progress(done: done, total: 0, detail: "charts"))
    }
    try bundle.finish()
    return bundle.counts
  }

  private func animals(of client: Int64) throws -> [String] {
    try practice.connection.rows("SELECT id FROM patient WHERE owner_id = ? ORDER BY id", client, read: { $0.int64(0) })
      .filter { row in source.patient.map { $0.rowID == row } ?? true }
      .compactMap { try practice.connection.recordIDs.shown(.patient, $0) }
  }

  private func organization() throws -> FHIRResource {
    FHIRResource(
      "Organization", "practice",
      [
        ("extension", [FHIRExtension.string("time-zone", practice.timeZone.identifier)]), ("active", .truth(true)),
        ("name", .string(try practice.connection.settings.value(Setting.name) ?? "Veterinary practice")),
      ])
  }
}
