import Assessment
import Chart
import Clinical
import Extraction
import Testing

@testable import VetNet

struct RecordLoadTests {
  private static func drug(_ name: String, _ action: TreatmentAction) -> Fact {
    Fact(.drug(DrugEvent(action: action)), name: name, range: 0..<1)
  }

  @Test func `a drug that was stopped is a treatment that ended, and no drug in use`() {
    let load = RecordLoad(today: [
      Self.drug("phenobarbital", .started), Self.drug("bromide", .started), Self.drug("bromide", .stopped),
    ])
    #expect(load.drugs == ["phenobarbital"])
    #expect(load.counts.endedTreatments == 1)
  }

  @Test func `a drug that is taken up again is in use`() {
    let load = RecordLoad(today: [
      Self.drug("bromide", .started), Self.drug("bromide", .stopped), Self.drug("bromide", .started),
    ])
    #expect(load.drugs == ["bromide"])
  }

  @Test func `what is denied, advised or another animal's counts for nothing`() {
    let load = RecordLoad(today: [
      Fact(.finding(FindingDetail()), name: "cough", range: 0..<1, assertion: Assertion(polarity: .absent)),
      Fact(.finding(FindingDetail()), name: "collapse", range: 0..<1, assertion: Assertion(temporality: .hypothetical)),
      Fact(.problem(FindingDetail()), name: "epilepsy", range: 0..<1, assertion: Assertion(experiencer: .other)),
    ])
    #expect(load == RecordLoad())
  }

  @Test func `notes of years ago are not part of today's load`() throws {
    let now = PracticeTimeZone.utc.timestamp(of: try #require(ISODateTime("2026-11-20T10:00")))
    func note(_ id: String, daysAgo: Int, _ kind: NoteKind) -> ClinicalNote {
      ClinicalNote(id: id, patientID: "P", recordedAt: now.adding(days: -daysAgo), kind: kind, text: "x")
    }
    let record = PatientRecord(
      patient: Patient(id: "P", name: "Rex", species: .dog),
      notes: [note("old", daysAgo: 900, .referral), note("new", daysAgo: 30, .consult)],
      facts: ["old": [Self.drug("bromide", .started)], "new": [Self.drug("meloxicam", .started)]])
    let load = RecordLoad(record, today: [], at: now)
    #expect(load.drugs == ["meloxicam"])
    #expect(load.counts.notes == 1)
    #expect(load.counts.referrals == 0)
  }
}
