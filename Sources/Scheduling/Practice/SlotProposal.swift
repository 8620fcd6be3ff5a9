public import Clinical

/// A place for a visit that is free now: who, where, from when, how good, and why.
public struct SlotProposal: Hashable, Sendable {
  public let clinicianID: String
  /// One unit of each kind of room or equipment needed, in the order of the visit type's needs.
  public let resourceIDs: [String]
  public let start: Timestamp
  /// Nil in a practice that is one place.
  public let locationID: String?
  /// What to reserve.
  public let minutes: Int
  /// In points; comparable among proposals for the same case.
  public let score: Double
  /// Whether an urgent case starts within its target wait; nil for a planned visit, which has none.
  public let meetsTarget: Bool?
  /// Its value is ``score``.
  public let explanation: Explanation
}
