import Clinical
import Foundation
import Glibc
@testable import Store

/// A folder for one test, gone with it.
final class TemporaryFolder {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.appending(path: "store-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  var file: String { path + "/practice.vetnet" }
}

/// Access to a practice file in a folder of its own, with one patient in it.
final class TestPractice {
  let folder: TemporaryFolder
  let connection: Connection
  let source: Int64

  init() throws {
    folder = try TemporaryFolder()
    connection = try Connection.create(folder.file)
    source = try connection.sources.id(named: "test")
    _ = try connection.patients.upsert(Patient(id: "P1", name: "Bella", species: .dog), source: source)
  }

  /// A row of `generation`, with a model of its own.
  func beginGeneration(_ name: String = "first") throws -> Int64 {
    let model = try connection.models.register(
      kind: "vectorizer", checksum: ContentHash(of: Array(name.utf8)), name: name, parameters: "{}",
      createdAt: Timestamp(seconds: 0))
    return try connection.generations.create(model: model, rulesVersion: "1", at: Timestamp(seconds: 0)).rowID
  }

  @discardableResult
  func write(_ id: String, _ text: String, patient: String = "P1", at seconds: Int64 = 0) throws -> Upserted {
    try connection.notes.upsert(
      ClinicalNote(id: id, patientID: patient, recordedAt: Timestamp(seconds: seconds), text: text), source: source)
  }

  /// Indexes what the generation lacks, as the pipeline would: a chunk for every five words.
  @discardableResult
  func index(_ generation: Int64, batch: Int = .max) throws -> IndexingResult {
    var total = IndexingResult(indexedCount: 0, outdatedCount: 0)
    while true {
      let notes = try connection.notes.lacking(in: generation, limit: batch)
      if notes.isEmpty { return total }
      let result = try connection.chunks.insert(notes.map(toyIndexed), generation: generation)
      total.indexedCount += result.indexedCount
      total.outdatedCount += result.outdatedCount
    }
  }

  func bytes(_ suffix: String = "") throws -> [UInt8] {
    let path = folder.file + suffix
    guard FileManager.default.fileExists(atPath: path) else { return [] }
    return [UInt8](try Data(contentsOf: URL(filePath: path)))
  }
}

/// A chunk for every five of the first forty words, words as terms, and vectors that only depend on the text.
func toyIndexed(_ note: StoredNote) -> IndexedNote {
  let words = note.value.text.split(separator: " ", maxSplits: 40).prefix(40)
  var chunks: [IndexedChunk] = []
  for (ordinal, start) in stride(from: 0, to: words.count, by: 5).enumerated() {
    let part = words[start..<min(start + 5, words.count)]
    guard let first = part.first, let last = part.last else { continue }
    let text = note.value.text
    let lower = text.utf8.distance(from: text.startIndex, to: first.startIndex)
    let upper = text.utf8.distance(from: text.startIndex, to: last.endIndex)
    var terms: [String: Int] = [:]
    for word in part { terms[String(word), default: 0] += 1 }
    chunks.append(
      IndexedChunk(
        chunk: Chunk(ordinal: ordinal, range: lower..<upper, section: ordinal == 0 ? "body" : nil),
        tokenCount: part.count, terms: terms, vector: toyVector(part.joined(separator: " "))))
  }
  let facts = words.first.map { word in
    [FactValue(kind: "word", name: String(word), value: 1.5, unit: "kg", range: 0..<word.utf8.count)]
  }
  return IndexedNote(noteRowID: note.rowID, contentHash: note.contentHash, chunks: chunks, facts: facts ?? [])
}

func toyVector(_ text: String) -> [Float] {
  var generator = SplitMix64(seed: text.utf8.reduce(7) { $0 &* 31 &+ UInt64($1) })
  return (0..<ChunkStore.dimension).map { _ in Float(generator.nextUnit()) - 0.5 }
}

/// Where `needle` stands in `haystack`; by the C library, for files of megabytes in a debug build.
func positions(of needle: String, in haystack: [UInt8]) -> [Int] {
  let needle = Array(needle.utf8)
  return haystack.withUnsafeBytes { bytes in
    guard let base = bytes.baseAddress else { return [] }
    var found: [Int] = []
    var offset = 0
    while let match = memchr(base + offset, Int32(needle[0]), bytes.count - offset) {
      offset = UnsafeRawPointer(match) - base
      if offset + needle.count <= bytes.count, memcmp(base + offset, needle, needle.count) == 0 { found.append(offset) }
      offset += 1
    }
    return found
  }
}
