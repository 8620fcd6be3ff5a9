import Answering
import Chart
import Clinical
import Cohorts
import Extraction
import RecordTestSupport
import Testing
import TextAnalysis
import VetNetTestSupport

/// A list over patients from its question to its lines: read, matched with each patient's facts, and answered with what was found.
@Suite struct RegisterTests {
  private static let frames = Result {
    let lexicon = try QuestionLexicon(
      words: modelTable("briefing/question-words.tsv", uniqueKey: "id"),
      topics: modelTable("briefing/question-topics.tsv", uniqueKey: "id"),
      tests: TestWords(table: modelTable("briefing/test-words.tsv", uniqueKey: "id")),
      classes: QuestionClasses(table: modelTable("answering/word-classes.tsv")))
    let parser = QuestionParser(
      lexicon: lexicon, analyzer: try Fixtures.analyzer.get(), thesaurus: try Fixtures.thesaurus.get(),
      synonyms: try Fixtures.synonyms.get(), concepts: try Fixtures.concepts.get())
    return RegisterFrameReader(
      parser: parser, words: try RegisterWords(table: modelTable("briefing/register-words.tsv", uniqueKey: "id")))
  }

  private static let register = Result {
    let reader = RegisterReader(
      analyzer: try Fixtures.analyzer.get(), extractor: try Fixtures.extractors.get().facts,
      groups: try Fixtures.groups.get())
    return Register(
      reader: reader, alerts: try Fixtures.alerts.get(), plans: try Fixtures.cues.get(),
      sections: try Fixtures.sections.get(), sentences: try Fixtures.sentences.get())
  }

  private static let now = noon("2026-11-20")

  private func record(_ id: String, _ species: Species, _ entries: (day: String, text: String)...) throws
    -> PatientRecord
  {
    let reader = try Fixtures.extractors.get().facts
    var record = PatientRecord(patient: Patient(id: id, name: id, species: species), notes: [])
    for (place, entry) in entries.enumerated() {
      let note = ClinicalNote(
        id: "\(id)-\(place)", patientID: id, recordedAt: noon(entry.day), kind: .consult, text: entry.text)
      record.notes.append(note)
      record.facts[note.id] = reader.facts(in: note.text, kind: note.kind)
    }
    return record
  }

  /// The list of a practice that has these records; nil where the question asks for none.
  private func ask(_ text: String, _ records: [PatientRecord]) throws -> Answer? {
    let register = try Self.register.get()
    var known: [FactKind: Set<String>] = [:]
    for fact in records.flatMap(\.facts.values).joined() { known[fact.kind, default: []].insert(fact.name) }
    let names = known.mapValues { $0.sorted() }
    guard let frame = try Self.frames.get().frame(of: text, askedAt: Self.now, zone: .utc),
      let question = register.read(frame, known: names)
    else { return nil }
    let asked = Set(question.facts(withoutCourses: false).map { "\($0.kind) \($0.name)" })
    let matches = records.filter { question.filter.admits($0.patient, on: day("2026-11-20")) }.compactMap { whole in
      var record = whole
      record.facts = record.facts.mapValues { $0.filter { asked.contains("\($0.kind) \($0.name)") } }
      return register.match(question, record, askedAt: Self.now, zone: .utc)
    }
    let notes = Dictionary(uniqueKeysWithValues: records.flatMap(\.notes).map { ($0.id, $0) })
    return register.answer(question, register.list(matches), notes: notes, isComplete: true, zone: .utc)
  }

  private func records() throws -> [PatientRecord] {
    [
      try record("D1", .dog, ("2026-08-01", "Epilepsy. Phenobarbital 60 mg BID continued.")),
      try record(
        "D2", .dog, ("2023-08-01", "Phenobarbital 60 mg BID started."), ("2024-08-01", "Phenobarbital stopped.")),
      try record("C1", .cat, ("2026-09-01", "Phenobarbital 15 mg BID continued.")),
    ]
  }

  @Test(arguments: [
    ("which dogs are on phenobarbital?", ["D1"]), ("which dogs have been on phenobarbital?", ["D1", "D2"]),
    ("who is on phenobarbital?", ["C1", "D1"]), ("which rabbits are on phenobarbital?", []),
  ])
  func `a list holds those whose latest word says so, each line with the words that say it`(
    question: String, patients: [String]
  ) throws {
    let records = try records()
    let answer = try #require(try ask(question, records))
    #expect(Set(answer.citations.map(\.patientID)).sorted() == patients, "\(answer.text)")
    #expect((answer.answerClass == .found) == !patients.isEmpty)
    let notes = records.flatMap(\.notes)
    for citation in answer.citations { #expect(notes.contains { citation.holds(in: $0) }) }
    for sentence in answer.sentences { #expect(!sentence.citations.isEmpty) }
  }

  @Test(arguments: [
    "why was phenobarbital stopped?", "how often is phenobarbital given to dogs?", "how was phenobarbital given?",
    "how are dogs on phenobarbital watched?",
  ])
  func `a question for one thing is no list`(question: String) throws {
    #expect(try ask(question, records()) == nil)
  }

  @Test func `of a long list all are counted, and the latest are cited`() throws {
    let records = try (0..<520).map { number in
      try record("D\(number)", .dog, ("2026-10-\(10 + number % 20)", "Phenobarbital 60 mg BID continued."))
    }
    let answer = try #require(try ask("which dogs are on phenobarbital?", records))
    let head = try #require(answer.sentences.first)
    #expect(head.text == "520 dogs fit; of 520 listed 500 are cited, and the first of these follow.")
    #expect(head.citations.count == 500 && answer.citations.count == 500)
    #expect(answer.sentences.count == 61)
    #expect(answer.citations.allSatisfy { $0.recordedAt > noon("2026-10-09") })
    #expect(answer.citations.first?.recordedAt == noon("2026-10-29"))
  }
}
