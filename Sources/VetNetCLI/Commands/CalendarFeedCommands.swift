import Clinical
import Presentation
import VetNet

/// Calendars that telephones subscribe to, while `vetnet serve` runs.
enum CalendarFeedCommands {
  static let add = Command(
    "feed add", "makes a calendar that a telephone subscribes to; its address is shown this once",
    options: [
      Option("--clinician", "CLINICIAN", "this one's appointments"), Option("--room", "ROOM", "this room's"),
      Option("--whole", nil, "the practice's"),
      Option("--without-names", nil, "no patient is named in it"),
      Option("--user", "NAME", "for somebody else, by whoever manages users"),
    ],
    examples: [
      Example("vetnet feed add --clinician S02", "patient, kind of visit and room, 30 days back, 180 ahead"),
      Example("vetnet feed add --whole --without-names", "of everybody, and nobody's name"),
    ],
    discussion: """
      Put what is printed behind the address at which vetnet serve can be reached: https://desk.practice.lan:8443/feed/….ics. Whoever
      has the address can read the calendar: it is a key. No owner, telephone or note stands in it.
      """
  ) { invocation in
    try invocation.requireOne(of: "--clinician", "--room", "--whole")
    guard ["--clinician", "--room", "--whole"].contains(where: invocation.arguments.isSet) else {
      throw UsageError("--clinician, --room or --whole is needed: whose appointments it shows")
    }
    let practice = try invocation.openPractice(.write)
    let made = try invocation.perform(
      AddCalendarFeed(
        clinician: invocation.staff("--clinician", practice), room: invocation.arguments.value("--room"),
        hasNames: !invocation.arguments.isSet("--without-names"), user: invocation.arguments.value("--user")),
      on: practice)
    if invocation.wantsJSON {
      try invocation.terminal.printJSON(Made(feed: made.feed, path: made.path))
    } else {
      invocation.terminal.print(made.path)
      invocation.terminal.say(
        "\(made.feed.id) is made. The address is shown this once: put it behind the server's own.")
    }
    return .ok
  }

  private struct Made: Encodable {
    let feed: CalendarFeed
    let path: String
  }

  static let list = Command(
    "feed list", "lists the calendars that telephones subscribe to",
    options: [Option("--all", nil, "everybody's, for whoever may see the users")],
    examples: [Example("vetnet feed list", "one's own; never their addresses")]
  ) { invocation in
    let practice = try invocation.openPractice()
    let feeds = try invocation.perform(
      ListCalendarFeeds(isOfEverybody: invocation.arguments.isSet("--all")), on: practice)
    for feed in feeds {
      if invocation.wantsJSON {
        try invocation.terminal.printJSON(feed)
        continue
      }
      let whose = feed.user.map { " for \($0)" } ?? ""
      invocation.terminal.print(
        "\(feed.id): \(feed.name ?? "the practice")\(whose), \(feed.hasNames ? "with" : "without") names, since \(practice.timeZone.date(of: feed.addedAt))"
          .withoutControls)
    }
    if feeds.isEmpty { invocation.terminal.say("There is none: vetnet feed add --clinician CLINICIAN") }
    return .ok
  }

  static let withdraw = Command(
    "feed withdraw", "has the address of a subscribed calendar lead nowhere any more",
    positionals: [Positional("FEED", "an id that vetnet feed list shows, such as feed-3")],
    examples: [Example("vetnet feed withdraw feed-3", "a telephone was lost")]
  ) { invocation in
    let practice = try invocation.openPractice(.write)
    let feed = try invocation.perform(
      WithdrawCalendarFeed(id: invocation.arguments.positionals[0]), on: practice)
    if invocation.wantsJSON {
      try invocation.terminal.printJSON(feed)
    } else {
      invocation.terminal.print("\(feed.id) is withdrawn")
    }
    return .ok
  }
}
