import Clinical

/// One sync of a device with its hub: what it has is sent, then what the hub has is taken. Cut anywhere, it is done by the next.
public struct SyncSession {
  let replica: any SyncReplica
  let hub: any SyncHub
  /// Operations in one message at most.
  let batch: Int

  public init(of replica: any SyncReplica, with hub: any SyncHub, batch: Int = SyncProtocol.batch) {
    self.replica = replica
    self.hub = hub
    self.batch = batch
  }

  /// - Parameter progress: called after each message with what is done.
  /// - Returns: what was done, and who the hub said it is.
  /// - Throws: ``SyncError``, or what replica and transport throw.
  public func run(progress: (SyncCounts) throws -> Void = { _ in }) throws -> (counts: SyncCounts, hub: HubHello) {
    let own = try replica.hello()
    let answer = try hub.hello(own)
    try Self.check(own, answer)
    var counts = SyncCounts()
    var acknowledged = answer.acknowledged
    while true {
      let operations = try replica.operations(after: acknowledged, limit: batch)
      guard !operations.isEmpty else { break }
      let reply = try hub.push(PushRequest(replica: own.replica, operations: operations))
      guard reply.acknowledged > acknowledged else { break }
      counts.sent += Int(reply.acknowledged - acknowledged)
      acknowledged = reply.acknowledged
      try progress(counts)
    }
    var after = own.pulled
    while true {
      let reply = try hub.pull(PullRequest(replica: own.replica, after: after, limit: batch))
      let applied = try replica.apply(reply)
      counts.received += applied.received
      counts.applied += applied.applied
      try progress(counts)
      guard reply.hasMore, reply.through > after else { return (counts, answer) }
      after = reply.through
    }
  }

  /// Whether the two can sync at all.
  ///
  /// - Throws: ``SyncError`` saying why not.
  public static func check(_ own: ReplicaHello, _ hub: HubHello) throws {
    guard hub.protocolVersion == own.protocolVersion else {
      let isHubNewer = hub.protocolVersion > own.protocolVersion
      throw SyncError(
        .newerProtocol,
        "the \(isHubNewer ? "hub" : "device") speaks version \(max(hub.protocolVersion, own.protocolVersion)) of the messages, and the \(isHubNewer ? "device" : "hub") \(min(hub.protocolVersion, own.protocolVersion)): update vetnet \(isHubNewer ? "here" : "at the hub"); nothing is lost meanwhile"
      )
    }
    guard hub.practice == own.practice else {
      throw SyncError(.otherPractice, "that is the hub of another practice")
    }
    guard hub.acknowledged <= own.sequence else {
      throw SyncError(
        .olderReplica,
        "the hub has \(hub.acknowledged) changes of this device, which has made \(own.sequence): this file was put back to an older state; clone it anew"
      )
    }
    guard hub.hubSequence >= own.pulled else {
      throw SyncError(
        .olderHub,
        "this device has heard of change \(own.pulled), and the hub's last is \(hub.hubSequence): the hub was put back to an older state; clone it anew"
      )
    }
  }
}
