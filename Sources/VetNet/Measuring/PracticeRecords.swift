public import Clinical
import Interchange

/// Clients, patients and their notes as values, on the way from or to files of the import format.
public struct PracticeRecords: Hashable, Sendable {
  public var clients: [Client]
  public var patients: [Patient]
  public var notes: [ClinicalNote]

  public init(clients: [Client] = [], patients: [Patient] = [], notes: [ClinicalNote] = []) {
    self.clients = clients
    self.patients = patients
    self.notes = notes
  }

  /// Reads them from files and folders as an import would, without a practice file. Other kinds of record are passed over.
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
        case .record(.client(let client), _, _): records.clients.append(client)
        case .record(.patient(let patient), _, _): records.patients.append(patient)
        case .record(.note(let note, of: _), _, _): records.notes.append(note)
        case .record: break
        case .reject(let reject): throw PracticeError(.failed, "\(reject)")
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

/// Writes records as the files `clients.jsonl`, `patients.jsonl` and `notes.jsonl` of a folder, portion by portion, so that a
/// practice of any size takes little memory.
public final class PracticeRecordsWriter {
  private let clients: OutputFile
  private let patients: OutputFile
  private let notes: OutputFile
  private let writer = JSONLinesWriter(timeZone: .utc)

  /// - Parameter folder: exists; files of those names in it are replaced.
  /// - Throws: ``PracticeError`` when a file can't be made.
  public init(folder: String) throws {
    do {
      clients = try OutputFile(path: folder + "/clients.jsonl")
      patients = try OutputFile(path: folder + "/patients.jsonl")
      notes = try OutputFile(path: folder + "/notes.jsonl")
    } catch {
      throw PracticeError(.failed, error.description)
    }
  }

  public func write(_ records: PracticeRecords) throws {
    try reporting { () throws(InterchangeError) in
      for client in records.clients { try clients.write(line: writer.line(for: .client(client))) }
      for patient in records.patients { try patients.write(line: writer.line(for: .patient(patient))) }
      for note in records.notes { try notes.write(line: writer.line(for: .note(note, of: .id(note.patientID)))) }
    }
  }

  /// Writes out what is still held in memory.
  public func finish() throws {
    try reporting { () throws(InterchangeError) in
      for file in [clients, patients, notes] { try file.flush() }
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
