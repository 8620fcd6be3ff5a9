import Chart
import Clinical
import Extraction
import RecordTestSupport
import Testing

@testable import Briefing

@Suite struct BriefBuilderTests {
  private static let now = noon("2026-11-20")

  private func brief(_ record: PatientRecord, _ change: (inout BriefContext) -> Void = { _ in }) throws -> Brief {
    var context = BriefContext(appointment: nil, now: Self.now, zone: .utc)
    change(&context)
    return try #require(try Fixtures.builder.get().brief(record, context))
  }

  private var heartDog: PatientRecord {
    get throws {
      try readRecord(
        note("N1", "2025-06-19", "Wt 8.9 kg. MMVD stage B2. Pimobendan 2.5 mg BID.\nPlan: Recheck 6 months."),
        note("N2", "2026-06-01", "Creatinine 141 umol/l. Urine culture sent to lab, result pending.", kind: .lab),
        note(
          "N3", "2026-10-29",
          "Wt 8.4 kg. Muzzle on for nails, tried to bite. MMVD stage C. Furosemide 20 mg BID and pimobendan 2.5 mg BID.\n"
            + "DHP given, due 10/27.\nPlan: K and creatinine in 10-14 days. O declined referral.", author: "S02"),
        note("N4", "2026-11-10", "Mrs Pym rang: breaths 28, coughing less.", kind: .phone))
    }
  }

  @Test func `every chart line is cited, and every citation holds`() throws {
    let record = try heartDog
    let brief = try brief(record)
    let notes = Dictionary(record.notes.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    for section in brief.sections where section.kind == .chart {
      for line in section.lines {
        #expect(!line.citations.isEmpty, "\(line.text)")
        for index in line.citations {
          let note = try #require(notes[brief.citations[index].noteID])
          #expect(brief.citations[index].holds(in: note))
        }
      }
    }
  }

  @Test func `a brief says what a vet looks for`() throws {
    let brief = try brief(heartDog) { $0.staffNames = ["S02": "Dr Wieczorek"] }
    #expect(brief.lines("Weight") == ["8.4 kg on 2026-10-29; 8.9 kg on 2025-06-19 (−6 % since)"])
    #expect(brief.lines("Alerts").contains { $0.contains("may bite") && $0.contains("Muzzle on for nails") })
    #expect(brief.lines("Drugs").contains("furosemide: “Furosemide 20 mg BID” (2026-10-29)"))
    #expect(brief.lines("Drugs").contains("pimobendan: “pimobendan 2.5 mg BID” (2026-10-29)"))
    #expect(brief.lines("Problems").first?.contains("“MMVD stage C” (2026-10-29), since 2025-06-19") == true)
    #expect(brief.lines("Pending").contains { $0.contains("Urine culture sent to lab") })
    let plan = try #require(brief.lines("Last plan").first)
    #expect(plan.hasPrefix("2026-10-29 consult, Dr Wieczorek: “K and creatinine in 10-14 days”"))
    #expect(brief.lines("Since then").first?.hasPrefix("2026-11-10 phone: ") == true)
    #expect(brief.lines("Prevention").first?.contains("DHP given, due 10/27") == true)
    #expect(!brief.chartText.contains("OVERDUE"))
  }

  @Test func `nothing about what is denied, another animal's or only feared`() throws {
    let note = note(
      "N1", "2026-11-01", "text of the visit with diabetes, epilepsy, fleas, Metacam, penicillin and a dog")
    let record = record(
      (
        note,
        [
          fact(.problem, "diabetes mellitus", at: "diabetes", in: note, .absent),
          fact(.problem, "epilepsy", at: "epilepsy", in: note, .present, .current, .other),
          fact(.problem, "flea allergy", at: "fleas", in: note, .present, .hypothetical),
          fact(.drug, "meloxicam", at: "Metacam", in: note, .present, .hypothetical, .patient, ["frequency": "q24h"]),
          fact(
            .allergy, "amoxicillin", at: "penicillin", in: note, .absent, .current, .patient,
            ["reaction": "allergic to"]),
          fact(.weight, "weight", at: "dog", in: note, value: 30, .present, .current, .other),
        ]
      ))
    let text = try brief(record).chartText
    for word in ["diabetes mellitus", "epilepsy:", "flea allergy", "meloxicam", "amoxicillin", "30 kg"] {
      #expect(!text.contains(word), "\(word)")
    }
  }

  @Test func `a patient that has died gets none`() throws {
    var record = try heartDog
    record.patient.deceasedAt = day("2026-11-01")
    let context = BriefContext(appointment: nil, now: Self.now, zone: .utc)
    #expect(try Fixtures.builder.get().brief(record, context) == nil)
  }

  @Test func `a patient without notes has a brief that says so`() throws {
    let brief = try brief(record())
    #expect(brief.sections.allSatisfy { $0.kind == .suggestion })
    #expect(brief.lines("To check") == ["no notes on record: ask for the history"])
  }

  @Test func `a result that came is no longer awaited`() throws {
    let sent = note("N1", "2026-10-01", "Urine culture pending.")
    let came = note("N2", "2026-10-05", "Urine culture: no growth.")
    let pending = fact(.pendingResult, "culture", at: "pending", in: sent, .uncertain)
    let result = fact(.lab, "culture", at: "culture", in: came, .absent, .current, .patient, ["result": "negative"])
    #expect(try brief(record((sent, [pending]))).lines("Pending") == ["“Urine culture pending” (2026-10-01)"])
    #expect(try brief(record((sent, [pending]), (came, [result]))).lines("Pending").isEmpty)
  }

  @Test func `neighbouring warnings are one line with what they are about`() throws {
    let note = note(
      "N1", "2024-05-09", "A: acute hypersensitivity to AMOXICILLIN-CLAV. NO penicillins. Flag on file pls.\nP: bathe.")
    let lines = try brief(readRecord(note)).lines("Alerts")
    #expect(lines.count == 1)
    #expect(lines.first?.contains("AMOXICILLIN-CLAV. NO penicillins. Flag on file pls") == true)
  }

  @Test func `a due date that has passed by the visit is overdue`() throws {
    let record = try readRecord(note("N1", "2025-11-01", "L4 given. L4 due 22/11/26."))
    #expect(try !brief(record).chartText.contains("OVERDUE"))
    let visit = Appointment(id: "A1", start: noon("2026-11-23"), durationMinutes: 15)
    #expect(try brief(record) { $0.visit.appointment = visit }.chartText.contains("OVERDUE"))
  }

  @Test func `who shares the name is named, and the owner's message is quoted`() throws {
    let brief = try brief(heartDog) { context in
      context.visit.appointment = Appointment(
        id: "A1", start: noon("2026-11-23"), durationMinutes: 15, reason: "cough  again")
      context.namesakes = [Patient(id: "P9", name: "Fern", species: .cat, ownerName: "Mrs Ash")]
    }
    #expect(brief.lines("Why today") == ["“cough again”"])
    #expect(brief.lines("Identity") == ["not to be mistaken for Fern (P9), cat, owner Mrs Ash"])
  }

  @Test func `lines whose quotes no longer hold are dropped, and sections that lose all of theirs`() throws {
    let brief = try brief(heartDog)
    #expect(brief.keepingLines(where: brief.citations.map { _ in true }).sections == brief.sections)
    let kept = brief.keepingLines(where: brief.citations.map { $0.noteID != "N3" })
    #expect(kept.lines("Weight").isEmpty)
    for line in kept.sections.flatMap(\.lines) {
      #expect(!line.citations.contains { brief.citations[$0].noteID == "N3" })
    }
    #expect(kept.lines("Pending") == brief.lines("Pending"))
    #expect(kept.citations == brief.citations)
    let none = brief.keepingLines(where: brief.citations.map { _ in false })
    #expect(none.sections.allSatisfy { $0.kind != .chart })
  }

  @Test func `the same record gives the same brief`() throws {
    let record = try heartDog
    let first = try brief(record)
    for _ in 0..<5 {
      let again = try brief(record)
      #expect(again.sections == first.sections && again.citations == first.citations)
    }
  }
}
