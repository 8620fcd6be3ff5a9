import Clinical
import FoundationEssentials
import Store
public import Sync

/// What a device leaves in a folder for its hub.
struct DevicePacket: Codable {
  var hello: ReplicaHello
  /// All that it has not heard the hub take.
  var push: PushRequest
}

/// What the hub leaves there for a device.
struct HubPacket: Codable {
  var hello: HubHello
  var pull: PullReply
}

/// A folder or stick through which a hub and its devices sync without a network: one file each way for each device, sealed with the key
/// that the two share, replaced in one step. Each file says all that the other side hasn't said to have heard, so that one that is
/// lost, late or there twice does no harm.
struct SyncFolder {
  let folder: String

  /// - Throws: ``PracticeError`` where there is no folder.
  init(_ path: String, practice: String) throws {
    var isFolder = false
    if let type = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType {
      isFolder = type == .typeDirectory
    }
    guard isFolder else { throw PracticeError(.notFound, "there is no folder '\(path)'") }
    folder = "\(path)/vetnet-\(practice)"
  }

  /// Makes the practice's own folder in it.
  func prepare() throws {
    guard !FileManager.default.fileExists(atPath: folder) else { return }
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    } catch {
      throw PracticeError(.failed, "can't make the folder '\(folder)'")
    }
  }

  enum Direction: String {
    case fromDevice = "device"
    case fromHub = "hub"
  }

  private func path(_ direction: Direction, _ device: Int) -> String {
    "\(folder)/\(direction.rawValue)-\(device).sync"
  }

  /// Nil where nothing lies.
  ///
  /// - Throws: ``PracticeError`` with `integrity` for a file that was not sealed with the key, was changed since, or is none.
  func read<Packet: Decodable>(
    _ direction: Direction, _ device: Int, key: [UInt8], as: Packet.Type
  ) throws -> Packet? {
    let path = path(direction, device)
    guard let sealed = try SealedMessage.read(path, mostBytes: SyncProtocol.mostBytes) else { return nil }
    guard let bytes = SealedMessage.open(sealed, key: key, purpose: "\(direction.rawValue) \(device)"),
      let packet = try? JSONDecoder().decode(Packet.self, from: Data(bytes))
    else {
      throw PracticeError(
        .integrity, "'\(path)' was not written with this device's key, or was changed since; nothing of it was taken",
        hint: "Maybe delete it, and sync again at both ends.")
    }
    return packet
  }

  func write(_ packet: some Encodable, _ direction: Direction, _ device: Int, key: [UInt8]) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let bytes = [UInt8](try encoder.encode(packet))
    try SealedMessage.write(
      SealedMessage.seal(bytes, key: key, purpose: "\(direction.rawValue) \(device)"), to: path(direction, device))
  }

  /// The devices that left something, by number.
  func devices() -> [Int] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.compactMap { $0.wholeMatch(of: /device-(\d{1,6})\.sync/).flatMap { Int($0.1) } }.sorted()
  }
}

/// What an exchange through a folder did.
public struct FolderExchange: Codable, Sendable {
  public var counts = SyncCounts()
  /// Operations of this device that the other side took.
  public var sent: Int { counts.sent }
  public var received: Int { counts.received }
  public var applied: Int { counts.applied }
  /// Changes that lie in the folder for the other side.
  public var left = 0
  /// Why something that lay there was not taken, a line each.
  public var refused: [String] = []
  /// What a person should know beside that, such as that one side is of an older version; a line each.
  public var notices: [String] = []

  public init() {}
}

extension Practice.Sync {
  /// As many operations as a file in a folder holds, so that it keeps below ``SyncProtocol/mostBytes``.
  private static let folderBatch = 20_000
  private static let folderBytes = SyncProtocol.mostBytes * 3 / 4

  /// Takes what the other side left in a folder, and leaves there what it has yet to hear: a hub for each device that was there, a
  /// clone for its hub.
  func exchange(withFolder path: String, now: Timestamp) throws -> FolderExchange {
    guard let own = try reading({ try connection.operationLog.own() }) else {
      throw PracticeError(
        .invalidArgument, "this practice file has neither clones nor a hub",
        hint: "Maybe make one: vetnet clone FROM --practice FILE")
    }
    let folder = try SyncFolder(path, practice: own.practice)
    try folder.prepare()
    if own.isHub { return try serve(folder, now: now) }
    try writing { try connection.settings.set(Setting.syncHub, to: path) }
    do {
      return try follow(folder, now: now)
    } catch let error as SyncError {
      throw PracticeError(.failed, error.description)
    }
  }

  private func follow(_ folder: SyncFolder, now: Timestamp) throws -> FolderExchange {
    var exchange = FolderExchange()
    let own = try reading { try ownReplica() }
    guard let key = own.key else { throw PracticeError(.failed, "this clone has no key of its own") }
    let waited = try reading { try connection.operationLog.pendingCount(of: own.replica) }
    if let packet = try folder.read(.fromHub, own.replica, key: key, as: HubPacket.self) {
      let hello = try replicaHello(heardOf: packet)
      try SyncSession.check(hello, packet.hello)
      if let notice = SchemaDifference.notice(hello, packet.hello) { exchange.notices.append(notice) }
      if packet.pull.after <= own.hubSequence {
        let applied = try follow(packet.pull, now: now)
        exchange.counts.received = applied.received
        exchange.counts.applied = applied.applied
      }
    }
    let operations = try fitting(
      try reading { try connection.operationLog.pending(of: own.replica, limit: Self.folderBatch) })
    exchange.counts.sent = max(0, waited - (try reading { try connection.operationLog.pendingCount(of: own.replica) }))
    exchange.left = operations.count
    let hello = try replicaHello()
    try folder.write(
      DevicePacket(hello: hello, push: PushRequest(replica: own.replica, operations: operations)), .fromDevice,
      own.replica, key: key)
    return exchange
  }

  /// A hub's packet that lay there a while is older than what was heard since by another way: that is no sign of an older hub.
  private func replicaHello(heardOf packet: HubPacket) throws -> ReplicaHello {
    var hello = try replicaHello()
    hello.pulled = min(hello.pulled, packet.hello.hubSequence)
    return hello
  }

  private func serve(_ folder: SyncFolder, now: Timestamp) throws -> FolderExchange {
    var exchange = FolderExchange()
    for device in folder.devices() {
      do {
        let replica = try reading { try admitted(device) }
        let asked = try asked(of: replica)
        guard let packet = try folder.read(.fromDevice, device, key: replica.key, as: DevicePacket.self) else {
          continue
        }
        let answer = try hello(packet.hello)
        try SyncSession.check(packet.hello, answer)
        guard packet.hello.replica == device, packet.push.replica == device else {
          throw SyncError(.malformed, "the file of device \(device) speaks for another")
        }
        if let notice = SchemaDifference.notice(answer, ofDevice: replica.name, packet.hello) {
          exchange.notices.append(notice)
        }
        let reply = try take(packet.push, asking: asked, now: now)
        exchange.counts.received += Int(reply.acknowledged - answer.acknowledged)
        exchange.counts.applied += Int(reply.acknowledged - answer.acknowledged)
        let pull = try allFitting(PullRequest(replica: device, after: packet.hello.pulled), now: now)
        exchange.left += pull.operations.count
        try folder.write(HubPacket(hello: try hello(packet.hello), pull: pull), .fromHub, device, key: replica.key)
      } catch let error as SyncError {
        exchange.refused.append("device \(device): \(error.description)")
      } catch let error as PracticeError where error.code == .integrity {
        exchange.refused.append(error.description)
      }
    }
    return exchange
  }

  /// What a device has yet to hear, as far as one file holds it.
  private func allFitting(_ request: PullRequest, now: Timestamp) throws -> PullReply {
    var whole = try tell(request, now: now)
    var bytes = try whole.operations.reduce(0) { try $0 + size(of: $1) }
    while whole.hasMore, whole.operations.count < Self.folderBatch, bytes < Self.folderBytes {
      let next = try tell(
        PullRequest(replica: request.replica, after: whole.through), isHeard: false, now: now)
      guard next.through > whole.through else { break }
      bytes = try next.operations.reduce(bytes) { try $0 + size(of: $1) }
      whole.operations += next.operations
      whole.receipts += next.receipts
      whole.through = next.through
      whole.hasMore = next.hasMore
    }
    return whole
  }

  private func fitting(_ operations: [RecordOperation]) throws -> [RecordOperation] {
    var bytes = 0
    return try operations.prefix { operation in
      bytes += try size(of: operation)
      return bytes <= Self.folderBytes
    }.map { $0 }
  }

  private func size(of operation: RecordOperation) throws -> Int { try JSONEncoder().encode(operation).count }
}
