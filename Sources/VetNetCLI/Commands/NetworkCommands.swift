import Clinical
import FoundationEssentials
import Glibc
import Network
import VetNet

/// Jobs over many practice files, by processes of this program.
enum NetworkCommands {
  private static let practices = Positional("PRACTICE", "practice files, or a folder of them", repeating: true)
  private static let common = [
    Option("--workers", "N", "how many processes, each on a core of its own (default: the machine's cores)"),
    Option(
      "--state", "DIR", "where what is done is kept until all is (default: .vetnet-network beside the first file)"),
    Option("--plan-only", nil, "make the job's folder for another engine, and do nothing"),
    Option("--worker-program", "FILE", "the program that workers run, instead of this one"),
    Option("--dry-run", nil, "say which practices, and do nothing"),
  ]
  private static let resuming = """
    A worker that is killed loses nothing, and neither does this program: started again it goes on where it was. A practice that can't be opened
    is named, the others are done, and the exit code is then 3. Users and encrypted files: --as NAME --passphrase-file FILE, the same in all.
    """

  static let reindex = Command(
    "network reindex", "re-indexes many practice files, large ones by several workers",
    positionals: [practices],
    options: [
      Option("--all", nil, "every note, even when nothing has changed"),
      Option(
        "--portion", "N", "deal out practices with more notes in portions of so many (default 20000; needs --all)"),
    ] + common,
    examples: [
      Example("vetnet network reindex /srv/practices --all", "every .vetnet file of the folder"),
      Example("vetnet network reindex /srv/north /srv/south --workers 4", "whatever the indexes of two folders lack"),
    ],
    discussion:
      "What is stored is what vetnet reindex stores, byte for byte; a large practice changes over to its new index in one step.\n"
      + resuming,
    files: { _ in .anywhere }
  ) { invocation in
    let all = invocation.arguments.isSet("--all")
    let portion = try invocation.integer("--portion", in: 1...10_000_000) ?? 20_000
    return try run(.reindex(all: all, portion: all ? portion : 0), try shards(invocation), invocation)
  }

  static let model = Command(
    "network model", "learns one model from many practices, whose texts stay where they are",
    positionals: [practices],
    options: [
      Option("--out", "FILE", "the model file; its signature is FILE.sig"),
      Option("--sign", "FILE", "the key that signs it (vetnet network key)"),
      Option("--group-key", "FILE", "the key that the practices share (default: one made for this job)"),
      Option("--least", "K", "terms of fewer practices never leave one (default 3)"),
      Option("--passes", "N", "sketches along better and better directions (default 3, as reindex --train)"),
      Option("--rank", "N", "of 512 at most (default 512)"),
      Option("--seed", "S", "another number begins with other directions (default 1)"),
    ] + common,
    examples: [
      Example("vetnet network model /srv/practices --sign signing.key --out group.vnm", "one model for all"),
      Example("vetnet network model /srv/practices --least 2 --out group.vnm", "with terms that two practices have"),
    ],
    discussion: """
      Each practice gives tags of its terms, then counts of those that at least K practices have, then sums over these; SECURITY.md says what can
      be learned from that. Each has to allow it: vetnet config feature share-terms on. Practices take the model with vetnet reindex
      --shared-model FILE --signer KEY.
      """ + "\n" + resuming,
    files: { _ in .anywhere }
  ) { invocation in
    guard let out = invocation.arguments.value("--out") else {
      throw UsageError("'vetnet network model' needs --out FILE")
    }
    var settings = SharedSettings()
    settings.least = try invocation.integer("--least", in: 1...1_000_000) ?? settings.least
    settings.passes = try invocation.integer("--passes", in: 2...8) ?? settings.passes
    settings.rank = try invocation.integer("--rank", in: 1...512) ?? settings.rank
    settings.seed = UInt64(try invocation.integer("--seed", in: 0...Int.max) ?? 1)
    let key = invocation.arguments.value("--sign")
    if let key { _ = try NetworkKey.publicKey(of: key) }
    return try run(
      .model(settings: settings, out: absolute(out), signingKey: key.map(absolute)), try shards(invocation),
      invocation, needsGroupKey: true)
  }

  static let similar = Command(
    "network similar", "finds similar cases of many practices, without names of people, places and animals",
    positionals: [practices],
    options: [
      Option("--text", "TEXT", "the case in words"),
      Option("--file", "FILE", "the case in a file, or - for standard input"),
      Option("--species", "SPECIES", "only animals of this species"),
      Option("--limit", "N", "how many of all practices together (default 10)"),
    ] + common,
    examples: [
      Example(
        "vetnet network similar /srv/practices --text \"old cat, losing weight, ravenous\"",
        "the group's cases like this")
    ],
    discussion: """
      By vectors alone, with one model in all practices (vetnet network model): then the best of each, merged, are the best of all. Each practice
      has to allow it: vetnet config feature share-cases on. Names are taken out by rules, which find most and not all: read before you pass on.
      The words of the question reach every practice that is asked, as a digest its audit log.
      """,
    files: { _ in .anywhere }
  ) { invocation in
    try invocation.requireOne(of: "--text", "--file")
    guard
      let text = try invocation.arguments.value("--text") ?? invocation.arguments.value("--file").map(InputText.read)
    else { throw UsageError("'vetnet network similar' needs --text or --file") }
    let query = SharedCaseQuery(
      text: text, species: try invocation.species()?.rawValue,
      limit: try invocation.integer("--limit", in: 1...1000) ?? 10)
    return try run(.similar(query), try shards(invocation), invocation)
  }

  static let pool = Command(
    "network pool", "pools lengths of visits and no-shows by type of visit over many practices",
    positionals: [practices], options: common,
    examples: [Example("vetnet network pool /srv/practices", "what small practices can lean on")],
    discussion: """
      A practice with few visits of a type is drawn to what all of them say (empirical Bayes: DerSimonian and Laird 1986 for lengths, Kleinman 1973
      for shares). Types with fewer than 5 visits leave no practice. Each has to allow it: vetnet config feature share-figures on.
      """,
    files: { _ in .anywhere }
  ) { invocation in
    try run(.pool, try shards(invocation), invocation)
  }

  static let evaluate = Command(
    "network evaluate", "runs suites of labelled cases beside each other, for one report",
    positionals: [Positional("SUITE=PATH", "as for vetnet evaluate SUITE PATH", repeating: true)], options: common,
    examples: [
      Example("vetnet network evaluate triage=dev.jsonl questions=Evaluations/questions/dev", "two suites at once")
    ],
    files: { _ in .anywhere }
  ) { invocation in
    let shards = try invocation.arguments.positionals.map { word in
      let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2 else { throw UsageError("'\(word)' is no SUITE=PATH, such as triage=dev.jsonl") }
      var shard = Shard(name: word)
      shard.words = ["evaluate", parts[0], absolute(parts[1])]
      return shard
    }
    return try run(.evaluate, shards, invocation)
  }

  // MARK: - What they have in common

  private static func shards(_ invocation: Invocation) throws -> [Shard] {
    var paths: [String] = []
    for path in invocation.arguments.positionals {
      var isFolder = false
      if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        paths += names.filter { $0.hasSuffix(".vetnet") && !$0.hasPrefix(".") }.sorted().map {
          absolute("\(path)/\($0)")
        }
      } else {
        paths.append(absolute(path))
      }
    }
    guard !paths.isEmpty else { throw PracticeError(.noPracticeFile, "there are no practice files (.vetnet) there") }
    guard Set(paths).count == paths.count else { throw UsageError("a practice file is named twice") }
    let shards = paths.map { Shard(practice: $0) }
    let names = Dictionary(grouping: shards, by: \.name)
    return shards.map { shard in
      names[shard.name].map { $0.count > 1 } == true
        ? Shard(name: shard.practice ?? shard.name, practice: shard.practice) : shard
    }
  }

  private static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/") else { return path }
    return FileManager.default.currentDirectoryPath + "/" + path
  }

  private static func run(
    _ goal: NetworkGoal, _ shards: [Shard], _ invocation: Invocation, needsGroupKey: Bool = false
  ) throws -> ExitCode {
    let arguments = invocation.arguments
    if arguments.isSet("--passphrase-fd") {
      throw UsageError("workers can't share a descriptor: give --passphrase-file")
    }
    if arguments.isSet("--dry-run") {
      try invocation.show(NetworkOutput.Planned(goal: goal.name, of: shards.map(\.name))) {
        ["would do '\(goal.name)' for \(shards.count): \(shards.map(\.name).joined(separator: ", "))"]
      }
      return .ok
    }
    let state = try StateFolder(arguments.value("--state").map(absolute) ?? standardState(goal, shards))
    StopSignal.watch()
    let progress = try NetworkProgress.begin(goal, shards: shards, in: state) { shard in
      guard let path = shard.practice, let seat = try? invocation.seat(groupKey: nil, stop: { nil }).open(path, .read)
      else { return nil }
      guard case .reindex(_, let size) = goal else { return nil }
      return try? seat.practice.perform(PlanPortions(size: size), by: seat.actor, at: seat.now).ends
    }
    if arguments.isSet("--plan-only") {
      invocation.terminal.print(state.path)
      return .ok
    }
    let key = try needsGroupKey ? groupKey(invocation, state) : nil
    let engine = engine(invocation, state, groupKey: key)
    let bar = ProgressBar("network", isVisible: invocation.terminal.stderrIsTerminal && !invocation.wantsJSON)
    defer { bar.finish() }
    let lines = JSONProgress(invocation.terminal, isWanted: invocation.wantsJSON)
    let outcome = try NetworkRun(engine: engine, state: state).run(progress, stop: { StopSignal.current }) { event in
      switch event {
      case .progress(let shard, let done, let total, let finished, let all):
        let detail = "\(shard.name): \(done)\(total > 0 ? " of \(total)" : "")"
        bar.update(done: finished, total: all, detail: detail)
        lines.update(done: finished, total: all, detail: detail)
      case .finished: break
      case .failed(let shard, let reason): invocation.terminal.say("\(shard.name): \(reason)")
      case .retried(let shard, let reason): invocation.terminal.say("\(shard.name): \(reason); it is tried again")
      }
    }
    bar.finish()
    var output = NetworkOutput(result: outcome.result, failures: outcome.failures)
    output.seconds = outcome.seconds
    output.peakKilobytes = outcome.peakKilobytes
    return try output.show(invocation)
  }

  /// The same job finds the same folder: so it isn't done twice at once, and goes on where it was.
  private static func standardState(_ goal: NetworkGoal, _ shards: [Shard]) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let digest = FileContents.digest([UInt8](try encoder.encode(goal)) + [UInt8](try encoder.encode(shards))).prefix(12)
    let first = shards[0].practice ?? absolute(".")
    let folder = first.lastIndex(of: "/").map { String(first[..<$0]) } ?? "."
    return "\(folder)/.vetnet-network/\(goal.name)-\(digest)"
  }

  /// The key of the group, or one for this job alone: the practices are all in this program's reach then.
  private static func groupKey(_ invocation: Invocation, _ state: StateFolder) throws -> String {
    if let file = invocation.arguments.value("--group-key") {
      _ = try NetworkKey.secret(file)
      return absolute(file)
    }
    let file = "\(state.path)/group.key"
    if !FileManager.default.fileExists(atPath: file) { _ = try NetworkKey.create(at: file) }
    return file
  }

  private static let taskset = "/usr/bin/taskset"

  private static func engine(_ invocation: Invocation, _ state: StateFolder, groupKey: String?) -> ProcessEngine {
    let cores = max(1, ProcessInfo.processInfo.activeProcessorCount)
    let workers = (try? invocation.integer("--workers", in: 1...1024)) ?? cores
    let program = invocation.arguments.value("--worker-program") ?? invocation.executable
    let passed = invocation.arguments.passedOn.filter { !$0.hasPrefix("--practice=") }
    // Each on a core of its own, so that workers beside each other don't take each other's.
    let onCore = access(taskset, X_OK) == 0
    return ProcessEngine(workers: workers) { number in
      (onCore ? [taskset, "-c", "\(number % cores)"] : []) + [program, "network", "worker", state.path]
        + (groupKey.map { ["--group-key=\($0)"] } ?? []) + passed
    }
  }
}
