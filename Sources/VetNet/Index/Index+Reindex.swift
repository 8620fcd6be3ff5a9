package import Clinical
import Store
import TextAnalysis
import Vectorization

/// What a batch re-index is to do.
public struct ReindexOptions: Sendable, Codable {
  /// Every note, even when neither model nor rules have changed.
  public var rebuildsAll: Bool
  /// Learn the projection from this practice's own notes first.
  public var trains: Bool
  /// Go on with a generation that a stopped job left behind.
  public var resumes: Bool
  /// A folder with what others have worked out of notes already, as ``EmbedPortion`` leaves it; what fits no note as it is now is
  /// worked out here.
  public var prepared: String?
  /// A signed model file that is to be used from now on, such as one that several practices learned together.
  public var model: SharedModelFile?

  public init(rebuildsAll: Bool = false, trains: Bool = false, resumes: Bool = false) {
    self.rebuildsAll = rebuildsAll
    self.trains = trains
    self.resumes = resumes
  }
}

/// What a batch re-index did.
public struct ReindexSummary: Encodable, Sendable {
  public struct Failure: Encodable, Sendable {
    public let noteID: String
    /// Without words of the note.
    public let reason: String

    private enum CodingKeys: String, CodingKey {
      case noteID = "note_id"
      case reason
    }
  }

  public let indexedNotes: Int
  public let failures: [Failure]
  public let model: String
  /// Whether a new generation took the place of the old one.
  public let switched: Bool
  /// How long it took, training included.
  public let seconds: Double
  /// Seconds that cores spent on extracting and writing facts; with several at work more than went by.
  public let factSeconds: Double

  private enum CodingKeys: String, CodingKey {
    case indexedNotes = "indexed_notes"
    case failures, model, switched, seconds
    case factSeconds = "fact_seconds"
  }

  public var lines: [String] {
    let what = switched ? "a new index is in use" : "the index in use was completed"
    let rate = seconds >= 1 ? " (\(Int(Double(indexedNotes) / seconds)) a second)" : ""
    return ["\(indexedNotes) notes indexed\(rate); \(what), model: \(model)"]
  }
}

/// What a batch re-index would do, found without doing it.
public struct ReindexPlan: Encodable, Sendable {
  /// Notes that would be chunked, embedded and indexed.
  public let notes: Int
  /// Whether a new generation would be built beside the live one, rather than the live one completed.
  public let rebuilds: Bool
  public let trains: Bool

  public var line: String {
    rebuilds
      ? "would build a new index of \(notes) notes" + (trains ? ", with a model trained on them" : "")
      : "would complete the index in use with \(notes) notes"
  }
}

extension Practice.Index {
  static let jobKind = "reindex"

  /// What ``reindex(_:now:progress:)`` with these options would do now.
  package func reindexPlan(_ options: ReindexOptions) throws -> ReindexPlan {
    let rules = try rulesVersion()
    return try reporting {
      let begun = options.resumes ? try begunGeneration(rules: rules) : nil
      if begun == nil, !options.rebuildsAll, !options.trains, options.model == nil,
        let live = try connection.generations.live(), live.rulesVersion == rules
      {
        return ReindexPlan(
          notes: try connection.notes.lackingCount(in: live.rowID), rebuilds: false, trains: false)
      }
      // Generation 0 does not exist, so it lacks every note.
      return ReindexPlan(
        notes: try connection.notes.lackingCount(in: begun?.rowID ?? 0), rebuilds: true,
        trains: options.trains && begun == nil)
    }
  }

  /// Chunks, embeds and indexes notes again. A new generation is built beside the live one, which goes on answering, and takes
  /// its place in one transaction; killed at any point, the live one is untouched.
  ///
  /// - Throws: ``PracticeError`` with `locked` when another process is at it, naming that process.
  package func reindex(
    _ options: ReindexOptions, now: Timestamp, progress: (Progress) -> Void
  ) throws -> ReindexSummary {
    let started = ContinuousClock.now
    try practice.assessment.keepDurations(at: now)
    let rules = try rulesVersion()
    // With nothing to go on with, "resume" asks for no more than what the live index lacks.
    let resumes = try options.resumes && reporting { try begunGeneration(rules: rules) } != nil
    if !options.rebuildsAll, !options.trains, !resumes, options.model == nil,
      let live = try reporting({ try connection.generations.live() }), live.rulesVersion == rules
    {
      let summary = try fill(live, total: nil, job: nil, now: now, progress: progress)
      let model = try reporting { try IndexModel(stored: live.modelRowID, in: connection) }
      return summary.report(model: model.name, switched: false, since: started)
    }
    let (summary, model) = try rebuild(options, now: now, progress: progress)
    return summary.report(model: model.name, switched: true, since: started)
  }

  /// Builds a generation from all notes and puts it into use.
  func rebuild(
    _ options: ReindexOptions, now: Timestamp, progress: (Progress) -> Void
  ) throws -> (summary: IndexingSummary, model: IndexModel) {
    let rules = try rulesVersion()
    let job = try reporting { try connection.jobs.begin(kind: Self.jobKind, at: now) }
    var isInUse = false
    do {
      let model = try chooseModel(options, now: now, progress: progress)
      let generation = try openGeneration(model: model, rules: rules, resumes: options.resumes, now: now)
      let total = try reporting { try connection.notes.lackingCount(in: generation.rowID) }
      var summary = try connection.withoutWaitingForDisk {
        let summary = try fill(
          generation, total: total, job: job, now: now, prepared: options.prepared, progress: progress)
        try foldCourses(generation.rowID)
        return summary
      }
      // Notes that arrived meanwhile are indexed before the switch, which refuses an incomplete generation.
      while try !activate(generation) {
        let more = try fill(generation, total: nil, job: job, now: now, progress: progress)
        summary.indexed += more.indexed
        summary.factSeconds += more.factSeconds
        summary.failures = more.failures
      }
      isInUse = true
      try foldCourses(generation.rowID)
      try discardRetired()
      if options.rebuildsAll { try reporting { try practice.integrity.mendPages() } }
      try reporting { try connection.jobs.end(row: job, state: .done, at: now) }
      return (summary, model)
    } catch {
      // What went wrong is thrown on; that the job is over is for whoever looks later.
      try? connection.jobs.end(row: job, state: .failed, message: "stopped by an error", at: now)
      guard !isInUse,
        let error = (error as? PracticeError) ?? (error as? StoreError).map({ PracticeError($0, path: path) })
      else { throw error }
      throw error.adding("the index in use is as it was, and vetnet reindex --resume goes on from here")
    }
  }

  private func chooseModel(
    _ options: ReindexOptions, now: Timestamp, progress: (Progress) -> Void
  ) throws -> IndexModel {
    if options.resumes, let begun = try reporting({ try begunGeneration(rules: rulesVersion()) }) {
      // The model that the stopped job had chosen, or trained.
      return try reporting { try IndexModel(stored: begun.modelRowID, in: connection) }
    }
    if options.trains {
      return try reporting {
        try IndexModel.install(try trainProjection(progress: progress), into: connection, now: now)
      }
    }
    if let shared = options.model {
      let file = try shared.verified(in: models)
      return try reporting { try IndexModel.installShared(file, from: models, into: connection, now: now) }
    }
    if let own = try ownModel() { return own }
    return try reporting { try IndexModel.installDefault(from: models, into: connection, now: now) }
  }

  /// The model of the live index where it is not the default and was made for today's analyser: it stays until another is trained or
  /// brought; otherwise the default that ships with this release takes its place.
  func ownModel() throws -> IndexModel? {
    guard let live = try reporting({ try connection.generations.live() }) else { return nil }
    let model = try reporting { try IndexModel(stored: live.modelRowID, in: connection) }
    let fits = try model.vectorizer.model.analyzerVersion == models.analyzer().version
    return model.name != "default" && fits ? model : nil
  }

  /// Learns a projection from the practice's notes.
  ///
  /// - Complexity: one pass over the text; memory grows with the distinct terms of the notes, not with their text.
  private func trainProjection(progress: (Progress) -> Void) throws -> ProjectionTrainer.Trained {
    let analyzer = try models.analyzer()
    var trainer = ProjectionTrainer()
    try forEachPassageBatch(progress: progress) { for terms in $0 { trainer.add(terms) } }
    guard trainer.documentCount > 0 else {
      throw PracticeError(.invalidArgument, "there are no notes to train on", hint: "Maybe import some first.")
    }
    // A fixed seed: the same notes give the same model.
    var generator = SplitMix64(seed: 1)
    return try trainer.train(analyzerVersion: analyzer.version, using: &generator)
  }

  /// The terms of all passages of all notes, repetitions included, in batches and in the order of the notes.
  ///
  /// - Complexity: memory is that of 512 notes.
  func forEachPassageBatch(progress: (Progress) -> Void, _ body: ([[String]]) throws -> Void) throws {
    let chunker = try models.chunker()
    let analyzer = try models.analyzer()
    let total = try reporting { try connection.notes.count() }
    var last: Int64 = 0
    var read = 0
    while true {
      try continueUnlessStopped()
      // Generation 0 does not exist, so it lacks every note: the way to go through all of them.
      let notes = try reporting { try connection.notes.lacking(in: 0, after: last, limit: 512) }
      guard let end = notes.last?.rowID else { break }
      last = end
      let terms = Concurrent.map(notes.map(\.value.text)) { text in
        chunker.chunks(of: text).map { analyzer.terms(in: text, range: $0.range) }
      }
      try body(terms.flatMap { $0 })
      read += notes.count
      progress(Progress(done: read, total: total, detail: "notes read for training"))
    }
  }

  /// The generation that a stopped job left half built with today's rules; nil when there is none.
  private func begunGeneration(rules: String) throws -> Generation? {
    try connection.generations.list().last { $0.state == .building && $0.rulesVersion == rules }
  }

  /// A generation to fill: one that a stopped job began with the same model and rules, when it is to be resumed, else a new
  /// one. Others that were never finished are taken away.
  private func openGeneration(model: IndexModel, rules: String, resumes: Bool, now: Timestamp) throws -> Generation {
    try reporting {
      let begun = resumes ? try connection.generations.building(model: model.rowID, rulesVersion: rules) : nil
      try connection.withoutWaitingForDisk {
        for other in try connection.generations.list() where other.state == .building && other.rowID != begun?.rowID {
          while try !connection.generations.discard(row: other.rowID) {}
        }
      }
      if let begun { return begun }
      return try connection.generations.create(model: model.rowID, rulesVersion: rules, at: now)
    }
  }

  /// False when notes arrived since the last batch.
  private func activate(_ generation: Generation) throws -> Bool {
    try reporting {
      do {
        try connection.generations.activate(row: generation.rowID)
        return true
      } catch let error as StoreError where error.code == .incomplete {
        return false
      }
    }
  }

  /// Frees what was replaced, in small transactions, and the models that nothing uses any more.
  private func discardRetired() throws {
    try reporting {
      try connection.withoutWaitingForDisk {
        for old in try connection.generations.list() where old.state == .retired {
          do {
            while try !connection.generations.discard(row: old.rowID) {}
          } catch let error as StoreError where error.code == .corrupt {
            try connection.rebuildIndexes(of: [
              "segment", "chunk", "fact", "term", "note_state", "drug_course", "unfolded_patient",
            ])
            while try !connection.generations.discard(row: old.rowID) {}
          }
        }
      }
      let used = Set(try connection.generations.list().map(\.modelRowID))
      for model in try connection.models.list() where model.kind == IndexModel.kind && !used.contains(model.rowID) {
        try connection.models.delete(row: model.rowID)
      }
    }
  }
}

extension IndexingSummary {
  fileprivate func report(model: String, switched: Bool, since started: ContinuousClock.Instant) -> ReindexSummary {
    ReindexSummary(
      indexedNotes: indexed, failures: failures.map { ReindexSummary.Failure(noteID: $0.noteID, reason: $0.reason) },
      model: model, switched: switched, seconds: (ContinuousClock.now - started) / .seconds(1),
      factSeconds: factSeconds)
  }
}
