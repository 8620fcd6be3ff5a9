public import Clinical
public import Extraction

/// A result that a note waits for.
public struct AwaitedResult: Sendable {
  /// The word that it is to come.
  public let item: RecordedFact
  /// The first later word of the same name that tells something else than that it is awaited; nil while none does.
  public internal(set) var came: RecordedFact?
}

/// Tests and procedures of a patient: what was done, and what notes wait for, folded in time order.
public struct Investigations: Sendable {
  /// In time order.
  public private(set) var awaited: [AwaitedResult] = []
  /// What was done, by name, in time order.
  private var done: [String: [RecordedFact]] = [:]

  /// - Parameter items: facts of one patient, in time order.
  /// - Complexity: O(items × results awaited under one name).
  public init(_ items: some Sequence<RecordedFact>) {
    /// The places of those that have not come, by name.
    var open: [String: [Int]] = [:]
    for item in items {
      let name = item.fact.name
      if item.fact.kind == .pendingResult {
        open[name, default: []].append(awaited.count)
        awaited.append(AwaitedResult(item: item))
      } else if Self.tells(item.fact), let places = open[name] {
        let answered = places.filter { awaited[$0].item.note.recordedAt < item.note.recordedAt }
        for place in answered { awaited[place].came = item }
        open[name] = places.filter { !answered.contains($0) }
      }
      if Self.isDone(item.fact) { done[name, default: []].append(item) }
    }
  }

  /// The first time that something was done after a moment.
  public func first(_ name: String, after moment: Timestamp) -> RecordedFact? {
    done[name]?.first { $0.note.recordedAt > moment }
  }

  /// Whether words tell something of what was awaited.
  private static func tells(_ fact: Fact) -> Bool {
    [.lab, .procedure, .problem].contains(fact.kind) && fact.lab?.result != .pending
      && fact.assertion.polarity != .uncertain && fact.assertion.temporality == .current
  }

  /// A test with its value, or another measure that was taken.
  private static func isDone(_ fact: Fact) -> Bool {
    guard fact.assertion.experiencer == .patient, fact.assertion.temporality != .hypothetical else { return false }
    switch fact.kind {
    case .lab: return fact.hasValue && fact.lab?.result != .pending
    case .procedure, .finding, .vital: return true
    default: return false
    }
  }
}
