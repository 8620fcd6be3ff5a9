import Answering
import Clinical
import Foundation
import Testing
import VetNetTestSupport

@testable import VetNet

/// What is worked out of the tables beforehand: the same as the tables, or not used.
@Suite struct CompiledModelsTests {
  /// A folder of models of its own, whose tables can be edited.
  private static func models() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for name in try FileManager.default.contentsOfDirectory(atPath: modelsDirectory) {
      guard !["triage", "vectorizer", CompiledModels.fileName].contains(name) else { continue }
      try FileManager.default.copyItem(atPath: "\(modelsDirectory)/\(name)", toPath: folder.file(name))
    }
    // The largest ones are read only.
    for name in ["triage", "vectorizer"] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.file(name), withDestinationPath: "\(modelsDirectory)/\(name)")
    }
    return folder
  }

  @Test func `each stage that is read back is the one that the tables make`() throws {
    let stages = try ModelFiles(path: modelsDirectory, isCompiled: false).stages()
    #expect(stages.count == 13)
    #expect(Set(stages.map(\.name)).count == stages.count)
    for stage in stages {
      let bytes = try stage.packed()
      #expect(bytes.count > 1000, "\(stage.name)")
      #expect(try stage.repacked(bytes) == bytes, "\(stage.name)")
      // The same tables give the same file.
      #expect(try stage.packed() == bytes, "\(stage.name)")
    }
  }

  @Test func `a question is answered by compiled stages as by the tables`() throws {
    let folder = try Self.models()
    let written = try #require(try ModelDirectory(path: folder.path).compile(into: folder.path))
    #expect(written > 100_000)
    let compiled = ModelFiles(path: folder.path)
    let file = try #require(compiled.compiled)
    // Every stage comes from the file.
    for section in try compiled.sections() {
      let isThere = try file.value(section.name, key: { section.key }) { unpacker throws(PackingError) in
        while !unpacker.isAtEnd { _ = try unpacker.value(UInt8.self) }
        return true
      }
      #expect(isThere == true, "\(section.name)")
    }
    let place = try TemporaryFolder()
    _ = try SampleCorpus.practice(at: place.file("p.vetnet"))
    func answers(_ models: ModelDirectory) throws -> [String] {
      let practice = try Practice.open(at: place.file("p.vetnet"), models: models, access: .read)
      return try Self.questions().map { question in
        let answer = try practice.answers.ask(
          question.text, patient: question.patient, askedAt: SmallClinic.at("2026-11-20T18:00"))
        return "\(question.text): \(answer.answerClass) \(answer.text) \(answer.sentences) \(answer.citations)"
      }
    }
    let slow = try answers(ModelDirectory(path: folder.path, isCompiled: false))
    let fast = try answers(ModelDirectory(path: folder.path))
    #expect(slow.count > 20)
    for (one, other) in zip(slow, fast) { #expect(one == other) }
  }

  private struct Asked {
    let text: String
    let patient: String?
  }

  /// Those of a labelled set, and some to the whole practice.
  private static func questions() throws -> [Asked] {
    let lines = try String(
      contentsOfFile: projectDirectory + "/Evaluations/questions/dev/questions.jsonl", encoding: .utf8)
    let set = try lines.split(separator: "\n").map { line in
      let row = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      return Asked(text: try #require(row["question"] as? String), patient: row["patient_id"] as? String)
    }
    return Portion.of(set, every: 2)
      + ["who is on meloxicam?", "which cats had a dental?", "any dogs with seizures"].map {
        Asked(text: $0, patient: nil)
      }
  }

  @Test func `a table that was edited since is read itself`() throws {
    let folder = try Self.models()
    _ = try ModelDirectory(path: folder.path).compile(into: folder.path)
    // Names what each text becomes in an index.
    let before = try ModelDirectory(path: folder.path).indexRulesVersion()
    #expect(try before == ModelDirectory(path: folder.path, isCompiled: false).indexRulesVersion())
    let table = folder.file("lexicon/stop-words.tsv")
    // As long as before: what counts is what stands there.
    var text = try String(contentsOfFile: table, encoding: .utf8)
    let row = try #require(text.split(separator: "\n").last { !$0.hasPrefix("#") }.map(String.init))
    let word = try #require(row.split(separator: "\t").first.map(String.init))
    text = text.replacingOccurrences(of: "\n\(word)\t", with: "\nzzyzx\t")
    try Data(text.utf8).write(to: URL(filePath: table))
    let after = try ModelDirectory(path: folder.path).indexRulesVersion()
    #expect(after != before)
    #expect(try after == ModelDirectory(path: folder.path, isCompiled: false).indexRulesVersion())
  }

  @Test(
    "names and forms that were edited since are read in the tables that use them",
    arguments: [
      ("lexicon/names.tsv", ["thesaurus", "concepts", "facts"], "lexicon"),
      (PhraseNotation.verbFile, ["assertions", "concepts", "questions", "signs", "synonyms"], "lexicon"),
    ])
  func edited(named: String, naming: [String], other: String) throws {
    let folder = try Self.models()
    _ = try ModelDirectory(path: folder.path).compile(into: folder.path)
    let files = ModelFiles(path: folder.path)
    let file = try #require(files.compiled)
    let stages = try files.stages()
    func isUsed(_ name: String) throws -> Bool {
      let stage = try #require(stages.first { $0.name == name })
      return try file.value(name, key: { try files.key(of: stage.sources) }) { unpacker throws(PackingError) in
        while !unpacker.isAtEnd { _ = try unpacker.value(UInt8.self) }
        return true
      } ?? false
    }
    for name in naming { #expect(try isUsed(name), "\(name)") }
    let table = folder.file(named)
    let text = try String(contentsOfFile: table, encoding: .utf8)
    try Data(("# edited\n" + text).utf8).write(to: URL(filePath: table))
    for name in naming { #expect(try !isUsed(name), "\(name)") }
    // Which has nothing of it.
    #expect(try isUsed(other))
  }

  @Test func `each stage is made of the files that its key covers`() throws {
    let folder = try TemporaryFolder()
    let models = URL(filePath: modelsDirectory).resolvingSymlinksInPath().path
    let tables = try FileManager.default.subpathsOfDirectory(atPath: models).filter { $0.hasSuffix(".tsv") }
    for table in tables {
      let place = URL(filePath: folder.file(table))
      try FileManager.default.createDirectory(at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
      try FileManager.default.copyItem(atPath: "\(models)/\(table)", toPath: place.path)
    }
    let files = ModelFiles(path: folder.path)
    for stage in try files.stages() {
      let covered = try files.digests(of: stage.sources).map(\.file)
      let others = tables.filter { !covered.contains($0) }
      #expect(others.count > 50, "\(stage.name)")
      for table in others {
        try FileManager.default.moveItem(atPath: folder.file(table), toPath: folder.file(table) + ".away")
      }
      #expect(throws: Never.self, "\(stage.name)") { try stage.packed() }
      for table in others {
        try FileManager.default.moveItem(atPath: folder.file(table) + ".away", toPath: folder.file(table))
      }
    }
  }

  @Test func `a file that is cut, changed or another build's is passed over`() throws {
    let files = ModelFiles(path: modelsDirectory, isCompiled: false)
    let sections = try files.stages().prefix(1).map {
      CompiledModels.Section(name: $0.name, key: 7, bytes: try $0.packed())
    }
    let folder = try TemporaryFolder()
    let path = folder.file(CompiledModels.fileName)
    try CompiledModels.write(sections, build: [1, 2, 3], into: folder.path)
    let whole = try Data(contentsOf: URL(filePath: path))
    func isUsed() throws -> Bool {
      try CompiledModels(in: folder.path, build: [1, 2, 3])?.value(
        sections[0].name, key: { 7 },
        { unpacker throws(PackingError) in
          while !unpacker.isAtEnd { _ = try unpacker.value(UInt8.self) }
          return true
        }) ?? false
    }
    #expect(try isUsed())
    #expect(CompiledModels(in: folder.path, build: [1, 2, 4]) == nil)
    #expect(CompiledModels(in: folder.path, build: []) == nil)
    let otherKey = try CompiledModels(in: folder.path, build: [1, 2, 3])?.value(
      sections[0].name, key: { 8 }, { _ throws(PackingError) in true })
    #expect(otherKey == nil)
    for count in [0, 1, 15, 16, 17, 24, 40, whole.count / 2, whole.count - 1] {
      try whole.prefix(count).write(to: URL(filePath: path))
      #expect(try !isUsed(), "\(count) of \(whole.count) bytes")
    }
    var generator = SplitMix64(seed: 20_261_128)
    for _ in 0..<200 {
      var bytes = whole
      let place = Int(generator.next() % UInt64(bytes.count))
      bytes[place] ^= 1 << UInt8(generator.next() % 8)
      try bytes.write(to: URL(filePath: path))
      #expect(try !isUsed(), "byte \(place)")
    }
    try FileManager.default.removeItem(atPath: path)
    #expect(try !isUsed())
  }

  @Test func `a table that can't be used is named and nothing is written`() throws {
    let folder = try Self.models()
    let table = folder.file("briefing/attributes.tsv")
    let text = try String(contentsOfFile: table, encoding: .utf8)
    try Data((text + "broken\tx\n").utf8).write(to: URL(filePath: table))
    let error = #expect(throws: PracticeError.self) { try ModelDirectory(path: folder.path).compile(into: folder.path) }
    #expect(error?.description.contains("attributes.tsv, line") == true)
    #expect(!FileManager.default.fileExists(atPath: folder.file(CompiledModels.fileName)))
  }

  @Test func `the command compiles for its own build, readable by everybody`() throws {
    let folder = try Self.models()
    let vetnet = try VetNetProcess(practice: folder.file("p.vetnet"))
    let outcome = try vetnet.run("compile-models", "--models", folder.path, "--out", folder.path)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let path = folder.file(CompiledModels.fileName)
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o644)
    // These tests are another program.
    #expect(ModelFiles(path: folder.path).compiled == nil)
    // Where nobody may write, the error names the file.
    let refused = try vetnet.run("compile-models", "--models", folder.path, "--out", folder.file("nowhere"))
    #expect(refused.status == 1 && refused.errors.contains("nowhere/\(CompiledModels.fileName)"))
  }
}
