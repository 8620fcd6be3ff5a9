import Clinical
import Foundation
import Testing
import VetNetTestSupport

@testable import Evaluation

struct RunRecordTests {
  @Test func `a run's section replaces the one of its name and leaves the others`() {
    var readme = RunFolder.replacing("bench practice", in: "# Runs\n", with: ["- first"])
    readme = RunFolder.replacing("evaluate retrieval", in: readme, with: ["- other", "", "| a |"])
    readme = RunFolder.replacing("bench practice", in: readme, with: ["- second"])
    #expect(readme == "# Runs\n\n## bench practice\n\n- second\n\n## evaluate retrieval\n\n- other\n\n| a |\n")
  }

  @Test func `runs of a day and machine share a folder`() throws {
    let temporary = try TemporaryFolder()
    let date = try #require(CalendarDate(iso: "2026-11-21"))
    let machine = Machine(name: "2-core-linux", cores: 2, processor: "Example 3000", memoryGigabytes: 4)
    let folder = RunFolder(runs: temporary.path, date: date, machine: machine)
    #expect(folder.path == temporary.path + "/2026-11-21-2-core-linux")
    try folder.keep("one", file: "one.json", content: Array("{}".utf8), section: ["- a"])
    try folder.keep("two", file: "two.json", content: Array("[]".utf8), section: ["- b"])
    #expect(try String(contentsOfFile: folder.path + "/one.json", encoding: .utf8) == "{}")
    let readme = try String(contentsOfFile: folder.path + "/README.md", encoding: .utf8)
    #expect(readme == "# Runs of 2026-11-21-2-core-linux\n\n## one\n\n- a\n\n## two\n\n- b\n")
  }

  @Test func `this machine has cores and a name without a host's`() {
    let machine = Machine.current()
    #expect(machine.cores >= 1 && machine.name == "\(machine.cores)-core-linux")
  }

  @Test(arguments: [(0.3985, 3, "0.399"), (-0.0004, 3, "0.000"), (-1.5, 0, "-2"), (12, 1, "12.0"), (0.05, 2, "0.05")])
  func `numbers are rounded to their places`(value: Double, places: Int, text: String) {
    #expect(TextTable.decimals(value, places) == text)
  }

  @Test func `columns line up`() {
    let table = TextTable(head: ["system", "map"], rows: [["a", "0.1"], ["longer name", "0.25"]])
    #expect(table.lines == ["system        map", "a             0.1", "longer name  0.25"])
    #expect(table.markdown == ["| system | map |", "|---|---:|", "| a | 0.1 |", "| longer name | 0.25 |"])
  }
}
