import Clinical
import FoundationEssentials
import Glibc
import VetNet
import Web

enum ServeCommand {
  static let command = Command(
    "serve", "serves the workspace: the practice in a browser on this machine",
    options: [
      Option("--listen", "ADDRESS", "where (default: \(ListenAddress.standard); port 0 is any that is free)"),
      Option("--demo", nil, "a sample practice that is thrown away at the end, instead of a practice file"),
      Option(
        "--corpus", "DIR", "with --demo: where the sample practice lies (default: Corpus, upward from the program)"),
      Option("--open", nil, "open it in this machine's browser"),
    ],
    examples: [
      Example("vetnet serve", "then open http://127.0.0.1:8417/"),
      Example("vetnet serve --demo --open", "a sample practice to try everything on"),
      Example("vetnet serve --listen 127.0.0.1:9000 --practice p.vetnet", "another file, another port"),
    ],
    discussion: """
      Whoever can use this machine can open it, and acts as you, or as the user of --as: there is no log-in yet, so that addresses that
      other machines can reach are refused. Nothing is loaded from anywhere else. It ends with Ctrl-C, after what is under way. The API is described at
      /api/v1/openapi.json.
      """,
    reach: {
      // A browser is a program of its own.
      if $0.isSet("--open") { return .network }
      return .callers(port: (try? ListenAddress($0.value("--listen") ?? ListenAddress.standard))?.port ?? 0)
    }, files: { $0.isSet("--open") ? .anywhere : .named }
  ) { invocation in
    let arguments = invocation.arguments
    let address = try ListenAddress(arguments.value("--listen") ?? ListenAddress.standard)
    let isDemo = arguments.isSet("--demo")
    if isDemo, arguments.isSet("--practice") { throw UsageError("'--demo' and '--practice' exclude each other") }
    if !isDemo, arguments.isSet("--corpus") { throw UsageError("--corpus belongs to --demo") }
    let folder = isDemo ? try DemoPractice.make(invocation) : nil
    defer { if let folder { try? FileManager.default.removeItem(atPath: folder) } }
    let path = folder.map { "\($0)/demo.vetnet" } ?? invocation.practicePath
    let models = try invocation.models()
    try invocation.unlock(path)
    let practice = try Practice.open(at: path, models: models, access: .write)
    try practice.require(.workspace)
    let actor = try actor(invocation, practice)
    let name = try invocation.perform(ShowStatus(), on: practice).name ?? "VetNet"
    let clock =
      try isDemo && arguments.value("--now") == nil ? DemoPractice.clock(invocation) : Self.clock(invocation, practice)
    // A second signal ends the program at once.
    StopSignal.watch()
    let folderOfModels = models.path
    let server = try WorkspaceServer(
      practice: path, at: address, models: { try ModelDirectory(path: folderOfModels) }, actor: actor, isDemo: isDemo,
      name: name, clock: clock)
    invocation.terminal.print("VetNet serves \(name) at \(server.url) (Ctrl-C ends it)")
    invocation.terminal.flush()
    if arguments.isSet("--open") { open(server.url, invocation) }
    while StopSignal.current == nil { usleep(50_000) }
    server.stop()
    return .ok
  }

  /// Whoever opens a page acts as this user.
  private static func actor(_ invocation: Invocation, _ practice: Practice) throws -> Actor {
    if try practice.isClosed, !invocation.arguments.isSet("--as") {
      throw PracticeError(
        .notSignedIn, "this practice has users, and the workspace has no log-in yet",
        hint: "vetnet serve --as NAME has everybody who opens it on this machine act as that user.")
    }
    return try invocation.actor(in: practice)
  }

  /// `--now` stands still; without it, the machine's clock.
  private static func clock(_ invocation: Invocation, _ practice: Practice) throws -> @Sendable () -> Timestamp {
    guard let fixed = try invocation.moment("--now", in: practice.timeZone) else { return invocation.clock }
    return { fixed }
  }

  private static func open(_ url: String, _ invocation: Invocation) {
    var process = pid_t()
    var words: [UnsafeMutablePointer<CChar>?] = [strdup("xdg-open"), strdup(url), nil]
    defer { for word in words { free(word) } }
    if posix_spawnp(&process, "xdg-open", nil, nil, &words, environ) != 0 {
      invocation.terminal.say("No program to open it with was found: open \(url) yourself.")
    }
  }
}

/// The sample practice in a folder of its own.
enum DemoPractice {
  /// The sample practice's present: the Thursday of its busiest week, early in the morning.
  private static let present = Timestamp(seconds: 1_795_680_000)

  /// - Returns: the folder, which whoever called removes.
  static func make(_ invocation: Invocation) throws -> String {
    let corpus = try corpus(invocation)
    let folder = FileManager.default.temporaryDirectory.appending(path: "vetnet-demo-\(getpid())").path
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let path = "\(folder)/demo.vetnet"
    guard let zone = PracticeTimeZone(identifier: "Europe/London") else {
      throw PracticeError(.failed, "the time zone Europe/London is not known here", hint: "Maybe install tzdata.")
    }
    do {
      try Practice.create(at: path, name: "Fernleigh Veterinary Practice", timeZone: zone, now: present)
      let practice = try Practice.open(at: path, models: invocation.models(), access: .write)
      invocation.terminal.say("Making the sample practice…")
      try practice.perform(ImportRecords(paths: [corpus], options: ImportOptions()), by: .local, at: present)
    } catch {
      try? FileManager.default.removeItem(atPath: folder)
      throw error
    }
    return folder
  }

  /// The sample practice's morning, from which time goes on as everywhere.
  static func clock(_ invocation: Invocation) -> @Sendable () -> Timestamp {
    let clock = invocation.clock
    let began = clock()
    return { Timestamp(seconds: present.seconds + clock().seconds - began.seconds) }
  }

  private static func corpus(_ invocation: Invocation) throws -> String {
    if let folder = invocation.arguments.value("--corpus") { return folder }
    var folder = URL(filePath: invocation.executable).deletingLastPathComponent()
    while folder.path != "/" {
      let corpus = folder.appending(path: "Corpus").path
      if FileManager.default.fileExists(atPath: corpus + "/patients.jsonl") { return corpus }
      folder.deleteLastPathComponent()
    }
    throw PracticeError(
      .notFound, "there is no sample practice above the program", hint: "Name its folder with --corpus DIR.")
  }
}
