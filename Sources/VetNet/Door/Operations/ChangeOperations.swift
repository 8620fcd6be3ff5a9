import Clinical
import Store

/// What was committed behind a place in the audit log, by whatever program: which operation, and which records by their ids. No
/// content, so that to look is not itself put on record.
public struct ListChanges: Operation {
  public static let name = "changes.list"
  public static let feature: Feature? = .workspace
  public static let permission = Permission.readBook
  public static let reads: Set<RecordKind> = [.audit]

  /// The latest changes that can be asked for at once.
  public static let most = 1000

  /// Nil for where the log ends now.
  public var after: Int64?

  public init(after: Int64?) {
    self.after = after
  }

  public func run(_ passage: Passage) throws -> RecentChanges {
    try passage.practice.file.recentChanges(after: after)
  }
}

/// What was changed, the oldest first.
public struct RecentChanges: Sendable {
  public let changes: [PracticeChange]
  /// To be asked after the next time.
  public let last: Int64
  /// Whether there were more than can be told: what was shown before is to be shown anew.
  public let isCut: Bool
}

extension Practice.File {
  func recentChanges(after place: Int64?) throws -> RecentChanges {
    try reading {
      let last = try connection.audit.last()?.sequence ?? 0
      guard let place, place < last else {
        // A restored file may end before what was seen of the other.
        return RecentChanges(changes: [], last: last, isCut: place.map { $0 > last } ?? false)
      }
      var filter = AuditChain.Filter()
      filter.after = place
      filter.kinds = [.change, .step, .ended]
      let found = try connection.audit.entries(filter, latestFirst: true, limit: ListChanges.most + 1)
      let changes = found.prefix(ListChanges.most).reversed().compactMap { chained in
        chained.entry.map { entry in
          PracticeChange(operation: entry.operation, about: entry.subjects, sequence: chained.sequence)
        }
      }
      return RecentChanges(changes: changes, last: last, isCut: found.count > ListChanges.most)
    }
  }
}
