import Foundation
import Testing
import VetNetTestSupport

/// The README's example is what the program prints.
struct ReadmeTests {
  @Test func `the answer that the README shows is the one that is given`() throws {
    let readme = try String(contentsOfFile: projectDirectory + "/README.md", encoding: .utf8)
    let folder = try TemporaryFolder()
    let vetnet = try SampleCorpus.practice(at: folder.file("p.vetnet"))
    let answer = try vetnet.run("ask", "why was meloxicam stopped?", "--patient", "P001", "--now", "2026-11-20T18:00")
    #expect(readme.contains(answer.output.trimmingCharacters(in: .newlines)))
    let triage = try vetnet.run(
      "triage", "--patient", "P017", "--text",
      "Thumper hasnt touched his greens since last night, no poos in the tray and he is sat hunched up grinding his teeth",
      "--now", "2026-11-20T18:00")
    #expect(readme.contains(triage.output.trimmingCharacters(in: .newlines)))
  }
}

/// What the README says of how good the program is stands in runs that are kept.
struct ReadmeFigureTests {
  /// A row of the table of figures.
  private struct Row {
    let cells: [String]
    let file: String
  }

  private func rows() throws -> [Row] {
    let readme = try String(contentsOfFile: projectDirectory + "/README.md", encoding: .utf8)
    let section = try #require(
      readme.components(separatedBy: "## How good it is").last?.components(separatedBy: "\n## ")[0])
    let lines = section.split(separator: "\n").filter { $0.hasPrefix("|") }
    #expect(lines.first?.contains("opened before") == true)
    return try lines.dropFirst(2).map { line in
      let cells = line.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false)
        .map { $0.trimmingCharacters(in: .whitespaces) }
      let link = try #require(
        cells.last?.firstMatch(of: /\]\((Evaluations\/runs\/[^)]+\.json)\)/), "\(line) names no run")
      return Row(cells: cells, file: String(link.1))
    }
  }

  /// Every number in a JSON value.
  private func numbers(in value: Any) -> [Double] {
    switch value {
    case let object as [String: Any]: object.values.flatMap(numbers)
    case let list as [Any]: list.flatMap(numbers)
    case let number as NSNumber: [number.doubleValue]
    default: []
    }
  }

  @Test func `every figure of the README is in the run that it names`() throws {
    let rows = try rows()
    #expect(rows.count > 20)
    for row in rows {
      let path = projectDirectory + "/" + row.file
      let data = try #require(FileManager.default.contents(atPath: path), "\(row.file) is not kept")
      let known = numbers(in: try JSONSerialization.jsonObject(with: data))
      let figures = row.cells[3]
      var count = 0
      for match in figures.matches(of: /(?:[0-9][0-9,]*)?\.[0-9]+|[0-9]+,[0-9]{3}/) {
        let text = match.0.replacing(",", with: "")
        let value = try #require(Double(text.hasPrefix(".") ? "0" + text : String(text)))
        let half =
          0.5000001
          * pow(10, -Double(text.split(separator: ".", omittingEmptySubsequences: false).dropFirst().last?.count ?? 0))
        #expect(known.contains { abs($0 - value) <= half }, "\(match.0) is not in \(row.file)")
        count += 1
      }
      #expect(count > 0, "\(row.file): no figures")
      // Outside of the table nobody finds the run: no figure stands there.
      #expect(row.cells.count == 5)
    }
  }

  @Test func `figures stand in the table only, and every row of cases says how often they had been opened`() throws {
    let readme = try String(contentsOfFile: projectDirectory + "/README.md", encoding: .utf8)
    let section = try #require(
      readme.components(separatedBy: "## How good it is").last?.components(separatedBy: "\n## ")[0])
    for line in section.split(separator: "\n") where !line.hasPrefix("|") {
      #expect(!line.contains(/[^0-9]\.[0-9]|[0-9] ?(%|ms|s )/), "\(line)")
    }
    for row in try rows() where !row.file.contains("bench-") && !row.file.contains("peers-") {
      #expect(!row.cells[2].isEmpty, "\(row.file)")
    }
    for claim in ["written and read by people", "read by three", "panel of"] { #expect(!readme.contains(claim)) }
    #expect(section.contains("Evaluations/README.md#whose-texts-and-labels-these-are"))
  }

  @Test func `whose texts and labels these are is said in one place, and every page of labels links to it`() throws {
    let evaluations = projectDirectory + "/Evaluations"
    let statement = try String(contentsOfFile: evaluations + "/README.md", encoding: .utf8)
    #expect(statement.contains("## Whose texts and labels these are"))
    #expect(statement.contains("machine-written") && statement.contains("No vet has checked"))
    let anchor = "README.md#whose-texts-and-labels-these-are"
    let labelled = ["assertions", "complexity", "exemplars", "questions", "retrieval", "triage"].map {
      "Evaluations/\($0)/README.md"
    }
    let cards = ["briefing", "complexity", "extraction", "triage", "vectorizer"].map { "Models/\($0)/CARD.md" }
    for file in labelled + cards + ["Corpus/README.md"] {
      let text = try String(contentsOfFile: projectDirectory + "/" + file, encoding: .utf8)
      #expect(text.contains(anchor), "\(file)")
      #expect(!text.contains(/(three|two more) (independent )?readers|read by three|veterinary surgeon/), "\(file)")
    }
  }
}
