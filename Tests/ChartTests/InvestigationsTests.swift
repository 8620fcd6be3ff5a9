import Chart
import Clinical
import Extraction
import Testing

/// What was awaited and came, what was planned and done.
struct InvestigationsTests {
  private func item(_ day: Int, _ content: Fact.Content, _ assertion: Assertion = Assertion()) -> RecordedFact {
    let note = ClinicalNote(
      id: "n\(day)", patientID: "P", recordedAt: Timestamp(seconds: Int64(day) * 86_400), kind: .lab, text: "T4")
    return RecordedFact(note: note, fact: Fact(content, name: "T4", range: 0..<2, assertion: assertion))
  }

  private let awaited = Fact.Content.pendingResult(subject: nil)
  private let result = Fact.Content.lab(LabResult(result: .negative))

  @Test func `a result that came is awaited no more, one of the same day is the one before`() {
    let investigations = Investigations([
      item(1, result), item(1, awaited), item(2, .lab(LabResult(result: .pending))),
      item(3, result, Assertion(polarity: .uncertain)), item(4, result), item(5, awaited),
    ])
    #expect(investigations.awaited.map { $0.item.note.id } == ["n1", "n5"])
    #expect(investigations.awaited.map { $0.came?.note.id } == ["n4", nil])
  }

  @Test func `done is what has a value, not what is named, planned, pending or another's`() {
    let investigations = Investigations([
      item(1, result), item(2, .lab(LabResult())), item(3, .lab(LabResult(result: .pending))),
      item(4, result, Assertion(temporality: .hypothetical)), item(5, result, Assertion(experiencer: .other)),
      item(6, result),
    ])
    #expect(investigations.first("T4", after: Timestamp(seconds: 86_400))?.note.id == "n6")
    #expect(investigations.first("T4", after: Timestamp(seconds: 6 * 86_400)) == nil)
    #expect(investigations.first("ALT", after: Timestamp(seconds: 0)) == nil)
  }
}
