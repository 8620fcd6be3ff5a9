import Chart
import Clinical
import Extraction
import RecordTestSupport
import Testing
import VetNetTestSupport

@Suite struct LexiconTableTests {
  @Test func `every plan cue's example is marked and its negative example is not`() throws {
    let cues = try Fixtures.cues.get()
    for row in try Fixtures.cueTable.get().rows {
      func marks(_ text: String) -> Bool {
        let note = note("N1", "2026-01-01", text)
        let all = 0..<text.utf8.count
        return switch row["use"] {
        case "plan": cues.mark(all, of: note)
        case "task": cues.mark(all, of: note) && cues.marksTask(all, of: note)
        default: cues.marksDoseChange(all, of: note)
        }
      }
      #expect(marks(row["example"]), "\(row["id"])")
      #expect(!marks(row["negative_example"]), "\(row["id"])")
    }
  }

  @Test func `prevention groups know the names that facts have`() throws {
    let groups = try Fixtures.groups.get()
    let facts = try Fixtures.extractors.get().facts
    for text in ["DHP+L4 given today.", "F3 + FeLV given.", "Myxo-RHD booster given.", "KC given.", "Wormed today."] {
      for fact in facts.facts(in: text, kind: .consult) where fact.kind == .vaccination || fact.kind == .parasiteControl
      {
        #expect(groups.group(of: fact.name).rank != .max, "\(fact.name)")
      }
    }
  }

  @Test func `a use or a name that is given twice is refused`() throws {
    #expect(throws: DataTableError.self) {
      try PlanCues(table: DataTable(name: "t", text: "id\tuse\tphrases\na\twish\tring"))
    }
    #expect(throws: DataTableError.self) {
      try PreventionGroups(table: DataTable(name: "t", text: "id\tlabel\trank\tnames\na\tA\t1\tDHP\nb\tB\t2\tDHP"))
    }
  }
}
