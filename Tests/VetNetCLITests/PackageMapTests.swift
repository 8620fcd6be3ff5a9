import Foundation
import Testing
import VetNetTestSupport

/// The arrows between targets: no wider in Package.swift than in the sources, and the same on the architecture page.
struct PackageMapTests {
  private struct Target {
    let name: String
    let folder: String
    let dependencies: [String]
  }

  /// Targets as they are written in `Package.swift`: `module("Name", ["Needed"])`, `tests("Name", ["Needed"])` and the program.
  private func targets() throws -> [Target] {
    let text = try String(contentsOfFile: projectDirectory + "/Package.swift", encoding: .utf8)
    func names(_ list: Substring?) -> [String] { list?.matches(of: #/"(\w+)"/#).map { String($0.1) } ?? [] }
    var found: [Target] = []
    for match in text.matches(of: #/(module|tests)\(\s*"(\w+)"(?:,\s*\[([^\]]*)\])?/#) {
      let folder = match.1 == "tests" ? "Tests/\(match.2)Tests" : "Sources/\(match.2)"
      found.append(Target(name: String(match.2), folder: folder, dependencies: names(match.3)))
    }
    let program = try #require(text.firstMatch(of: #/name: "VetNetCLI",\s*dependencies: \[([^\]]*)\]/#))
    found.append(Target(name: "VetNetCLI", folder: "Sources/VetNetCLI", dependencies: names(program.1)))
    return found
  }

  private func imports(under folder: String) throws -> Set<String> {
    var found: Set<String> = []
    let root = projectDirectory + "/" + folder
    let files = try #require(FileManager.default.enumerator(atPath: root))
    for case let file as String in files where file.hasSuffix(".swift") {
      let text = try String(contentsOfFile: root + "/" + file, encoding: .utf8)
      for line in text.split(separator: "\n") {
        let words = line.split(separator: " ")
        if words.count <= 3, let place = words.firstIndex(of: "import"), place + 1 < words.count {
          found.insert(String(words[place + 1]))
        }
      }
    }
    return found
  }

  @Test func `every dependency in Package swift is imported by its target`() throws {
    let targets = try targets()
    #expect(targets.count > 25)
    for target in targets {
      let unused = Set(target.dependencies).subtracting(try imports(under: target.folder))
      #expect(unused.isEmpty, "\(target.folder) doesn't import \(unused.sorted().joined(separator: ", "))")
    }
  }

  @Test func `the architecture page has the arrows of Package swift`() throws {
    let page = try String(
      contentsOfFile: projectDirectory + "/Sources/VetNet/VetNet.docc/Architecture.md", encoding: .utf8)
    for target in try targets() where target.folder.hasPrefix("Sources/") {
      let seen = target.dependencies.isEmpty ? "nothing" : target.dependencies.map { "`\($0)`" }.joined(separator: ", ")
      #expect(page.contains("| `\(target.name)` | \(seen) |"), "\(target.name) sees \(seen)")
    }
  }
}
