public import Clinical

/// A record as its operations tell it: a function of which operations there are, whatever the order in which they arrived.
///
/// Those that the hub has taken count in its order, and after them this device's own that it has yet to take.
public struct RecordFold: Sendable {
  /// What a field holds, and who said so.
  public struct Held: Sendable {
    public let content: FieldContent
    public let operation: RecordOperation
  }

  public private(set) var fields: [String: Held] = [:]
  /// What took the record away; nil for one that is there, or that only its fields tell of.
  public private(set) var gone: RecordOperation.Turn?
  /// Whether one of the operations made it.
  public private(set) var isMade = false
  private let rule: KindRule

  /// - Parameters:
  ///   - operations: of one record, in any order.
  ///   - rule: of its kind.
  public init(_ operations: some Sequence<RecordOperation>, rule: KindRule) {
    self.rule = rule
    for operation in operations.sorted(by: Self.comesFirst) where operation.outcome != .setAside {
      add(operation)
    }
  }

  /// The hub's order; what it has yet to take comes last, in the order in which it was made.
  private static func comesFirst(_ one: RecordOperation, _ other: RecordOperation) -> Bool {
    (one.hubSequence ?? .max, one.replica, one.sequence) < (other.hubSequence ?? .max, other.replica, other.sequence)
  }

  /// - Precondition: the operation comes after all that were added.
  public mutating func add(_ operation: RecordOperation) {
    switch operation.turn {
    case .deleted, .merged, .erased:
      gone = operation.turn
      fields = [:]
    case .made:
      gone = nil
      isMade = true
    case nil: break
    }
    guard gone == nil else { return }
    for (name, content) in operation.fields {
      guard let held = fields[name] else {
        fields[name] = Held(content: content, operation: operation)
        continue
      }
      if Self.replaces(operation, content, held, by: rule.rule(of: name)) {
        fields[name] = Held(content: content, operation: operation)
      }
    }
  }

  private static func replaces(
    _ operation: RecordOperation, _ content: FieldContent, _ held: Held, by rule: FieldRule
  ) -> Bool {
    switch rule {
    case .hubDecides, .onlyForward: return true
    case .latest, .latestQuietly, .bothKept: return held.operation.stamp < operation.stamp
    case .withdrawalStands:
      if !operation.knew(of: held.operation), (content == .none) != (held.content == .none) {
        return held.content == .none
      }
      return held.operation.stamp < operation.stamp
    }
  }

  /// The fields of an operation of which the record holds another content by somebody whom its author didn't know of, and that a
  /// person is to be told of.
  public func disagreements(with operation: RecordOperation) -> [(field: String, held: Held)] {
    operation.fields.keys.sorted().compactMap { name in
      guard let held = fields[name], held.content != operation.fields[name], !operation.knew(of: held.operation) else {
        return nil
      }
      switch rule.rule(of: name) {
      case .latest, .bothKept: return (name, held)
      case .latestQuietly, .withdrawalStands, .hubDecides, .onlyForward: return nil
      }
    }
  }

  public var contents: [String: FieldContent] { fields.mapValues(\.content) }
}
