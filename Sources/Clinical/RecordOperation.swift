/// What one transaction changed of one record, as it is kept in the log and sent: the fields with their new contents.
///
/// Kinds and fields that aren't known here are kept and passed on as they are.
public struct RecordOperation: Hashable, Sendable {
  /// What the hub made of an operation.
  public enum Outcome: String, Codable, Sendable {
    /// It counts, by the rules of its kind.
    case taken
    /// It doesn't count: what stands instead, the hub says in an operation of its own. Its words are kept.
    case setAside = "set_aside"
  }

  /// What became of the record as a whole.
  public enum Turn: String, Codable, Sendable {
    case made, deleted, merged, erased
  }

  /// Who made it; 0 for the hub.
  public var replica: Int
  /// From 1, without gaps, in the replica's own count.
  public var sequence: Int64
  /// Of a ``HybridClock``.
  public var clock: Int64
  /// The number of the hub up to which whoever made it had heard.
  public var seen: Int64
  /// Which the hub gave it; nil as long as it hasn't.
  public var hubSequence: Int64?
  public var outcome: Outcome?
  public var kind: String
  /// With ``id``, what the record is known by on every device: row numbers differ.
  public var source: String
  public var id: String
  /// Who changed it.
  public var actor: String
  /// Nil for a change of a record that was there and stays.
  public var turn: Turn?
  public var fields: [String: FieldContent]

  public init(
    of record: RecordName, by author: Author, turn: Turn? = nil, fields: [String: FieldContent] = [:]
  ) {
    kind = record.kind
    source = record.source
    id = record.id
    replica = author.replica
    sequence = author.sequence
    clock = author.clock
    seen = author.seen
    actor = author.actor
    self.turn = turn
    self.fields = fields
  }

  /// Who made an operation, and when.
  public struct Author: Hashable, Sendable {
    public var replica: Int
    public var sequence: Int64
    public var clock: Int64
    public var seen: Int64
    public var actor: String

    public init(replica: Int, sequence: Int64, clock: Int64, seen: Int64, actor: String) {
      self.replica = replica
      self.sequence = sequence
      self.clock = clock
      self.seen = seen
      self.actor = actor
    }
  }

  public var stamp: Stamp { Stamp(clock: clock, replica: replica, sequence: sequence) }
  public var record: RecordName { RecordName(kind: kind, source: source, id: id) }

  /// Whether whoever made it knew of another operation.
  public func knew(of other: Self) -> Bool {
    other.replica == replica || other.hubSequence.map { $0 <= seen } ?? false
  }

  /// Whether it says the same as another, whatever the hub made of either.
  public func saysTheSame(as other: Self) -> Bool {
    record == other.record && fields == other.fields && turn == other.turn && seen == other.seen
  }
}

/// What a record is known by on every device.
public struct RecordName: Hashable, Codable, Sendable {
  public var kind: String
  public var source: String
  public var id: String

  public init(kind: String, source: String, id: String) {
    self.kind = kind
    self.source = source
    self.id = id
  }
}

extension RecordOperation: Codable {
  private enum CodingKeys: String, CodingKey {
    case replica, clock, seen, outcome, kind, source, id, actor, turn, fields
    case sequence = "seq"
    case hubSequence = "hub"
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    replica = try values.decode(Int.self, forKey: .replica)
    sequence = try values.decode(Int64.self, forKey: .sequence)
    clock = try values.decode(Int64.self, forKey: .clock)
    seen = try values.decode(Int64.self, forKey: .seen)
    hubSequence = try values.decodeIfPresent(Int64.self, forKey: .hubSequence)
    outcome = try values.decodeIfPresent(Outcome.self, forKey: .outcome)
    kind = try values.decode(String.self, forKey: .kind)
    source = try values.decode(String.self, forKey: .source)
    id = try values.decode(String.self, forKey: .id)
    actor = try values.decode(String.self, forKey: .actor)
    turn = try values.decodeIfPresent(Turn.self, forKey: .turn)
    fields = try values.decodeIfPresent([String: FieldContent].self, forKey: .fields) ?? [:]
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(replica, forKey: .replica)
    try values.encode(sequence, forKey: .sequence)
    try values.encode(clock, forKey: .clock)
    try values.encode(seen, forKey: .seen)
    try values.encodeIfPresent(hubSequence, forKey: .hubSequence)
    try values.encodeIfPresent(outcome, forKey: .outcome)
    try values.encode(kind, forKey: .kind)
    try values.encode(source, forKey: .source)
    try values.encode(id, forKey: .id)
    try values.encode(actor, forKey: .actor)
    try values.encodeIfPresent(turn, forKey: .turn)
    if !fields.isEmpty { try values.encode(fields, forKey: .fields) }
  }
}
