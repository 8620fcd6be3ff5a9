import Clinical
import Testing

/// How far a visit got, of words that people say in a hurry.
struct VisitCourseTests {
  /// `arrived@0 in_consult@12`, minutes after some moment.
  private func course(_ words: String, status: Appointment.Status? = nil) throws -> VisitCourse {
    let steps = try words.split(separator: " ").map { word in
      let parts = word.split(separator: "@")
      return VisitStep(
        try #require(VisitStage(rawValue: String(parts[0]))),
        at: Timestamp(seconds: 1_780_000_000 + 60 * (try #require(Int64(parts[1])))), actor: "Ann")
    }
    let last = try status ?? #require(steps.last).stage.status
    return try #require(VisitCourse(steps, status: last))
  }

  private func now(_ minute: Int64) -> Timestamp { Timestamp(seconds: 1_780_000_000 + 60 * minute) }

  @Test(arguments: [
    // Who waits, waits until now; who is seen, waited until then; who left without being seen, until they left.
    ("arrived@0", 25, 25), ("arrived@0 in_consult@12", 25, 12), ("arrived@0 in_consult@12 to_pay@30", 60, 12),
    ("arrived@0 left@40", 90, 40),
    // Of two arrivals the first counts, and one that was taken back not at all.
    ("arrived@0 in_consult@3 arrived@4 in_consult@20", 25, 20), ("arrived@0 expected@1 arrived@10", 25, 15),
    // A clock that was set back makes nobody wait less than nothing.
    ("arrived@10 in_consult@5", 25, 0), ("arrived@-700 in_consult@20", 25, 720), ("arrived@0", 900, 900),
  ])
  func `a wait lasts from coming to being seen`(_ words: String, _ minute: Int64, _ waited: Int) throws {
    #expect(try course(words).waitingMinutes(now: now(minute), in: .utc) == waited)
  }

  @Test(arguments: ["in_consult@0", "expected@0", "no_show@5", "arrived@0 expected@5", "in_consult@0 to_pay@12"])
  func `who was not seen to come has no wait`(_ words: String) throws {
    #expect(try course(words).waitingMinutes(now: now(60), in: .utc) == nil)
  }

  // The moment is 20:26 on some day.
  @Test(arguments: ["arrived@-700 in_consult@21", "arrived@0 in_consult@230", "arrived@-60 left@1380"])
  func `an end that was told half a day later, or on another day, ends no wait`(_ words: String) throws {
    #expect(try course(words).waitingMinutes(now: now(2000), in: .utc) == nil)
  }

  @Test(arguments: [
    ("arrived@0 in_consult@10 to_pay@27", 17), ("in_consult@10 left@27", 17),
    ("in_consult@0 to_pay@5 in_consult@6 to_pay@20", 20),
    ("in_consult@0 to_pay@2", 2),
  ])
  func `a consult lasts from the vet's beginning to its end`(_ words: String, _ minutes: Int) throws {
    #expect(try course(words).consultMinutes == minutes)
  }

  @Test(arguments: ["arrived@0 left@30", "in_consult@0", "in_consult@10 to_pay@11", "in_consult@0 left@1300"])
  func `words that only catch up measure nothing`(_ words: String) throws {
    #expect(try course(words).consultMinutes == nil)
  }

  @Test func `a status that was changed in another way counts before the last word`() throws {
    #expect(try course("arrived@0", status: .done).stage == .left)
    #expect(try course("in_consult@0 to_pay@9", status: .done).stage == .toPay)
    #expect(try course("arrived@0", status: .booked).stage == .expected)
    #expect(VisitCourse([], status: .cancelled) == nil && VisitCourse([], status: .requested) == nil)
    for stage in VisitStage.allCases where stage != .toPay { #expect(VisitStage(stage.status) == stage) }
  }
}
