import VetNet

/// What the weeks were like, as JSON.
enum InsightRoutes {
  static let all: [Route] = [weeks]

  private static let levels = Schema.list(
    .object(["red": .integer, "orange": .integer, "yellow": .integer, "green": .integer, "blue": .integer]))

  private static let weeks = Route(
    "GET", "/insights", .api, .reading,
    "Workload by clinician, overruns, levels, no-shows and cancellations by week: counts of the book, without a word of a note.",
    parameters: [
      .init(name: "weeks", meaning: "how many back with this one (1 to 104, default 12)"),
      .init(name: "ahead", meaning: "how many to come (0 to 26, default 4)"),
    ],
    answer: .object([
      "weeks": .list(.object(["monday": .string(), "phase": .oneOf(["past", "present", "ahead"])])),
      "workload": .list(
        .object([
          "clinician_id": .string(), "name": .string(),
          "weeks": .list(
            .object(["visits": .integer, "booked_minutes": .integer, "working_minutes": .integer])),
        ])),
      "overruns": .list(
        .object([
          "visits": .integer, "over": .integer, "minutes_over": .number, "minutes_difference": .number,
        ])),
      "waiting": .list(
        .object(
          ["visits": .integer, "too_long": .integer], optional: ["median_minutes": .number, "p90_minutes": .number])),
      "booked_levels": levels, "kept_levels": levels,
      "attendance": .list(
        .object(["appointments": .integer, "no_shows": .integer, "cancelled": .integer])),
    ])
  ) { call in
    func number(_ name: String, _ standard: Int) throws -> Int {
      guard let text = call.request.parameter(name) else { return standard }
      guard let number = Int(text) else {
        throw ErrorBody(400, "invalid_field", "'\(name)' is no number", field: name)
      }
      return number
    }
    return try .json(call.perform(ShowInsights(past: number("weeks", 12), ahead: number("ahead", 4))))
  }
}
