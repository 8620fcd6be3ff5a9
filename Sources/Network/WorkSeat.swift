public import Clinical
public import VetNet

/// What a worker works with: how practices are opened, as whom, and what the program around it can do.
public struct WorkSeat {
  /// A practice that is open, and who acts in it.
  public struct Opened {
    public let practice: Practice
    public let actor: Actor
    public let now: Timestamp

    public init(practice: Practice, actor: Actor, now: Timestamp) {
      self.practice = practice
      self.actor = actor
      self.now = now
    }
  }

  public let open: (_ path: String, _ access: Practice.Access) throws -> Opened
  /// Runs a suite by the words of its command line; gives its JSON.
  public let evaluate: (_ words: [String]) throws -> String
  /// From which practices make tags.
  public let groupKey: [UInt8]?
  /// Asked between steps: the signal to stop for.
  public let stopSignal: () -> Int32?

  public init(
    open: @escaping (_ path: String, _ access: Practice.Access) throws -> Opened,
    evaluate: @escaping (_ words: [String]) throws -> String, groupKey: [UInt8]? = nil,
    stopSignal: @escaping () -> Int32? = { nil }
  ) {
    self.open = open
    self.evaluate = evaluate
    self.groupKey = groupKey
    self.stopSignal = stopSignal
  }

  /// A shard's part.
  ///
  /// - Parameters:
  ///   - shard: a piece of the job.
  ///   - plan: the job, its files found.
  ///   - progress: called often.
  /// - Returns: the part, as bytes.
  /// - Throws: ``VetNet/PracticeError`` as the practice's operations do.
  public func part(of shard: Shard, in plan: JobPlan, progress: @escaping (Progress) -> Void) throws -> [UInt8] {
    if case .suites = plan.job {
      let report = try evaluate(shard.words ?? [])
      return try SuiteReports(SuiteReports.Suite(name: shard.name, report: report)).bytes()
    }
    guard let path = shard.practice else {
      throw PracticeError(.invalidArgument, "the shard '\(shard.name)' names no practice file")
    }
    let isWritten: Bool
    switch plan.job {
    case .reindex: isWritten = shard.through == nil
    case .merge: isWritten = true
    case .terms, .cases, .figures, .suites: isWritten = false
    }
    let seat = try open(path, isWritten ? .write : .read)
    seat.practice.door.stopSignal = stopSignal
    seat.practice.secrets.offeredGroupKey = groupKey
    func perform<Wanted: VetNet.Operation>(_ operation: Wanted) throws -> Wanted.Outcome {
      try seat.practice.perform(operation, by: seat.actor, at: seat.now, progress: progress)
    }
    switch plan.job {
    case .reindex(let all, let folder):
      guard let last = shard.through else {
        return try indexed(shard, perform(Reindex(options: ReindexOptions(rebuildsAll: all))))
      }
      let file = try JobPlan.portionFile(of: shard, in: folder)
      let count = try perform(EmbedPortion(after: shard.after ?? 0, through: last, file: file))
      return try IndexedPractices(.init(practice: shard.name, notes: count, model: nil, failures: [:])).bytes()
    case .merge(let folder):
      var options = ReindexOptions(rebuildsAll: true)
      options.prepared = JobPlan.portions(of: shard, in: folder)
      return try indexed(shard, perform(Reindex(options: options)))
    case .terms(let round): return try perform(ShareTerms(round: round))
    case .cases(let query): return try JSONPart.bytes(perform(ShareCases(query: query, label: shard.name)))
    case .figures: return try JSONPart.bytes(perform(ShareFigures(label: shard.name)))
    case .suites: preconditionFailure("suites need no practice")
    }
  }

  private func indexed(_ shard: Shard, _ summary: ReindexSummary) throws -> [UInt8] {
    try IndexedPractices(
      .init(
        practice: shard.name, notes: summary.indexedNotes, model: summary.model,
        failures: Dictionary(
          summary.failures.map { ($0.noteID, $0.reason) }, uniquingKeysWith: { first, _ in first }))
    ).bytes()
  }
}
