import Clinical
import Presentation
import Sync
import VetNet

/// One practice in several files, and calendars of other programs.
enum SyncCommands {
  static let clone = Command(
    "clone", "makes a practice file that takes the practice along, and syncs with the one it came from",
    positionals: [
      Positional(
        "FILE",
        "the practice file to take along, or the folder it lies in; or an invitation (vetnet device enroll), itself or in a file"
      )
    ],
    options: [
      Option("--name", "NAME", "what to call the device (default: the name of the new file)"),
      Option("--user", "USER", "who works on it, and whose role counts; oneself unless named"),
      Option("--encrypted", nil, "encrypt it with a key of its own; a recovery key is printed once"),
      PassphraseInput.newOption,
      Option("--dry-run", nil, "check that it could be made, make nothing"),
    ],
    examples: [
      Example("vetnet clone /srv/vet/practice --practice laptop.vetnet", "then vetnet sync --with /media/stick"),
      Example("vetnet clone /media/usb/invitation", "from a vetnet serve elsewhere, then vetnet sync"),
      Example("vetnet clone ./hub --user tom --encrypted", "tom's, with a passphrase that is asked for"),
      Example("vetnet clone ./hub --name \"Farm laptop\" --dry-run", "only whether it could be made"),
    ],
    discussion: """
      By an invitation the practice comes over TLS from the server that invites, which is recognised by its key and by nothing else; the kernel \
      keeps the program from reaching anybody but it. This machine makes a key of its own, which lies beside the new file (FILE.device, for you \
      only), or in an encrypted one within it; whoever works on it signs in as at the hub. What breaks off leaves no practice file: give the same \
      invitation again. A clone of an encrypted practice is encrypted, and opened by the hub's passphrases; with --encrypted by one of its own,
      so that who finds it learns nothing that opens the hub.

      The clone is a copy of the state that the hub is in, checked as a backup is, and holds what a backup holds but for what
      concerns the hub alone: who is signed in, by what others than its user sign in, addresses of calendar feeds, the inbox, calendars of other programs,
      unsigned encounters, the audit log. It is a file of its own, may be carried elsewhere, and is to be guarded as the hub's: whoever can read it can
      read the practice, whatever the role of its user, as far as which they change and are shown something. Ids of what is written in it carry its
      number, so that no other device makes the same. vetnet sync --explain says what becomes of changes.
      """,
    reach: NetworkSync.reachOfClone, files: { _ in .folders }
  ) { invocation in
    if let invitation = try NetworkSync.invitation(invocation.arguments.positionals[0]) {
      for option in ["--user", "--encrypted", PassphraseInput.newOption.name] where invocation.arguments.isSet(option) {
        throw UsageError("'\(option)' goes with a practice file: whoever invites says whose the device is")
      }
      return try NetworkSync.clone(invitation, invocation)
    }
    let from = hubFile(invocation.arguments.positionals[0])
    let path = invocation.practicePath
    try Practice.checkCreation(at: path)
    let hub = try invocation.openPractice(.write, at: from)
    StopSignal.watch()
    hub.door.stopSignal = { StopSignal.current }
    let key = try keyOfItsOwn(hub, invocation)
    let bar = ProgressBar("clone", isVisible: invocation.terminal.stderrIsTerminal && !invocation.wantsJSON)
    defer { bar.finish() }
    let fileName = path.split(separator: "/").last.map(String.init) ?? path
    let report = try invocation.perform(
      CloneHub(
        path: path, device: invocation.arguments.value("--name") ?? fileName,
        user: invocation.arguments.value("--user"), isDryRun: invocation.arguments.isSet("--dry-run")), on: hub,
      progress: { bar.update(done: $0.done, total: $0.total, detail: $0.detail) })
    bar.finish()
    if let key { invocation.show(recoveryKey: key.recoveryWords) }
    if invocation.wantsJSON {
      try invocation.terminal.printJSON(report)
    } else {
      for line in report.lines { invocation.terminal.print(line.withoutControls) }
    }
    return .ok
  }

  /// What opens a clone that is encrypted with a key of its own; nil for any other.
  private static func keyOfItsOwn(_ hub: Practice, _ invocation: Invocation) throws -> NewFileKey? {
    guard invocation.arguments.isSet("--encrypted") else {
      guard !invocation.arguments.isSet(PassphraseInput.newOption.name) else {
        throw UsageError("'\(PassphraseInput.newOption.name)' goes with '--encrypted'")
      }
      return nil
    }
    guard !invocation.arguments.isSet("--dry-run") else { return nil }
    let key = try invocation.newFileKey(now: invocation.now(in: hub.timeZone))
    hub.secrets.offeredBackupKey = key
    return key
  }

  private static func hubFile(_ path: String) -> String {
    CommandLineTool.isFolder(path) ? "\(path)/practice.vetnet" : path
  }

  static let sync = Command(
    "sync", "brings this file in step with the practice's others, and the book with calendars of other programs",
    options: [
      Option(
        "--with", "DIR|URL",
        "a folder or stick through which hub and devices sync, or the address of the vetnet serve that a clone came from"
      ),
      Option("--explain", nil, "say what becomes of changes that several devices made"),
      Option("--calendar", "NAME", "this calendar of another program; may be given several times"),
      Option("--all", nil, "every calendar that is read"),
      Option("--dry-run", nil, "say what waits, exchange nothing"),
    ],
    examples: [
      Example("vetnet sync --with /media/stick", "at the device, then at the hub, then at the device"),
      Example("vetnet sync --json", "in a clone: where it found its hub last"),
      Example("vetnet sync --with https://desk.practice.lan:8443", "the server that it was taken along from"),
      Example("vetnet sync --explain", "the rules, kind by kind"),
      Example("vetnet sync --calendar ann", "what changed there since"),
    ],
    discussion: """
      Through a folder each side leaves one file for the other, sealed with the key that the two share since vetnet clone: whoever finds the
      stick reads nothing, and what was changed on it is refused. Nothing is taken twice; what is lost, late or there twice does no harm, and the next
      sync makes up for it. What disagrees is listed: vetnet sync conflicts. A file belongs to one device: one that was put back from
      a backup is told to be cloned anew. Where hub and device have another schema, because vetnet was updated on one side only, they sync all the
      same, and say which side is to be updated.

      Events of other programs' calendars become appointments, each known by its UID: what changes there changes here, and what people here wrote stays.
      Repeating events are written out for a year; what lies more than calendar-days-back days (vetnet config) behind isn't read.
      An event that is gone there keeps its appointment, marked. Patients are taken by microchip or id, or by a name that only one
      has, beside the owner's name or words about an animal; else the event waits in the inbox. Time without an animal blocks whoever
      takes part and is no case. While vetnet serve runs, calendars are read when they change; in a practice with users by the user
      of its --as, and not without.
      """,
    reach: NetworkSync.reachOfSync,
    // The practice says where calendars lie.
    files: { _ in .anywhere }
  ) { invocation in
    try invocation.requireOne(of: "--calendar", "--all")
    if invocation.arguments.isSet("--explain") { return try explain(invocation) }
    let names = invocation.arguments.values("--calendar")
    let wantsCalendars = !names.isEmpty || invocation.arguments.isSet("--all")
    let practice = try invocation.openPractice(.write)
    let status = try invocation.perform(ShowSync(), on: practice)
    let named = invocation.arguments.value("--with")
    let network = named == nil && wantsCalendars ? nil : try NetworkSync.hub(named: named, practice, invocation)
    let place = network == nil ? named ?? (wantsCalendars ? nil : status.hub) : nil
    guard place != nil || network != nil || wantsCalendars else {
      throw UsageError(
        status.part == .clone
          ? "--with DIR is needed: where does this clone find its hub?"
          : "--with DIR, --calendar NAME or --all is needed")
    }
    var code = ExitCode.ok
    if place != nil || network != nil { code = try exchange(place, network, status, practice, invocation) }
    if wantsCalendars, !invocation.arguments.isSet("--dry-run") {
      let calendars = try CalendarCommands.sync(names.isEmpty ? nil : names, practice, invocation)
      if code == .ok { code = calendars }
    }
    return code
  }

  private static func exchange(
    _ place: String?, _ network: HubConnection?, _ status: SyncStatus, _ practice: Practice, _ invocation: Invocation
  ) throws -> ExitCode {
    if invocation.arguments.isSet("--dry-run") {
      if invocation.wantsJSON {
        try invocation.terminal.printJSON(
          SyncOutput(sent: 0, received: 0, applied: 0, waiting: status.waiting, conflicts: [], notices: []))
      } else {
        invocation.terminal.print("waiting to be taken by the hub: \(status.waiting) changes; nothing was exchanged")
      }
      return .ok
    }
    var exchange = FolderExchange()
    if let network {
      exchange = try NetworkSync.run(with: network, practice, invocation)
    } else if let place {
      exchange = try invocation.perform(ExchangeWithFolder(path: place), on: practice)
    }
    let conflicts = try newConflicts(after: status.heard, practice, invocation)
    if invocation.wantsJSON {
      try invocation.terminal.printJSON(
        SyncOutput(
          sent: exchange.sent, received: exchange.received, applied: exchange.applied,
          waiting: exchange.left, conflicts: conflicts.map(ConflictOutput.init), notices: exchange.notices))
    } else {
      invocation.terminal.print(
        "\(exchange.received) changes received, \(exchange.applied) records brought in step, \(exchange.sent) of this device taken by the hub"
      )
      if let place, exchange.left > 0 {
        invocation.terminal.print("\(exchange.left) changes lie in \(place) for the other side".withoutControls)
      }
      for conflict in conflicts { print(conflict, to: invocation.terminal) }
      if !conflicts.isEmpty { invocation.terminal.say("To settle them: vetnet sync conflicts") }
    }
    for line in exchange.notices + exchange.refused { invocation.terminal.say(line.withoutControls) }
    return exchange.refused.isEmpty ? .ok : .someInputRejected
  }

  private static func newConflicts(
    after number: Int64, _ practice: Practice, _ invocation: Invocation
  ) throws -> [SyncConflict] {
    do {
      return try invocation.perform(ListSyncConflicts(after: number), on: practice)
    } catch let error as PracticeError where error.code == .notPermitted {
      let open = try invocation.perform(ShowSync(), on: practice).openConflicts
      if open > 0 { invocation.terminal.say("\(open) conflicts wait for somebody who may read records.") }
      return []
    }
  }

  private static func explain(_ invocation: Invocation) throws -> ExitCode {
    let lines = SyncRules.lines
    if invocation.wantsJSON {
      try invocation.terminal.printJSON(lines)
    } else {
      for line in lines { invocation.terminal.print(line) }
    }
    return .ok
  }

  static let conflicts = Command(
    "sync conflicts", "lists what several devices said without knowing of each other",
    options: [Option("--settled", nil, "also those that somebody has settled")],
    examples: [
      Example("vetnet sync conflicts", "both values of each, and which stands"),
      Example("vetnet sync conflicts --json", "one JSON object each"),
    ]
  ) { invocation in
    let practice = try invocation.openPractice()
    let conflicts = try invocation.perform(
      ListSyncConflicts(all: invocation.arguments.isSet("--settled")), on: practice)
    for conflict in conflicts {
      if invocation.wantsJSON {
        try invocation.terminal.printJSON(ConflictOutput(conflict))
      } else {
        print(conflict, to: invocation.terminal)
      }
    }
    if conflicts.isEmpty, !invocation.wantsJSON { invocation.terminal.say("Nothing disagrees.") }
    return .ok
  }

  static let settle = Command(
    "sync settle", "settles a conflict; that it was is on record on every device",
    positionals: [Positional("ID", "as vetnet sync conflicts shows it")],
    options: [
      Option("--keep", "WHICH", "ours (the hub's), theirs (the device's), or as-it-is"),
      Option(
        "--reopen", nil, "take back that it was settled: what stood before stands again, unless it was changed since"),
    ],
    examples: [
      Example("vetnet sync settle c2-17-phone --keep theirs", "the field gets the device's value"),
      Example("vetnet sync settle c2-17-slot --keep as-it-is", "somebody has seen to it"),
      Example("vetnet sync settle c2-17-phone --reopen", "it was the hub's after all"),
    ]
  ) { invocation in
    try invocation.requireOne(of: "--keep", "--reopen")
    if invocation.arguments.isSet("--reopen") { return try reopen(invocation) }
    let words = SettleSyncConflict.Choice.allCases.map(\.rawValue)
    guard let word = invocation.arguments.value("--keep"), let choice = SettleSyncConflict.Choice(rawValue: word) else {
      throw UsageError("--keep is needed: \(words.joined(separator: ", "))")
    }
    let practice = try invocation.openPractice(.write)
    let conflict = try invocation.perform(
      SettleSyncConflict(id: invocation.arguments.positionals[0], choice: choice), on: practice)
    if invocation.wantsJSON {
      try invocation.terminal.printJSON(ConflictOutput(conflict))
    } else {
      invocation.terminal.print("\(conflict.id) is settled: \(word)".withoutControls)
    }
    return .ok
  }

  private static func reopen(_ invocation: Invocation) throws -> ExitCode {
    let practice = try invocation.openPractice(.write)
    let conflict = try invocation.perform(
      ReopenSyncConflict(id: invocation.arguments.positionals[0]), on: practice)
    if invocation.wantsJSON {
      try invocation.terminal.printJSON(ConflictOutput(conflict))
    } else {
      invocation.terminal.print("\(conflict.id) is open again".withoutControls)
    }
    return .ok
  }

  private static func print(_ conflict: SyncConflict, to terminal: Terminal) {
    terminal.print(
      "\(conflict.id)  \(conflict.record.kind) \(conflict.shownID), \(conflict.field): \(conflict.kept.rawValue) stands"
        .withoutControls)
    if let ours = conflict.oursInWords { terminal.print("  ours:   \(ours)".withoutControls) }
    if let theirs = conflict.theirsInWords { terminal.print("  theirs: \(theirs) (\(conflict.actor))".withoutControls) }
    if let reason = conflict.reason { terminal.print("  \(reason)".withoutControls) }
    if let settled = conflict.settled { terminal.print("  settled: \(settled)".withoutControls) }
  }
}

private struct SyncOutput: Encodable {
  let sent: Int
  let received: Int
  let applied: Int
  /// Left for the other side.
  let waiting: Int
  let conflicts: [ConflictOutput]
  /// What a person should know, such as that one side is of an older version.
  let notices: [String]
}

private struct ConflictOutput: Encodable {
  let id: String
  let kind: String
  let record: String
  let field: String
  let ours: FieldContent?
  let theirs: FieldContent?
  let kept: String
  let reason: String?
  let settled: String?

  init(_ conflict: SyncConflict) {
    id = conflict.id
    kind = conflict.record.kind
    record = conflict.shownID
    field = conflict.field
    ours = conflict.ours
    theirs = conflict.theirs
    kept = conflict.kept.rawValue
    reason = conflict.reason
    settled = conflict.settled
  }
}
