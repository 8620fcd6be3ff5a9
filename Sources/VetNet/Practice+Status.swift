import Clinical
import Store

/// What a practice file holds and how fresh its index is.
public struct Status: Encodable, Sendable {
  public struct Index: Encodable, Sendable {
    public let chunks: Int
    public let facts: Int
    /// Notes that the index lacks.
    public let staleNotes: Int
    public let failedNotes: Int
    public let model: String
    public let modelChecksum: String
    /// Whether today's rules made it.
    public let isCurrent: Bool

    private enum CodingKeys: String, CodingKey {
      case chunks, facts, model
      case staleNotes = "stale_notes"
      case failedNotes = "failed_notes"
      case modelChecksum = "model_checksum"
      case isCurrent = "is_current"
    }
  }

  public let file: String
  public let name: String?
  public let timeZone: String
  public let clients: Int
  public let patients: Int
  public let notes: Int
  public let intakes: Int
  public let appointments: Int
  public let conflicts: Int
  /// Nil before anything was indexed.
  public let index: Index?
  public let runningJob: String?
  public let version: String

  private enum CodingKeys: String, CodingKey {
    case file, name, clients, patients, notes, intakes, appointments, conflicts, index, version
    case timeZone = "time_zone"
    case runningJob = "running_job"
  }

  /// Labels and values for a person.
  public var rows: [(label: String, value: String)] {
    var rows = [("file", file), ("time zone", timeZone)]
    if let name { rows.insert(("practice", name), at: 0) }
    rows += [
      ("clients", "\(clients)"), ("patients", "\(patients)"), ("notes", "\(notes)"), ("intakes", "\(intakes)"),
      ("appointments", conflicts > 0 ? "\(appointments), \(conflicts) in conflict" : "\(appointments)"),
    ]
    if let index {
      rows.append(
        (
          "index",
          "\(index.chunks) chunks, \(index.facts) facts, \(index.staleNotes) notes stale, \(index.failedNotes) failed"
        ))
      rows.append(("model", "\(index.model) (\(index.modelChecksum.prefix(12)))"))
    } else {
      rows.append(("index", "none yet"))
    }
    if let runningJob { rows.append(("running", runningJob)) }
    rows.append(("vetnet", version))
    return rows
  }

  /// What to do next, where there is anything.
  public var hints: [String] {
    var hints: [String] = []
    if patients == 0 { hints.append("nothing is imported yet: vetnet import PATH") }
    guard let index else { return notes > 0 ? hints + ["nothing is indexed yet: vetnet reindex"] : hints }
    if !index.isCurrent {
      hints.append("the index was made by other rules than today's: vetnet reindex")
    } else if index.staleNotes > 0 {
      hints.append("\(index.staleNotes) notes are not indexed: vetnet reindex")
    }
    if index.failedNotes > 0 {
      hints.append("\(index.failedNotes) notes could not be indexed: vetnet reindex --all lists them")
    }
    if index.model == "default", index.chunks >= 1000 {
      hints.append("the default model is foreign to this practice's words: vetnet reindex --train")
    }
    return hints
  }
}

extension Practice {
  /// Counts, the index and its model, and a job that is under way.
  public func status() throws -> Status {
    try reading {
      Status(
        file: path, name: try connection.settings.value(Setting.name), timeZone: timeZone.identifier,
        clients: try connection.clients.count(), patients: try connection.patients.count(),
        notes: try connection.notes.count(), intakes: try connection.intakes.count(),
        appointments: try connection.appointments.count(), conflicts: try connection.appointments.conflicts().count,
        index: try indexStatus(),
        runningJob: try connection.jobs.running(kind: "reindex").map { job in
          let holder = job.holder.map { "process \($0.process) on \($0.host)" } ?? "another process"
          return
            "\(job.kind) by \(holder) since \(timeZone.iso8601(job.startedAt)), \(job.doneCount) of \(job.totalCount ?? 0)"
        },
        version: VetNetVersion.current)
    }
  }

  private func indexStatus() throws -> Status.Index? {
    guard let live = try connection.generations.live(), let model = try connection.models.model(row: live.modelRowID)
    else { return nil }
    return Status.Index(
      chunks: live.chunkCount, facts: try connection.facts.count(generation: live.rowID),
      staleNotes: try connection.notes.lackingCount(in: live.rowID),
      failedNotes: try connection.chunks.failures(generation: live.rowID).count, model: model.name,
      modelChecksum: model.checksum.hexadecimal, isCurrent: live.rulesVersion == (try rulesVersion()))
  }
}
