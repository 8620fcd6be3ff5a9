import Clinical
import Extraction
import FoundationEssentials
import PracticeTestSupport
import Testing
import VetNet
import VetNetTestSupport

@testable import Evaluation

/// The labelled sets that the project ships, judged as data.
struct LabelledSetsTests {
  private static let folder = projectDirectory + "/Evaluations"

  @Test func `no label is missing or wrong, and no case stands in two splits`() throws {
    let outcome = try LabelCheck().run(Self.folder)
    #expect(outcome.problems == [])
    #expect(outcome.counts.count == 122)
  }

  @Test func `the sets have the size and the spread they are meant to have`() throws {
    func intakes(_ suite: String, _ splits: [String] = ["train", "dev", "test"]) throws -> [IntakeCase] {
      try IntakeCase.read(splits.map { "\(Self.folder)/\(suite)/\($0).jsonl" })
    }
    let triage = try intakes("triage")
    #expect(triage.count >= 400)
    #expect(triage.count { $0.labels.urgency == .red } >= 50)
    #expect(triage.count { $0.labels.urgency == .orange } >= 90)
    let tags = triage.map { Set($0.tags ?? []) }
    #expect(tags.count { $0.contains { $0.hasPrefix("trap") } } * 4 >= triage.count)
    #expect(tags.count { $0.contains("quiet-emergency") } * 100 >= triage.count * 15)
    #expect(tags.count { $0.contains("outside-table") } * 2 >= triage.count)
    let exemplars = try intakes("exemplars", ["train"])
    #expect(exemplars.count >= 1200)
    let complexity = try intakes("complexity")
    for level in 1...4 { #expect(complexity.count { $0.labels.complexity == level } >= 40) }
    let sentences = try AssertionSuite(["train", "dev", "test"].map { "\(Self.folder)/assertions/\($0).jsonl" })
    #expect(sentences.cases.count >= 600)
    let second = try AssertionSuite([Self.folder + "/assertions/second.jsonl"]).cases
    #expect(second.count >= 900)
    #expect(second.count { $0.experiencer == .other } * 10 >= second.count)
    #expect(second.count { $0.temporality == .historical } * 7 >= second.count)
    let fourth = try AssertionSuite([Self.folder + "/assertions/fourth.jsonl"]).cases
    #expect(fourth.count == 1780)
    #expect(fourth.count { $0.experiencer == .other } * 6 >= fourth.count)
    #expect(fourth.count { $0.temporality == .historical } * 5 >= fourth.count)
    #expect(try AssertionSuite([Self.folder + "/assertions/sixth.jsonl"]).cases.count == 1096)
  }

  /// What the questions and queries are asked of must be the Corpus, to the byte.
  @Test func `the records beside questions and queries are the sample practice`() throws {
    let corpus = try records([projectDirectory + "/Corpus"])
    let copy = try records(["patients", "notes"].map { "\(Self.folder)/questions/records/\($0).jsonl" })
    #expect(copy.patients.sorted { $0.id < $1.id } == corpus.patients.sorted { $0.id < $1.id })
    #expect(copy.notes.sorted { $0.id < $1.id } == corpus.notes.sorted { $0.id < $1.id })
    let collection = try RetrievalCollection(folder: Self.folder + "/retrieval/history/dev")
    let texts = Dictionary(uniqueKeysWithValues: corpus.notes.map { ($0.id, $0) })
    #expect(collection.documents.count == corpus.notes.count)
    for document in collection.documents {
      #expect(texts[document.id]?.text == document.text, "\(document.id)")
      #expect(texts[document.id]?.patientID == document.patientID, "\(document.id)")
    }
  }

  private func records(_ paths: [String]) throws -> PracticeRecords {
    try PracticeRecords.read(paths, timeZone: .utc, models: shippedModels())
  }

  @Test func `the history of lengths is the sample practice's diary`() throws {
    struct Visit: Decodable {
      let id: String
      let actual_minutes: Double?
      let status: String
    }
    let diary = try LabelledFile.rows(
      projectDirectory + "/Corpus/appointments.jsonl", as: Visit.self, expected: "an appointment")
    let done = diary.map(\.value).filter { $0.status == "done" }
    let history = try DurationSuite([Self.folder + "/duration/corpus.jsonl"]).cases
    #expect(
      Dictionary(uniqueKeysWithValues: history.map { ($0.id, $0.actualMinutes) })
        == Dictionary(uniqueKeysWithValues: done.map { ($0.id, $0.actual_minutes ?? 0) }))
  }
}
