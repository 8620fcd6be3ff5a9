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
        "N1", "2021-07-12", "New patient. Teeth were cleaned in Feb 2021 at the old place, dental done there Feb 2021."),
      note("N2", "2021-07-20", "Records in. Last dental 10/14/2020, six extractions."),
    ]).asked("last dental date?").answers(.conflicting, citing: ["N1", "N2"])
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

  @Test(arguments: ["how many fits has she had?", "did she fit in May?", "why did she fit?", "when was her first fit?"])
  func `other questions are none of its own`(question: String) throws {
    try verify(LastDateRule()).given(Self.fits).asked(question).isLeft()
  }
}
