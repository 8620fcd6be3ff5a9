public import Clinical
import Store

/// Where somebody is in the queue.
public struct InboxSession: Sendable {
  /// The item that they had open and that still waits; nil where there is none.
  public let item: String?
  /// Those that they chose and that are still open.
  public let chosen: [String]
  /// What comes next, in the queue's order, without what others have open.
  public let next: [String]
  /// Who else is where.
  public let others: [Other]
  public let tally: InboxTally

  /// Somebody else who has an item open.
  public struct Other: Hashable, Sendable {
    public let name: String
    public let item: String
  }
}

extension Practice.Inbox {
  /// Somebody's session: position and choice as they left them, whatever device they come from. What stands behind the item `after` in
  /// the queue comes first, then what stands before it.
  func inboxSession(after: String?, most: Int, now: Timestamp) throws -> InboxSession {
    try reading {
      let waiting = try connection.inbox.waiting(at: now)
      let places = try connection.inbox.places()
      let own = places.first { $0.actor == practice.actorName }
      let others = places.filter {
        $0.actor != practice.actorName && $0.item != nil && $0.at.adding(minutes: Self.openMinutes) > now
      }
      let taken = Set(others.compactMap(\.item))
      var order = waiting
      if let row = after.flatMap(InboxItem.row), let index = waiting.firstIndex(of: row) {
        order = Array(waiting[(index + 1)...] + waiting[..<index])
      }
      let chosen = try (own?.chosen ?? []).filter { row in
        guard let item = try connection.inbox.item(row: row, at: now) else { return false }
        return InboxItem.State(rawValue: item.standing.state).map(InboxItem.State.open.contains) ?? false
      }
      return InboxSession(
        item: own?.item.flatMap { waiting.contains($0) && !taken.contains($0) ? InboxItem.id($0) : nil },
        chosen: chosen.map(InboxItem.id),
        next: order.filter { !taken.contains($0) }.prefix(max(0, most)).map(InboxItem.id),
        others: others.compactMap { place in
          place.item.map { InboxSession.Other(name: place.actor, item: InboxItem.id($0)) }
        }, tally: try inboxTally(now: now))
    }
  }

  /// Remembers where somebody is: an item, or none for an empty id; nil leaves it as it is.
  func keepInboxPlace(_ item: String?, chosen: [String]?, now: Timestamp) throws -> InboxSession {
    guard chosen?.count ?? 0 <= SetSeveralAside.most else {
      throw PracticeError(.invalidArgument, "\(SetSeveralAside.most) items are chosen at once, at most")
    }
    try writing {
      let known = try connection.inbox.places().first { $0.actor == practice.actorName }
      let row = try item.map { $0.isEmpty ? nil : try storedItem($0).rowID } ?? known?.item
      try connection.inbox.keep(
        InboxRow.Place(
          actor: practice.actorName, item: row,
          chosen: try chosen?.map { try storedItem($0).rowID } ?? known?.chosen ?? [], at: now))
    }
    return try inboxSession(after: item, most: 5, now: now)
  }
}
