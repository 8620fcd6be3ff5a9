import Clinical
import Interchange
import Testing

@Suite struct PrivacyTests {
  /// A word such as only a record holds, in the shapes a careless column might give it.
  private static let canaries = [
    "Zerlinde Quastenberg rang about Mopsi", "Mopsi’s owner Zerlinde", "tel 01632 960999 Zerlinde", "Zerlinde\nMopsi",
    "Zerlinde Quastenberg", "zerlinde@mopsi.example",
  ]

  private func check(_ result: ImportResult, _ row: String) {
    for reject in result.rejects {
      let said = [reject.reason, reject.hint, reject.value ?? "", reject.field ?? ""].joined(separator: " ")
        .lowercased()
      for secret in ["zerlinde", "quastenberg", "mopsi", "960999"] {
        #expect(!said.contains(secret), "\(said) from \(row)")
      }
    }
    for problem in result.problems {
      let said = problem.description.lowercased()
      for secret in ["zerlinde", "quastenberg", "mopsi", "960999"] { #expect(!said.contains(secret), "\(said)") }
    }
  }

  private func quote(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n") + "\""
  }

  @Test(arguments: ImportKind.allCases)
  func `no message repeats a text, wherever a row puts it`(kind: ImportKind) throws {
    var refused = 0
    for canary in Self.canaries {
      for field in kind.fields {
        // Every key holds the text, or all but one are left out, or the line breaks off in it.
        for row in [
          "{\(quote(field)):\(quote(canary))}",
          "{" + kind.fields.map { "\(quote($0)):\($0 == field ? quote(canary) : "\"1\"")" }.joined(separator: ",")
            + "}",
          "{" + kind.fields.map { "\(quote($0)):\($0 == field ? "[\(quote(canary))]" : "1")" }.joined(separator: ",")
            + "}",
          "{\(quote(field)):\(quote(canary))", "{\(quote(field)):\(canary)}", "{\(quote(canary)):1}",
        ] {
          let result = try ImportResult("\(kind.rawValue).jsonl", row + "\n{}\n")
          refused += result.rejects.count
          check(result, row)
        }
      }
    }
    #expect(refused > 100)
  }

  @Test func `nor do tables, with columns shifted or without a head line`() throws {
    let head = "id,patient_id,date,author,kind,notes"
    for canary in Self.canaries {
      let cell = "\"\(canary)\""
      for column in 0..<6 {
        let row = (0..<6).map { $0 == column ? cell : ["N1", "P1", "2024-03-05", "HM", "lab", "t"][$0] }
        for text in [
          head + "\n" + row.joined(separator: ","), head + "\n" + row.dropFirst().joined(separator: ","),
          head + "\n" + row.joined(separator: ",") + "x",
          row.joined(separator: ",") + "\n" + row.joined(separator: ","),
        ] {
          check(try ImportResult("notes.csv", text), text)
        }
      }
      check(try ImportResult("note.md", "---\npatient_id: P\n\(canary)\n---\nx"), canary)
      check(try ImportResult("note.md", "---\npatient_id: P\ndate: \(canary)\n---\nx"), canary)
    }
  }
}
