import Clinical
@testable import Store
import Testing

@Suite struct JobStoreTests {
  private let connection: Connection
  private let start = Timestamp(seconds: 1_000_000)

  init() throws {
    connection = try Connection.inMemory()
  }

  private var elsewhere: JobHolder { JobHolder(host: "elsewhere", boot: "b", process: 1, startTicks: 1) }

  @Test func `a second job hears who is at it at once, even while that one holds the write lock`() throws {
    let practice = try TestPractice()
    _ = try practice.connection.jobs.begin(kind: "reindex", at: start)
    let second = try Connection.open(practice.folder.file)
    try second.executeScript("PRAGMA busy_timeout = 0", context: "test")
    try practice.connection.transaction { () throws(StoreError) in
      let error = #expect(throws: StoreError.self) { try second.jobs.refuse(kind: "reindex", at: start) }
      #expect(error?.code == .jobRunning)
      #expect(error?.context.contains("process \(JobHolder.current.process)") == true)
    }
    try second.jobs.refuse(kind: "import", at: start)
  }

  @Test func `one job of a kind runs at a time`() throws {
    let jobs = connection.jobs
    let first = try jobs.begin(kind: "reindex", totalCount: 10, at: start)
    let error = #expect(throws: StoreError.self) { try jobs.begin(kind: "reindex", at: start) }
    #expect(error?.code == .jobRunning)
    _ = try jobs.begin(kind: "import", at: start)
    try jobs.report(row: first, doneCount: 4, at: start.adding(minutes: 1))
    #expect(try jobs.running(kind: "reindex")?.doneCount == 4)
    #expect(try jobs.running(kind: "reindex")?.totalCount == 10)
    try jobs.end(row: first, state: .done, message: "10 notes", at: start.adding(minutes: 2))
    #expect(try jobs.job(row: first)?.state == .done)
    #expect(try jobs.begin(kind: "reindex", at: start) > first)
  }

  @Test func `this process lives, and its number alone doesn't make a process`() {
    let current = JobHolder.current
    #expect(!current.isGone)
    #expect(current.startTicks > 0)
    #expect(JobHolder(stored: current.stored) == current)
    for dead in [
      JobHolder(host: current.host, boot: current.boot, process: current.process, startTicks: current.startTicks + 1),
      JobHolder(host: current.host, boot: "another", process: current.process, startTicks: current.startTicks),
      JobHolder(host: current.host, boot: current.boot, process: .max, startTicks: 1),
    ] {
      #expect(dead.isGone)
    }
    #expect(!elsewhere.isGone)
  }

  @Test func `the job of a dead process is taken over at once`() throws {
    let current = JobHolder.current
    let dead = JobHolder(host: current.host, boot: current.boot, process: .max, startTicks: 1)
    let first = try connection.jobs.begin(kind: "reindex", at: start, holder: dead)
    let second = try connection.jobs.begin(kind: "reindex", at: start)
    #expect(try connection.jobs.list().map(\.state) == [.running, .abandoned])
    let error = #expect(throws: StoreError.self) { try connection.jobs.report(row: first, doneCount: 1, at: start) }
    #expect(error?.code == .changedMeanwhile)
    try connection.jobs.report(row: second, doneCount: 1, at: start)
  }

  @Test func `the job of another machine is taken over when it has been silent`() throws {
    _ = try connection.jobs.begin(kind: "reindex", at: start, holder: elsewhere)
    let silence = JobStore.silenceMinutes
    #expect(throws: StoreError.self) {
      try connection.jobs.begin(kind: "reindex", at: start.adding(minutes: silence - 1))
    }
    _ = try connection.jobs.begin(kind: "reindex", at: start.adding(minutes: silence))
  }
}
