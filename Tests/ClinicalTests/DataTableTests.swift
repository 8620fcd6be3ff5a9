import Clinical
import Testing

@Suite struct DataTableTests {
  @Test func `head, columns and cells`() throws {
    let table = try DataTable(
      name: "t.tsv",
      text: "# title: A table\r\n# no colon here\n\nid\tform \t n\r\na\t x y | z ||\t1.5\r\nb\n# later: note\n",
      required: ["id", "form"], uniqueKey: "id")
    #expect(table.metadata == ["title": "A table"])
    #expect(table.columns == ["id", "form", "n"])
    try #require(table.rows.map { $0["id"] } == ["a", "b"])
    #expect(table.rows[0].list("form") == ["x y", "z"])
    #expect(try table.rows[0].number("n") == 1.5)
    #expect(table.rows[1]["form"] == "" && table.rows[1]["nothing"] == "")
    #expect(table.rows.map(\.line) == [5, 6])
  }

  @Test func `a missing column is named with its line`() {
    #expect(throws: DataTableError(table: "t", line: 2, column: "source", problem: "the column is missing")) {
      try DataTable(name: "t", text: "# x\nid\tform\n", required: ["id", "source"])
    }
  }

  @Test func `a row may not be longer than the head`() {
    #expect(throws: DataTableError(table: "t", line: 2, column: "", problem: "3 cells, but 2 columns")) {
      try DataTable(name: "t", text: "id\tform\na\tb\tc\n")
    }
  }

  @Test func `a key may not stand twice`() {
    let error = #expect(throws: DataTableError.self) {
      try DataTable(name: "t", text: "id\na\nb\na\n", uniqueKey: "id")
    }
    #expect(error?.line == 4 && error?.column == "id")
    #expect(error?.description == "t, line 4, column id: 'a' stands there twice")
  }

  @Test(arguments: ["", "# only: comments\n", "\n\n"]) func `a table without a head is refused`(text: String) {
    #expect(throws: DataTableError.self) { try DataTable(name: "t", text: text) }
  }

  @Test func `a cell that is no number says so`() throws {
    let table = try DataTable(name: "t", text: "id\tn\na\tmany\n")
    let error = #expect(throws: DataTableError.self) { try table.rows[0].number("n") }
    #expect(error?.description == "t, line 2, column n: 'many' is not a number")
  }

  @Test func `of a long value an error shows the beginning`() throws {
    let table = try DataTable(name: "t", text: "id\tn\na\t" + String(repeating: "x", count: 50_000) + "\n")
    let error = #expect(throws: DataTableError.self) { try table.rows[0].number("n") }
    #expect(error.map { $0.description.count < 300 && $0.description.hasSuffix("…' is not a number") } == true)
  }
}
