import Clinical
import FoundationEssentials
import Presentation
import Sync
import VetNet

/// Taking a practice along, and syncing it, over a network.
enum NetworkSync {
  // MARK: Whom a command may reach

  /// The servers that an invitation names; nil for what is none.
  static func invitation(_ words: String) throws -> DeviceInvitation? {
    if DeviceInvitation.isOne(words) { return try DeviceInvitation(line: words) }
    // A file that holds one; a practice file is larger, and begins otherwise.
    let size = (try? FileManager.default.attributesOfItem(atPath: words))?[.size] as? Int ?? .max
    guard size <= 8192, let content = FileManager.default.contents(atPath: words) else { return nil }
    let line = String(decoding: content, as: UTF8.self)
    return DeviceInvitation.isOne(line) ? try DeviceInvitation(line: line) : nil
  }

  /// What `clone` reaches: the servers of its invitation.
  static func reachOfClone(_ arguments: Arguments) -> Reach {
    let named = arguments.positionals.first.flatMap { try? invitation($0) }
    return reach(named?.hub)
  }

  /// What `sync` reaches: the server that is named, or that the practice was taken along from.
  static func reachOfSync(_ arguments: Arguments) -> Reach {
    guard !["--calendar", "--all", "--explain"].contains(where: arguments.isSet) else { return .nothing }
    if let place = arguments.value("--with") {
      return isAddress(place) ? reach(HubAddress(urls: [place], pin: nil)) : .nothing
    }
    let path = PracticeLocation.path(
      option: arguments.value("--practice"), environment: ProcessInfo.processInfo.environment)
    return reach((try? DeviceIdentity.read(beside: path))?.hub)
  }

  static func isAddress(_ place: String) -> Bool { place.contains("://") }

  private static func reach(_ hub: HubAddress?) -> Reach {
    let urls = hub?.urls.compactMap { try? HubURL($0) } ?? []
    return urls.isEmpty ? .nothing : .hub(urls)
  }

  // MARK: What they do

  static func clone(_ invitation: DeviceInvitation, _ invocation: Invocation) throws -> ExitCode {
    let path = invocation.practicePath
    let urls = try invitation.hub.urls.map { try HubURL($0, pin: invitation.hub.pin) }
    if invocation.arguments.isSet("--dry-run") {
      try Practice.checkCreation(at: path)
      invocation.terminal.print(
        "would take the practice along from \(urls.map(\.description).joined(separator: ", ")) to \(path)"
          .withoutControls)
      return .ok
    }
    let taking = try TakingAlong(
      invitation, to: path, at: invocation.now(in: .current), reaching: Dialer.reaching(urls))
    StopSignal.watch()
    let bar = ProgressBar("clone", isVisible: invocation.terminal.stderrIsTerminal && !invocation.wantsJSON)
    defer { bar.finish() }
    let taken = try taking.run(unlock: { try invocation.unlock($0) }) { done, total in
      if let signal = StopSignal.current {
        throw PracticeError(.stopped(signal: signal), "stopped; nothing was put in place, and the next try begins anew")
      }
      bar.update(done: done, total: total, detail: "bytes")
    }
    bar.finish()
    if invocation.wantsJSON {
      try invocation.terminal.printJSON(taken)
    } else {
      for line in taken.lines { invocation.terminal.print(line.withoutControls) }
    }
    return .ok
  }

  /// The hub over the network, where a clone was taken along from one; nil where it wasn't, and no address is named.
  ///
  /// - Throws: ``PracticeError`` where another address is named than the clone's own hub has.
  static func hub(named place: String?, _ practice: Practice, _ invocation: Invocation) throws -> HubConnection? {
    if let place, !isAddress(place) { return nil }
    guard let identity = try DeviceIdentity.read(beside: practice.path) else {
      guard let place else { return nil }
      throw PracticeError(
        .invalidArgument, "'\(practice.path)' was not taken along from \(try HubURL(place))",
        hint: "Maybe ask for an invitation there, and clone it: vetnet clone INVITATION")
    }
    var urls = try identity.hub.urls.map { try HubURL($0, pin: identity.hub.pin) }
    if let place {
      let named = try HubURL(place)
      guard urls.contains(named) else {
        throw PracticeError(
          .invalidArgument,
          "this file was taken along from \(urls.map(\.description).joined(separator: ", ")), not from \(named)",
          hint: "Leave --with out, or ask for an invitation there and clone anew.")
      }
      urls = [named]
    }
    return try practice.devices.hubConnection(reaching: Dialer.reaching(urls))
  }

  /// One sync with the hub.
  static func run(
    with hub: HubConnection, _ practice: Practice, _ invocation: Invocation
  ) throws -> FolderExchange {
    let replica = PracticeReplica(
      practice, by: try invocation.actor(in: practice), at: try invocation.now(in: practice.timeZone))
    StopSignal.watch()
    do {
      let own = try replica.hello()
      let done = try SyncSession(of: replica, with: hub).run { _ in
        if let signal = StopSignal.current {
          throw PracticeError(.stopped(signal: signal), "stopped; what was exchanged until then is kept")
        }
      }
      var exchange = FolderExchange()
      exchange.counts = done.counts
      exchange.notices = [SchemaDifference.notice(own, done.hub)].compactMap(\.self)
      return exchange
    } catch let error as SyncError {
      throw PracticeError(.failed, error.description)
    }
  }
}
