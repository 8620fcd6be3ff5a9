import Synchronization
import VetNet

/// Who has which record open, as their pages say it again and again: nothing of it is kept in the practice file, and what isn't said again
/// is over.
final class PresenceBoard: Sendable {
  /// Somebody at a record.
  struct Visitor: Hashable, Encodable, Sendable {
    /// The page, which knows itself by that.
    let page: String
    let name: String
    let is_typing: Bool
  }

  private struct Entry {
    let record: RecordReference
    let visitor: Visitor
    /// Of ``MonotonicClock``.
    let until: Double
  }

  /// How long somebody counts as there after their page said so: three times the pause between two words of it.
  static let seconds = 45.0
  /// So many pages at once, of all and of one session; the one that would be over first makes room.
  static let most = 2000
  static let mostOfOne = 40

  private struct State {
    /// By session, then page: no page can speak for another's.
    var entries: [String: [String: Entry]] = [:]
    var count = 0

    mutating func put(_ entry: Entry?, _ session: String, _ page: String) -> Entry? {
      let before = entries[session]?[page]
      entries[session, default: [:]][page] = entry
      if entries[session]?.isEmpty == true { entries[session] = nil }
      count += (entry == nil ? 0 : 1) - (before == nil ? 0 : 1)
      return before
    }

    /// Takes out what isn't said again, and says of which records that was.
    mutating func expire(before now: Double) -> Set<RecordReference> {
      var records: Set<RecordReference> = []
      for (session, pages) in entries {
        for (page, entry) in pages where entry.until < now {
          records.insert(entry.record)
          _ = put(nil, session, page)
        }
      }
      return records
    }

    /// Takes out what would be over first, of one session or of all.
    mutating func removeFirst(of session: String? = nil) -> RecordReference? {
      let all = session.map { [$0: entries[$0] ?? [:]] } ?? entries
      let each = all.lazy.flatMap { session, pages in pages.lazy.map { (session, $0.key, $0.value) } }
      guard let first = each.min(by: { $0.2.until < $1.2.until }) else { return nil }
      return put(nil, first.0, first.1)?.record
    }

    func people(at record: RecordReference) -> [Visitor] {
      var people: [Visitor] = []
      for pages in entries.values {
        for entry in pages.values where entry.record == record { people.append(entry.visitor) }
      }
      return people.sorted { ($0.name, $0.page) < ($1.name, $1.page) }
    }
  }

  private let state = Mutex(State())
  private let announce: @Sendable ([UInt8]) -> Void
  private let clock: @Sendable () -> Double

  init(
    clock: @escaping @Sendable () -> Double = { MonotonicClock.seconds },
    announcing announce: @escaping @Sendable ([UInt8]) -> Void
  ) {
    self.clock = clock
    self.announce = announce
  }

  /// How many pages are known to be somewhere.
  var count: Int { state.withLock { $0.count } }

  /// A page says what it has open.
  ///
  /// - Parameters:
  ///   - visitor: who, by which page.
  ///   - session: whose page it is.
  ///   - record: what is open.
  ///   - isOpen: false for a page that goes.
  /// - Returns: who is at the record now, by name and page.
  @discardableResult
  func say(_ visitor: Visitor, of session: WebSession, at record: RecordReference, isOpen: Bool) -> [Visitor] {
    let now = clock()
    let (people, changed) = state.withLock { state -> ([Visitor], Set<RecordReference>) in
      var changed = state.expire(before: now)
      let entry = isOpen ? Entry(record: record, visitor: visitor, until: now + Self.seconds) : nil
      let before = state.put(entry, session.token, visitor.page)
      if let before, before.record != record { changed.insert(before.record) }
      if before?.record != entry?.record || before?.visitor != entry?.visitor { changed.insert(record) }
      if state.entries[session.token]?.count ?? 0 > Self.mostOfOne, let gone = state.removeFirst(of: session.token) {
        changed.insert(gone)
      }
      if state.count > Self.most, let gone = state.removeFirst() { changed.insert(gone) }
      return (state.people(at: record), changed)
    }
    for record in changed.sorted(by: { ($0.kind.rawValue, $0.id) < ($1.kind.rawValue, $1.id) }) { tell(record) }
    return people
  }

  private struct Event: Encodable {
    let kind: String
    let id: String
    let people: [Visitor]
  }

  private func tell(_ record: RecordReference) {
    let people = state.withLock { $0.people(at: record) }
    guard let data = try? JSONText.bytes(Event(kind: record.kind.rawValue, id: record.id, people: people)) else {
      return
    }
    announce(Array("event: presence\ndata: ".utf8) + data + Array("\n\n".utf8))
  }
}
