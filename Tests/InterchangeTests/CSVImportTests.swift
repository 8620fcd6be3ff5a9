import Clinical
import Interchange
import Testing

@Suite struct CSVImportTests {
  @Test func `an export of notes is understood by its headings`() throws {
    let result = try ImportResult(
      "notes.csv",
      "\u{FEFF}animal_id;Visit date;Time;Clinician;Note type;Clinical notes;Invoice\r\n"
        + "17;2024-07-05;10:40;HM;Phone call;\"Rang.\r\nSaid \"\"fine\"\"; will call\";9.50\r\n"
        + "17;2024-07-05;;HM;;Second;\r\n")
    #expect(result.rejects == [])
    let moments = [utc("2024-07-05T09:40Z"), utc("2024-07-04T23:00Z")]
    #expect(result.notes.map(\.recordedAt) == moments)
    #expect(result.notes.map(\.text) == ["Rang.\r\nSaid \"fine\"; will call", "Second"])
    #expect(result.notes.map(\.kind) == [.phone, .consult])
    #expect(result.notes.map(\.patientID) == ["17", "17"])
    #expect(result.notes.map(\.id) == ["csv:17:2024-07-05T10:40:1", "csv:17:2024-07-05T00:00:1"])
    #expect(result.lines == [2, 4])
    #expect(result.problems.map(\.code) == [.unknownField, .derivedIDs])
    #expect(result.problems.first?.message.contains("'Invoice'") == true)
  }

  @Test(arguments: [",", ";", "\t", "|"])
  func `an export of patients is understood under every delimiter`(delimiter: String) throws {
    let cells = [
      ["Patient ID", "Pet name", "Species", "Breed", "Gender", "DOB", "Owner", "Client ID", "Chip", "Weight (kg)"],
      ["P1", "Rex", "Canine", "Labrador", "MN", "2014-03-09", "Mrs Hale", "7", "826099000014471", "31.2"],
    ]
    let text = cells.map { $0.joined(separator: delimiter) }.joined(separator: "\n")
    let result = try ImportResult("patients.csv", text)
    #expect(
      result.patients == [
        Patient(
          id: "P1", name: "Rex", species: .dog, breed: "Labrador", sex: .maleNeutered,
          dateOfBirth: CalendarDate(iso: "2014-03-09"), weightKilograms: 31.2, ownerID: "7", ownerName: "Mrs Hale",
          microchip: "826099000014471")
      ])
    #expect(result.problems == [])
  }

  @Test func `clients and appointments come from tables too`() throws {
    let clients = try ImportResult("clients.csv", "Client ID,First name,Surname,Mobile\n7,Ann,Hale,01632 960111\n")
    #expect(
      clients.records == [
        .client(Client(id: "7", name: "Ann Hale", phones: [ClientPhone("01632 960111", label: "Mobile")]))
      ])
    let appointments = try ImportResult(
      "appointments.csv",
      "sep=,\nAppt ID,Pet ID,Vet ID,Room,Appointment date,Time,Duration (min),Appointment type,Appt status\n"
        + "A1,P1,S1,R1;R2,23/11/2026,2:05 pm,20,Booster,Confirmed\n")
    let start = try #require(utc("2026-11-23T14:05Z"))
    #expect(
      appointments.appointments == [
        Appointment(
          id: "A1", patientID: "P1", clinicianID: "S1", resourceIDs: ["R1", "R2"], start: start, durationMinutes: 20,
          visitType: .vaccination, status: .booked)
      ])
  }

  @Test func `a name under "pet" stays a name for the practice file to judge`() throws {
    let result = try ImportResult("notes.csv", "id,pet,date,notes\nN1,Bella,2024-03-05,t\n")
    #expect(result.records.map(\.patientReference) == [.nameOrID("Bella")])
  }

  @Test func `of two columns for one field the surer one fills it`() throws {
    let result = try ImportResult(
      "notes.csv", "id,patient_id,date,Notes,Clinical notes\nN1,P,2024-03-05,remark,the note\n")
    #expect(result.notes.map(\.text) == ["the note"])
    #expect(result.problems.map(\.code) == [.unknownField])
  }

  struct Dates: CustomTestStringConvertible {
    let cells: [String]
    var order: DateOrder?
    /// Days as read, nil for a refused row.
    let days: [String?]
    var reason = ""
    var testDescription: String { cells.joined(separator: " ") + (order.map { " \($0)" } ?? "") }
  }

  @Test(arguments: [
    Dates(cells: ["03/05/2024", "25/12/2023"], days: ["2024-05-03", "2023-12-25"]),
    Dates(cells: ["03/05/2024", "12/25/2023"], days: ["2024-03-05", "2023-12-25"]),
    Dates(cells: ["03/05/2024", "04/05/2024"], days: [nil, nil], reason: "no date in the file has a day past 12"),
    Dates(cells: ["03/05/2024", "4.5.2024"], order: .dayFirst, days: ["2024-05-03", "2024-05-04"]),
    Dates(cells: ["03/05/2024", "4-5-2024"], order: .monthFirst, days: ["2024-03-05", "2024-04-05"]),
    Dates(cells: ["25/12/23"], days: [nil], reason: "the year has two digits"),
    Dates(cells: ["5 Mar 2024", "March 5, 2024", "05-Mar-2024"], days: ["2024-03-05", "2024-03-05", "2024-03-05"]),
    Dates(cells: ["2024/3/5", "2024-03-05"], days: ["2024-03-05", "2024-03-05"]),
    Dates(cells: ["31/02/2024", "25/12/2023"], days: [nil, "2023-12-25"], reason: "no such day"),
    Dates(cells: ["soon"], days: [nil], reason: "unreadable date"),
  ])
  func `dates are read only where their order leaves no doubt`(example: Dates) throws {
    let rows = example.cells.enumerated().map { "N\($0.offset),P,\"\($0.element) 10:00\",t" }
    let result = try ImportResult(
      "notes.csv", "id,patient_id,date,notes\n" + rows.joined(separator: "\n"),
      options: try importOptions(zone: "UTC", dateOrder: example.order))
    let days = example.days.compactMap { $0 }
    #expect(result.notes.map { PracticeTimeZone.utc.date(of: $0.recordedAt).description } == days)
    #expect(result.rejects.count == example.days.count - days.count)
    for reject in result.rejects {
      #expect(reject.reason.contains(example.reason), "\(reject.reason)")
      #expect(reject.field == "recorded_at")
    }
  }

  struct Time: CustomTestStringConvertible {
    let text: String
    let minute: Int?
    var testDescription: String { text }
  }

  @Test(arguments: [
    Time(text: "09:05", minute: 545), Time(text: "9:05", minute: 545), Time(text: "9:05 PM", minute: 1265),
    Time(text: "12:00 am", minute: 0), Time(text: "12:30pm", minute: 750), Time(text: "23:59:59", minute: 1439),
    Time(text: "24:00", minute: nil), Time(text: "13:00 pm", minute: nil), Time(text: "9:5", minute: nil),
  ])
  func `times of day are read as they are commonly written`(example: Time) throws {
    let result = try ImportResult(
      "notes.csv", "id,patient_id,date,time,notes\nN,P,5 Mar 2024,\(example.text),t\n",
      options: try importOptions(zone: "UTC"))
    // A day without a time will do for a note: what is no time costs the time.
    #expect(result.notes.map { PracticeTimeZone.utc.local($0.recordedAt).minuteOfDay } == [example.minute ?? 0])
    #expect(result.losses.map(\.field) == (example.minute == nil ? ["recorded_time"] : []))
  }

  @Test func `ragged rows and open quotes are refused where they start`() throws {
    let result = try ImportResult(
      "notes.csv",
      "id,patient_id,date,notes\nN1,P,2024-03-05\nN2,P,2024-03-05,t,,\nN3,P,2024-03-05,a,b\nN4,P,2024-03-05,\"x\n")
    #expect(result.notes.map(\.id) == ["N2"])
    #expect(result.rejects.map(\.location.line) == [2, 4, 5])
    #expect(
      result.rejects.map(\.reason) == [
        "3 cells, but the head line has 4", "5 cells, but the head line has 4", "a quote is never closed",
      ])
  }

  @Test func `decimal commas are numbers, thousands are not`() throws {
    let result = try ImportResult(
      "patients.csv", "id;name;species;weight_kg\n1;A;dog;31,2\n2;B;dog;1,234\n3;C;dog;heavy\n")
    #expect(result.patients.map(\.weightKilograms) == [31.2, nil, nil])
    #expect(result.losses.map(\.field) == ["weight_kg", "weight_kg"])
    #expect(result.losses.map(\.value) == ["1,234", "(5 characters, not shown)"])
  }

  @Test func `a table without the columns it needs, without rows, or empty, is told once`() throws {
    #expect(
      try ImportResult("notes.csv", "P1,2024-03-05,text\nP2,2024-03-06,text\n").problems.map(\.code) == [.wrongFormat])
    #expect(try ImportResult("notes.csv", "id,patient_id,date,notes\n").problems.map(\.code) == [.noRows])
    #expect(try ImportResult("notes.csv", "").problems.map(\.code) == [.empty])
    #expect(try ImportResult("notes.csv", "id,date,notes\rN1").problems.map(\.code) == [.wrongFormat])
  }

  @Test func `importing a table twice gives the same records`() throws {
    let text = "patient_id,date,notes\nP,2024-03-05,same\nP,2024-03-05,same\nP,2024-03-06,same\n"
    let first = try ImportResult("notes.csv", text)
    #expect(first.records == (try ImportResult("notes.csv", text)).records)
    #expect(Set(first.notes.map(\.id)).count == 3)
  }
}
