public import Clinical
import Interchange

/// Clients, patients, their notes and the diary as values, on the way from or to files of the import format.
public struct PracticeRecords: Hashable, Sendable {
  public var clients: [Client]
  public var patients: [Patient]
  public var notes: [ClinicalNote]
  public var staff: [StaffMember] = []
  public var resources: [Resource] = []
  public var appointments: [Appointment] = []

  public init(clients: [Client] = [], patients: [Patient] = [], notes: [ClinicalNote] = []) {
    self.clients = clients
    self.patients = patients
    self.notes = notes
  }

  /// Reads clients, patients and notes from files and folders as an import would, without a practice file. Other kinds of record
  /// are passed over.
  ///
  /// - Throws: ``PracticeError`` when a path can't be read, or a row in it can't.
  public static func read(_ paths: [String], timeZone: PracticeTimeZone, models: ModelDirectory) throws
    -> PracticeRecords
  {
    var records = PracticeRecords()
    let options = Interchange.ImportOptions(timeZone: timeZone, vocabulary: try models.importVocabulary())
    do {
      let reader = try ImportReader(paths, options: options)
      while let event = try reader.next() {
        switch event {
        case .record(.client(let client), _, _, _): records.clients.append(client)
        case .record(.patient(let patient), _, _, _): records.patients.append(patient)
        case .record(.note(let note, of: _), _, _, _): records.notes.append(note)
        case .record: break
        case .reject(let reject), .amendment(_, _, _, let reject): throw PracticeError(.failed, "\(reject)")
        case .problem(let problem):
          if problem.isFailure { throw PracticeError(.failed, "\(problem)") }
        }
      }
    } catch let error as InterchangeError {
      throw PracticeError(.failed, error.description)
    }
    return records
  }
}

/// Writes records as the files `clients.jsonl`, `patients.jsonl`, `notes.jsonl` and so on of a folder, portion by portion, so that a
/// practice of any size takes little memory. A kind without records gets no file.
public final class PracticeRecordsWriter {
  private let folder: String
  private var files: [ImportKind: OutputFile] = [:]
  private let writer = JSONLinesWriter(timeZone: .utc)
  /// The files written so far, in the order in which they refer to each other.
  public var paths: [String] {
    [ImportKind.clients, .patients, .staff, .resources, .notes, .appointments].filter { files[$0] != nil }.map(path)
  }

  /// - Parameter folder: exists; files of those names in it are replaced.
  public init(folder: String) {
    self.folder = folder
  }

  /// - Throws: ``PracticeError`` when the system fails to write.
  public func write(_ records: PracticeRecords) throws {
    try write(records.clients.map { .client($0) }, .clients)
    try write(records.patients.map { .patient($0) }, .patients)
    try write(records.notes.map { .note($0, of: .id($0.patientID)) }, .notes)
    try write(records.staff.map { .staff($0) }, .staff)
    try write(records.resources.map { .resource($0) }, .resources)
    try write(records.appointments.map { .appointment($0, of: $0.patientID.map { .id($0) }) }, .appointments)
  }

  /// Writes out what is still held in memory.
  ///
  /// - Throws: ``PracticeError`` when the system fails to write.
  public func finish() throws {
    try reporting { () throws(InterchangeError) in
      for (_, file) in files { try file.flush() }
    }
  }

  private func path(_ kind: ImportKind) -> String { "\(folder)/\(kind.rawValue).jsonl" }

  private func write(_ records: [ImportRecord], _ kind: ImportKind) throws {
    guard !records.isEmpty else { return }
    try reporting { () throws(InterchangeError) in
      let file = if let file = files[kind] { file } else { try OutputFile(path: path(kind)) }
      files[kind] = file
      for record in records { try file.write(line: writer.line(for: record)) }
    }
  }

  private func reporting(_ work: () throws(InterchangeError) -> Void) throws {
    do {
      try work()
    } catch {
      throw PracticeError(.failed, error.description)
    }
  }
}
