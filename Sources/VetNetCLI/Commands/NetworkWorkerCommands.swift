import Clinical
import FoundationEssentials
import Network
import VetNet

/// The pieces of a job over many practices, for engines: one shard, one sum, the step to the next round.
enum NetworkWorkerCommands {
  private static let groupKey = Option("--group-key", "FILE", "the key that the group's practices share")

  /// What ``ProcessEngine`` starts; help doesn't show it.
  static let worker = Command(
    "network worker", "does shards of a job for this program",
    positionals: [Positional("DIR", "the job's folder")],
    options: [groupKey],
    examples: [], files: { _ in .anywhere }
  ) { invocation in
    try WorkerLoop.greet()
    let folder = invocation.arguments.positionals[0]
    let key = try groupKey(invocation)
    try WorkerLoop(folder: folder, parts: "\(folder)/parts").run { invocation.seat(groupKey: key, stop: $0) }
    return .ok
  }

  static let map = Command(
    "network map", "does one shard of a job, for an engine of one's own",
    positionals: [Positional("DIR", "the job's folder, with its plan")],
    options: [
      Option("--shard", "N", "which one, from 0"), Option("--out", "FILE", "where the part goes"), groupKey,
    ],
    examples: [Example("vetnet network map job --shard 0 --out 0.part", "the first practice's part")],
    discussion: """
      vetnet network … --plan-only makes the folder. Each shard's part goes into a file; vetnet network sum adds them as a tree of neighbours, and
      vetnet network finish takes the sum. The same shard gives the same bytes wherever it is done. Sources/Network/Drivers has drivers for Dask
      and Spark.
      """, files: { _ in .anywhere }
  ) { invocation in
    let arguments = invocation.arguments
    let plan = try JobPlan(in: arguments.positionals[0])
    guard let number = try invocation.integer("--shard", in: 0...Int.max), let out = arguments.value("--out") else {
      throw UsageError("'vetnet network map' needs --shard N and --out FILE")
    }
    guard plan.shards.indices.contains(number) else {
      throw UsageError("--shard \(number): the job has shards 0 to \(plan.shards.count - 1)")
    }
    let seat = invocation.seat(groupKey: try groupKey(invocation), stop: { nil })
    try FileContents.write(try seat.part(of: plan.shards[number], in: plan) { _ in }, to: out)
    return .ok
  }

  static let sum = Command(
    "network sum", "adds parts of a job, neighbours first",
    positionals: [
      Positional("DIR", "the job's folder"), Positional("PART", "files in the order of their shards", repeating: true),
    ],
    options: [Option("--out", "FILE", "where the sum goes")],
    examples: [Example("vetnet network sum job 0.part 1.part --out 0-1.part", "two practices together")],
    files: { _ in .anywhere }
  ) { invocation in
    let plan = try JobPlan(in: invocation.arguments.positionals[0])
    guard let out = invocation.arguments.value("--out") else {
      throw UsageError("'vetnet network sum' needs --out FILE")
    }
    let parts = try invocation.arguments.positionals.dropFirst().map { try FileContents.bytes($0) }
    guard let sum = try SumTree.sum(parts, { try plan.job.sum($0, $1) }) else {
      throw UsageError("there is nothing to add")
    }
    try FileContents.write(sum, to: out)
    return .ok
  }

  static let finish = Command(
    "network finish", "takes the sum of a job's round: plans the next one, or shows what came of it",
    positionals: [Positional("DIR", "the job's folder")],
    options: [
      Option("--sum", "FILE", "the sum of all parts"),
      Option("--failed", "N=WHY", "a shard that could not be done; may be given several times"),
    ],
    examples: [Example("vetnet network finish job --sum all.part", "exit code 75 where another round is planned")],
    discussion:
      "Where another round is planned it says so and ends with 75; otherwise it shows the result, with 3 where some could not be done.",
    files: { _ in .anywhere }
  ) { invocation in
    let folder = invocation.arguments.positionals[0]
    let state = try StateFolder(folder)
    guard var progress = try NetworkProgress.resumed(in: folder) else {
      throw PracticeError(
        .notFound, "'\(folder)' holds no job", hint: "Make one: vetnet network … --plan-only --state DIR")
    }
    var failed: [Int: String] = [:]
    for word in invocation.arguments.values("--failed") {
      let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
      guard let number = Int(parts[0]) else { throw UsageError("--failed '\(word)' is no N=WHY") }
      failed[number] = parts.count > 1 ? parts[1] : "failed"
    }
    let sum = try invocation.arguments.value("--sum").map { try FileContents.bytes($0) }
    switch try progress.advance(sum, failed: failed, in: state.path) {
    case .next:
      invocation.terminal.say("Round \(progress.round + 1) of '\(progress.goal.name)' is planned.")
      return .anotherRound
    case .done(let result):
      return try NetworkOutput(result: result, failures: progress.failures).show(invocation)
    }
  }

  static let sketch = Command(
    "sketch", "gives this practice's part of a model that several learn together, without any text",
    positionals: [Positional("DIR", "the round that whoever leads the job sent: its plan and what belongs to it")],
    options: [Option("--out", "FILE", "where the part goes"), groupKey],
    examples: [Example("vetnet sketch round-2 --group-key group.key --out ours.part", "what is sent back")],
    discussion: """
      For a practice whose file nobody else may open: vetnet network model does the same for files that it can reach. A part holds keyed tags of
      terms, counts of terms that enough practices have, or sums over these, by round. SECURITY.md says what can be learned from each. The
      practice has to allow it: vetnet config feature share-terms on.
      """, files: { _ in .anywhere }
  ) { invocation in
    let plan = try JobPlan(in: invocation.arguments.positionals[0])
    guard case .terms = plan.job else {
      throw UsageError("'\(invocation.arguments.positionals[0])' is no round of a model")
    }
    guard let out = invocation.arguments.value("--out") else { throw UsageError("'vetnet sketch' needs --out FILE") }
    let seat = invocation.seat(groupKey: try groupKey(invocation), stop: { nil })
    let part = try seat.part(of: Shard(practice: invocation.practicePath), in: plan) { _ in }
    try FileContents.write(part, to: out)
    try invocation.show(Written(out: out, bytes: part.count)) { ["\(out): \(part.count) bytes"] }
    return .ok
  }

  private struct Written: Encodable {
    let out: String
    let bytes: Int
  }

  static let key = Command(
    "network key", "makes a key: one that signs models, or one that a group's practices share",
    options: [Option("--out", "FILE", "a new file, readable by its owner only")],
    examples: [Example("vetnet network key --out signing.key", "prints the public key that belongs to it")],
    files: { _ in .folders }
  ) { invocation in
    guard let out = invocation.arguments.value("--out") else {
      throw UsageError("'vetnet network key' needs --out FILE")
    }
    let key = try NetworkKey.create(at: out)
    try invocation.show(Made(out: out, public_key: key)) { ["\(out): public key \(key)"] }
    return .ok
  }

  private struct Made: Encodable {
    let out: String
    let public_key: String
  }

  private static func groupKey(_ invocation: Invocation) throws -> [UInt8]? {
    try invocation.arguments.value("--group-key").map { try NetworkKey.secret($0) }
  }
}

extension Invocation {
  /// What a worker of this program works with: every practice is opened as whoever started it, as that person is there.
  func seat(groupKey: [UInt8]?, stop: @escaping @Sendable () -> Int32?) -> WorkSeat {
    WorkSeat(
      open: { path, access in
        let own = Invocation(
          arguments: arguments, environment: environment, terminal: terminal, clock: clock, executable: executable)
        let practice = try own.openPractice(access, at: path)
        return WorkSeat.Opened(
          practice: practice, actor: try own.actor(in: practice), now: try own.now(in: practice.timeZone))
      },
      evaluate: { words in
        let quiet = Terminal(capturing: ())
        let tool = CommandLineTool(
          commands: CommandTable.all, environment: environment, executable: executable, clock: clock)
        let passed =
          arguments.values("--models").map { "--models=\($0)" } + arguments.values("--now").map { "--now=\($0)" }
        let code = tool.run(words + ["--json"] + passed, on: quiet)
        guard code == .ok || code == .failed, let line = quiet.captured.split(separator: "\n").last else {
          throw PracticeError(
            .invalidArgument, String(quiet.capturedMessages.split(separator: "\n").first ?? "it said nothing"))
        }
        return String(line)
      }, groupKey: groupKey, stopSignal: stop)
  }
}
