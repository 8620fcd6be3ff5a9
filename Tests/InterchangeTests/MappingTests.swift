import Clinical
import Foundation
import Testing
import VetNetTestSupport

@testable import Interchange

/// How another program's tables are read by a mapping.
@Suite struct MappingTests {
  struct Fault: CustomTestStringConvertible, Sendable {
    let text: String
    let says: String
    var testDescription: String { says }
  }

  private static let head = "format = \"vetnet-map-1\"\n[[table]]\nfile = \"a.csv\"\nkind = \"patients\"\n"
  private static let columns = "[table.columns]\nid = \"Nr\"\nname = \"Pet\"\n"

  @Test(arguments: [
    Fault(text: "", says: "1:1: the mapping doesn't say its format; begin with format = \"vetnet-map-1\""),
    Fault(text: "format = \"v2\"\n", says: "1:10: the format is unknown; this program reads vetnet-map-1"),
    Fault(text: "format = vetnet\n", says: "1:10: the value is not in quotes; write it like \"Pet name\""),
    Fault(text: head + "colums = \"x\"\n", says: "5:1: 'colums' is no key that is known here"),
    Fault(text: head + columns.replacing("name", with: "nmae"), says: "7:1: 'nmae' is no field of patients"),
    Fault(text: head + "[table.columns]\nid = \"Nr\"\n", says: "2:1: the table of patients has no column for name"),
    Fault(text: head + columns + "id = \"No\"\n", says: "8:1: 'id' stands there twice; the first is in line 6"),
    Fault(
      text: head + columns + "[table.units]\nweight_kg = \"stones\"\n", says: "9:13: weight_kg 'stones' is unknown"),
    Fault(text: head + columns + "[table.values]\n", says: "8:1: 'table.values' is no part of a table"),
    Fault(text: head + columns + "breed = \"Ras\n", says: "8:9: the quote is never closed"),
    Fault(text: head.replacing("patients", with: "pets") + columns, says: "4:8: kind 'pets' is unknown"),
    Fault(text: head.replacing("a.csv", with: "../a.csv") + columns, says: "3:8: no file's name"),
    Fault(text: head + columns + "breed = \"\\q\"\n", says: "8:10: the escape is unknown"),
  ])
  func `a mapping's mistake is told with its line and column`(fault: Fault) {
    let error = #expect(throws: MappingError.self) { try ImportMapping(fault.text) }
    #expect(error?.description.hasPrefix(fault.says) == true, "\(error?.description ?? "")")
  }

  /// Reads one table, `map` being what stands below its file and kind.
  private func read(
    _ kind: String, _ map: String, _ table: String, today: CalendarDate? = nil
  ) throws -> ImportResult {
    let folder = try TemporaryFolder()
    let path = try folder.write("a.csv", table)
    let mapping = try ImportMapping(
      "format = \"vetnet-map-1\"\n[[table]]\nfile = \"A*.csv\"\nkind = \"\(kind)\"\n\(map)\n")
    return try ImportResult(try ImportReader([path], mapping: mapping, options: try importOptions(today: today)))
  }

  @Test func `codes, units, joined columns and a bare yes for dead are read as the mapping says`() throws {
    let result = try read(
      "patients",
      """
      [table.columns]
      id = "Nr"
      name = "Pet"
      species = "Type"
      sex = ["Sex", "Neut"]
      weight_kg = "Last Wt"
      deceased_at = ["Died", "Deceased"]
      date_of_birth = "DOB"
      owner_name = ["First", "Last"]
      [table.values.species]
      "K9" = "dog"
      [table.values.sex]
      "m y" = "MN"
      "F N" = "F"
      [table.values.deceased_at]
      "Y" = "2026-11-23"
      "N" = ""
      [table.units]
      weight_kg = "lb"
      """,
      """
      Export of today
      Nr,Pet,Type,Sex,Neut,Last Wt,Died,Deceased,DOB,First,Last
      1,Rex,k9,M,Y,22,,Y,28/04/2020,Ann,Lee
      2,Ivy,cat,F,N,12st 4lb,13/05/2025,Y,03/04/2021,,Lee
      3,Tom,cat,M,Y,850g,,N,,,
      """)
    #expect(result.rejects.isEmpty && result.losses.isEmpty, "\(result.losses)")
    let animals = result.patients
    #expect(animals.map(\.species) == [.dog, .cat, .cat])
    #expect(animals.map(\.sex) == [.maleNeutered, .female, .maleNeutered])
    #expect(animals.map(\.weightKilograms) == [9.979, 78.018, 0.85])
    #expect(animals.map { $0.deceasedAt.map { "\($0)" } } == ["2026-11-23", "2025-05-13", nil])
    #expect(animals.map { $0.dateOfBirth.map { "\($0)" } } == ["2020-04-28", "2021-04-03", nil])
    #expect(animals.map(\.ownerName) == ["Ann Lee", "Lee", nil])
  }

  @Test func `hours, breaks and leave in rows of their own become one member's lists`() throws {
    let hours = try read(
      "hours", "[table.columns]\nid = \"Who\"\nmonday = \"Mo\"\ntuesday = \"Di\"",
      "Who;Mo;Di\nVO;08:00-12:00, 14-18;frei\nKL;9.30-17;8-12\n;8-12;\n")
    let members = hours.amendments.compactMap { if case .staff(let member) = $0.record { member } else { nil } }
    #expect(
      members.map { $0.workingHours.map { "\($0.weekday) \($0.minutes)" } } == [
        ["1 480..<720", "1 840..<1080"], ["1 570..<1020", "2 480..<720"],
      ])
    #expect(hours.rejects.contains { $0.location.line == 4 && $0.field == "id" })
    let leave = try read(
      "leave", "[table.columns]\nid = \"Who\"\nfrom = \"From\"\nto = \"To\"",
      "Who,From,To\nVO,24/12/2026,02/01/2027\nVO,03/05/2027,\n")
    let away = leave.amendments.compactMap { if case .staff(let member) = $0.record { member.leave } else { nil } }
    #expect(
      away.map { $0.map { "\($0.days.lowerBound)..\($0.days.upperBound)" } } == [
        ["2026-12-24..2027-01-02", "2027-05-03..2027-05-03"]
      ])
    let breaks = try read(
      "breaks",
      "[table.columns]\nid = \"Who\"\nweekday = \"Day\"\nearliest = \"From\"\nlatest = \"To\"\nminutes = \"Min\"",
      "Who,Day,From,To,Min\nVO,Wed,12:00,14:00,45\n")
    let pauses = breaks.amendments.compactMap { if case .staff(let member) = $0.record { member.breaks } else { nil } }
    #expect(pauses.first?.first.map { "\($0.weekday) \($0.window) \($0.minutes)" } == "3 720..<840 45")
  }

  @Test func `a visit's end makes its length, and a table without its columns is refused by name`() throws {
    let map = "[table.columns]\npatient_id = \"Pt\"\nstart = [\"Day\", \"From\"]\nend = \"Till\""
    let result = try read("appointments", map, "Pt,Day,From,Till\nP1,28/04/2026,9:05,9:25\n")
    #expect(result.appointments.map(\.durationMinutes) == [20])
    let renamed = try read("appointments", map, "Pt,Day,From,Tilll\nP1,28/04/2026,9:05,9:25\n")
    #expect(renamed.records.isEmpty)
    #expect(
      renamed.problems.contains { $0.isFailure && $0.message.contains("'Till'") && $0.hint.contains("'Tilll'") },
      "\(renamed.problems)")
  }

  @Test func `a rejected row keeps its own cells and its mapping, and is read from there`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(
      "a.csv", "Ref;Pet;When;Kind;Text\n1;P1;31/02/2025;CONS;one\n2;P1;28/04/2025;CONS;\"a \"b\";\n")
    let mapping = try ImportMapping(
      """
      format = "vetnet-map-1"
      [[table]]
      file = "a.csv"
      kind = "notes"
      [table.columns]
      id = "Ref"
      patient_id = "Pet"
      recorded_at = "When"
      kind = "Kind"
      text = "Text"
      [table.values.kind]
      "CONS" = "consult"
      """)
    let first = try ImportResult(try ImportReader([path], mapping: mapping, options: try importOptions()))
    let writer = RejectsWriter(path: folder.path + "/r.jsonl")
    for reject in first.rejects { try writer.write(reject) }
    try writer.finish()
    #expect(writer.count == 2 && first.records.isEmpty)
    let written = try String(contentsOfFile: writer.path, encoding: .utf8)
    #expect(written.contains(#""When":"31/02/2025""#) && written.contains(#""Kind":"CONS""#))
    let mended = written.replacing("31/02/2025", with: "27/02/2025").replacing(#"\"a \"b\";"#, with: "two")
    let again = try folder.write("r2.jsonl", mended)
    let second = try ImportResult(try ImportReader([again], options: try importOptions()))
    #expect(second.rejects.isEmpty, "\(second.rejects)")
    #expect(second.notes.map { "\($0.id) \($0.kind) \($0.text)" } == ["1 consult one", "2 consult two"])
  }
}
