public import Clinical
public import Extraction

/// Where a note says something that the chart rests on.
public struct ChartEvidence: Hashable, Sendable {
  public let noteID: String
  public let recordedAt: Timestamp
  /// UTF-8 bytes of the note: the passage.
  public let passage: Range<Int>
  /// UTF-8 bytes of the note: what is named in it.
  public let focus: Range<Int>
  /// How sure it is that the passage says so, 0…1.
  public let probability: Double

  public init(noteID: String, recordedAt: Timestamp, passage: Range<Int>, focus: Range<Int>, probability: Double) {
    self.probability = probability
    self.noteID = noteID
    self.recordedAt = recordedAt
    self.passage = passage
    self.focus = focus
  }
}

/// What a record says of how a patient bears one treatment, folded in time order.
///
/// A reaction is never forgotten: that the same was given later without harm stands beside it, not instead of it.
public struct ReactionCourse: Hashable, Sendable {
  public enum State: String, Sendable {
    /// Not tolerated.
    case reaction
    /// Not to be given, for another reason.
    case avoid
    /// Given without harm, and never otherwise.
    case tolerated
  }

  /// The generic drug, the clinical name of a class, `vaccine`, `anaesthesia`, or a form such as `tablet`.
  public let treatment: String
  /// Whether the treatment is only a form, such as `tablet`, that stands for whatever was given.
  public internal(set) var isForm = false
  public internal(set) var reactions: [ChartEvidence] = []
  public internal(set) var bans: [ChartEvidence] = []
  public internal(set) var tolerations: [ChartEvidence] = []

  public var state: State { reactions.isEmpty ? bans.isEmpty ? .tolerated : .avoid : .reaction }

  /// What the state rests on, in time order.
  public var evidence: [ChartEvidence] {
    switch state {
    case .reaction, .avoid: (reactions + bans).sorted { ($0.recordedAt, $0.noteID) < ($1.recordedAt, $1.noteID) }
    case .tolerated: tolerations
    }
  }

  /// How sure the surest evidence of the state is, 0…1.
  public var probability: Double { evidence.map(\.probability).max() ?? 0 }

  /// From this probability on a reaction warns unasked.
  public static let leastReaction = 0.5
  /// From this probability on a ban does: "no steroid today" is a plan, and reads much like one.
  public static let leastBan = 0.8

  /// Whether it is sure enough to be told to whoever has not asked. A form says too little of what was given.
  public var isWarning: Bool {
    switch state {
    case .reaction: !isForm && probability >= Self.leastReaction
    case .avoid: !isForm && probability >= Self.leastBan
    case .tolerated: false
    }
  }

  /// What speaks against a standing reaction or ban: given without harm after the last word of it.
  public var laterTolerations: [ChartEvidence] {
    guard state != .tolerated, let last = evidence.last else { return [] }
    return tolerations.filter { $0.recordedAt > last.recordedAt }
  }
}
