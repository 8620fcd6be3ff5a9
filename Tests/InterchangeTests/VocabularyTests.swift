import Clinical
import Testing
import VetNetTestSupport

@testable import Interchange

@Suite struct VocabularyTests {
  @Test func `every row's example means its field and its negative example doesn't`() throws {
    let vocabulary = try shippedVocabulary.get()
    for row in try modelTable("import/header-aliases.tsv", required: ["example", "negative_example"], uniqueKey: "id")
      .rows
    {
      let kind = try #require(ImportKind(rawValue: row["kind"]))
      #expect(vocabulary.meaning(ofHeading: row["example"], in: kind)?.field == row["field"], "\(row["id"])")
      #expect(vocabulary.meaning(ofHeading: row["negative_example"], in: kind)?.field != row["field"], "\(row["id"])")
      #expect(row["source"] != "")
    }
    for row in try modelTable("import/value-aliases.tsv", required: ["example", "negative_example"], uniqueKey: "id")
      .rows
    {
      #expect(vocabulary.word(for: row["example"], in: row["list"]) == row["value"], "\(row["id"])")
      #expect(vocabulary.word(for: row["negative_example"], in: row["list"]) != row["value"], "\(row["id"])")
      #expect(row["source"] != "")
    }
  }

  @Test func `closed lists hold exactly the format's words`() throws {
    let table = try modelTable("import/value-aliases.tsv", uniqueKey: "id")
    func words(_ list: String) -> [String] { table.rows.filter { $0["list"] == list }.map { $0["value"] }.sorted() }
    #expect(words("note_kind") == NoteKind.allCases.map(\.rawValue).sorted())
    #expect(words("staff_role") == StaffMember.Role.allCases.map(\.rawValue).sorted())
    #expect(words("appointment_status") == Appointment.Status.allCases.map(\.rawValue).sorted())
    #expect(words("visit_type") == VisitType.builtIn.map(\.rawValue).sorted())
  }

  @Test func `a weight without a unit is no weight in kilograms`() throws {
    let vocabulary = try shippedVocabulary.get()
    for kind in ImportKind.allCases {
      #expect(vocabulary.meaning(ofHeading: "Weight", in: kind) == nil)
    }
  }

  @Test func `a heading with two meanings is refused`() throws {
    let text = "id\tkind\tfield\taliases\na\tnotes\ttext\twords\nb\tnotes\tauthor\tWords\n"
    let values = try DataTable(name: "values", text: "id\tlist\tvalue\taliases\n")
    #expect(throws: DataTableError.self) {
      _ = try ImportVocabulary(headers: try DataTable(name: "headers", text: text), values: values)
    }
  }

  @Test func `slips of the finger find their word, other words don't`() {
    let fields = ImportKind.notes.fields
    #expect(nearest(to: "recorded_att", among: fields) == "recorded_at")
    #expect(nearest(to: "txet", among: fields) == "text")
    #expect(nearest(to: "patientid", among: fields) == "patient_id")
    #expect(nearest(to: "invoice", among: fields) == nil)
    #expect(nearest(to: "di", among: fields) == nil)
  }
}

@Suite struct HarmlessTests {
  @Test(arguments: [
    "2024-02-30", "05/03/2024", "2024-13-01T25:00", "5 Mar 2024", "31.12.1999 24:61:00", "2024-1-1 9:00 pm",
  ])
  func `what looks like a date may be repeated`(text: String) {
    #expect(Harmless.date(text) == text)
  }

  @Test(arguments: [
    "01632 960111", "01632-960-111", "555-123-4567", "+44 1632 960111", "12 High Street", "Flat 2 Mill", "Rex 3 kg",
    "20240230", "soon", "5 Rex 2024", "",
  ])
  func `what looks like a phone number, an address or a name may not`(text: String) {
    #expect(Harmless.date(text) == nil)
    #expect(Harmless.time(text) == nil)
    #expect(Harmless.number(text) == nil)
  }
}
