import Clinical
import RecordTestSupport
import Testing
import VetNetTestSupport

@testable import Answering

/// The closed classes of words that questions are read by.
@Suite struct QuestionClassesTests {
  private static func table(_ rows: [String]) throws -> DataTable {
    try DataTable(name: "word-classes.tsv", text: (["class\twords\tpurpose"] + rows).joined(separator: "\n"))
  }

  private static func rows() throws -> [String] {
    try modelTable("answering/word-classes.tsv").rows.map { "\($0["class"])\t\($0["words"])\t\($0["purpose"])" }
  }

  @Test func `a word carries all the classes it is in`() throws {
    let words = try AnswerFixtures.classes.get().words(in: "Wasn't she lighter before the 2nd spay?")
    #expect(words.map(\.text) == ["was", "not", "she", "lighter", "before", "the", "2nd", "spay"])
    #expect(words[0].isOne(of: .be) && words[0].isOne(of: .pastverb) && words[0].isOne(of: .whetherOpeners))
    #expect(words.first(.before) == 4 && words.last([.before, .the]) == 5)
    #expect(words.has(.once) && !words.has([.after, .since]) && !words[3].isOne(of: .lowest))
  }

  @Test(arguments: ["be", "until", "yes"])
  func `a table without a class that rules ask for is refused, naming file, class and what to do`(name: String) throws {
    let rows = try Self.rows().filter { !$0.hasPrefix("\(name)\t") }
    let error = #expect(throws: DataTableError.self) { try QuestionClasses(table: Self.table(rows)) }
    let text = try #require(error).description
    #expect(text.contains("word-classes.tsv") && text.contains("'\(name)'") && text.contains("add a row"), "\(text)")
  }

  @Test(arguments: [
    ("gossip\tword\t", "no class that anything asks for"), ("be\twas\t", "stands twice"), ("gossip\t\t", "no class"),
  ])
  func `a row that nothing asks for, or that stands twice, is refused by its line`(row: String, problem: String) throws
  {
    let rows = try Self.rows()
    let error = #expect(throws: DataTableError.self) { try QuestionClasses(table: Self.table(rows + [row])) }
    let text = try #require(error).description
    #expect(text.contains(problem) && text.contains("\(rows.count + 2)") && text.contains("class"), "\(text)")
  }

  @Test func `words are in lower case, stand once in a class, and every class says what it is for`() throws {
    let rows = try modelTable("answering/word-classes.tsv").rows
    #expect(rows.count == QuestionClass.allCases.count)
    for row in rows {
      let words = row.list("words")
      #expect(Set(words).count == words.count, "\(row["class"])")
      #expect(words.allSatisfy { $0 == $0.lowercased() && !$0.contains(" ") }, "\(row["class"])")
      #expect(!row["purpose"].isEmpty, "\(row["class"])")
    }
  }

  @Test func `no two classes have the same words`() throws {
    let sets = try modelTable("answering/word-classes.tsv").rows.map { Set($0.list("words")) }
    #expect(Set(sets).count == sets.count)
  }
}
