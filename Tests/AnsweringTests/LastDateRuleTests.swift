import Clinical
import RecordTestSupport
import Testing

@testable import Answering

/// What two notes say of the last time something was so.
@Suite struct LastDateRuleTests {
  private static let fits = [
    note("N1", "2026-06-30", "Recheck. Last fit 4/3/26, a minute long. Phenobarbital level fine."),
    note("N2", "2026-10-13", "Nails clipped. Diary seen: fit on 19/5, none since."),
  ]

  @Test func `a last time is doubted by a later one that was before it was written`() throws {
    try verify(LastDateRule()).given(Self.fits).asked("when was her last fit?").answers(
      .conflicting, citing: ["N1", "N2"])
    try verify(LastDateRule()).given([
      note(
        "N1", "2021-07-12", "New patient. Dental in Feb 2021 at the old place."),
      note("N2", "2021-07-20", "Records in. Last dental 10/14/2020, six extractions."),
    ]).asked("last dental date?").answers(.conflicting, citing: ["N1", "N2"])
  }

  @Test(arguments: [
    "last fit date", "date of the last fit", "when was her last seizure?", "date of latest seizure",
    "date of latest fit",
    "when was her latest fit?",
  ])
  func `it is asked for in few words, and by another name`(question: String) throws {
    try verify(LastDateRule()).given(Self.fits).asked(question).answers(.conflicting, citing: ["N1", "N2"])
  }

  @Test(arguments: [
    // It happened again after the first note was written.
    ["2026-03-10|Last fit 4/3/26.", "2026-10-13|Another fit on 19/5."],
    // Nobody said that it was the last.
    ["2026-06-30|Fit on 4/3/26, a minute long.", "2026-10-13|Fit on 19/5/26."],
    // The same day, written otherwise.
    ["2026-06-30|Last fit 4/3/26.", "2026-10-13|Fit in March 2026, none since."],
    // Read month first it was before.
    ["2026-06-30|Last fit 1 April 2026.", "2026-10-13|Fit on 3/4/26."],
    // Denied.
    ["2026-06-30|Last fit 4/3/26.", "2026-10-13|No fit on 19/5/26."],
    // Written on the day itself.
    ["2026-05-19|Last fit 4/3/26, said at the desk.", "2026-05-19|Fit 19/5/26 in the waiting room."],
    // Of another thing.
    ["2026-09-10|Last fit 4/3/26.", "2026-10-13|Fits well controlled, level taken 10/6/26."],
    ["2026-09-10|Last fit 4/3/26.", "2026-10-13|Fit diary from 1/5/26 seen."],
    // Not the last one.
    ["2026-09-10|Bright since last visit, fit on 4/3/26.", "2026-10-13|Fit 1/5/26."],
    ["2026-09-10|Fit last week, on 4/9/26.", "2026-10-13|Fit 8/9/26."],
    // No dates.
    ["2026-09-10|Last fit 1/2 a minute.", "2026-10-13|Fit 2-3 min."],
    // To come, as far as one can tell.
    ["2026-09-10|Last fit 4/3/26.", "2026-10-13|Fit recheck due 5/5."],
    // One note only.
    ["2026-06-30|Last fit 4/3/26. Before that a fit on 1/5/26."],
  ])
  func `dates that can both be right are left alone`(entries: [String]) throws {
    let notes = entries.enumerated().map { place, entry in
      let parts = entry.split(separator: "|").map(String.init)
      return note("N\(place)", parts[0], parts[1])
    }
    try verify(LastDateRule()).given(notes).asked("when was her last fit?").isLeft()
  }

  @Test func `of vaccines and tests, one is not the other`() throws {
    for (question, first, second) in [
      ("when was her last vaccine?", "Last rabies vaccine 4/3/25.", "Lepto vaccine 10/6/25."),
      ("last creatinine?", "Last creatinine 1.4, stable.", "Creatinine 1.8 on 2/5/26."),
    ] {
      try verify(LastDateRule()).given([note("N1", "2026-09-01", first), note("N2", "2026-10-01", second)])
        .asked(question).isLeft()
    }
  }

  @Test(arguments: ["how many fits has she had?", "did she fit in May?", "why did she fit?", "when was her first fit?"])
  func `other questions are none of its own`(question: String) throws {
    try verify(LastDateRule()).given(Self.fits).asked(question).isLeft()
  }
}
