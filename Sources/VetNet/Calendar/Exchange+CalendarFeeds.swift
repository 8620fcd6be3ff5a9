public import Clinical
import Interchange
import Store

// Calendars that telephones subscribe to: a secret in the address stands for whoever made them.

extension Practice.Exchange {
  /// So far back, and ahead, a subscribed calendar reaches.
  private static let feedDaysBack = 30
  private static let feedDaysAhead = 180
  /// So many of one person, at most: an address that nobody knows any more is withdrawn.
  private static let mostFeeds = 20

  /// Who reads by a secret, and what; nil for a secret that nobody has, was withdrawn, or is of somebody who may not come in.
  ///
  /// It is found by its digest, so that the time it takes tells nothing of those that there are.
  public func holder(of secret: FeedSecret) throws -> (actor: Actor, feed: String)? {
    try reporting {
      guard let feed = try connection.calendarFeeds.feed(secret.digest) else { return nil }
      guard let row = feed.user else {
        return try connection.users.hasAny() ? nil : (Actor.local, CalendarFeed.id(feed.rowID))
      }
      guard let user = try connection.users.user(row: row), !user.isDisabled else { return nil }
      let known = try PracticeUser(user)
      return (Actor(name: known.name, role: known.role), CalendarFeed.id(feed.rowID))
    }
  }

  func addFeed(_ wanted: AddCalendarFeed, by actor: Actor, at now: Timestamp) throws -> NewCalendarFeed {
    guard actor.role.may(.readBook) else {
      throw PracticeError.notPermitted(AddCalendarFeed.name, .readBook, to: actor)
    }
    let secret = FeedSecret(practice.secrets.randomness())
    let made = try writing {
      let user = try owner(wanted.user, actor, AddCalendarFeed.name)
      guard try connection.calendarFeeds.list().count(where: { $0.user == user }) < Self.mostFeeds else {
        throw PracticeError(
          .failed, "there are \(Self.mostFeeds) calendars of one person already",
          hint: "Maybe withdraw one that nobody reads any more.")
      }
      let staff = try wanted.clinician.map { reference in
        try connection.recordIDs.row(.staff, practice.workplace.staffMember(reference).id)
      }
      let room = try wanted.room.map { reference in
        try connection.recordIDs.row(.resource, practice.workplace.resource(reference).id)
      }
      guard staff == nil || room == nil else {
        throw PracticeError(.invalidArgument, "a calendar is a clinician's or a room's, not both")
      }
      let row = try connection.calendarFeeds.add(
        CalendarFeedRow(
          user: user, staff: staff ?? nil, resource: room ?? nil, hasNames: wanted.hasNames, addedAt: now),
        secret.digest)
      guard let stored = try connection.calendarFeeds.feed(row: row) else {
        throw PracticeError(.failed, "the calendar is not on file")
      }
      return try feed(stored)
    }
    return NewCalendarFeed(feed: made, secret: secret)
  }

  /// The row of whose calendar it is: one's own, or, for whoever manages users, another's; nil in a practice without users.
  private func owner(_ name: String?, _ actor: Actor, _ operation: String) throws -> Int64? {
    guard let name, UserStore.key(name) != UserStore.key(actor.name) else {
      return try connection.users.user(named: actor.name)?.rowID
    }
    guard actor.role.may(.manageUsers) else { throw PracticeError.notPermitted(operation, .manageUsers, to: actor) }
    return try practice.people.user(name).rowID
  }

  /// One's own, or everybody's.
  func feeds(of everybody: Bool, _ actor: Actor) throws -> [CalendarFeed] {
    guard !everybody || actor.role.may(.readUsers) else {
      throw PracticeError.notPermitted(ListCalendarFeeds.name, .readUsers, to: actor)
    }
    return try reading {
      let own = try connection.users.user(named: actor.name)?.rowID
      return try connection.calendarFeeds.list().filter { everybody || $0.user == own }.map(feed)
    }
  }

  /// - Throws: ``PracticeError`` with `notFound`, for another's as well where somebody may not manage users.
  func withdrawFeed(_ id: String, by actor: Actor) throws -> CalendarFeed {
    try writing {
      let stored = try storedFeed(id, of: actor)
      let withdrawn = try feed(stored)
      try connection.calendarFeeds.delete(row: stored.rowID)
      return withdrawn
    }
  }

  private func storedFeed(_ id: String, of actor: Actor) throws -> CalendarFeedRow {
    let own = try connection.users.user(named: actor.name)?.rowID
    guard let row = CalendarFeed.row(id), let stored = try connection.calendarFeeds.feed(row: row),
      stored.user == own || actor.role.may(.manageUsers)
    else {
      throw PracticeError(
        .notFound, "there is no subscribed calendar with that id", hint: "Maybe look: vetnet feed list")
    }
    return stored
  }

  private func feed(_ stored: CalendarFeedRow) throws -> CalendarFeed {
    let staff = try stored.staff.flatMap { try connection.recordIDs.shown(.staff, $0) }
    let room = try stored.resource.flatMap { try connection.recordIDs.shown(.resource, $0) }
    let rooms = try connection.resources.list().map(\.value)
    return CalendarFeed(
      id: CalendarFeed.id(stored.rowID), user: try stored.user.flatMap { try connection.users.user(row: $0)?.name },
      clinicianID: staff, resourceID: room,
      name: try staff.flatMap { try practice.workplace.staffNames()[$0] }
        ?? room.flatMap { id in rooms.first { $0.id == id }?.name },
      hasNames: stored.hasNames, addedAt: stored.addedAt)
  }

  /// The calendar of a feed: patient, kind of visit and room; no owner, no reason, nothing that was written.
  ///
  /// The same text as long as nothing of it changes on a day, so that its digest says whether it did.
  func feedContent(_ id: String, of actor: Actor, known tag: String?, _ passage: Passage) throws -> FeedContent {
    try reading {
      let stored = try storedFeed(id, of: actor)
      passage.touch(.setting, CalendarFeed.id(stored.rowID))
      let feed = try feed(stored)
      let today = timeZone.date(of: passage.now)
      let interval =
        timeZone.timestamp(
          of: today.adding(days: -Self.feedDaysBack))..<timeZone.timestamp(
          of: today.adding(days: Self.feedDaysAhead + 1))
      let rooms = Dictionary(
        try connection.resources.list().map { ($0.value.id, $0.value.name) }, uniquingKeysWith: { first, _ in first })
      let calendar = try connection.plan.calendarID()
      var shown: Set<String> = []
      let entries = try connection.appointments.appointments(startingIn: interval).filter { stored in
        let appointment = stored.value
        guard appointment.status.occupiesTime || appointment.status == .done else { return false }
        if let clinician = feed.clinicianID { return appointment.clinicianID == clinician }
        return feed.resourceID.map { appointment.resourceIDs.contains($0) } ?? true
      }.map { stored -> CalendarEntry in
        var appointment = stored.value
        let patient = feed.hasNames ? try appointment.patientID.flatMap { try practice.records.registered($0) } : nil
        if let patient { shown.insert(patient.id) }
        let places = appointment.resourceIDs.map { rooms[$0] ?? $0 }
        appointment.reason = nil
        return CalendarEntry(
          uid: Self.uid(stored.rowID, calendar), sequence: Int(stored.version - 1), appointment: appointment,
          summary: [patient?.name, appointment.visitType?.rawValue ?? "appointment"].compactMap { $0 }
            .joined(separator: " · "),
          location: places.isEmpty ? nil : places.joined(separator: ", "))
      }
      let own = try connection.settings.value(Setting.name)
      let name = [own, feed.name].compactMap { $0 }.joined(separator: ": ")
      let text = try CalendarWriter(zone: timeZone, name: name, isPlain: true).whole(
        entries, now: timeZone.timestamp(of: today))
      let current = "\"\(ContentHash(of: Array(text.utf8)).hexadecimal.prefix(32))\""
      // Who has it already is shown nobody.
      guard tag != current else { return FeedContent(text: nil, tag: current) }
      passage.touch(.patient, shown.sorted())
      return FeedContent(text: text, tag: current)
    }
  }
}
