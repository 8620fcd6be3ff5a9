public import Clinical

/// A calendar to subscribe to, by an address that is told once: a clinician's, a room's, or the practice's. For oneself; for others by
/// whoever manages users.
public struct AddCalendarFeed: Operation {
  public static let name = "feed.add"
  public static let permission = Permission.ownAccount
  public static let reads: Set<RecordKind> = [.user, .staff, .resource]
  public static let changes: Set<RecordKind> = [.setting]

  /// By id or name; nil for a room's, or the practice's.
  public var clinician: String?
  /// By id or name.
  public var room: String?
  /// Whether patients are named in it.
  public var hasNames: Bool
  /// Whose it is, by name; nil for oneself.
  public var user: String?

  public init(clinician: String? = nil, room: String? = nil, hasNames: Bool = true, user: String? = nil) {
    self.clinician = clinician
    self.room = room
    self.hasNames = hasNames
    self.user = user
  }

  public func run(_ passage: Passage) throws -> NewCalendarFeed {
    passage.details["names"] = hasNames ? "yes" : "no"
    let made = try passage.practice.exchange.addFeed(self, by: passage.actor, at: passage.now)
    passage.details["feed"] = made.feed.id
    passage.touch(.staff, made.feed.clinicianID)
    passage.touch(.resource, made.feed.resourceID)
    passage.touch(.user, made.feed.user)
    return made
  }
}

/// One's own subscribed calendars, or everybody's for whoever may see the users; never their addresses.
public struct ListCalendarFeeds: Operation {
  public static let name = "feed.list"
  public static let permission = Permission.ownAccount
  public static let reads: Set<RecordKind> = [.user, .staff, .resource, .setting]

  public var isOfEverybody: Bool

  public init(isOfEverybody: Bool = false) {
    self.isOfEverybody = isOfEverybody
  }

  public func run(_ passage: Passage) throws -> [CalendarFeed] {
    try passage.practice.exchange.feeds(of: isOfEverybody, passage.actor)
  }
}

/// Has an address lead nowhere any more: one's own, or anybody's for whoever manages users.
public struct WithdrawCalendarFeed: Operation {
  public static let name = "feed.withdraw"
  public static let permission = Permission.ownAccount
  public static let reads: Set<RecordKind> = [.user, .setting]
  public static let changes: Set<RecordKind> = [.setting]

  public var id: String

  public init(id: String) {
    self.id = id
  }

  public func run(_ passage: Passage) throws -> CalendarFeed {
    let feed = try passage.practice.exchange.withdrawFeed(id, by: passage.actor)
    passage.details["feed"] = feed.id
    passage.touch(.user, feed.user)
    return feed
  }
}

/// What a subscribed calendar shows now, to the person whose it is.
public struct ShowCalendarFeed: Operation {
  public static let name = "feed.show"
  public static let permission = Permission.readBook
  public static let reads: Set<RecordKind> = [.appointment, .patient, .staff, .resource, .setting]

  public var id: String
  /// What whoever asks has already; they are told so where it is still that.
  public var known: String?

  public init(id: String, known: String? = nil) {
    self.id = id
    self.known = known
  }

  public func run(_ passage: Passage) throws -> FeedContent {
    try passage.practice.exchange.feedContent(id, of: passage.actor, known: known, passage)
  }
}
