import Chart
import Clinical
import Extraction
import RecordTestSupport
import Testing
import TextAnalysis

@Suite struct WeightTrendTests {
  private func weighing(
    _ id: String, _ date: String, _ kilograms: Double, attributes: [String: String] = [:],
    _ temporality: Temporality = .current, _ experiencer: Experiencer = .patient
  )
    -> (note: ClinicalNote, facts: [Fact])
  {
    let note = note(id, date, "Wt here.")
    return (
      note,
      [
        fact(
          .weight, "weight", at: "Wt", in: note, value: kilograms, unit: "kg", .present, temporality, experiencer,
          attributes)
      ]
    )
  }

  @Test func `the latest, the one before it and the one a year before are compared`() {
    let trend = WeightTrend(
      record(
        weighing("N1", "2024-01-01", 5), weighing("N2", "2025-10-01", 8), weighing("N3", "2026-05-01", 12),
        weighing("N4", "2026-10-20", 10), weighing("N5", "2026-10-29", 9)), zone: .utc)
    // 12 to 9 is a quarter less, 8 to 9 an eighth more; the weighing nine days earlier tells nothing.
    #expect(trend.text == "9 kg on 2026-10-29; 12 kg on 2026-05-01 (−25 % since); 8 kg on 2025-10-01 (+13 % since)")
  }

  @Test func `a weight without company stands alone, and no weight is no line`() {
    #expect(WeightTrend(record(weighing("N1", "2026-01-01", 1.268)), zone: .utc).text == "1.268 kg on 2026-01-01")
    #expect(WeightTrend(record(), zone: .utc).text.isEmpty)
  }

  @Test func `no weighings: ranges, comparisons, impossible values, other times, other animals`() {
    let trend = WeightTrend(
      record(
        weighing("N1", "2026-01-01", 5, attributes: ["upper": "10"]),
        weighing("N2", "2026-01-02", 5, attributes: ["comparison": ">"]),
        weighing("N3", "2026-01-03", 400, attributes: ["implausible": "true"]),
        weighing("N4", "2026-01-04", 13, .hypothetical),
        weighing("N5", "2026-01-05", 13, .historical), weighing("N6", "2026-01-06", 13, .current, .other)), zone: .utc)
    #expect(trend.weighings.isEmpty)
  }

  @Test func `of one note the first weight counts, and one beside a date counts for that date`() {
    let note = note("N1", "2026-11-09", "7.8 kg! 12/10: lepto, 5.2 kg. Target 9 kg.")
    let trend = WeightTrend(
      record(
        (
          note,
          [
            fact(.weight, "weight", at: "7.8 kg", in: note, value: 7.8),
            fact(
              .weight, "weight", at: "5.2 kg", in: note, value: 5.2, .present, .current, .patient, ["date": "12/10"]),
            fact(.weight, "weight", at: "9 kg", in: note, value: 9),
          ]
        )), zone: .utc)
    #expect(trend.weighings.map(\.kilograms) == [5.2, 7.8])
    #expect(trend.weighings.map(\.date) == [day("2026-10-12"), day("2026-11-09")])
  }

  @Test(arguments: [(10.0, 10.0, "±0 %"), (10, 11, "+10 %"), (8.9, 8.4, "−6 %"), (1, 2.29, "+129 %")])
  func `a change is in whole per cent of the old value`(old: Double, new: Double, text: String) {
    #expect(ChartNumber.change(from: old, to: new) == text)
  }

  @Test(arguments: [
    (5.0, 2, "5"), (5.25, 2, "5.25"), (5.256, 2, "5.26"), (1.018, 3, "1.018"), (-0.5, 0, "-1"), (0, 2, "0"),
  ])
  func `a number has no needless decimals`(value: Double, digits: Int, text: String) {
    #expect(ChartNumber.text(value, digits: digits) == text)
  }
}

@Suite struct PreventionStandingTests {
  private func standings(_ notes: ClinicalNote...) throws -> [PreventionStanding] {
    let reader = try Fixtures.extractors.get().facts
    var record = PatientRecord(patient: Patient(id: "P1", name: "Fern", species: .dog), notes: notes)
    for note in notes { record.facts[note.id] = reader.facts(in: note.text, kind: note.kind) }
    return PatientChart(record, protections: try Fixtures.groups.get()).prevention
      .standings(at: noon("2026-11-20"), zone: .utc)
  }

  @Test func `one protection under two names is one entry, with the due date of its note`() throws {
    let entries = try standings(
      note("N1", "2025-11-16", "DHP+L4 given. L4 next due 16/11/26."), note("N2", "2026-10-14", "Well.")
    )
    #expect(entries.map(\.label) == ["DHP", "leptospirosis"])
    #expect(entries.last?.due?.date.likeliest == day("2026-11-16"))
    #expect(entries.last?.due?.date.isPast(on: day("2026-11-20")) == true)
  }

  @Test(arguments: [(Species.dog, 1), (.cat, 0)])
  func `what is no protection of a species is none of its standings`(species: Species, count: Int) throws {
    let record = try readRecord(note("N1", "2026-10-05", "DHP given."))
    let prevention = PatientChart(record, protections: try Fixtures.groups.get()).prevention
    #expect(prevention.standings(at: noon("2026-11-20"), zone: .utc, of: species).count == count)
  }

  @Test func `a jab in a message is no vaccination, and an old worm tablet says nothing`() throws {
    let entries = try standings(
      note("N1", "2021-01-05", "Wormed today."),
      note("N2", "2026-10-05", "Mum has done his jabs before, given in the scruff.", kind: .phone)
    )
    #expect(entries.isEmpty)
  }
}

@Suite struct ResultTrendTests {
  private func value(
    _ id: String, _ date: String, _ name: String, _ value: Double, _ attributes: [String: String] = [:]
  )
    -> (note: ClinicalNote, facts: [Fact])
  {
    let note = note(id, date, name)
    return (
      note,
      [fact(.lab, name, at: name, in: note, value: value, unit: "µmol/L", .present, .current, .patient, attributes)]
    )
  }

  @Test func `a line has the latest values, newest first, with flags and dates`() throws {
    let trends = ResultTrend.all(
      in: record(
        value("N1", "2020-01-01", "creatinine", 90), value("N2", "2025-06-19", "creatinine", 178, ["flag": "high"]),
        value("N3", "2026-03-09", "creatinine", 141), value("N4", "2026-10-29", "creatinine", 138)), zone: .utc)
    let line = try #require(trends.first).line(latest: 3)
    #expect(line.text == "creatinine 138 µmol/L on 2026-10-29; 141 on 2026-03-09; 178 (high) on 2025-06-19")
    #expect(line.items.map(\.note.id) == ["N4", "N3", "N2"])
  }

  @Test func `columns of a table count for their own dates, and repeated values once`() throws {
    let lab = note("N1", "2024-03-11", "4/3 8/3 11/3 PCV 17 19 24")
    let columns = [("17", "4/3"), ("19", "8/3"), ("24", "11/3")].map { text, date in
      fact(.lab, "PCV", at: text, in: lab, value: Double(text), unit: "%", .present, .current, .patient, ["date": date])
    }
    let visit = value("N0", "2024-03-04", "PCV", 17)
    let trends = ResultTrend.all(in: record(visit, (lab, columns)), zone: .utc)
    #expect(trends.first?.values.map(\.text) == ["17", "19", "24"])
    #expect(trends.first?.values.map(\.date) == [day("2024-03-04"), day("2024-03-08"), day("2024-03-11")])
  }

  @Test func `what is flagged comes first among the latest, and awaited results are no results`() {
    let lab = note("N1", "2026-10-29", "ALT 40 ALP 400 culture")
    let trends = ResultTrend.all(
      in: record(
        (
          lab,
          [
            fact(.lab, "ALT", at: "ALT", in: lab, value: 40),
            fact(.lab, "ALP", at: "ALP", in: lab, value: 400, .present, .current, .patient, ["flag": "high"]),
            fact(.lab, "culture", at: "culture", in: lab, .uncertain, .current, .patient, ["result": "pending"]),
          ]
        )), zone: .utc)
    #expect(trends.map(\.name) == ["ALP", "ALT"])
  }
}

@Suite struct LastEntriesTests {
  private func last(_ notes: ClinicalNote...) throws -> LastEntries {
    LastEntries(try notes.map(Fixtures.outline), cues: try Fixtures.cues.get())
  }

  private func words(_ entries: LastEntries) -> [String] {
    guard let plan = entries.plan else { return [] }
    return plan.sentences.compactMap { Excerpt(plan.note, $0)?.quoted }
  }

  @Test func `the plan under its heading is the last plan, and later notes come after it`() throws {
    let entries = try last(
      note("N1", "2026-01-01", "Plan: older plan."),
      note("N2", "2026-02-01", "Bright.\nPlan: Recheck 2 weeks. Bloods then."),
      note("N3", "2026-02-10", "She rang, all well.", kind: .phone))
    #expect(words(entries) == ["“Recheck 2 weeks”", "“Bloods then”"])
    #expect(entries.since.map(\.note.id) == ["N3"])
  }

  @Test func `without a heading, sentences about what is to be done`() throws {
    let entries = try last(note("N1", "2026-01-01", "Heart clear. Ears clean. Recheck in 2 weeks. Gums pink."))
    #expect(words(entries) == ["“Recheck in 2 weeks”"])
  }

  @Test func `a visit that plans nothing ends with its last words`() throws {
    let entries = try last(note("N1", "2026-01-01", "Heart clear. Ears clean. Gums pink."))
    #expect(words(entries) == ["“Ears clean”", "“Gums pink”"])
  }

  @Test func `no notes, no plan`() throws {
    #expect(try last().plan == nil)
  }
}
