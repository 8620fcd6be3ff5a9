import Clinical

/// Something harmful that the animal met, and how urgent that is.
struct ToxinFinding: Sendable {
  let id: String
  let judgement: ToxinJudgement
  let standing: Standing
  let words: Range<Int>
  let hasSigns: Bool
  /// Whether something is said to have been eaten, licked or given, so that the words are no mere name.
  let isTaken: Bool
}

/// How urgent a poison is for one animal, by dose, signs and time, and why.
struct ToxinJudgement: Sendable {
  private(set) var level: Urgency
  private(set) var reason: String
  /// Milligrams of active substance per kilogram, where the text says how much was eaten and the weight is known.
  let dose: Double?
  /// What the poison's name alone would make of the case.
  private let ownLevel: Urgency

  init(_ level: Urgency, of toxin: ToxinTable.Toxin, dose: Double? = nil, because reason: String) {
    self.level = level
    self.reason = "\(toxin.name): \(reason)"
    self.dose = dose
    ownLevel = toxin.levels.unknown
  }

  /// Why the level is lower than the poison's name alone would make it: the dose for this weight, or the hours that have passed
  /// without signs. Nil where it isn't lower.
  var downgrade: String? { level < ownLevel ? reason : nil }

  /// What else is known makes another level of it, or confirms the level.
  mutating func change(to level: Urgency, because reason: String) {
    self.level = level
    self.reason += ", " + reason
  }
}
