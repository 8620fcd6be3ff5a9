import FoundationEssentials
import Vectorization
public import VetNet

/// What somebody wants of several practices: one job or several rounds of jobs, each planned from the sum of the one before.
public enum NetworkGoal: Codable, Sendable {
  /// - Parameters:
  ///   - all: every note, even when nothing has changed.
  ///   - portion: practices with more notes are dealt out in portions of so many.
  case reindex(all: Bool, portion: Int)
  /// - Parameters:
  ///   - settings: what it is learned with.
  ///   - out: the model file.
  ///   - signingKey: the file of the key that signs it.
  case model(settings: SharedSettings, out: String, signingKey: String?)
  case similar(SharedCaseQuery)
  case pool
  case evaluate

  /// In a word, for messages and names of folders.
  public var name: String {
    switch self {
    case .reindex: "reindex"
    case .model: "model"
    case .similar: "similar"
    case .pool: "pool"
    case .evaluate: "evaluate"
    }
  }
}

/// What came of a goal.
public enum NetworkResult: Sendable {
  case indexed(IndexedPractices)
  case model(SharedModelProvenance, singularValues: [Float], rank: Int, path: String)
  case similar(SharedCases)
  case pooled(PooledFigures)
  case evaluated(SuiteReports)
}

/// A goal on its way: the round that it is in, kept with that round's plan so that any engine, or a second start, goes on with it.
public struct NetworkProgress: Codable, Sendable {
  public let goal: NetworkGoal
  /// What the first round is about.
  public let shards: [Shard]
  /// From 0.
  public private(set) var round: Int
  /// Shards that earlier rounds could not do, with why.
  public private(set) var failures: [String: String]
  /// Large practices, whose portions are merged.
  private var large: [Shard] = []
  /// What is known of practices that are done whole.
  private var indexed: IndexedPractices?

  private static let portions = "portions"

  /// What happens after a round.
  public enum Step {
    case next
    case done(NetworkResult)
  }

  /// Begins a goal, or goes on with the one that is in the folder already.
  ///
  /// - Parameters:
  ///   - goal: what is wanted.
  ///   - shards: practices or suites.
  ///   - state: where it is kept.
  ///   - portions: of a large practice, the last row of each portion; nil for one that is done whole.
  /// - Returns: the goal, its next round planned in the folder.
  /// - Throws: ``VetNet/PracticeError`` where the folder holds another goal, or one of another version of the program.
  public static func begin(
    _ goal: NetworkGoal, shards: [Shard], in state: StateFolder, portions: (Shard) throws -> [Int64]?
  ) throws -> NetworkProgress {
    if let kept = try resumed(in: state.path) {
      guard try JSONPart.bytes(kept.goal) == JSONPart.bytes(goal), kept.shards == shards else {
        throw PracticeError(
          .failed, "'\(state.path)' holds another job (\(kept.goal.name)) that is not done",
          hint: "Maybe name another folder with --state, or remove that one.")
      }
      return kept
    }
    var progress = NetworkProgress(goal: goal, shards: shards, round: 0, failures: [:])
    let job: NetworkJob
    var planned = shards
    switch goal {
    case .reindex(let all, let size):
      job = .reindex(all: all, portions: Self.portions)
      planned = []
      for shard in shards {
        guard size > 0, let ends = try portions(shard), ends.count > 1 else {
          planned.append(shard)
          continue
        }
        progress.large.append(shard)
        for (start, end) in zip([0] + ends, ends) {
          var portion = shard
          (portion.after, portion.through) = (start, end)
          planned.append(portion)
        }
      }
    case .model(let settings, _, _):
      guard shards.count >= settings.least else {
        throw PracticeError(
          .invalidArgument, "\(shards.count) practices can't share terms that \(settings.least) have",
          hint: "Name more practices, or give a smaller --least.")
      }
      job = .terms(.tags)
    case .similar(let query): job = .cases(query)
    case .pool: job = .figures
    case .evaluate: job = .suites
    }
    try progress.plan(job, planned, in: state.path)
    return progress
  }

  /// The goal in a folder; nil where there is none.
  ///
  /// - Throws: ``VetNet/PracticeError`` where it is of another version of the program.
  public static func resumed(in folder: String) throws -> NetworkProgress? {
    guard FileManager.default.fileExists(atPath: "\(folder)/\(JobPlan.fileName)") else { return nil }
    return try JobPlan(in: folder).progress
  }

  private func plan(_ job: NetworkJob, _ shards: [Shard], in folder: String) throws {
    try JobPlan(job, shards: shards, progress: self).write(in: folder)
  }

  /// Takes the sum of the present round; plans the next one, or says what came of it all.
  ///
  /// - Parameters:
  ///   - sum: the sum of the parts that there are; nil where there are none.
  ///   - failed: shards of the plan that could not be done, by their numbers, with why.
  ///   - state: the folder of the goal.
  /// - Returns: whether there is a next round, or what came of it.
  /// - Throws: ``VetNet/PracticeError`` where nothing could be done, or the sum can't be read.
  public mutating func advance(_ sum: [UInt8]?, failed: [Int: String], in state: String) throws -> Step {
    let plan = try JobPlan(in: state)
    for (number, reason) in failed where plan.shards.indices.contains(number) {
      failures[plan.shards[number].name] = reason
    }
    guard let sum else {
      let first = failures.min { $0.key < $1.key }
      throw PracticeError(
        .failed, "none of \(shards.count) could be done\(first.map { "; \($0.key): \($0.value)" } ?? "")")
    }
    let left = plan.shards.indices.filter { failed[$0] == nil }.map { plan.shards[$0] }
    switch goal {
    case .reindex: return try advanceIndexing(sum, plan.job, left, in: state)
    case .model(let settings, let out, let key):
      return try advanceModel(sum, plan.job, left, ModelGoal(settings: settings, out: out, key: key), in: state)
    case .similar: return .done(.similar(try JSONPart.value(sum)))
    case .pool: return .done(.pooled(PooledFigures(try JSONPart.value(sum))))
    case .evaluate: return .done(.evaluated(try SuiteReports(sum)))
    }
  }

  private mutating func advanceIndexing(
    _ sum: [UInt8], _ job: NetworkJob, _ left: [Shard], in state: String
  ) throws -> Step {
    let practices = try IndexedPractices(sum)
    let whole = practices.practices.filter { $0.model != nil }
    let known = (indexed?.practices ?? []) + whole
    // A portion that could not be embedded was worked out where it was merged.
    if round > 0 { for practice in whole { failures[practice.practice] = nil } }
    guard !large.isEmpty, round == 0 else { return .done(.indexed(IndexedPractices(practices: known))) }
    indexed = IndexedPractices(practices: known)
    round += 1
    // What a portion lacks is worked out where it is merged.
    try plan(.merge(folder: Self.portions), large, in: state)
    return .next
  }

  private struct ModelGoal {
    let settings: SharedSettings
    let out: String
    let key: String?
  }

  /// Tags, counts, then a sketch for each pass, each but the first along the directions that the one before found.
  private mutating func advanceModel(
    _ sum: [UInt8], _ job: NetworkJob, _ left: [Shard], _ goal: ModelGoal, in state: String
  ) throws -> Step {
    let settings = goal.settings
    round += 1
    switch job {
    case .terms(.tags):
      let shared = try TagPartial(sum).shared(byAtLeast: settings.least)
      try FileContents.write(try shared.bytes(), to: "\(state)/admitted.part")
      try plan(.terms(.counts(admitted: "admitted.part")), left, in: state)
    case .terms(.counts):
      try FileContents.write(sum, to: "\(state)/counts.part")
      let vocabulary = SharedVocabulary(try CountPartial(sum), settings)
      guard !vocabulary.vocabulary.buckets.isEmpty else {
        throw PracticeError(
          .failed, "no term is found in \(settings.least) practices", hint: "Maybe the practices have no notes.")
      }
      try plan(sketch(vocabulary, nil, settings), left, in: state)
    case .terms(.sketch(let made)):
      let vocabulary = SharedVocabulary(try CountPartial(FileContents.bytes(made.counts)), settings)
      let sketch = try SketchPartial(sum)
      // The rounds of tags and counts came before.
      let pass = round - 2
      if pass < settings.passes {
        let name = "directions-\(pass).part"
        try FileContents.write(try vocabulary.basis(of: sketch).bytes(), to: "\(state)/\(name)")
        try plan(self.sketch(vocabulary, name, settings), left, in: state)
      } else {
        guard let file = made.directions else { throw PracticeError(.failed, "a model needs two passes at the least") }
        let trained = try vocabulary.projection(
          of: sketch, directions: SketchPartial(FileContents.bytes(file)), settings)
        let provenance = try vocabulary.write(trained, settings, signedBy: goal.key, to: goal.out)
        return .done(
          .model(
            provenance, singularValues: trained.singularValues, rank: trained.model.rank, path: goal.out))
      }
    default: throw PracticeError(.failed, "the plan is of another goal")
    }
    return .next
  }

  private func sketch(
    _ vocabulary: SharedVocabulary, _ directions: String?, _ settings: SharedSettings
  ) -> NetworkJob {
    .terms(
      .sketch(
        SketchRound(
          counts: "counts.part", directions: directions, seed: settings.seed, width: vocabulary.width(settings),
          settings: settings)))
  }
}
