import Answering
import Assessment
import Clinical
import Extraction
import Foundation
import Glibc
import Interchange
import Scheduling
import VetNet

/// Has one of the readers read bytes, and stops the process where the result is none that it may give.
public final class FuzzBench {
  private let models: ModelDirectory
  private let vocabulary: ImportVocabulary
  let letterWords: LetterWords
  private let folder: String
  private var practice: Practice
  private var used = 0
  private let facts: FactExtractor
  static let now = Timestamp(seconds: 1_795_600_800)
  static let zone = PracticeTimeZone(identifier: "Europe/London") ?? .utc

  /// - Parameters:
  ///   - path: the folder `Models`.
  ///   - folder: where the files that are read are written; one of the memory's is the fastest.
  /// - Throws: what a table that can't be used throws.
  public init(models path: String, folder: String) throws {
    models = try ModelDirectory(path: path)
    func table(_ name: String) throws -> DataTable {
      let text = try String(contentsOfFile: "\(path)/import/\(name)", encoding: .utf8)
      return try DataTable(name: name, text: text, required: [], uniqueKey: "id")
    }
    vocabulary = try ImportVocabulary(headers: table("header-aliases.tsv"), values: table("value-aliases.tsv"))
    letterWords = try LetterWords(table("letter-words.tsv"))
    facts = try models.extractors().facts
    self.folder = folder
    practice = try Self.smallPractice(models)
  }

  /// Reads `bytes`. What is wrong about them may be said in any way; what must not happen stops the process.
  public func run(_ target: FuzzTarget, _ bytes: [UInt8]) {
    switch target {
    case .csv, .tables, .jsonLines, .frontMatter, .fhir, .fhirLines, .calendar, .rejects: readRows(target, bytes)
    case .question: ask(String(decoding: bytes, as: UTF8.self))
    case .bookQuestion:
      _ = try? fresh().perform(AskBook(question: String(decoding: bytes, as: UTF8.self)), by: .local, at: Self.now)
    case .triage: assess(String(decoding: bytes, as: UTF8.self))
    case .note: extract(String(decoding: bytes, as: UTF8.self))
    case .vectors: readVectors(bytes)
    case .instance: readInstance(bytes)
    case .letter: readLetter(bytes)
    case .word: readLetter(Self.document(bytes))
    case .mapping: readMapped(bytes)
    }
  }

  private func write(_ bytes: some Collection<UInt8>, _ name: String) -> String {
    let path = "\(folder)/\(name)"
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    precondition(descriptor >= 0, "the folder for inputs can't be written")
    let isWhole = Array(bytes).withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) == $0.count }
    close(descriptor)
    precondition(isWhole, "the folder for inputs is full")
    return path
  }

  // MARK: Rows

  private func readRows(_ target: FuzzTarget, _ bytes: [UInt8]) {
    guard let name = target.fileName(bytes.first ?? 0) else { return }
    let contents = target.hasSelector ? bytes.dropFirst() : bytes[...]
    readAll(contents, name: name) { try ImportReader([$0], options: $1) }
  }

  /// Every row of a file that is given a name.
  func readAll(
    _ contents: some Collection<UInt8>, name: String,
    open: (_ path: String, _ options: Interchange.ImportOptions) throws -> ImportReader
  ) {
    let path = write(contents, name)
    defer { unlink(path) }
    let options = Interchange.ImportOptions(
      timeZone: Self.zone, today: Self.zone.date(of: Self.now), vocabulary: vocabulary)
    guard let reader = try? open(path, options) else { return }
    var count = 0
    while let event = try? reader.next() {
      count += 1
      // A resource may give rows of several kinds, a row at most a byte each.
      precondition(count <= 64 + 16 * contents.count, "there are more rows than bytes")
      if case .reject(let reject) = event {
        precondition(!reject.reason.isEmpty, "a row is rejected without a reason")
      }
    }
  }

  // MARK: Words

  private func ask(_ question: String) {
    guard
      let answer = try? fresh().perform(
        Ask(question: question, patient: "P1", askedAt: Self.now), by: .local, at: Self.now)
    else { return }
    for sentence in answer.sentences {
      precondition(sentence.citations.allSatisfy(answer.citations.indices.contains), "a citation that isn't there")
    }
    for citation in answer.citations {
      guard let note = Self.notes.first(where: { $0.id == citation.noteID }) else {
        preconditionFailure("no such note")
      }
      let bytes = Array(note.text.utf8)
      precondition(
        citation.range.upperBound <= bytes.count && Array(citation.quote.utf8) == Array(bytes[citation.range]),
        "a quote that the note doesn't hold")
    }
  }

  private func assess(_ text: String) {
    let intake = Intake(id: "", receivedAt: Self.now, text: text)
    guard let found = try? fresh().perform(AssessIntake(intake: intake), by: .local, at: Self.now) else { return }
    precondition((1...4).contains(found.complexity.level), "no such complexity")
    precondition(found.duration.mu.isFinite && found.duration.sigma > 0, "no such length")
    precondition((try? JSONEncoder().encode(found)) != nil, "an assessment that no JSON says")
  }

  private func extract(_ text: String) {
    let bytes = Array(text.utf8)
    for kind in [NoteKind.consult, .lab] {
      for fact in facts.facts(in: text, kind: kind) {
        precondition(fact.range.lowerBound >= 0 && fact.range.upperBound <= bytes.count, "a range outside the note")
        for border in [fact.range.lowerBound, fact.range.upperBound] where border < bytes.count {
          precondition(bytes[border] & 0xC0 != 0x80, "a range that cuts a code point")
        }
      }
    }
  }

  // MARK: Files of numbers

  private func readVectors(_ bytes: [UInt8]) {
    let path = write(bytes, "base.fvecs")
    defer { unlink(path) }
    for dimension in [2, 8, 512] {
      guard let file = try? VectorFile(path: path, dimension: dimension) else { continue }
      precondition(file.count * (4 + 4 * dimension) == bytes.count, "vectors that the file doesn't hold")
      if file.count > 0 { precondition(file.row(file.count - 1).count == dimension, "a vector of another dimension") }
    }
  }

  private func readInstance(_ bytes: [UInt8]) {
    let path = write(bytes, "instance.json")
    defer { unlink(path) }
    _ = try? InstanceSolving.read(path)
  }

  // MARK: The practice

  private static let notes = [
    ClinicalNote(
      id: "N1", patientID: "P1", recordedAt: now.adding(days: -30), kind: .consult,
      text: "Vomiting since Friday. Weight 12.4 kg, T 39.1. Started meloxicam 0.1 mg/kg SID PO."),
    ClinicalNote(
      id: "N2", patientID: "P1", recordedAt: now.adding(days: -20), kind: .phone,
      text: "Owner reports black stools. Meloxicam stopped, NSAID gastropathy suspected. No collapse. R/o ulcer."),
    ClinicalNote(
      id: "N3", patientID: "P1", recordedAt: now.adding(days: -10), kind: .lab,
      text: "Creatinine 165 µmol/l (ref 44-159). ALT 40 U/l. Babesia not detected.\n- PCV 38 %\n- platelets clumped"),
  ]

  /// What is asked is put on record, so that a practice that is asked for hours grows: it is made anew now and then.
  private func fresh() -> Practice {
    used += 1
    if used % 5000 == 0, let next = try? Self.smallPractice(models) { practice = next }
    return practice
  }

  private static func smallPractice(_ models: ModelDirectory) throws -> Practice {
    let practice = try Practice.inMemory(models: models, timeZone: zone)
    let folder = FileManager.default.temporaryDirectory.appending(path: "vetnet-fuzz-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let files = [
      ("patients.jsonl", #"{"id":"P1","name":"Bella","species":"dog","weight_kg":12.4}"#),
      (
        "staff.jsonl",
        #"{"id":"V1","name":"Helen Marsh","role":"veterinarian","working_hours":[{"weekday":1,"start":"09:00","end":"17:30"}]}"#
      ), ("resources.jsonl", #"{"id":"R1","name":"Room 1","kind":"room"}"#),
    ]
    for (name, line) in files { try Data((line + "\n").utf8).write(to: folder.appending(path: name)) }
    let lines = try notes.map { note in
      let fields = [
        "id": note.id, "patient_id": note.patientID, "recorded_at": zone.iso8601(note.recordedAt),
        "kind": note.kind.rawValue,
        "text": note.text,
      ]
      return try JSONSerialization.data(withJSONObject: fields)
    }
    try Data(lines.joined(separator: Data("\n".utf8))).write(to: folder.appending(path: "notes.jsonl"))
    try practice.perform(
      ImportRecords(
        paths: (files.map(\.0) + ["notes.jsonl"]).map { folder.appending(path: $0).path },
        options: VetNet.ImportOptions()),
      by: .local, at: now)
    return practice
  }
}
