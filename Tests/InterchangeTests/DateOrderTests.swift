import Clinical
import Interchange
import Testing

@Suite struct DateOrderTests {
  private func table(_ dates: [String]) -> String {
    "id,patient_id,date,notes\n" + dates.enumerated().map { "N\($0.offset),P,\($0.element),t\n" }.joined()
  }

  struct Refusal: CustomTestStringConvertible, Sendable {
    let dates: [String]
    var order: DateOrder?
    let line: Int
    let says: [String]
    var testDescription: String { dates.joined(separator: " ") + (order.map { " \($0)" } ?? "") }
  }

  @Test(arguments: [
    Refusal(
      dates: ["2024-01-01", "03/04/2025", "04/28/2025", "04/29/2025"], order: .dayFirst, line: 4,
      says: ["'04/28/2025'", "dmy", "mdy"]),
    Refusal(dates: ["28.04.2025"], order: .monthFirst, line: 2, says: ["'28.04.2025'", "mdy"]),
    Refusal(
      dates: ["28/04/2025", "03/04/2025", "04/28/2025"], line: 2, says: ["'28/04/2025'", "'04/28/2025'", "line 4"]),
    Refusal(
      dates: ["04/28/2025", "28/04/2025"], order: .dayFirst, line: 2, says: ["both orders", "line 3 is dmy"]),
  ])
  func `an order that a file disproves is refused with the first row that disproves it, and nothing is read`(
    refusal: Refusal
  ) throws {
    let result = try ImportResult(
      "notes.csv", table(refusal.dates), options: try importOptions(dateOrder: refusal.order))
    #expect(result.records == [] && result.rejects == [])
    let problem = try #require(result.problems.first)
    #expect(result.problems.count == 1)
    #expect(problem.code == .disprovedOrder && problem.isFailure)
    #expect(problem.line == refusal.line)
    for words in refusal.says { #expect(problem.description.contains(words), "\(problem)") }
  }

  @Test func `the last date of a file decides for its first, and for that file alone`() throws {
    let folder = try TemporaryFolder()
    let first = try folder.write("a.csv", table(["03/04/2025", "28/04/2025"]))
    let second = try folder.write("b.csv", table(["03/04/2025", "04/28/2025"]))
    let third = try folder.write("c.csv", table(["03/04/2025"]))
    let result = try ImportResult(
      try ImportReader([first, second, third], kind: .notes, options: try importOptions(zone: "UTC")))
    #expect(
      result.notes.map { PracticeTimeZone.utc.date(of: $0.recordedAt).description } == [
        "2025-04-03", "2025-04-28", "2025-03-04", "2025-04-28",
      ])
    #expect(result.rejects.map(\.location.file) == [third])
    #expect(result.rejects.first?.hint.contains("--date-order") == true)
  }

  @Test func `a letter's own date is read where only one order can read it`() throws {
    func letter(_ date: String, order: DateOrder? = nil) throws -> ImportResult {
      try ImportResult(
        "letter.md", "---\npatient_id: P\ndate: \(date)\n---\nx",
        options: try importOptions(zone: "UTC", dateOrder: order))
    }
    #expect(try letter("28/04/2025").notes.map(\.recordedAt) == [utc("2025-04-28T00:00Z")].compactMap { $0 })
    #expect(try letter("04/28/2025").notes.map(\.recordedAt) == [utc("2025-04-28T00:00Z")].compactMap { $0 })
    #expect(try letter("03/04/2025").rejects.map(\.field) == ["recorded_at"])
    let disproved = try letter("28/04/2025", order: .monthFirst)
    #expect(disproved.records == [])
    #expect(disproved.rejects.map(\.location.line) == [3])
  }

  @Test func `impossible and future dates cost a patient the date and a note itself`() throws {
    let today = CalendarDate(iso: "2026-11-20")
    let options = try importOptions(zone: "UTC", today: today)
    let patients = try ImportResult(
      "patients.csv",
      "id,name,species,dob,date of death\n1,A,dog,31/02/2020,\n2,B,dog,13/04/2031,\n3,C,dog,13/04/2020,20/11/2027\n4,D,dog,2028,\n",
      options: options)
    #expect(patients.patients.map(\.id) == ["1", "2", "3", "4"])
    #expect(patients.patients.map(\.dateOfBirth) == [nil, nil, CalendarDate(iso: "2020-04-13"), nil])
    #expect(patients.patients.map(\.deceasedAt) == [nil, nil, nil, nil])
    #expect(patients.losses.map(\.field) == ["date_of_birth", "date_of_birth", "deceased_at", "date_of_birth"])
    #expect(patients.losses.map(\.value) == ["31/02/2020", "2031-04-13", "2027-11-20", "2028-01-01"])
    let notes = try ImportResult(
      "notes.jsonl",
      #"{"id":1,"patient_id":"P","recorded_at":"2026-11-20T23:00","text":"later today"}"# + "\n"
        + #"{"id":2,"patient_id":"P","recorded_at":"2026-11-21T00:00","text":"tomorrow"}"#, options: options)
    #expect(notes.notes.map(\.id) == ["1"])
    #expect(notes.rejects.map(\.reason) == ["lies in the future"])
    let intakes = try ImportResult(
      "intakes.jsonl", #"{"id":1,"received_at":"2030-01-01","text":"t"}"#, options: options)
    #expect(intakes.records.count == 1 && intakes.losses.map(\.field) == ["received_at"])
    let booked = try ImportResult(
      "appointments.jsonl", #"{"id":1,"start":"2030-01-01T10:00","duration_minutes":15}"#, options: options)
    #expect(booked.appointments.count == 1 && booked.losses == [])
  }
}
