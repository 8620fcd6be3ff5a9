/// In which form records leave.
public enum ExportFormat: String, CaseIterable, Codable, Sendable {
  /// JSON Lines in a folder, as an import reads them.
  case folder = "import"
  /// FHIR R4: one Bundle of type collection, as JSON.
  case fhir
  /// Tables: a folder with one for each kind of record, or one file.
  case csv
  /// A page to read and print, with the record of each patient.
  case html
}

/// What leaves, how, and where to.
public struct ExportRequest: Hashable, Codable, Sendable {
  public var format: ExportFormat
  /// A file or folder; nothing but an empty folder may be there where a folder is made.
  public var path: String
  /// An id, a microchip or a name that fits one patient; nil for the whole practice.
  public var patient: String?

  public init(_ format: ExportFormat, to path: String, patient: String? = nil) {
    self.format = format
    self.path = path
    self.patient = patient
  }
}

/// What was written.
public struct ExportSummary: Encodable, Sendable {
  public let path: String
  public let format: ExportFormat
  /// By kind.
  public internal(set) var records: [String: Int] = [:]
  /// What a reader should know that is not in the files.
  public internal(set) var remarks: [String] = []

  init(_ request: ExportRequest) {
    path = request.path
    format = request.format
  }

  /// For a person: a line a kind of record.
  public var lines: [String] {
    records.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" } + ["written: \(path)"]
  }
}
