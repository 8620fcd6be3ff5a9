import Clinical
import RecordTestSupport
import Testing

@testable import Briefing

/// What notes disagree about, as briefs warn of it and as answers show it.
@Suite struct RecordConflictTests {
  struct Pair: Sendable, CustomTestStringConvertible {
    let first: String
    let second: String
    /// What the brief's alert begins with; nil for none.
    let alert: String?
    var days = 0

    var testDescription: String { second }
  }

  private func alerts(_ pair: Pair) throws -> [String] {
    let first = note("N1", "2026-10-01", pair.first)
    let later = ClinicalNote(
      id: "N2", patientID: "P1", recordedAt: first.recordedAt.adding(days: pair.days), kind: .nurse, text: pair.second)
    let record = try readRecord(first, later)
    let brief = try #require(
      try Fixtures.builder.get().brief(
        record, BriefContext(appointment: nil, now: noon("2026-11-20"), zone: .utc)))
    for section in brief.sections {
      for line in section.lines where line.text.hasPrefix("notes disagree") { #expect(line.citations.count == 2) }
    }
    return brief.lines("Alerts").filter { $0.hasPrefix("notes disagree") }
  }

  @Test(arguments: [
    Pair(
      first: "Allergic to amoxicillin: face swelled up.", second: "Ears clean. No known drug allergies.",
      alert: "notes disagree about an allergy to amoxicillin", days: 20),
    Pair(first: "Wt 4.31 kg. Bright.", second: "Weight 3.41 kg.", alert: "notes disagree about the weight"),
    Pair(
      first: "7y old Lab, neutered. Bright.", second: "Both testicles descended.",
      alert: "notes disagree whether it is neutered", days: 20),
  ])
  func `a disagreement that matters is an alert with both sides and their dates`(pair: Pair) throws {
    let lines = try alerts(pair)
    #expect(lines.count == 1)
    #expect(lines.first?.hasPrefix(pair.alert ?? "") == true, "\(lines)")
    #expect(lines.first?.contains("(2026-10-01) but ") == true, "\(lines)")
  }

  @Test(arguments: [
    // The allergy is the last word; the denial corrects.
    Pair(first: "No known drug allergies.", second: "Allergic to amoxicillin: face swelled up.", alert: nil, days: 20),
    Pair(
      first: "Allergic to amoxicillin: face swelled up.",
      second: "Allergy was entered in error: no known drug allergies.", alert: nil, days: 20),
    // Two scales; growth and loss over weeks; a corrected slip.
    Pair(first: "Wt 4.31 kg. Bright.", second: "Weight 4.20 kg.", alert: nil),
    Pair(first: "Wt 4.31 kg. Bright.", second: "Weight 3.1 kg.", alert: nil, days: 30),
    Pair(first: "Wt 4.31 kg. Bright.", second: "Correction: weight 3.41 kg.", alert: nil),
    // Entire, and neutered later.
    Pair(first: "Both testicles descended.", second: "Neutered male, well.", alert: nil, days: 40),
    // A dose that was changed.
    Pair(
      first: "Furosemide 20 mg twice daily.", second: "Furosemide increased to 40 mg twice daily.", alert: nil, days: 5),
  ])
  func `what is corrected, changed or explained is no alert`(pair: Pair) throws {
    #expect(try alerts(pair).isEmpty)
  }
}
