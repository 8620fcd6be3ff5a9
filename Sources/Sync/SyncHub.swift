public import Clinical

/// The hub as a device sees it. A transport carries the messages; what they do is the hub's `sync.hello`, `sync.push` and
/// `sync.pull`. Each may be sent twice, and answered too late: nothing is taken twice.
public protocol SyncHub {
  func hello(_ hello: ReplicaHello) throws -> HubHello
  func push(_ request: PushRequest) throws -> PushReply
  func pull(_ request: PullRequest) throws -> PullReply
}

/// The device's own file as a sync sees it.
public protocol SyncReplica {
  func hello() throws -> ReplicaHello
  /// Its own operations after a number, in order.
  func operations(after sequence: Int64, limit: Int) throws -> [RecordOperation]
  /// Takes what the hub told, whole or not at all.
  func apply(_ reply: PullReply) throws -> Applied
}

/// What a reply changed here.
public struct Applied: Hashable, Codable, Sendable {
  /// Operations of others that are new here.
  public var received = 0
  /// Records that are other than before.
  public var applied = 0

  public init() {}
}

/// What a sync did.
public struct SyncCounts: Hashable, Codable, Sendable {
  /// Operations that the hub took.
  public var sent = 0
  public var received = 0
  public var applied = 0

  public init() {}
}

/// Why a sync doesn't go on; nothing that was done until then is lost.
public struct SyncError: Error, Hashable, Codable, Sendable, CustomStringConvertible {
  public enum Code: String, Codable, Sendable {
    /// One side is of a newer program, whose messages the other can't read.
    case newerProtocol = "newer_protocol"
    case otherPractice = "other_practice"
    /// The hub doesn't know the device, or not any more.
    case refused
    /// The hub was put back to an older state than this device has heard of.
    case olderHub = "older_hub"
    /// This file was put back to an older state than the hub has heard of.
    case olderReplica = "older_replica"
    /// What was sent is no message, or one beyond its bounds.
    case malformed
  }

  public let code: Code
  public let description: String

  public init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}
