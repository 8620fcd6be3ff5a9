import Clinical
import Interchange
import Testing

/// Which fields a row speaks of.
struct StatedFieldsTests {
  private struct Row: CustomTestStringConvertible, Sendable {
    let file: String
    let text: String
    let given: Set<String>
    var empty: Set<String> = []
    var testDescription: String { "\(file): \(text)" }
  }

  @Test func `columns, keys and front matter say what a row speaks of`() throws {
    let rows = [
      Row(
        file: "patients.csv", text: "id,name,species,breed,weight_kg\nP1,Rex,dog,, \n",
        given: ["id", "name", "species"], empty: ["breed", "weight_kg"]),
      Row(
        file: "patients.jsonl", text: #"{"id":"P1","name":"Rex","species":"dog","breed":null,"sex":""}"#,
        given: ["id", "name", "species"], empty: ["breed", "sex"]),
      // A word that nobody understands is none.
      Row(
        file: "patients.csv", text: "id,name,species\nP1,Rex,canine companion\n", given: ["id", "name"]),
      Row(
        file: "clients.csv", text: "Client ID,First name,Surname,Mobile,Work phone\n1,Ann,Hale,07700 900001,\n",
        given: ["id", "name", "phone:Mobile"], empty: ["phone:Work phone"]),
      Row(
        file: "clients.csv", text: "Client ID,Name,Emergency contact\n1,Ann Hale,07700 900001\n",
        given: ["id", "name", "phone:Emergency contact"]),
      Row(
        file: "clients.jsonl", text: #"{"id":"1","name":"Ann","phone":[]}"#, given: ["id", "name"], empty: ["phone"]),
      // What programs write where they have nothing.
      Row(
        file: "patients.csv", text: "id,name,species,breed,weight_kg,date_of_birth\nP1,Rex,dog,NULL,N/A,0000-00-00\n",
        given: ["id", "name", "species"], empty: ["breed", "weight_kg", "date_of_birth"]),
      // Half a name is none.
      Row(
        file: "clients.csv", text: "Client ID,Surname,Phone\n1,Hale,07700 900001\n", given: ["id", "phone:"]),
      Row(
        file: "clients.jsonl", text: #"{"id":"1","name":"Ann","phone":["07700 900001"]}"#,
        given: ["id", "name", "phone"]),
      Row(
        file: "notes.csv", text: "patient,recorded_at,time,text\nRex,2024-03-05,10:40,Better.\n",
        given: ["patient_id", "recorded_at", "text"]),
      Row(
        file: "l.md", text: "---\npatient_id: P1\nrecorded_at: 2024-03-05\nauthor:\n---\nBetter.\n",
        given: ["patient_id", "recorded_at", "text"], empty: ["author"]),
    ]
    for row in rows {
      let result = try ImportResult(row.file, row.text)
      #expect(result.stated == [StatedFields(given: row.given, empty: row.empty)], "\(row)")
    }
  }

  @Test func `several telephone numbers are all kept with their labels, in every spelling`() throws {
    let expected = [ClientPhone("07700 900001", label: "Mobile"), ClientPhone("01632 960002", label: "Work")]
    for (file, text) in [
      ("clients.csv", "Client ID,Owner,Mobile,Work\n1,Ann,07700 900001,01632 960002\n"),
      (
        "clients.jsonl",
        #"{"id":"1","name":"Ann","phone":[{"label":"Mobile","number":"07700 900001"},{"type":"Work","value":"01632 960002"}]}"#
      ),
      ("clients.jsonl", #"{"id":"1","name":"Ann","phone":{"Mobile":"07700 900001","Work":"01632 960002"}}"#),
    ] {
      let result = try ImportResult(file, text)
      #expect(result.records == [.client(Client(id: "1", name: "Ann", phones: expected))], "\(text)")
      #expect(result.problems == [])
    }
  }

  @Test func `a row without what a new record needs can still change one that is there`() throws {
    let result = try ImportResult("patients.jsonl", #"{"id":"P1","weight_kg":30}"#)
    #expect(result.records.isEmpty && result.rejects.count == 1)
    #expect(result.amendments.map(\.stated) == [StatedFields(given: ["id", "weight_kg"])])
    #expect(try ImportResult("patients.jsonl", #"{"name":"Rex","weight_kg":30}"#).amendments.isEmpty)
  }
}
