import Clinical
import Extraction
import FoundationEssentials
import Glibc
import Store
import TextAnalysis
import Vectorization

/// What indexing did.
struct IndexingSummary {
  var indexed = 0
  var failures: [(noteID: String, reason: String)] = []
  /// Seconds that cores spent on extracting and writing facts.
  var factSeconds = 0.0
}

/// Notes whose digests are being worked out.
private struct NoteBatch {
  let notes: [StoredNote]
  let digests: Background<[NoteDigest]>
}

extension Practice.Index {
  /// Notes that are read, embedded and written together, in one transaction. Each batch rewrites the last postings of the
  /// terms it has, so that large batches write less; nobody else can write meanwhile, for a fraction of a second.
  private static let batchSize = 2048

  /// From so many notes on, reading the whole projection first is quicker than looking its rows up as they are needed.
  private static let manyNotes = 4096

  /// Names everything that the derived rows depend on but the model: text analysis, chunking, extraction.
  func rulesVersion() throws -> String { try models.indexRulesVersion() }

  /// Indexes what the live generation lacks; builds the first generation, or a new one when the rules have changed since.
  func indexNewNotes(now: Timestamp, progress: (Progress) -> Void) throws -> IndexingSummary {
    let rules = try rulesVersion()
    if let live = try reporting({ try connection.generations.live() }), live.rulesVersion == rules {
      return try fill(live, total: nil, job: nil, now: now, progress: progress)
    }
    return try rebuild(ReindexOptions(), now: now, progress: progress).summary
  }

  /// Indexes notes into a generation until it lacks none, batch by batch. While one batch is written, the next is worked out.
  ///
  /// - Complexity: memory is that of two batches and, for many notes, of the projection, whatever the number of notes.
  func fill(
    _ generation: Generation, total: Int?, job: Int64?, now: Timestamp, prepared folder: String? = nil,
    progress: (Progress) -> Void
  ) throws -> IndexingSummary {
    let started = ContinuousClock.now
    var summary = IndexingSummary()
    let all = try total ?? reporting { try connection.notes.lackingCount(in: generation.rowID) }
    let model = try reporting { try IndexModel(stored: generation.modelRowID, in: connection) }
    var reader = try pipeline.reader()
    if all >= Self.manyNotes { reader.embedding = try reporting { try model.embedding(from: connection) } }
    let prepared = try folder.map {
      try PreparedNotes(folder: $0, model: model.checksum.hexadecimal, rules: generation.rulesVersion)
    }
    var next = try batch(after: 0, in: generation, reader: reader, prepared: prepared)
    var done = 0
    while let batch = next {
      try continueUnlessStopped()
      let digests = batch.digests.value()
      next = try self.batch(after: batch.notes.last?.rowID ?? .max, in: generation, reader: reader, prepared: prepared)
      let indexed = try derive(batch.notes, digests, by: model)
      summary.factSeconds += digests.reduce(0) { $0 + $1.factSeconds }
      done += batch.notes.count
      try reporting {
        let written = try insert(indexed, generation: generation.rowID)
        summary.indexed += written.indexedCount
        summary.factSeconds += written.factSeconds
        for (note, digest) in zip(batch.notes, digests) {
          guard let reason = digest.failure else { continue }
          try connection.chunks.markFailed(note: note.rowID, generation: generation.rowID, reason: reason)
        }
        guard let job else { return }
        // The moment of the command's start, and what has gone by since: a heartbeat must move.
        let beat = Timestamp(seconds: now.seconds + (ContinuousClock.now - started).components.seconds)
        try connection.jobs.report(row: job, doneCount: summary.indexed, totalCount: all, at: beat)
      }
      progress(Progress(done: done, total: all, detail: "notes indexed"))
    }
    // One that is being built is folded when it is whole.
    if generation.state == .live { try foldCourses(generation.rowID) }
    for failure in try reporting({ try connection.chunks.failures(generation: generation.rowID) }) {
      let id = try reporting { try connection.recordIDs.shown(.note, failure.noteRowID) }
      summary.failures.append((id ?? "note row \(failure.noteRowID)", failure.reason))
    }
    return summary
  }

  /// The next notes that a generation lacks, with their digests under way; nil when it lacks none.
  private func batch(
    after row: Int64, in generation: Generation, reader: NoteReader, prepared: PreparedNotes?
  ) throws -> NoteBatch? {
    let notes = try reporting {
      try connection.notes.lacking(in: generation.rowID, after: row, limit: Self.batchSize)
    }
    guard !notes.isEmpty else { return nil }
    guard let prepared else {
      return NoteBatch(notes: notes, digests: Background { reader.digests(of: notes.map(\.value)) })
    }
    let lines = prepared.lines(for: notes)
    return NoteBatch(notes: notes, digests: Background { lines.digests(of: notes, by: reader) })
  }

  /// The derived rows of those notes that have a digest.
  private func derive(
    _ notes: [StoredNote], _ digests: [NoteDigest], by model: IndexModel
  ) throws -> [IndexedNote] {
    let lacksVectors = digests.contains { $0.vectors.count < $0.chunks.count }
    let vectors = lacksVectors ? try pipeline.vectors(of: digests, by: model.vectorizer) : digests.flatMap(\.vectors)
    var next = 0
    return zip(notes, digests).filter { $0.1.failure == nil }.map { note, digest in
      let chunks = digest.chunks.indices.map { index in
        defer { next += 1 }
        return IndexedChunk(
          chunk: digest.chunks[index], tokenCount: digest.terms[index].count, terms: digest.frequencies[index],
          vector: vectors[next])
      }
      return IndexedNote(
        noteRowID: note.rowID, contentHash: note.contentHash, chunks: chunks,
        facts: digest.facts)
    }
  }

  /// Writes a batch. When the file refuses one of its notes, the others are written all the same, and that one is marked.
  private func insert(_ notes: [IndexedNote], generation: Int64) throws -> IndexingResult {
    if let result = try accepted(notes, generation: generation) { return result }
    var total = IndexingResult(indexedCount: 0, outdatedCount: 0)
    if notes.count > 1 {
      for note in notes {
        let result = try insert([note], generation: generation)
        total.indexedCount += result.indexedCount
        total.factSeconds += result.factSeconds
      }
      return total
    }
    for note in notes {
      try connection.chunks.markFailed(
        note: note.noteRowID, generation: generation, reason: "the practice file refuses what was derived from it")
    }
    return total
  }

  /// What was written; nil, and nothing is, when other values would have been.
  private func accepted(_ notes: [IndexedNote], generation: Int64) throws -> IndexingResult? {
    do {
      return try connection.chunks.insert(notes, generation: generation)
    } catch {
      guard case .constraint = error.code else { throw error }
      return nil
    }
  }

  /// Indexes what was just written; what goes wrong with that doesn't say that nothing is kept.
  func indexNewNotes(after done: String, hint: String, now: Timestamp) throws {
    do {
      _ = try indexNewNotes(now: now) { _ in }
    } catch let error as PracticeError {
      // Within a transaction of others nothing is done after all.
      if connection.isInTransaction { throw error }
      throw PracticeError(error.code, "\(done), but not indexed: \(error.description.prefix { $0 != ";" })", hint: hint)
    }
  }
}

extension ModelDirectory {
  /// Names everything that the derived rows depend on but the model: text analysis, chunking, extraction.
  func indexRulesVersion() throws -> String {
    "\(try analyzer().version)/\(try chunkingVersion())/\(try extractionVersion())"
  }
}

extension FactValue {
  /// A fact as the file keeps it.
  init(_ fact: Fact) {
    self.init(
      kind: fact.kind.rawValue, name: fact.name, value: fact.value, unit: fact.unit, range: fact.range,
      polarity: fact.assertion.polarity.rawValue, temporality: fact.assertion.temporality.rawValue,
      experiencer: fact.assertion.experiencer.rawValue,
      attributes: Self.json(StoredAttributes(fact)))
  }
}

extension FactValue {
  /// A flat object with its keys in order. By hand, because it is written for every fact of every note.
  static func json(_ attributes: StoredAttributes) -> String {
    let pairs = attributes.pairs
    if pairs.isEmpty { return "{}" }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(32 * pairs.count)
    for pair in pairs {
      bytes.append(UInt8(ascii: bytes.isEmpty ? "{" : ","))
      quote(pair.key, into: &bytes)
      bytes.append(UInt8(ascii: ":"))
      quote(pair.value, into: &bytes)
    }
    bytes.append(UInt8(ascii: "}"))
    return String(decoding: bytes, as: UTF8.self)
  }

  /// A flat object of plain strings, as ``json(_:)`` writes most; nil for what takes a parser. By hand, because a question to
  /// the whole practice reads hundreds.
  static func plainAttributes(_ json: String) -> StoredAttributes? {
    guard json != "{}" else { return StoredAttributes([]) }
    var pairs: [StoredAttributes.Pair] = []
    var json = json
    let isPlain = json.withUTF8 { bytes -> Bool in
      guard bytes.first == UInt8(ascii: "{"), !bytes.contains(UInt8(ascii: "\\")) else { return false }
      var place = 1
      // A string without escapes holds no quotation mark.
      func string() -> String? {
        guard place < bytes.count, bytes[place] == UInt8(ascii: "\"") else { return nil }
        let start = place + 1
        let rest = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[start...])
        guard let first = rest.baseAddress, let end = memchr(first, Int32(UInt8(ascii: "\"")), rest.count) else {
          return nil
        }
        let count = UnsafeRawPointer(end) - first
        place = start + count + 1
        return String(decoding: rest.prefix(count), as: UTF8.self)
      }
      while let key = string() {
        guard place < bytes.count, bytes[place] == UInt8(ascii: ":") else { return false }
        place += 1
        guard let value = string(), place < bytes.count else { return false }
        pairs.append(StoredAttributes.Pair(key: key, value: value))
        if bytes[place] == UInt8(ascii: "}") { return place == bytes.count - 1 }
        guard bytes[place] == UInt8(ascii: ",") else { return false }
        place += 1
      }
      return false
    }
    return isPlain ? StoredAttributes(pairs) : nil
  }

  /// Any flat object of strings; of what is none, nothing.
  static func parsedAttributes(_ json: String) -> StoredAttributes {
    let parsed = (try? JSONDecoder().decode([String: String].self, from: Data(json.utf8))) ?? [:]
    return StoredAttributes(parsed.map { StoredAttributes.Pair(key: $0.key, value: $0.value) })
  }

  /// What has to be escaped is ASCII, and no byte of another code point is.
  private static func quote(_ text: String, into bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0x0A: bytes.append(contentsOf: "\\n".utf8)
      case 0x0D: bytes.append(contentsOf: "\\r".utf8)
      case 0x09: bytes.append(contentsOf: "\\t".utf8)
      case 0..<0x20:
        let digits = String(byte, radix: 16)
        bytes.append(contentsOf: ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8)
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}

extension Fact {
  /// A fact as the file kept it; nil for one that this VetNet does not know.
  init?(_ stored: FactValue) {
    guard let kind = FactKind(rawValue: stored.kind), let polarity = Polarity(rawValue: stored.polarity),
      let temporality = Temporality(rawValue: stored.temporality),
      let experiencer = Experiencer(rawValue: stored.experiencer)
    else { return nil }
    self.init(
      kind: kind, name: stored.name, value: stored.value, unit: stored.unit, range: stored.range,
      assertion: Assertion(polarity: polarity, temporality: temporality, experiencer: experiencer),
      attributes: FactValue.plainAttributes(stored.attributes) ?? FactValue.parsedAttributes(stored.attributes))
  }
}
