import Clinical
import Foundation
import Testing
import VetNetTestSupport

@testable import Interchange

/// What is proposed for another program's tables.
@Suite struct GuessTests {
  private static let tables = Result {
    try GuessTables(
      words: try modelTable("import/heading-words.tsv", uniqueKey: "id"),
      fields: try modelTable("import/guess-fields.tsv", uniqueKey: "id"),
      values: try modelTable("import/guess-values.tsv", uniqueKey: "id"), vocabulary: try shippedVocabulary.get())
  }
  private let today = CalendarDate(year: 2026, month: 11, day: 23)

  private func guess(_ files: [String: String], answers: [String: String] = [:]) throws -> ImportGuess {
    let folder = try TemporaryFolder()
    for (name, text) in files { try folder.write(name, text) }
    return try ImportGuess(
      [folder.path], tables: try Self.tables.get(), today: try #require(today), answers: answers)
  }

  private static let animals = """
    Animal No,Pet,Type,Sex,Neutered,Last Wt,Deceased,DOB,Insured
    A1,Rex,K9,M,Y,12st,N,02/03/2020,Y
    A2,Ivy,FEL,F,N,9st 2lb,Y,04/05/2021,N
    A3,Tom,FEL,M,Y,8st,N,06/07/2019,Y
    A4,Una,K9,F,N,30lb,N,08/09/2018,N

    """

  @Test func `a bare yes for dead, codes and joined columns are proposed with what is unsure`() throws {
    let guess = try guess(["animals.csv": Self.animals])
    let table = try #require(guess.mapping.tables.first)
    #expect(table.kind == .patients)
    #expect(table.columns["sex"] == ["Sex", "Neutered"])
    #expect(table.columns["deceased_at"] == ["Deceased"])
    #expect(table.values["deceased_at"] == ["Y": "2026-11-23", "N": ""])
    #expect(table.columns["species"] == ["Type"])
    #expect(table.values["sex"]?["M Y"] == "MN")
    #expect(table.columns["weight_kg"] == ["Last Wt"] && table.units["weight_kg"] == nil)
    #expect(guess.unread["animals.csv"] == ["Insured"])
    #expect(guess.doubts.contains { $0.text.contains("not when") && $0.choices.isEmpty })
    let order = try #require(guess.doubts.first { $0.id == "animals.csv/date_order" })
    #expect(order.taken == "dmy" && order.choices == ["dmy", "mdy"])
  }

  @Test func `a day of something else is neither a death nor a birth, and no repeated row makes animals anything else`()
    throws
  {
    let text = """
      Patient ID,Name,Species,Breed,Sex,D.O.B.,Weight Date,Last Visit Date,Insurance Renewal Date
      1,Bella,Dog,Labrador,F,02/03/2019,12/10/2026,13/10/2026,01/04/2027
      2,Rex,Dog,Alsatian,M,25/03/2018,13/10/2026,14/10/2026,02/04/2027
      3,Tom,Cat,DSH,MN,02/03/2012,14/10/2026,15/10/2025,03/04/2027

      """
    let guess = try guess(["patients.csv": text])
    let table = try #require(guess.mapping.tables.first)
    #expect(table.kind == .patients && table.columns["date_of_birth"] == ["D.O.B."])
    #expect(table.columns["deceased_at"] == nil, "\(table.columns)")
    // Without an id for each row it isn't taken for a table of another kind.
    let row = text.split(separator: "\n").map(String.init)[3]
    let error = #expect(throws: InterchangeError.self) { try self.guess(["patients.csv": text + row + "\n"]) }
    #expect(error?.description.contains("none has an id of its own for each row") == true)
  }

  @Test func `an answer settles its doubt and is in the mapping, which reads as it was written`() throws {
    let guess = try guess(["animals.csv": Self.animals], answers: ["animals.csv/date_order": "mdy"])
    #expect(!guess.doubts.contains { $0.id == "animals.csv/date_order" })
    #expect(guess.mapping.tables.first?.form.dateOrder == .monthFirst)
    #expect(try ImportMapping(guess.text) == guess.mapping)
  }

  @Test func `what can't be a table is named and left out, and hostile names stay on their line`() throws {
    let guess = try guess([
      "animals.csv": Self.animals, "empty.csv": "", "letter.txt": "Dear colleague\nthank you\n",
      "odd.csv": "\"Animal No\n[[table]]\",Pet,Type\n1,Rex,dog\n",
    ])
    #expect(
      Set(guess.doubts.filter { $0.text.hasPrefix("left out") }.map(\.file)).isSuperset(of: ["empty.csv", "letter.txt"])
    )
    #expect(try ImportMapping(guess.text) == guess.mapping)
  }

  @Test func `the pairing with the greatest total is found`() {
    #expect(bestAssignment([[0.9, 0.8], [0.8, 0.1]]) == [1, 0])
    #expect(bestAssignment([[0.5], [0.6], [0]]) == [nil, 0, nil])
    #expect(bestAssignment([]) == [])
    #expect(bestAssignment([[0, 0, 0.2]]) == [2])
  }
}
