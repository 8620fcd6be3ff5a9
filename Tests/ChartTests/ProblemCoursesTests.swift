import Chart
import Clinical
import Extraction
import Testing

/// Problems by the last word on each: what a later note confirms, doubts, denies or calls past is what it is.
struct ProblemCoursesTests {
  /// What the notes say of a problem, a note a day, in a line: `+` found, `?` suspected, `-` not found, `<` past, `!` advice,
  /// `*` another animal's.
  private func courses(_ lines: [String: String], isChronic: Bool = false, system: String? = nil) -> ProblemCourses {
    var items: [RecordedFact] = []
    for (name, words) in lines {
      for (day, word) in words.enumerated() where word != " " {
        let note = ClinicalNote(
          id: "\(name)\(day)", patientID: "P", recordedAt: Timestamp(seconds: Int64(day) * 86_400), kind: .consult,
          text: name)
        let assertion = Assertion(
          polarity: word == "-" ? .absent : word == "?" ? .uncertain : .present,
          temporality: word == "<" ? .historical : word == "!" ? .hypothetical : .current,
          experiencer: word == "*" ? .other : .patient)
        items.append(
          RecordedFact(
            note: note,
            fact: Fact(
              .problem(FindingDetail(system: system, isChronic: isChronic)), name: name, range: 0..<name.utf8.count,
              assertion: assertion)))
      }
    }
    return ProblemCourses(items.sorted { ($0.note.recordedAt, $0.note.id) < ($1.note.recordedAt, $1.note.id) })
  }

  @Test(arguments: [
    ("?", ["suspected"], [0]), ("?+", ["suspected", "confirmed"], [0, 1]),
    ("??+", ["suspected", "confirmed"], [0, 2]),
    ("?-", ["suspected", "ruled out"], [0, 1]), ("+-", ["confirmed", "resolved"], [0, 1]),
    ("+<", ["confirmed", "resolved"], [0, 1]), ("?+-", ["suspected", "confirmed", "resolved"], [0, 1, 2]),
    ("--", ["denied"], [0]), ("-?", ["denied", "suspected"], [0, 1]), ("<", ["resolved"], [0]),
    ("!+", ["confirmed"], [1]),
    ("+?", ["confirmed", "suspected"], [0, 1]), ("+-+", ["confirmed", "resolved", "confirmed"], [0, 1, 2]),
    ("+*", ["confirmed"], [0]), ("?-?-", ["suspected", "ruled out", "suspected", "ruled out"], [0, 1, 2, 3]),
  ])
  func `each later word supersedes the earlier, which stays on record`(
    words: String, states: [String], days: [Int]
  ) throws {
    let course = try #require(courses(["otitis": words])["otitis"])
    #expect(course.stages.map(\.state.rawValue) == states)
    #expect(course.stages.map(\.begun.note.id) == days.map { "otitis\($0)" })
    #expect(course.stages.allSatisfy { $0.begun.fact.range == 0..<6 && $0.begun.note.text == "otitis" })
  }

  @Test(arguments: ["!", "*", "*!", ""])
  func `what another animal has, and what may come, is no problem of this one`(words: String) {
    #expect(courses(["otitis": words]).all.isEmpty)
  }

  @Test func `an acute problem that no note names any more is over, a lasting one is not`() {
    let now = Timestamp(seconds: 0).adding(days: ProblemCourses.acuteDays + 2)
    let acute = courses(["otitis": "+", "cystitis": "    +", "colitis": "    ?", "hernia": "?-", "gout": "-"])
    #expect(acute.active(at: now).map(\.name) == ["cystitis"])
    #expect(acute.suspected(at: now).map(\.name) == ["colitis"])
    #expect(acute.earlier(at: now).map(\.name) == ["otitis"])
    #expect(acute.ruledOut.map(\.name) == ["hernia"])
    #expect(courses(["epilepsy": "+"], isChronic: true).active(at: now).map(\.name) == ["epilepsy"])
    #expect(courses(["epilepsy": "+<"], isChronic: true).earlier(at: now).map(\.name) == ["epilepsy"])
  }

  @Test func `a problem is as old as its first mention`() throws {
    let course = try #require(courses(["asthma": " + + -"])["asthma"])
    #expect(course.mentions.map(\.id) == ["asthma1", "asthma3"])
    #expect(course.firstAt == Timestamp(seconds: 86_400) && course.lastAt == Timestamp(seconds: 5 * 86_400))
    #expect(course.found?.note.id == "asthma3" && course.isDenied)
  }

  @Test(arguments: [("+-", "infectious", true, "FIV0"), ("+-", "infectious", false, nil), ("+-", "resp", true, nil)])
  func `a germ kept for life that a later note does not find is contradicted`(
    words: String, system: String, isChronic: Bool, found: String?
  ) {
    let course = courses(["FIV": words], isChronic: isChronic, system: system)["FIV"]
    #expect(course?.contradicted?.note.id == found)
  }

  @Test(arguments: [("+?", true), ("?", false), ("?+", false), ("+-?", true)])
  func `what was found and is only suspected again is doubted`(words: String, isDoubted: Bool) {
    #expect(courses(["CKD": words])["CKD"]?.isDoubted == isDoubted)
  }
}
