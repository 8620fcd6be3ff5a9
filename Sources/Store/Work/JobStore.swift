public import Clinical

/// A batch job as the file knows it.
public struct Job: Hashable, Sendable {
  public enum State: String, CaseIterable, Sendable {
    case running, done, failed
    /// Its process died, and another took the work over.
    case abandoned
  }

  public let rowID: Int64
  public let kind: String
  public let state: State
  public let holder: JobHolder?
  public let startedAt: Timestamp
  public let heartbeatAt: Timestamp
  public let doneCount: Int
  public let totalCount: Int?
  /// Without words of a note.
  public let message: String?

  public init(
    rowID: Int64, kind: String, state: State, holder: JobHolder?, startedAt: Timestamp, heartbeatAt: Timestamp,
    doneCount: Int, totalCount: Int?, message: String?
  ) {
    self.rowID = rowID
    self.kind = kind
    self.state = state
    self.holder = holder
    self.startedAt = startedAt
    self.heartbeatAt = heartbeatAt
    self.doneCount = doneCount
    self.totalCount = totalCount
    self.message = message
  }
}

/// Batch jobs: one of a kind at a time, whatever process it runs in.
public struct JobStore {
  let connection: Connection

  /// Without a heartbeat for so long, a job on another machine counts as dead.
  public static let silenceMinutes = 15

  /// Reads whether a living process is at a job of this kind. It writes nothing, so it answers at once even while that process
  /// holds the file's write lock.
  ///
  /// - Throws: ``StoreError/Code/jobRunning`` naming the process that is at it.
  public func refuse(kind: String, at moment: Timestamp) throws(StoreError) {
    guard let running = try running(kind: kind), !Self.isDead(running, at: moment) else { return }
    let process = running.holder.map { "process \($0.process) on \($0.host)" } ?? "another process"
    let start = PracticeTimeZone.utc.iso8601(running.startedAt)
    throw StoreError(.jobRunning, context: "\(kind) is run by \(process) since \(start)")
  }

  /// Begins a job, or takes over from a process that died in one of its kind.
  ///
  /// - Throws: ``StoreError/Code/jobRunning`` naming the process that is at it.
  /// - Returns: the job's row.
  public func begin(
    kind: String, totalCount: Int? = nil, at moment: Timestamp, holder: JobHolder = .current
  ) throws(StoreError) -> Int64 {
    try connection.transaction { () throws(StoreError) in
      try refuse(kind: kind, at: moment)
      if let abandoned = try running(kind: kind) {
        try end(row: abandoned.rowID, state: .abandoned, at: moment)
      }
      try connection.execute(
        """
        INSERT INTO job (kind, state, holder, started_at, heartbeat_at, total_count)
        VALUES (?, 'running', ?, ?, ?, ?)
        """, kind, holder.stored, moment, moment, totalCount)
      return connection.lastInsertedRowID
    }
  }

  /// Says that the job goes on, and how far it is.
  ///
  /// - Throws: ``StoreError/Code/changedMeanwhile`` when another process has taken it over: stop then.
  public func report(
    row: Int64, doneCount: Int, totalCount: Int? = nil, at moment: Timestamp
  ) throws(StoreError) {
    try connection.execute(
      """
      UPDATE job SET done_count = ?, total_count = coalesce(?, total_count), heartbeat_at = ?
      WHERE id = ? AND state = 'running'
      """, doneCount, totalCount, moment, row)
    guard connection.changedRowCount == 1 else {
      throw StoreError(.changedMeanwhile, context: "job \(row) is no longer running")
    }
  }

  /// Ends a job. The message must do without words of a note.
  public func end(
    row: Int64, state: Job.State, message: String? = nil, at moment: Timestamp
  ) throws(StoreError) {
    precondition(state != .running, "a job ends in another state")
    try connection.execute(
      "UPDATE job SET state = ?, message = ?, heartbeat_at = ? WHERE id = ? AND state = 'running'", state.rawValue,
      message, moment, row)
  }

  /// Keeps what came of a job in full. It must do without words of a record.
  public func keep(report: String, row: Int64) throws(StoreError) {
    try connection.execute("INSERT OR REPLACE INTO job_report (job_id, report) VALUES (?, ?)", row, report)
  }

  /// Nil for a job of which no more was kept than its message.
  public func report(row: Int64) throws(StoreError) -> String? {
    try connection.first("SELECT report FROM job_report WHERE job_id = ?", row) { $0.text(0) }
  }

  public func job(row: Int64) throws(StoreError) -> Job? {
    try connection.first("\(Self.selection) WHERE id = ?", row, read: Self.read)
  }

  public func running(kind: String) throws(StoreError) -> Job? {
    try connection.first("\(Self.selection) WHERE kind = ? AND state = 'running'", kind, read: Self.read)
  }

  /// The newest first.
  public func list(limit: Int = 20) throws(StoreError) -> [Job] {
    try connection.rows("\(Self.selection) ORDER BY id DESC LIMIT ?", limit, read: Self.read)
  }

  public static func isDead(_ job: Job, at moment: Timestamp) -> Bool {
    guard let holder = job.holder else { return true }
    guard !holder.isGone else { return true }
    return holder.host != JobHolder.current.host && moment.minutes(since: job.heartbeatAt) >= silenceMinutes
  }

  private static let selection = """
    SELECT id, kind, state, holder, started_at, heartbeat_at, done_count, total_count, message FROM job
    """

  private static func read(_ row: Statement) throws(StoreError) -> Job {
    guard let state = Job.State(rawValue: row.text(2)) else {
      throw StoreError(.corrupt, context: "the state of job \(row.int64(0))")
    }
    return Job(
      rowID: row.int64(0), kind: row.text(1), state: state, holder: JobHolder(stored: row.text(3)),
      startedAt: row.timestamp(4), heartbeatAt: row.timestamp(5), doneCount: row.int(6),
      totalCount: row.optionalInt64(7).map { Int($0) }, message: row.optionalText(8))
  }
}

extension Connection {
  public var jobs: JobStore { JobStore(connection: self) }
}
