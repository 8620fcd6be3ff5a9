import Clinical

/// Writes the records of the practice, or of one patient, into files outside the practice file.
public struct ExportRecords: Operation {
  public static let name = "export.run"
  public static let permission = Permission.export
  public static let reads: Set<RecordKind> = [
    .client, .patient, .location, .staff, .resource, .appointment, .note, .intake, .assessment, .setting,
  ]

  public var request: ExportRequest

  public init(request: ExportRequest) {
    self.request = request
  }

  public var subjects: [RecordReference] { request.patient.map { [RecordReference(.patient, $0)] } ?? [] }

  public func run(_ passage: Passage) throws -> ExportSummary {
    passage.details["format"] = request.format.rawValue
    passage.details["of"] = request.patient == nil ? "practice" : "patient"
    let summary = try passage.practice.exchange.export(
      request, now: passage.now, progress: passage.progress, touched: { passage.touch(.patient, $0.id) })
    for (kind, count) in summary.records { passage.details[kind] = String(count) }
    return summary
  }
}
