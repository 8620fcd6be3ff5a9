public import Clinical

/// Where an emergency goes, and what had to make room for it. Nothing has been changed yet.
public struct EmergencyPlan: Hashable, Sendable {
  public let visit: PlannedVisit
  /// Bookings that move, in order of their old start.
  public let moves: [PlanChange]
  /// Minutes from now to the start.
  public let wait: Int
  /// Whether it starts within the level's target wait.
  public let meetsTarget: Bool
  /// Whether it starts before the latest moment that the model allows the level.
  public let isInTime: Bool
  /// What the emergency earns, less what its moves cost, in points.
  public let explanation: Explanation

  /// The plan as a list of changes: moves, then the emergency itself.
  public func changes(placing id: String) -> [PlanChange] {
    moves + [
      PlanChange(
        kind: .place, id: id, before: nil, after: visit, gain: explanation.details.first?.value ?? 0,
        explanation: explanation)
    ]
  }
}
