public import Clinical
import Glibc
import VetNet

/// The practices of a folder, served to browsers by one process until somebody says stop: each below `/p/NAME`.
public final class GroupServer {
  /// What a server of many is settled to hold.
  public struct Settings: Sendable {
    /// Practices that are open at once; the rest are opened when somebody comes, and closed for it.
    public var mostOpen = 32
    /// A practice that nobody used for so long is closed.
    public var idleSeconds = 600.0
    /// Opens the key of an encrypted file, by the practice's name and the file's path, where it can; called before a file is opened, from
    /// several threads. The group's own is called `group`.
    public var unlock: @Sendable (_ name: String, _ path: String) throws -> Void = { _, _ in }

    public init() {}
  }

  private let front: GroupFront
  private let rack: PracticeRack
  /// What opens practices looks for the front here; emptied at the end, for each knows the other.
  private let fronts = Monitor<GroupFront?>(nil)
  private let survey: PracticeSurvey
  private let home: Workspace?
  private let passphrases = PassphraseThreads()
  private let desk: OperatorDesk
  private let server: HTTPServer
  private var isOver = false

  /// Where it can be opened: `http://127.0.0.1:8417/`.
  public let url: String
  /// The id of the group whose people sign in, which practices name to take that; nil for a folder without `group.vetnet`.
  public let group: String?
  /// How many practice files there were at first, and how many of them can't be opened.
  public var found: (practices: Int, unusable: Int) {
    let entries = survey.entries
    return (entries.count, entries.count { $0.problem != nil })
  }

  /// - Parameters:
  ///   - path: the folder where the practice files lie, and `group.vetnet`, whose users are who signs in.
  ///   - listening: where to listen, under which names, with or without TLS.
  ///   - models: the path of the model folder, which all practices share.
  ///   - settings: how many practices may be open, and for how long.
  ///   - operators: what whoever runs it has settled.
  ///   - clock: the present moment.
  /// - Throws: ``PracticeError`` where the folder or the group's file can't be read, the address can't be listened on, or other machines
  ///   could reach what nobody has to sign in for.
  public init(
    folder path: String, at listening: Listening, models: String, settings: Settings = Settings(),
    operators: OperatorSettings = OperatorSettings(), clock: @escaping @Sendable () -> Timestamp
  ) throws {
    let folder = PracticeFolder(path: path)
    guard folder.list() != nil else {
      throw PracticeError(.noPracticeFile, "'\(path)' is no folder of practice files that can be read")
    }
    let hasGroup = PracticeFolder.describe("group", folder.groupPath) != nil
    if hasGroup { try settings.unlock("group", folder.groupPath) }
    try listening.check(hasUsers: hasGroup && Practice.People.isClosed(at: folder.groupPath), actsAsOne: false)
    let stages = SharedStages()
    let directory: @Sendable () throws -> ModelDirectory = { try ModelDirectory(path: models, sharing: stages) }
    let survey = PracticeSurvey(folder, models: directory, unlock: settings.unlock)
    let desk = OperatorDesk(operators, path: path, knows: { survey.entry($0) != nil }, clock: clock)
    let ready = Monitor<GroupFront?>(nil)
    let server = try HTTPServer(listening) {
      ready.withLock { $0 }?.endStreams()
    } mayUpload: { request in
      ready.withLock { $0 }?.mayUpload(request) == true
    } receive: { request, reply in
      guard let front = ready.wait({ $0 }) else { return }
      desk.receive(request, standing: { front.standing }, reply) { front.receive($0, $1) }
    }
    let names = ServedNames(listening, port: server.port)
    let opener = WorkspaceOpener(
      names: names, pin: listening.certificate?.keyPin, passphrases: passphrases, directory: directory,
      unlock: settings.unlock, clock: clock)
    do {
      let made = try hasGroup ? opener.home(folder.groupPath, survey, port: server.port) : nil
      home = made?.workspace
      group = made?.group.id
      let rack = PracticeRack(.init(mostOpen: settings.mostOpen, idleSeconds: settings.idleSeconds)) { [fronts] file in
        guard let front = fronts.withLock({ $0 }) else { throw PracticeError(.failed, "the server has not begun") }
        return try opener.open(file, sessions: front.sessions(of: file.name)) { front.ways(for: $0) }
      }
      let front = GroupFront(
        names: names, port: server.port, survey: survey, rack: rack, home: made?.workspace, group: made?.group)
      fronts.change { $0 = front }
      made?.standings.change { $0 = { [weak front] in front?.standings ?? [] } }
      (self.rack, self.front) = (rack, front)
    } catch {
      // Nobody was answered yet, and nobody is.
      server.stop()
      passphrases.stop()
      throw error
    }
    url = "\(names.origin)/"
    (self.survey, self.desk, self.server) = (survey, desk, server)
    survey.start { [rack, front] in
      rack.tidy(survey.entries.map(\.file))
      front.endEntered()
    }
    survey.waitForFirst()
    desk.beginServing()
    ready.change { [front] in $0 = front }
  }

  /// Says at `/readyz` that it takes no more, so that whoever sends work sends it elsewhere, and serves what comes all the same.
  public func beginDraining() { desk.beginDraining() }

  /// Lets what is under way end, closes every practice, and stops.
  public func stop() {
    guard !isOver else { return }
    isOver = true
    desk.beginDraining()
    server.stop()
    survey.stop()
    rack.stop()
    fronts.change { $0 = nil }
    home?.stop()
    passphrases.stop()
  }
}
