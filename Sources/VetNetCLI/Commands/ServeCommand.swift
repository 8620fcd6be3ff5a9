import Clinical
import FoundationEssentials
import Glibc
import VetNet
import Web

enum ServeCommand {
  static let command = Command(
    "serve", "serves the workspace: the practice in a browser, or those of a folder",
    options: [
      Option("--listen", "ADDRESS", "where (default: \(ListenAddress.standard); port 0 is any that is free)"),
      Option("--tls-cert", "FILE", "the certificate to serve with TLS, with what signed it (PEM)"),
      Option("--tls-key", "FILE", "its key (PEM), readable by you only"),
      Option("--host", "NAME", "what browsers call this machine, beside the address; may be given several times"),
      Option("--demo", nil, "a sample practice that is thrown away at the end, instead of a practice file"),
      Option(
        "--corpus", "DIR", "with --demo: where the sample practice lies (default: Corpus, upward from the program)"),
      Option("--open", nil, "open it in this machine's browser"),
    ] + GroupServing.options + ServeOperators.options,
    examples: [
      Example("vetnet serve", "then open http://127.0.0.1:8417/"),
      Example("vetnet serve --demo --open", "a sample practice to try everything on"),
      Example("vetnet serve --listen 127.0.0.1:9000 --practice p.vetnet", "another file, another port"),
      Example(
        "vetnet serve --listen 0.0.0.0:8443 --host desk.practice.lan --tls-cert desk.pem --tls-key desk.key",
        "for every machine of the practice, by https://desk.practice.lan:8443/"),
      Example(
        "vetnet serve --practices /srv/practices --origin https://vets.example --proxy 127.0.0.1 --log-format json",
        "each practice file of a folder at https://vets.example/p/NAME/, behind a balancer on this machine"),
    ],
    discussion: """
      In a practice with users everybody signs in, each browser for itself, and may do what their role may. In one without, whoever can
      use this machine can open it and acts as you; with --as NAME, as that user. Addresses that other machines can reach
      demand both users and TLS. Calendars (vetnet calendar) are read while it runs: in a practice with users, by the user of --as.
      Nothing is loaded from anywhere else, and the kernel keeps the server from connecting to anybody (unless --open starts a
      browser). It ends with Ctrl-C, after what is under way. The API is described at /api/v1/openapi.json.
      With --practices DIR each NAME.vetnet of a folder is served at /p/NAME/, opened when somebody comes and closed when nobody does. The
      users of DIR/group.vetnet sign in once, and enter each practice that has a user of that name and takes the group's sign-in (vetnet
      config set group-sign-in ID). An encrypted file is opened by what vetnet key hold gave the kernel, or by its passphrase in the folder of
      --passphrases; without, it is locked and the others are served. /healthz and /readyz answer whoever asks, /metrics whoever shows the token. SIGTERM drains it.
      """,
    // Calendars of other programs, which the practice names, lie anywhere.
    reach: reach, files: { _ in .anywhere }
  ) { invocation in
    let arguments = invocation.arguments
    let listening = try listening(arguments)
    if arguments.isSet("--practices") { return try GroupServing.run(invocation, listening) }
    try GroupServing.refuseStray(arguments)
    let operators = try ServeOperators.settings(arguments)
    defer { operators.log?.stop() }
    let isDemo = arguments.isSet("--demo")
    if isDemo, arguments.isSet("--practice") { throw UsageError("'--demo' and '--practice' exclude each other") }
    if !isDemo, arguments.isSet("--corpus") { throw UsageError("--corpus belongs to --demo") }
    let folder = isDemo ? try DemoPractice.make(invocation) : nil
    defer { if let folder { try? FileManager.default.removeItem(atPath: folder) } }
    let path = folder.map { "\($0)/demo.vetnet" } ?? invocation.practicePath
    let isClosed = Practice.People.isClosed(at: path)
    try listening.check(hasUsers: isClosed, actsAsOne: arguments.isSet("--as"))
    let models = try invocation.models()
    try invocation.unlock(path)
    let practice = try Practice.open(at: path, models: models, access: .write)
    try practice.settings.require(.workspace)
    let actor = arguments.isSet("--as") ? try invocation.actor(in: practice) : nil
    let name = try practice.settings.name() ?? "VetNet"
    let clock =
      try isDemo && arguments.value("--now") == nil ? DemoPractice.clock(invocation) : Self.clock(invocation, practice)
    // A second signal ends the program at once.
    StopSignal.watch()
    let folderOfModels = models.path
    let server = try WorkspaceServer(
      practice: path, at: listening, models: { try ModelDirectory(path: folderOfModels) }, actor: actor, isDemo: isDemo,
      name: name, operators: operators, clock: clock)
    ServiceNotifier.say("READY=1")
    invocation.terminal.print("VetNet serves \(name) at \(server.url) (Ctrl-C ends it)")
    invocation.terminal.flush()
    if arguments.isSet("--open") { open(server.url, invocation) }
    // Where people sign in, calendars are read by whom --as names, and by nobody otherwise.
    let keeper = isClosed ? actor : actor ?? .local
    var calendars = CalendarTicker()
    while StopSignal.current == nil {
      usleep(50_000)
      if let keeper { calendars.tick(practice, by: keeper, at: clock()) { invocation.terminal.say($0) } }
    }
    try ServeOperators.drain(invocation, server.beginDraining)
    server.stop()
    return .ok
  }

  /// Its own port, and nobody else; a browser that it starts has to reach more.
  private static func reach(_ arguments: Arguments) -> Reach {
    guard !arguments.isSet("--open") else { return .network }
    let address = try? ListenAddress(arguments.value("--listen") ?? ListenAddress.standard)
    return .listening(port: address?.port ?? 0)
  }

  private static func listening(_ arguments: Arguments) throws -> Listening {
    let address = try ListenAddress(arguments.value("--listen") ?? ListenAddress.standard)
    let certificate: ServerCertificate?
    switch (arguments.value("--tls-cert"), arguments.value("--tls-key")) {
    case (let chain?, let key?): certificate = try ServerCertificate(certificate: chain, key: key)
    case (nil, nil): certificate = nil
    default: throw UsageError("--tls-cert and --tls-key go together")
    }
    var listening = try Listening(address, certificate: certificate, hosts: arguments.values("--host"))
    listening.origin = try arguments.value("--origin").map { try PublicOrigin($0) }
    return listening
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
