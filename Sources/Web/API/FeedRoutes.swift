import Clinical
import VetNet

/// Calendars to subscribe to, as JSON; what they show lies at /feed/SECRET.ics.
enum FeedRoutes {
  static let all: [Route] = [list, add, withdraw]

  private static let fields: [String: Schema] = [
    "user": .string(), "clinician_id": .string(), "resource_id": .string(), "name": .string(),
  ]
  private static let shape: Schema = .object(
    ["id": .string(), "has_names": .boolean, "added_at": .string()], optional: fields)

  private static let list = Route(
    "GET", "/feeds", .api, .reading, "One's own calendars to subscribe to; their addresses are told nobody again.",
    parameters: [.init(name: "all", meaning: "1 for everybody's, for whoever may see the users")],
    answer: .object(["feeds": .list(shape)])
  ) { call in
    let feeds = try call.perform(ListCalendarFeeds(isOfEverybody: call.request.parameter("all") == "1"))
    return try .json(["feeds": feeds])
  }

  private struct MadeOutput: Encodable {
    let feed: CalendarFeed
    let url: String
  }

  // Not repeatable by a key: what was answered would be kept, and the secret with it.
  private static let add = Route(
    "POST", "/feeds", .api, .writing,
    "Makes a calendar to subscribe to: a clinician's, a room's, or, with neither, the practice's. Its address is told this once.",
    body: .object(
      [:],
      optional: [
        "clinician_id": .string(), "resource_id": .string(), "user": .string("for somebody else"),
        "without_names": .boolean,
      ]), answer: .object(["feed": shape, "url": .string()]), status: 201
  ) { call in
    let fields = try Fields(call, known: ["clinician_id", "resource_id", "user", "without_names"])
    let made = try call.perform(
      AddCalendarFeed(
        clinician: fields.text("clinician_id", atMost: 200), room: fields.text("resource_id", atMost: 200),
        hasNames: !fields.flag("without_names"), user: fields.text("user", atMost: 200)))
    return try .json(MadeOutput(feed: made.feed, url: call.site.origin + made.path), status: 201)
  }

  private static let withdraw = Route(
    "DELETE", "/feeds/{id}", .api, .writing, "Has the address of a calendar lead nowhere any more.", answer: shape
  ) { call in try .json(call.perform(WithdrawCalendarFeed(id: call.value("id")))) }
}
