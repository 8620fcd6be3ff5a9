import Foundation
import Testing
import VetNetTestSupport

/// What tables cite can be looked up in `Models/SOURCES.md`.
struct SourcesTests {
  /// Keys with the cells of their rows.
  private static func works() throws -> [String: [String]] {
    let text = try String(contentsOfFile: modelsDirectory + "/SOURCES.md", encoding: .utf8)
    var works: [String: [String]] = [:]
    for line in text.split(separator: "\n") where line.hasPrefix("| ") {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells[0] != "key" else { continue }
      #expect(works[cells[0]] == nil, "\(cells[0]) stands twice")
      works[cells[0]] = cells
    }
    return works
  }

  /// Every text of a table or protocol that says where something is from, once, with a place of it.
  private static func citations() throws -> [(place: String, text: String)] {
    var seen: Set<String> = []
    return try all().filter { seen.insert($0.text).inserted }
  }

  private static func all() throws -> [(place: String, text: String)] {
    let folder = URL(filePath: modelsDirectory)
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    var citations: [(String, String)] = []
    while let file = files?.nextObject() as? URL {
      switch file.pathExtension {
      case "tsv":
        var column: Int?
        let text = try String(contentsOf: file, encoding: .utf8)
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
          let place = "\(file.lastPathComponent):\(number + 1)"
          if line.hasPrefix("# source:") { citations.append((place, String(line))) }
          if line.hasPrefix("#") || line.isEmpty { continue }
          let cells = line.split(separator: "\t", omittingEmptySubsequences: false)
          guard let found = column else {
            column = cells.firstIndex(of: "source") ?? -1
            continue
          }
          if cells.indices.contains(found) { citations.append((place, String(cells[found]))) }
        }
      case "json":
        let text = try String(contentsOf: file, encoding: .utf8)
        for match in text.matches(of: /"source": "([^"]*)"/) {
          citations.append((file.lastPathComponent, String(match.1)))
        }
      default: continue
      }
    }
    return citations
  }

  @Test func `every work that a table cites is in the list of sources, with where to find it and how it was seen`()
    throws
  {
    let works = try Self.works()
    var cited: Set<String> = []
    for citation in try Self.citations() {
      for key in citation.text.matches(of: /\[([A-Za-z]+[0-9]*[a-z]?)\]/).map({ String($0.1) }) {
        #expect(works[key] != nil, "\(citation.place) cites \(key)")
        cited.insert(key)
      }
      let words = citation.text.split { !$0.isLetter && !$0.isNumber }
      for key in ["GK", "EP"] where words.contains(key[...]) {
        #expect(works[key] != nil, "\(citation.place) cites \(key)")
      }
    }
    #expect(cited.count >= 8)
    for (key, cells) in works where key != "GK" && key != "EP" {
      #expect(cells.count == 4 && cells[1].count > 30, "\(key) can't be looked up")
      #expect("PSM".contains(cells[2].prefix(1)) && !cells[2].isEmpty, "\(key) says not how it was seen")
    }
  }

  @Test func `nothing cites a sheet or a contract that is not in the repository`() throws {
    for citation in try Self.citations() {
      #expect(!citation.text.contains(/\b(D[O]MAIN|D[E]SIGN)\b|sheet/), "\(citation.place): \(citation.text)")
    }
  }
}
