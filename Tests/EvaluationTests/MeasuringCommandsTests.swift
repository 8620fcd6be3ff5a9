import Foundation
import Testing
import VetNetTestSupport

/// `evaluate` and `bench` as a user runs them: the built program on small folders.
struct MeasuringCommandsTests {
  private let folder: TemporaryFolder
  private let vetnet: VetNetProcess

  init() throws {
    folder = try TemporaryFolder()
    vetnet = try VetNetProcess(practice: folder.file("untouched.vetnet"))
  }

  @Test func `a collection is evaluated without a practice file, and its rankings are written`() throws {
    try folder.write(
      #"{"_id":"d1","text":"vomiting since Sunday"}"# + "\n" + #"{"_id":"d2","text":"booster given"}"#,
      to: "c/corpus.jsonl")
    try folder.write(#"{"_id":"q1","text":"booster"}"#, to: "c/queries.jsonl")
    try folder.write("q1\td2\t1\n", to: "c/qrels.tsv")
    let outcome = try vetnet.run(
      "evaluate", "retrieval", folder.file("c"), "--json", "--seed", "5", "--predictions", folder.file("p.jsonl"))
    #expect(outcome.status == 0, "\(outcome.errors)")
    let report = try outcome.json()
    #expect(report["suite"] as? String == "retrieval")
    #expect(report["n"] as? Int == 1)
    #expect(report["seed"] as? Int == 5)
    let predictions = try String(contentsOfFile: folder.file("p.jsonl"), encoding: .utf8).split(separator: "\n")
    #expect(predictions.count == 5)
    #expect(predictions.contains { $0.contains(#""ranking":["d2"],"system":"default""#) })
    #expect(!FileManager.default.fileExists(atPath: folder.file("untouched.vetnet")))
  }

  @Test func `a folder without a collection is a plain failure that names the file`() throws {
    let outcome = try vetnet.run("evaluate", "retrieval", folder.path)
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("corpus.jsonl: can't be read"))
  }

  @Test func `a small benchmark counts what it made and keeps its run`() throws {
    try folder.write(#"{"id":"P1","name":"Biscuit","species":"dog","weight_kg":9.7}"#, to: "corpus/patients.jsonl")
    let notes = (1...6).map { number in
      """
      {"id":"N\(number)","patient_id":"P1","recorded_at":"2024-0\(number)-03T10:00","author":"S1","kind":"consult",\
      "text":"Wt \(number).8kg. Seizure this morning, collapsed in the garden. Phenobarbital 30mg PO BID continues, \
      recheck bloods in 14 days. Meloxicam stopped because of black stools."}
      """
    }
    try folder.write(notes.joined(separator: "\n"), to: "corpus/notes.jsonl")
    let outcome = try vetnet.run(
      "bench", "practice", "--corpus", folder.file("corpus"), "--chunks", "20", "--repeat", "1", "--patient", "P1",
      "--question", "why was meloxicam stopped?", "--list-question", "who is on phenobarbital?", "--runs",
      folder.file("runs"), "--now", "2026-11-21T12:00",
      "--json")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let report = try outcome.json()
    #expect(report["bench"] as? String == "practice")
    let practice = try #require(report["practice"] as? [String: Any])
    let (size, notesThere) = (practice["chunks"] as? Int ?? 0, practice["notes"] as? Int ?? 0)
    #expect(size >= 20 && notesThere % 6 == 0 && notesThere >= 12)
    let throughput = try #require(report["throughput"] as? [[String: Any]])
    #expect(throughput.compactMap { $0["name"] as? String } == ["import", "embed", "index (reindex)"])
    #expect(throughput.compactMap { $0["count"] as? Int } == [notesThere, size, size])
    let rates = try #require(report["rates"] as? [[String: Any]])
    #expect(rates.compactMap { $0["name"] as? String } == ["read facts", "embed"])
    #expect(rates.compactMap { $0["unit"] as? String } == ["MB", "chunks"] && rates.first?["cores"] as? Int == 1)
    #expect(rates.allSatisfy { ($0["per_second"] as? Double ?? 0) > 0 })
    let latency = try #require(report["latency"] as? [[String: Any]])
    #expect(latency.compactMap { $0["citations"] as? Int }.filter { $0 > 0 }.count == 6)

    let runs = try FileManager.default.contentsOfDirectory(atPath: folder.file("runs"))
    let run = try #require(runs.first)
    #expect(runs.count == 1 && run.hasPrefix("2026-11-21-") && run.hasSuffix("-core-linux"))
    let readme = try String(contentsOfFile: folder.file("runs/\(run)/README.md"), encoding: .utf8)
    #expect(
      readme.contains("## bench practice") && readme.contains("--chunks 20") && !readme.contains(folder.file("runs")))
    let kept = try Data(contentsOf: URL(filePath: folder.file("runs/\(run)/bench-practice.json")))
    #expect(String(decoding: kept, as: UTF8.self) == outcome.output)
  }

  @Test func `a question that nothing answers ends the benchmark`() throws {
    try folder.write(#"{"id":"P1","name":"Biscuit","species":"dog"}"#, to: "corpus/patients.jsonl")
    try folder.write(
      #"{"id":"N1","patient_id":"P1","recorded_at":"2024-01-03","text":"Booster given, bright and well."}"#,
      to: "corpus/notes.jsonl")
    let outcome = try vetnet.run(
      "bench", "practice", "--corpus", folder.file("corpus"), "--chunks", "4", "--repeat", "1", "--patient", "P1",
      "--patient-question", "any blood transfusion?")
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("cited nothing"))
  }
}
