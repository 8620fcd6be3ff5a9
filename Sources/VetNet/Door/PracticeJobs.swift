public import Clinical
import Store

/// Long work that somebody began in the workspace.
public struct PracticeJob: Hashable, Sendable {
  public enum Kind: String, CaseIterable, Sendable {
    case imports = "import"
    case reindex, optimize, evaluate, backup

    /// In the file: apart from what the operation itself puts down of its work.
    fileprivate var stored: String { "workspace.\(rawValue)" }
  }

  public enum State: String, Sendable {
    case running, done, failed, cancelled
    /// Whoever was at it is gone.
    case brokenOff = "broken_off"
  }

  public let id: Int64
  public let kind: Kind
  public let state: State
  public let startedAt: Timestamp
  /// When it was heard of last.
  public let seenAt: Timestamp
  public let doneCount: Int
  /// Nil while that isn't known.
  public let totalCount: Int?
  /// What came of it, without words of a record.
  public let message: String?

  /// What the message of one begins with that was cancelled.
  fileprivate static let cancelledMark = "cancelled: "
}

/// The jobs of the workspace, the newest first.
public struct ListJobs: Operation {
  public static let name = "job.list"
  public static let feature: Feature? = .workspace
  public static let permission = Permission.inspect
  public static let reads: Set<RecordKind> = [.file]

  /// So many are listed.
  public static let most = 50

  public init() {}

  public func run(_ passage: Passage) throws -> [PracticeJob] { try passage.practice.file.jobs(at: passage.now) }
}

extension Practice {
  /// How often a job's progress is put down, in seconds.
  private static let heartbeatSeconds: Int64 = 2

  /// Does an operation as a job that can be seen, also after this process was killed.
  ///
  /// - Parameters:
  ///   - kind: one of a kind is done at a time.
  ///   - operation: the work.
  ///   - actor: who wants it.
  ///   - clock: the present moment.
  ///   - began: called with the job's number.
  ///   - progress: called often.
  ///   - summary: what came of it, in a line without words of a record.
  ///   - report: the same in full, to be kept with the job; nil for no more than the line.
  /// - Throws: as the operation, and ``PracticeError`` with `locked` where one of this kind is being done.
  public func performAsJob<Wanted: Operation>(
    _ kind: PracticeJob.Kind, _ operation: Wanted, by actor: Actor, clock: () -> Timestamp,
    began: (Int64) -> Void, progress: @escaping (Progress) -> Void, summary: (Wanted.Outcome) -> String,
    report: (Wanted.Outcome) -> String? = { _ in nil }
  ) throws {
    let start = clock()
    // Who may not do it doesn't begin it; the door says so, and puts it on record.
    if try !admits(actor) || !actor.role.may(Wanted.permission) {
      try perform(operation, by: actor, at: start)
      return
    }
    let job = try reporting { try connection.jobs.begin(kind: kind.stored, at: start) }
    began(job)
    var last = start
    func end(_ state: Job.State, _ message: String, at moment: Timestamp) {
      try? connection.jobs.end(row: job, state: state, message: String(message.prefix(500)), at: moment)
    }
    do {
      let now = start
      let outcome = try withoutActuallyEscaping(clock) { clock in
        try perform(operation, by: actor, at: now) { [connection] step in
          progress(step)
          let moment = clock()
          guard moment.seconds - last.seconds >= Self.heartbeatSeconds, connection.isIdle else { return }
          last = moment
          try? connection.jobs.report(row: job, doneCount: step.done, totalCount: step.total, at: moment)
        }
      }
      if let whole = report(outcome) { try? connection.jobs.keep(report: whole, row: job) }
      end(.done, summary(outcome), at: clock())
    } catch let error as PracticeError {
      if case .stopped = error.code {
        end(.failed, PracticeJob.cancelledMark + error.description, at: clock())
      } else {
        end(.failed, error.description, at: clock())
      }
      throw error
    } catch {
      end(.failed, "stopped by an error", at: clock())
      throw error
    }
  }
}

extension Practice.File {
  func jobs(at now: Timestamp) throws -> [PracticeJob] {
    try reading {
      try connection.jobs.list(limit: 4 * ListJobs.most).compactMap { job in
        guard let kind = PracticeJob.Kind.allCases.first(where: { $0.stored == job.kind }) else { return nil }
        let isCancelled = job.message?.hasPrefix(PracticeJob.cancelledMark) == true
        let state: PracticeJob.State =
          switch job.state {
          case .running: JobStore.isDead(job, at: now) ? .brokenOff : .running
          case .done: .done
          case .failed: isCancelled ? .cancelled : .failed
          case .abandoned: .brokenOff
          }
        return PracticeJob(
          id: job.rowID, kind: kind, state: state, startedAt: job.startedAt, seenAt: job.heartbeatAt,
          doneCount: job.doneCount, totalCount: job.totalCount.flatMap { $0 > 0 ? $0 : nil },
          message: isCancelled ? job.message.map { String($0.dropFirst(PracticeJob.cancelledMark.count)) } : job.message
        )
      }.prefix(ListJobs.most).map { $0 }
    }
  }
}
