import Store

/// A change that was committed.
public struct PracticeChange: Hashable, Sendable {
  public let operation: String
  /// Empty where there are more than ``most``: whoever shows anything of the practice looks anew.
  public let subjects: [RecordReference]
  /// Of its entry in the audit log: grows with each.
  public let sequence: Int64

  /// So many records are named one by one; a step of an import changes hundreds.
  public static let most = 64

  init(operation: String, about subjects: [AuditEntry.Subject], sequence: Int64) {
    self.operation = operation
    self.sequence = sequence
    self.subjects =
      subjects.count > Self.most
      ? []
      : subjects.compactMap { subject in RecordKind(rawValue: subject.kind).map { RecordReference($0, subject.id) } }
  }
}

/// Who wants to hear of changes.
public final class ChangeListeners {
  private var listeners: [Int: (PracticeChange) -> Void] = [:]
  private var next = 0

  /// Has `listener` called after each commit of a change that passes this practice's door, on the thread that made it. It may note
  /// that something changed; to look at it is an operation of its own, which has to wait until the present one is done.
  ///
  /// - Returns: what ``remove(_:)`` takes.
  @discardableResult
  public func add(_ listener: @escaping (PracticeChange) -> Void) -> Int {
    next += 1
    listeners[next] = listener
    return next
  }

  public func remove(_ token: Int) { listeners[token] = nil }

  func announce(_ change: PracticeChange) {
    for token in listeners.keys.sorted() { listeners[token]?(change) }
  }
}
