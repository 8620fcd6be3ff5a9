/// The best cue so far on each axis.
struct Decisions {
  var polarity = Decision(unmarked: Polarity.present)
  var temporality = Decision(unmarked: Temporality.current)
  var experiencer = Decision(unmarked: Experiencer.patient)

  /// The cues without which something would be otherwise.
  var named: [CueMatch] { [polarity.namedCue, temporality.namedCue, experiencer.namedCue].compactMap { $0 } }

  mutating func consider(_ rule: AssertionRule, _ cue: CueMatch, on axis: AssertionRule.Axis, distance: Int) {
    switch axis {
    case .polarity: polarity.consider(rule.polarity, cue, rule.priority, distance)
    case .temporality: temporality.consider(rule.temporality, cue, rule.priority, distance)
    case .experiencer: experiencer.consider(rule.experiencer, cue, rule.priority, distance)
    }
  }
}

/// The best cue so far on one axis: the higher priority, then the nearer, then the earlier.
struct Decision<Value: Equatable & Sendable> {
  private(set) var value: Value?
  private(set) var cue: CueMatch?
  private var priority = Int.min
  private var distance = Int.max
  private var isContested = false

  /// Cues up to this priority are there to overrule a heading; where there is none they decide nothing.
  private static var quietPriority: Int { 30 }

  private let unmarked: Value

  init(unmarked: Value) {
    self.unmarked = unmarked
  }

  /// The cue, if something would be otherwise without it.
  var namedCue: CueMatch? { value == unmarked && priority <= Self.quietPriority && !isContested ? nil : cue }

  mutating func consider(_ value: Value?, _ newCue: CueMatch, _ priority: Int, _ distance: Int) {
    guard let value else { return }
    if cue != nil { isContested = isContested || value != self.value }
    guard (priority, -distance) > (self.priority, -self.distance) else { return }
    self.value = value
    cue = newCue
    self.priority = priority
    self.distance = distance
  }
}
