import Clinical
import Extraction
import RecordTestSupport
import Testing
import VetNetTestSupport

@testable import Chart

@Suite struct AlertLexiconTests {
  private static let now = noon("2026-11-20")

  private static func ids(_ texts: String..., days: Int = 1) throws -> [String] {
    let notes = texts.enumerated().map { index, text in
      ClinicalNote(
        id: "N\(index)", patientID: "P1", recordedAt: now.adding(days: index - texts.count - days), text: text)
    }
    return try Fixtures.alerts.get().found(
      in: notes.map(Fixtures.outline), by: Fixtures.extractors.get().classifier, at: now
    ).map(\.alert.id)
  }

  @Test func `every row's example fires and its negative example does not`() throws {
    for row in try Fixtures.alertTable.get().rows {
      #expect(!row["label"].isEmpty && !row["example"].isEmpty && !row["negative_example"].isEmpty, "\(row["id"])")
      #expect(try Self.ids(row["example"]).contains(row["id"]), "\(row["example"])")
      #expect(try !Self.ids(row["negative_example"]).contains(row["id"]), "\(row["negative_example"])")
    }
  }

  @Test(
    arguments: [
      ("Lungs clear, bite ok.", []), ("Swollen whole muzzle, drooling.", []), ("Cat bite abscess L flank.", []),
      ("O v anxious re GA.", []), ("Culture grew Strep, no penicillins resistance.", []),
      ("Lunged at the nurse, muzzled for nails.", ["bites"]), ("Housemate is aggressive.", []),
      ("Next time leave the midazolam out.", ["anaesthetic"]), ("Ceiling £900 agreed.", ["money"]),
      ("Don't repeat the vaccine without premed.", ["reaction"]), ("If he bites, stop and ring.", []),
    ] as [(String, [String])])
  func `words that only look like an alert are none`(text: String, ids: [String]) throws {
    #expect(try Self.ids(text) == ids)
  }

  @Test func `the latest sentence stands for its alert, and old money is forgotten`() throws {
    let lexicon = try Fixtures.alerts.get()
    let notes = [
      note("N1", "2020-01-01", "Very nervous. Budget up to 300."),
      note("N2", "2026-01-01", "Nervous in the waiting room."),
    ]
    let found = lexicon.found(
      in: try notes.map(Fixtures.outline), by: try Fixtures.extractors.get().classifier, at: Self.now)
    #expect(found.map(\.alert.id) == ["fearful"])
    #expect(found.map(\.note.id) == ["N2"])
  }

  @Test func `a table with a row that says nothing is refused`() {
    let head = "id\tlabel\tasserted\tdays\tcount\tphrases\texcept\n"
    #expect(throws: DataTableError.self) {
      try AlertLexicon(table: DataTable(name: "t", text: head + "a\tA\t\t\t\t\t"), classes: Fixtures.classTable.get())
    }
    #expect(throws: DataTableError.self) {
      try AlertLexicon(
        table: DataTable(name: "t", text: head + "a\tA\t\tlong\t\tbites\t"), classes: Fixtures.classTable.get())
    }
  }
}
