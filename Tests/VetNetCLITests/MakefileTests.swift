import Foundation
import Testing
import VetNetTestSupport

/// What the Makefile promises, with stand-ins for the compiler and, where it is not asked for, the program.
struct MakefileTests {
  private struct Outcome {
    let status: Int32
    let output: String
  }

  /// Runs make in the project as a shell would, apart from a make that runs the tests.
  private func make(_ arguments: String..., stubs: [String: String] = [:], in folder: TemporaryFolder) throws -> Outcome
  {
    for (name, script) in stubs {
      let file = folder.file(name)
      try ("#!/bin/bash\n" + script).write(toFile: file, atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file)
    }
    let output = folder.file("output-\(UUID().uuidString)")
    FileManager.default.createFile(atPath: output, contents: nil)
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/make")
    process.arguments = ["-C", projectDirectory, "--no-print-directory"] + arguments
    process.environment = [
      "PATH": "\(URL(filePath: output).deletingLastPathComponent().path):/usr/bin:/bin", "HOME": "/nonexistent",
    ]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: URL(filePath: output))
    process.standardError = process.standardOutput
    try process.run()
    process.waitUntilExit()
    return Outcome(status: process.terminationStatus, output: try String(contentsOfFile: output, encoding: .utf8))
  }

  /// The sets of `Evaluations/unseen.tsv`.
  private func unseenSets() throws -> [(suite: String, path: String, opened: Int)] {
    let text = try String(contentsOfFile: projectDirectory + "/Evaluations/unseen.tsv", encoding: .utf8)
    return try text.split(separator: "\n").filter { !$0.hasPrefix("#") }.dropFirst().map { line in
      let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      try #require(cells.count == 4)
      return (cells[0], cells[1], try #require(Int(cells[2])))
    }
  }

  @Test func `sets that nobody looks at on the way are in no other target`() throws {
    let folder = try TemporaryFolder()
    let sets = try unseenSets()
    #expect(sets.count >= 4)
    for split in ["dev", "test"] {
      let recipe = try make("-n", "-o", "build", "evaluate", "SPLIT=\(split)", in: folder)
      #expect(recipe.status == 0 && recipe.output.contains("evaluate duration"))
      for set in sets { #expect(!recipe.output.contains(set.path), "\(set.path)") }
    }
    let fit = try make("-n", "-o", "build", "fit-answers", in: folder)
    #expect(fit.output.contains("Evaluations/questions/harbour"))
    for set in sets {
      #expect(!fit.output.contains(set.path), "\(set.path)")
      #expect(FileManager.default.fileExists(atPath: projectDirectory + "/" + set.path), "\(set.path)")
    }
  }

  @Test func `an unseen set is opened for a reason, which is kept before it is measured`() throws {
    let folder = try TemporaryFolder()
    let runs = URL(filePath: folder.file("x")).deletingLastPathComponent().path
    let stub = ["fake-vetnet": "echo \"RUN $*\"\n"]
    func open(_ arguments: String...) throws -> Outcome {
      try make(
        "-o", "build", "evaluate-unseen", "VETNET=\(runs)/fake-vetnet", "RUNS=\(runs)", arguments.first ?? "A=",
        arguments.last ?? "A=", stubs: stub, in: folder)
    }
    let log = runs + "/unseen-openings.tsv"
    let unasked = try open()
    #expect(unasked.status != 0 && unasked.output.contains("WHY=reason is needed"))
    let unknown = try open("WHY=a trial", "SETS=Evaluations/nowhere")
    #expect(unknown.status != 0 && !unknown.output.contains("RUN"))
    #expect(!FileManager.default.fileExists(atPath: log))

    let set = try #require(try unseenSets().first { $0.suite == "questions" })
    let one = try open("WHY=a trial", "SETS=\(set.path)")
    #expect(one.status == 0)
    #expect(one.output.contains("\(set.path): opened \(set.opened) times before"))
    #expect(one.output.contains("RUN evaluate questions \(set.path) --runs \(runs) --figures-only"))
    let all = try open("WHY=the release")
    #expect(all.status == 0 && all.output.contains("\(set.path): opened \(set.opened + 1) times before"))
    let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").map {
      $0.split(separator: "\t").map(String.init)
    }
    #expect(lines.map { $0[2] } == [set.path] + (try unseenSets().map(\.path)))
    #expect(lines.map { $0[3] } == ["a trial"] + Array(repeating: "the release", count: lines.count - 1))
    #expect(lines.allSatisfy { $0.count == 4 && $0[0].hasSuffix("Z") && $0[1].count >= 7 })
  }

  @Test func `an unseen set with violations keeps no other set from being measured, and make fails`() throws {
    let folder = try TemporaryFolder()
    let runs = URL(filePath: folder.file("x")).deletingLastPathComponent().path
    let stub = ["fake-vetnet": "echo \"RUN $*\"\n[ \"$2\" != floors ]\n"]
    let outcome = try make(
      "-o", "build", "evaluate-unseen", "VETNET=\(runs)/fake-vetnet", "RUNS=\(runs)", "WHY=the release", stubs: stub,
      in: folder)
    #expect(outcome.status != 0)
    for set in try unseenSets() { #expect(outcome.output.contains("RUN evaluate \(set.suite) \(set.path) ")) }
  }

  @Test(arguments: [true, false])
  func `make test runs each target's tests, says what failed and the sum, and keeps the rest in a file`(passes: Bool)
    throws
  {
    let folder = try TemporaryFolder()
    let log = folder.file("test.log")
    // Stands for the tests of one target: all but one pass, or one target's end without a word.
    let program = """
      target="${4#^}"; target="${target%??}"
      for i in $(seq 200); do echo "✔ Test \"number $i of $target\" passed after 0.001 seconds."; done
      if [ $target = StoreTests ] && \(passes ? "false" : "true"); then
        echo '✘ Test "it adds up" recorded an issue at A.swift:1:1: Expectation failed: 1 == 2'
        echo '↳ as it should'
        echo '✘ Test run with 3 tests in 1 suite failed after 1.000 seconds with 1 issue.'
        exit 1
      fi
      if [ $target = SyncTests ] && \(passes ? "false" : "true"); then echo 'Out of memory'; exit 139; fi
      echo '✔ Test run with 3 tests in 1 suite passed after 1.000 seconds.'

      """
    let outcome = try make(
      "test-only", "LOG=\(log)", "DEBUG=true", "TEST_PROGRAM=\(folder.file("program"))",
      stubs: ["swift": "[ \"$1\" = build ]\n", "program": program], in: folder)
    let targets = try FileManager.default.contentsOfDirectory(atPath: projectDirectory + "/Tests")
      .filter { $0.hasSuffix("Tests") }
    #expect((outcome.status == 0) == passes)
    let sum =
      passes
      ? "✔ Test run with \(3 * targets.count) tests in \(targets.count) suites passed after"
      : "✘ Test run with \(3 * (targets.count - 1)) tests in \(targets.count - 1) suites failed after"
    #expect(outcome.output.contains(sum) && outcome.output.contains(log), "\(outcome.output)")
    #expect(outcome.output.contains("A.swift:1:1") == !passes)
    #expect(outcome.output.contains("as it should") == !passes)
    #expect(outcome.output.contains("SyncTests ended with status 139") == !passes)
    #expect(outcome.output.contains("Out of memory") == !passes)
    #expect(!outcome.output.contains("number 7"))
    let kept = try String(contentsOfFile: log, encoding: .utf8)
    for target in targets { #expect(kept.contains("number 199 of \(target)"), "\(target)") }
  }

  @Test func `every target of tests has the folder that make test looks for`() throws {
    let package = try String(contentsOfFile: projectDirectory + "/Package.swift", encoding: .utf8)
    let named =
      package.matches(of: /(?m)^ +tests\(\s*"(\w+)"/).map { "\($0.output.1)Tests" }
      + package.matches(of: /\.testTarget\(\s*name: "(\w+)"/).map { String($0.output.1) }
    let folders = try FileManager.default.contentsOfDirectory(atPath: projectDirectory + "/Tests")
      .filter { $0.hasSuffix("Tests") }
    #expect(named.count > 20 && named.sorted() == folders.sorted())
  }

  // `make check-install` does the whole main job with the program that ships.
  @Test func `what is installed works without the clone, stripped and without training texts`() throws {
    let folder = try TemporaryFolder()
    var vetnet = try VetNetProcess(practice: folder.file("unused.vetnet"))
    let place = folder.file("root")
    let install = try make(
      "-o", "build", "install", "VETNET=\(vetnet.executable)", "DESTDIR=\(place)", "PREFIX=/usr", in: folder)
    #expect(install.status == 0 && install.output.contains("install -s -m 755"), "\(install.output)")
    let models = place + "/usr/share/vetnet/Models"
    let files = try FileManager.default.subpathsOfDirectory(atPath: models)
    #expect(files.contains("triage/case-model.vnm") && !files.contains { $0.hasSuffix("exemplars.tsv") })
    // It finds what is installed beside it, with nothing said of where that is.
    vetnet.environment["VETNET_MODELS"] = nil
    vetnet.executable = place + "/usr/bin/vetnet"
    try vetnet.run("init", "--time-zone", "Europe/London")
    let answer = try vetnet.run(
      "triage", "--text", "my cat is not breathing and her gums are blue", "--species", "cat", "--json"
    ).json()
    #expect(answer["urgency"] as? String == "red")
    let neighbours = try #require(answer["neighbours"] as? [[String: Any]])
    #expect(!neighbours.isEmpty && neighbours.allSatisfy { $0["id"] != nil && $0["text"] == nil })
    // Fitting needs the texts, and says where they are.
    let fit = try vetnet.run("evaluate", "fit-triage")
    #expect(fit.status != 0 && fit.errors.contains("training texts"))
  }

  @Test func `every fitted file has a target that makes it from what is in the repository`() throws {
    let folder = try TemporaryFolder()
    let fitted = [
      "triage/case-model.vnm": "evaluate fit-triage", "triage/rule-trust.tsv": "evaluate fit-triage",
      "triage/level-calibration.tsv": "evaluate fit-triage",
      "extraction/reaction-weights.tsv": "evaluate fit-reactions",
      "briefing/answer-weights.tsv": "evaluate fit-answers", "briefing/answer-translations.tsv": "evaluate fit-answers",
      "briefing/answer-replies.tsv": "evaluate fit-answers",
      "names/evidence-weights.tsv": "evaluate fit-names",
      "triage/known-words.tsv": "evaluate known-words", "vectorizer/default.vnm": "reindex --train-default Corpus",
    ]
    let page = try String(contentsOfFile: modelsDirectory + "/README.md", encoding: .utf8)
    for (file, command) in fitted {
      #expect(FileManager.default.fileExists(atPath: "\(modelsDirectory)/\(file)"))
      let recipe = try make("-n", "-o", "build", "Models/\(file)", in: folder)
      #expect(recipe.status == 0 && recipe.output.contains(command), "\(file)")
      #expect(page.contains("`\(file)`"), "\(file)")
      for word in recipe.output.split(whereSeparator: { " \n".contains($0) })
      where word.hasPrefix("Evaluations/") || word == "Corpus" {
        #expect(FileManager.default.fileExists(atPath: "\(projectDirectory)/\(word)"), "\(word)")
      }
    }
  }
}
