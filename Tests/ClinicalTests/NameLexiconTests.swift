import Clinical
import Foundation
import Testing
import VetNetTestSupport

@Suite struct NameLexiconTests {
  private static let names = """
    # title: names
    id	names	written	source
    vomiting	vomiting|being sick	vomit~|^V	x
    bladder-stone	bladder stone		x
    """

  private func lexicon() throws -> NameLexicon { try NameLexicon(DataTable(name: "names.tsv", text: Self.names)) }

  private func resolved(_ text: String) throws -> String {
    String(decoding: try lexicon().resolved(Array(text.utf8), name: "t.tsv"), as: UTF8.self)
  }

  @Test(
    "a reference stands for the phrases of the row that it names",
    arguments: [
      ("@vomiting", "vomiting|being sick"),
      ("@vomiting.written", "vomit~|^V"),
      ("@vomiting*", "vomiting|being sick|vomit~|^V"),
      ("@bladder-stone*", "bladder stone"),
      ("sick|@bladder-stone|puke", "sick|bladder stone|puke"),
      ("@bladder-stone|@vomiting.written", "bladder stone|vomit~|^V"),
      // An address, or what only looks like a reference, stays.
      ("a@vomiting", "a@vomiting"), ("vom @vomiting", "vom @vomiting"), ("", ""),
    ])
  func stands(cell: String, phrases: String) throws {
    let table = "# a: @vomiting\nid\tforms\tnote\na\t\(cell)\tn\nb\tx\t@vomiting\r\n"
    #expect(
      try resolved(table) == "# a: @vomiting\nid\tforms\tnote\na\t\(phrases)\tn\nb\tx\tvomiting|being sick\r\n")
  }

  @Test(
    "a reference to nothing is refused with its file, line, column, itself and where it should stand",
    arguments: ["@vomitting", "@vomiting.spoken", "@bladder-stone.written", "@vomiting.source", "@", "@Vomiting"])
  func refused(reference: String) {
    let error = #expect(throws: DataTableError.self) {
      try resolved("# title: t\nid\tkind\tforms\na\tsign\tx\nb\tsign\ty|\(reference)\n")
    }
    #expect(error?.table == "t.tsv" && error?.line == 4 && error?.column == "forms")
    #expect(error?.problem.contains("'\(reference)'") == true && error?.problem.contains("names.tsv") == true)
  }

  @Test(
    "a lexicon with an id twice, or with one that can't be written, is refused",
    arguments: ["a\tx\na\ty", "A b\tx", "a.b\tx", "\tx"])
  func refusedLexicon(rows: String) {
    #expect(throws: DataTableError.self) {
      try NameLexicon(DataTable(name: "n", text: "id\tnames\n\(rows)\n"))
    }
  }

  @Test func `the head says which table a table names`() {
    func file(_ text: String) -> String? { NameLexicon.file(namedBy: Array(text.utf8)) }
    #expect(file("# title: t\n# names: lexicon/names.tsv\nid\n") == "lexicon/names.tsv")
    #expect(file("# names: a.tsv\r\nid\n") == "a.tsv")
    #expect(file("# title: names: x\nid\n") == nil)
    #expect(file("id\n# names: lexicon/names.tsv\n") == nil)
    #expect(file("") == nil)
  }

  @Test("cells hold what a reading of them part by part gives, on the same lines", arguments: 0..<40)
  func likeTheTwin(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let parts = ["sick", "@vomiting", "@vomiting*", "@bladder-stone", "a@b", "vomit ^V", "é", "<num> @x"]
    let phrases = [
      "@vomiting": "vomiting|being sick", "@vomiting*": "vomiting|being sick|vomit~|^V",
      "@bladder-stone": "bladder stone",
    ]
    var (text, expected) = ("id\tone\ttwo\n", "id\tone\ttwo\n")
    for row in 0..<Int.random(in: 0...12, using: &random) {
      let cells = (0..<2).map { _ in
        (0..<Int.random(in: 0...4, using: &random)).map { _ in parts.randomElement(using: &random) ?? "" }
      }
      let end = Bool.random(using: &random) ? "\n" : "\r\n"
      text += "\(row)\t" + cells.map { $0.joined(separator: "|") }.joined(separator: "\t") + end
      expected +=
        "\(row)\t" + cells.map { $0.map { phrases[$0] ?? $0 }.joined(separator: "|") }.joined(separator: "\t") + end
    }
    #expect(try resolved(text) == expected)
  }

  /// Every shipped table that names another, by its path.
  private static func naming() throws -> [(file: String, bytes: [UInt8], names: String)] {
    let files = FileManager.default.enumerator(atPath: modelsDirectory)?.compactMap { $0 as? String } ?? []
    return try files.filter { $0.hasSuffix(".tsv") }.sorted().compactMap { file in
      let bytes = try modelData(file)
      return NameLexicon.file(namedBy: bytes).map { (file, bytes, $0) }
    }
  }

  @Test func `no cell of a shipped table writes what a row that it names says`() throws {
    let naming = try Self.naming()
    #expect(naming.count >= 3)
    for (file, bytes, names) in naming {
      let lexicon = try NameLexicon(modelTable(names))
      let raw = try DataTable(name: file, utf8: bytes)
      for row in raw.rows {
        for column in raw.columns {
          let parts = row.list(column)
          let references = parts.filter { $0.hasPrefix("@") }
          if references.isEmpty { continue }
          let cell = try lexicon.resolved(Array(("id\n\t" + references.joined(separator: "|")).utf8), name: file)
          let said = Set(String(decoding: cell.dropFirst(4), as: UTF8.self).split(separator: "|").map(String.init))
          let again = parts.filter(said.contains)
          #expect(again.isEmpty, "\(file), line \(row.line), column \(column)")
        }
      }
    }
  }
}
