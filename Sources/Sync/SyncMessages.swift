public import Clinical

/// How a device presents itself to the hub.
public struct ReplicaHello: Hashable, Codable, Sendable {
  public var protocolVersion: Int
  /// The name of the last migration that its file has.
  public var schema: String
  /// Of the practice: the same in the hub's file and in every clone of it.
  public var practice: String
  public var replica: Int
  /// The highest number that it gave an operation of its own.
  public var sequence: Int64
  /// The hub's number up to which it has heard, with who made what stands there: a hub that says otherwise was put back to an
  /// older state.
  public var pulled: Int64
  public var pulledStamp: Stamp?

  public init(
    schema: String, practice: String, replica: Int, sequence: Int64, pulled: Int64, pulledStamp: Stamp?
  ) {
    protocolVersion = SyncProtocol.version
    self.schema = schema
    self.practice = practice
    self.replica = replica
    self.sequence = sequence
    self.pulled = pulled
    self.pulledStamp = pulledStamp
  }
}

/// What the hub answers.
public struct HubHello: Hashable, Codable, Sendable {
  public var protocolVersion: Int
  public var schema: String
  public var practice: String
  /// The practice's name, where it has one.
  public var name: String?
  /// The highest number that the hub gave.
  public var hubSequence: Int64
  /// The highest number of this device that the hub has taken.
  public var acknowledged: Int64

  public init(
    schema: String, practice: String, name: String?, hubSequence: Int64, acknowledged: Int64
  ) {
    protocolVersion = SyncProtocol.version
    self.schema = schema
    self.practice = practice
    self.name = name
    self.hubSequence = hubSequence
    self.acknowledged = acknowledged
  }
}

/// Operations of a device, in the order of its numbers. What the hub has already is passed over.
public struct PushRequest: Hashable, Codable, Sendable {
  public var replica: Int
  public var operations: [RecordOperation]

  public init(replica: Int, operations: [RecordOperation]) {
    self.replica = replica
    self.operations = operations
  }
}

public struct PushReply: Hashable, Codable, Sendable {
  /// The highest number of this device that the hub has taken: whatever is said after a gap is not.
  public var acknowledged: Int64

  public init(acknowledged: Int64) {
    self.acknowledged = acknowledged
  }
}

public struct PullRequest: Hashable, Codable, Sendable {
  public var replica: Int
  /// The hub's number up to which the device has heard.
  public var after: Int64
  /// Operations at most.
  public var limit: Int

  public init(replica: Int, after: Int64, limit: Int = SyncProtocol.batch) {
    self.replica = replica
    self.after = after
    self.limit = limit
  }
}

/// What the hub made of an operation of the device that asks: its words are not sent back.
public struct Receipt: Hashable, Codable, Sendable {
  public var sequence: Int64
  public var hubSequence: Int64
  public var clock: Int64
  public var outcome: RecordOperation.Outcome

  public init(sequence: Int64, hubSequence: Int64, clock: Int64, outcome: RecordOperation.Outcome) {
    self.sequence = sequence
    self.hubSequence = hubSequence
    self.clock = clock
    self.outcome = outcome
  }

  private enum CodingKeys: String, CodingKey {
    case clock, outcome
    case sequence = "seq"
    case hubSequence = "hub"
  }
}

/// What the hub has to tell, in its order.
public struct PullReply: Hashable, Codable, Sendable {
  /// Others', and the hub's own.
  public var operations: [RecordOperation]
  public var receipts: [Receipt]
  /// From which number on this tells; a device that has heard less far can't use it.
  public var after: Int64
  /// The number up to which this tells everything.
  public var through: Int64
  public var hasMore: Bool

  public init(operations: [RecordOperation], receipts: [Receipt], after: Int64, through: Int64, hasMore: Bool) {
    self.operations = operations
    self.receipts = receipts
    self.after = after
    self.through = through
    self.hasMore = hasMore
  }

  private enum CodingKeys: String, CodingKey {
    case operations, receipts, after, through
    case hasMore = "more"
  }
}

public enum SyncProtocol {
  /// Of the messages; grows when an older program couldn't read them any more.
  public static let version = 1
  /// Operations in one message at most.
  public static let batch = 1000
  /// Bytes that a message may have, so that a reader can refuse more.
  public static let mostBytes = 32 << 20
}
