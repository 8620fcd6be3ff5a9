import Clinical
import Foundation
import Testing
import VetNetTestSupport

@testable import Network
@testable import Store

/// What practices give away, and what comes of it.
struct NetworkShareTests {
  @Test(arguments: [
    ("share-terms", ["model", "--out", "OUT", "--least", "2", "--rank", "16"]),
    ("share-cases", ["similar", "--text", "vomiting dog"]), ("share-figures", ["pool"]),
  ])
  func `nothing leaves a practice that doesn't allow it`(feature: String, words: [String]) throws {
    let group = try PracticeGroup()
    let arguments =
      [words[0], group.practices] + words.dropFirst().map { $0 == "OUT" ? group.folder.file("m.vnm") : $0 }
    let refused = try group.start(arguments).wait()
    #expect(refused.status == 1, "\(refused.errors)")
    #expect(refused.errors.contains("'\(feature)' is switched off") && refused.errors.contains("ash"))
    // Three allow it: the fourth is named and left out.
    for name in PracticeGroup.names.dropLast() {
      #expect(try group.vetnet.run("config", "feature", feature, "on", "--practice", group.path(name)).status == 0)
    }
    let outcome = try group.start(arguments + ["--json"]).wait()
    #expect(outcome.status == 3, "\(outcome.errors)")
    let failed = try #require(try outcome.json()["failed"] as? [[String: Any]])
    #expect(failed.map { $0["name"] as? String } == ["elder"])
  }

  private func model(_ group: PracticeGroup, _ options: String..., out: String) throws -> [String: Any] {
    let outcome = try group.start(["model", group.practices, "--out", out, "--json"] + options).wait()
    #expect(outcome.status == 0, "\(outcome.errors)")
    return try outcome.json()
  }

  @Test func `the model is the same bytes whatever the number of workers, and is what all notes together give`() throws
  {
    let group = try PracticeGroup(sharing: ["share-terms"])
    let key = group.folder.file("group.key")
    let signing = group.folder.file("signing.key")
    for file in [key, signing] { #expect(try group.network("key", "--out", file).status == 0) }
    let (first, second) = (group.folder.file("first.vnm"), group.folder.file("second.vnm"))
    let summary = try model(
      group, "--least", "1", "--rank", "48", "--workers", "1", "--group-key", key, "--sign", signing, out: first)
    _ = try model(
      group, "--least", "1", "--rank", "48", "--workers", "3", "--group-key", key, "--sign", signing, out: second)
    let bytes = try Data(contentsOf: URL(filePath: first))
    #expect(bytes == (try Data(contentsOf: URL(filePath: second))))
    #expect(try Data(contentsOf: URL(filePath: first + ".sig")) == Data(contentsOf: URL(filePath: second + ".sig")))
    let provenance = try #require(summary["provenance"] as? [String: Any])
    #expect((provenance["practices"] as? [String])?.count == 4 && provenance["least"] as? Int == 1)
    // Nothing of the practices' names is in it.
    let text = String(decoding: bytes, as: UTF8.self)
    for name in PracticeGroup.names { #expect(!text.contains("\"\(name)")) }
    #expect(summary["rank"] as? Int == 48)
  }

  @Test func `terms of fewer practices are in no part and not in the model`() throws {
    let group = try PracticeGroup(sharing: ["share-terms"])
    func buckets(_ least: String) throws -> Int {
      let summary = try model(
        group, "--least", least, "--rank", "8", "--passes", "2", out: group.folder.file("m\(least).vnm"))
      return try #require((summary["provenance"] as? [String: Any])?["buckets"] as? Int)
    }
    let counts = try ["1", "2", "3", "4"].map(buckets)
    #expect(counts == counts.sorted(by: >) && Set(counts).count == 4)
    #expect(
      try group.network("model", group.practices, "--out", "x.vnm", "--least", "5").errors.contains("4 practices"))
  }

  @Test func `a driver that is killed between the rounds of a model is gone on with, to the same bytes`() throws {
    let group = try PracticeGroup(sharing: ["share-terms"])
    let signing = group.folder.file("signing.key")
    #expect(try group.network("key", "--out", signing).status == 0)
    let (whole, pieced) = (group.folder.file("whole.vnm"), group.folder.file("pieced.vnm"))
    let key = group.folder.file("group.key")
    #expect(try group.network("key", "--out", key).status == 0)
    let options = [
      "--least", "2", "--rank", "16", "--passes", "3", "--workers", "1", "--group-key", key, "--sign", signing,
    ]
    let first = try group.start(["model", group.practices, "--out", whole] + options).wait()
    #expect(first.status == 0, "\(first.errors)")

    let state = group.folder.file("state")
    func round() -> Int? {
      guard let plan = try? Data(contentsOf: URL(filePath: state + "/plan.json")),
        let read = try? JSONSerialization.jsonObject(with: plan) as? [String: Any]
      else { return nil }
      return (read["progress"] as? [String: Any])?["round"] as? Int
    }
    var killedIn: [Int] = []
    var outcome: VetNetProcess.Outcome
    repeat {
      let running = try group.start(["model", group.practices, "--out", pieced, "--state", state] + options)
      let before = killedIn.last ?? 0
      // The next round's plan is there, the parts of the last round may be too.
      while running.process.isRunning, (round() ?? 0) <= before { usleep(500) }
      running.kill()
      outcome = try running.wait()
      if let left = round(), left > before { killedIn.append(left) } else { break }
    } while killedIn.count < 5
    if outcome.status != 0 {
      outcome = try group.start(["model", group.practices, "--out", pieced, "--state", state] + options).wait()
    }
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(killedIn.count >= 2, "rounds: \(killedIn)")
    for suffix in ["", ".sig"] {
      #expect(try Data(contentsOf: URL(filePath: pieced + suffix)) == Data(contentsOf: URL(filePath: whole + suffix)))
    }
    #expect(!FileManager.default.fileExists(atPath: state))
  }

  @Test func `a practice takes a model that is signed by whom it trusts, and no other`() throws {
    let group = try PracticeGroup(sharing: ["share-terms"])
    let signing = group.folder.file("signing.key")
    let other = try group.start(["key", "--out", group.folder.file("other.key"), "--json"]).wait().json()
    let own = try group.start(["key", "--out", signing, "--json"]).wait().json()
    let key = try #require(own["public_key"] as? String)
    let file = group.folder.file("group.vnm")
    _ = try model(group, "--least", "2", "--rank", "32", "--sign", signing, out: file)
    let before = try PracticeGroup.content(group.path("ash"))
    func take(_ signer: String) throws -> VetNetProcess.Outcome {
      try group.vetnet.run(
        "reindex", "--shared-model", file, "--signer", signer, "--practice", group.path("ash"), "--json")
    }
    let wrong = try take(try #require(other["public_key"] as? String))
    #expect(wrong.status == 13 && wrong.errors.contains("signed by"))
    var bytes = try Data(contentsOf: URL(filePath: file))
    bytes[bytes.count - 1] ^= 1
    try bytes.write(to: URL(filePath: file))
    let altered = try take(key)
    #expect(altered.status == 1 && altered.errors.contains("checksum"))
    #expect(try PracticeGroup.content(group.path("ash")) == before)
    bytes[bytes.count - 1] ^= 1
    try bytes.write(to: URL(filePath: file))
    let taken = try take(key)
    #expect(taken.status == 0, "\(taken.errors)")
    #expect(try taken.json()["model"] as? String == "shared")
    // It stays until another is brought.
    let again = try group.vetnet.run("reindex", "--all", "--practice", group.path("ash"), "--json")
    #expect(try again.json()["model"] as? String == "shared")
  }

  @Test func `a part that a practice made by itself is the one that its worker makes`() throws {
    let group = try PracticeGroup(sharing: ["share-terms"])
    let state = group.folder.file("state")
    let key = group.folder.file("group.key")
    #expect(try group.network("key", "--out", key).status == 0)
    let out = group.folder.file("m.vnm")
    #expect(
      try group.network("model", group.practices, "--out", out, "--least", "2", "--plan-only", "--state", state).status
        == 0)
    let (mapped, own) = (group.folder.file("mapped"), group.folder.file("own"))
    #expect(try group.network("map", state, "--shard", "1", "--out", mapped, "--group-key", key).status == 0)
    let sketched = try group.vetnet.run(
      "sketch", state, "--out", own, "--group-key", key, "--practice", group.path("birch"))
    #expect(sketched.status == 0, "\(sketched.errors)")
    let part = try Data(contentsOf: URL(filePath: own))
    #expect(part == (try Data(contentsOf: URL(filePath: mapped))))
    // Tags under another key have nothing in common.
    let foreign = group.folder.file("foreign.key")
    #expect(try group.network("key", "--out", foreign).status == 0)
    let elsewhere = group.folder.file("elsewhere")
    #expect(try group.network("map", state, "--shard", "1", "--out", elsewhere, "--group-key", foreign).status == 0)
    #expect(try Data(contentsOf: URL(filePath: elsewhere)) != part)
  }

  @Test func `the best of each practice, merged, are the best of all their notes together`() throws {
    let group = try PracticeGroup(sharing: ["share-cases"])
    // All notes in one file, indexed with the same model: the default one.
    let union = group.folder.file("union.vetnet")
    #expect(try group.vetnet.run("init", "--practice", union, "--time-zone", "Europe/London").status == 0)
    for name in PracticeGroup.names {
      let records = group.folder.file("out-\(name)")
      #expect(try group.vetnet.run("export", "--out", records, "--practice", group.path(name)).status == 0)
      let outcome = try group.vetnet.run("import", records, "--source", name, "--practice", union)
      #expect(outcome.status == 0 || outcome.status == 3, "\(outcome.errors)")
    }
    #expect(try group.vetnet.run("config", "feature", "share-cases", "on", "--practice", union).status == 0)
    for text in ["old cat losing weight, ravenous", "vomiting and diarrhoea since last night", "lame on the left hind"]
    {
      func scores(_ words: [String]) throws -> [Double] {
        let outcome = try group.start(["similar"] + words + ["--text", text, "--limit", "12", "--json"]).wait()
        #expect(outcome.status == 0, "\(outcome.errors)")
        let hits = try #require(try outcome.json()["hits"] as? [[String: Any]])
        return hits.compactMap { $0["score"] as? Double }
      }
      let merged = try scores([group.practices, "--workers", "3"])
      #expect(merged.count == 12 && merged == merged.sorted(by: >))
      #expect(try merged == scores([union]))
    }
  }

  @Test func `quotes have no names, and their places are those of the note`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("fernleigh.vetnet")
    let vetnet = try SampleCorpus.practice(at: path)
    #expect(try vetnet.run("config", "feature", "share-cases", "on").status == 0)
    let outcome = try vetnet.run(
      "network", "similar", path, "--text", "itchy dog, ear infection, owner worried", "--limit", "40", "--json")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let hits = try #require(try outcome.json()["hits"] as? [[String: Any]])
    #expect(hits.count == 40)
    let clients = try String(contentsOfFile: projectDirectory + "/Corpus/clients.jsonl", encoding: .utf8)
    let surnames = clients.matches(of: /"name": "[^"]* ([^" ]+)"/).map { String($0.1) }.filter { $0.count > 4 }
    var removed = 0
    let notes = try Connection.open(path, access: .readOnly).notes
    for hit in hits {
      let quote = try #require(hit["quote"] as? String)
      for name in surnames where quote.contains(name) {
        // A surname that is an everyday word as well may stand for that.
        #expect(quote.lowercased().contains(name) == false || name.lowercased() != name, "\(hit["note_id"] ?? "")")
      }
      let id = try #require(hit["note_id"] as? String)
      let note = try #require(try notes.notes(id: id).first).value.text
      let text = Array(note.unicodeScalars)
      let marks = try #require(hit["removed"] as? [[String: Any]])
      removed += marks.count
      // What is left between the marks stands in the note where the marks say.
      var (place, original) = (0, try #require(hit["start"] as? Int))
      let scalars = Array(quote.unicodeScalars)
      let end = try #require(hit["end"] as? Int)
      for mark in marks + [["start": scalars.count, "originalStart": end]] {
        let start = try #require(mark["start"] as? Int)
        let originalStart = try #require(mark["originalStart"] as? Int)
        #expect(Array(scalars[place..<start]) == Array(text[original..<originalStart]))
        place = mark["end"] as? Int ?? start
        original = mark["originalEnd"] as? Int ?? originalStart
      }
    }
    #expect(removed > 20)
  }

  @Test func `figures of practices are pooled, and small types stay at home`() throws {
    let group = try PracticeGroup(sharing: ["share-figures"])
    let outcome = try group.network("pool", group.practices, "--json")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let types = try #require(try outcome.json()["visit_types"] as? [[String: Any]])
    #expect(!types.isEmpty)
    for type in types {
      let rows = try #require(type["rows"] as? [[String: Any]])
      for row in rows {
        let visits = row["visits"] as? Int ?? 0, appointments = row["appointments"] as? Int ?? 0
        #expect((visits == 0 || visits >= 5) && (appointments == 0 || appointments >= 5))
      }
    }
  }

  @Test func `suites run beside each other say what they say alone`() throws {
    let folder = try TemporaryFolder()
    let vetnet = try VetNetProcess(practice: folder.file("none.vetnet"))
    let text = try String(contentsOfFile: projectDirectory + "/Evaluations/assertions/dev.jsonl", encoding: .utf8)
    let lines = text.split(separator: "\n")
    let files = try [lines.prefix(40), lines.dropFirst(40).prefix(40)].enumerated().map { number, part in
      try folder.write(part.joined(separator: "\n") + "\n", to: "\(number).jsonl")
    }
    let outcome = try vetnet.run(
      "network", "evaluate", "assertions=\(files[0])", "assertions=\(files[1])", "--json", "--state", folder.file("s"))
    #expect(outcome.status == 0, "\(outcome.errors)")
    let reports = try outcome.jsonLines().compactMap { $0["report"] as? NSDictionary }
    let alone = try files.map { try vetnet.run("evaluate", "assertions", $0, "--json").json() as NSDictionary }
    #expect(reports == alone)
  }
}
