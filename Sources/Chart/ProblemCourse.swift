public import Clinical
public import Extraction

/// What notes say of one problem of a patient, folded in time order: each later word supersedes the earlier, which stays on record.
public struct ProblemCourse: Sendable {
  /// How a problem stands by the last word on it.
  public enum State: String, CaseIterable, Sendable {
    case suspected
    /// The patient has it.
    case confirmed
    /// Spoken of as past, or no longer found after it was found.
    case resolved
    /// Not found after it was suspected.
    case ruledOut = "ruled out"
    /// Looked for and not found; no note had suspected it before.
    case denied
  }

  /// A state from the word that brought it about to the last one that bears it out.
  public struct Stage: Sendable {
    public let state: State
    public let begun: RecordedFact
    public internal(set) var latest: RecordedFact
  }

  /// As ``Fact/name`` has it.
  public let name: String
  /// What it was before, in time order.
  public private(set) var earlier: [Stage] = []
  /// How it stands.
  public private(set) var stage: Stage
  /// The notes that speak of it as the patient's, in time order.
  public private(set) var mentions: [ClinicalNote] = []
  /// Whether a note speaks of a form of it that lasts once it is there.
  public private(set) var isChronic = false
  /// The last word that found it, now or once; nil where none did.
  public private(set) var found: RecordedFact?

  /// Nil for words that say nothing of what is: another's problem, or one that may come.
  init?(_ item: RecordedFact) {
    guard let state = Self.state(of: item, after: nil) else { return nil }
    name = item.fact.name
    stage = Stage(state: state, begun: item, latest: item)
    note(item)
  }

  /// Goes on with a later word.
  mutating func take(_ item: RecordedFact) {
    guard let state = Self.state(of: item, after: self) else { return }
    if state == stage.state {
      stage.latest = item
    } else {
      earlier.append(stage)
      stage = Stage(state: state, begun: item, latest: item)
    }
    note(item)
  }

  private mutating func note(_ item: RecordedFact) {
    if item.fact.finding?.isChronic == true { isChronic = true }
    if item.fact.assertion.polarity == .present { found = item }
    if item.fact.assertion.polarity != .absent, mentions.last?.id != item.note.id { mentions.append(item.note) }
  }

  /// What a word makes of a problem; nil where it says nothing of it.
  private static func state(of item: RecordedFact, after course: ProblemCourse?) -> State? {
    let assertion = item.fact.assertion
    guard assertion.experiencer == .patient, assertion.temporality != .hypothetical else { return nil }
    switch assertion.polarity {
    case .present: return assertion.temporality == .current ? .confirmed : .resolved
    case .uncertain: return .suspected
    case .absent where course?.found != nil: return .resolved
    case .absent where course?.mentions.isEmpty == false: return .ruledOut
    case .absent: return .denied
    }
  }
}

extension ProblemCourse {
  public var state: State { stage.state }
  /// The last word on it.
  public var latest: RecordedFact { stage.latest }
  /// When a note first spoke of it as the patient's.
  public var firstAt: Timestamp { mentions.first?.recordedAt ?? stage.begun.note.recordedAt }
  public var lastAt: Timestamp { latest.note.recordedAt }
  /// All states in time order.
  public var stages: [Stage] { earlier + [stage] }

  /// Whether the last word does not find it.
  public var isDenied: Bool { latest.fact.assertion.polarity == .absent }

  /// Whether it was found before the last word, which only suspects it.
  public var isDoubted: Bool { state == .suspected && found != nil }

  /// Whether it may still be there: it lasts, or a note has named it of late.
  public func isOpen(at now: Timestamp) -> Bool {
    switch state {
    case .suspected, .confirmed: isChronic || lastAt >= now.adding(days: -ProblemCourses.acuteDays)
    case .resolved, .ruledOut, .denied: false
    }
  }

  /// What found a germ that an animal keeps for life, in another note than the one that does not find it any more: one of the
  /// two is wrong.
  public var contradicted: RecordedFact? {
    guard state == .resolved, isDenied, latest.fact.isLastingInfection, let found,
      found.fact.isLastingInfection, found.note.id != latest.note.id
    else { return nil }
    return found
  }
}

extension Fact {
  fileprivate var isLastingInfection: Bool { finding?.isChronic == true && finding?.system == "infectious" }
}
