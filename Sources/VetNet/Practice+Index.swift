import Clinical
import Extraction
import FoundationEssentials
import Store
import TextAnalysis
import Vectorization

/// What indexing did.
struct IndexingSummary {
  var indexed = 0
  var failures: [(noteID: String, reason: String)] = []
}

extension Practice {
  /// Notes that are read, embedded and written together: one transaction, one product of matrices.
  private static let batchSize = 256

  /// Names everything that the derived rows depend on but the model: text analysis, chunking, extraction.
  func rulesVersion() throws -> String {
    "\(try models.analyzer().version)/\(try models.chunkingVersion())/\(try models.extractionVersion())"
  }

  /// Indexes what the live generation lacks; builds the first generation, or a new one when the rules have changed since.
  func indexNewNotes(now: Timestamp, progress: (Progress) -> Void) throws -> IndexingSummary {
    let rules = try rulesVersion()
    if let live = try reporting({ try connection.generations.live() }), live.rulesVersion == rules {
      return try fill(live, total: nil, job: nil, now: now, progress: progress)
    }
    return try rebuild(ReindexOptions(), now: now, progress: progress).summary
  }

  /// Indexes notes into a generation until it lacks none, batch by batch.
  ///
  /// - Complexity: memory is that of one batch, whatever the number of notes.
  func fill(
    _ generation: Generation, total: Int?, job: Int64?, now: Timestamp, progress: (Progress) -> Void
  ) throws -> IndexingSummary {
    let model = try reporting { try IndexModel(stored: generation.modelRowID, in: connection) }
    var summary = IndexingSummary()
    let all = try total ?? reporting { try connection.notes.lackingCount(in: generation.rowID) }
    var last: Int64 = 0
    while true {
      let notes = try reporting {
        try connection.notes.lacking(in: generation.rowID, after: last, limit: Self.batchSize)
      }
      guard let end = notes.last?.rowID else { break }
      last = end
      let indexed = try derive(notes, by: model)
      try reporting {
        let result = try connection.chunks.insert(indexed, generation: generation.rowID)
        summary.indexed += result.indexedCount
        if let job { try connection.jobs.report(row: job, doneCount: summary.indexed, totalCount: all, at: now) }
      }
      progress(Progress(done: summary.indexed, total: all, detail: "notes indexed"))
    }
    for failure in try reporting({ try connection.chunks.failures(generation: generation.rowID) }) {
      let id = try reporting { try connection.recordIDs.shown(.note, failure.noteRowID) }
      summary.failures.append((id ?? "note row \(failure.noteRowID)", failure.reason))
    }
    return summary
  }

  /// The derived rows of some notes.
  private func derive(_ notes: [StoredNote], by model: IndexModel) throws -> [IndexedNote] {
    let digests = try pipeline.chunks(of: notes.map(\.value))
    let vectors = try pipeline.vectors(of: digests, by: model.vectorizer)
    var next = 0
    return zip(notes, digests).map { note, digest in
      let chunks = zip(digest.chunks, digest.terms).map { chunk, terms in
        defer { next += 1 }
        return IndexedChunk(
          chunk: chunk, tokenCount: terms.count,
          terms: terms.reduce(into: [:]) { $0[$1, default: 0] += 1 }, vector: vectors[next])
      }
      return IndexedNote(
        noteRowID: note.rowID, contentHash: note.contentHash, chunks: chunks,
        facts: digest.facts)
    }
  }
}

extension FactValue {
  /// A fact as the file keeps it.
  init(_ fact: Fact) {
    self.init(
      kind: fact.kind.rawValue, name: fact.name, value: fact.value, unit: fact.unit, range: fact.range,
      polarity: fact.assertion.polarity.rawValue, temporality: fact.assertion.temporality.rawValue,
      experiencer: fact.assertion.experiencer.rawValue,
      attributes: Self.json(fact.attributes))
  }
}

extension FactValue {
  /// A flat object with its keys in order. By hand, because it is written for every fact of every note.
  static func json(_ attributes: [String: String]) -> String {
    let pairs = attributes.sorted { $0.key < $1.key }.map { "\(quoted($0.key)):\(quoted($0.value))" }
    return "{\(pairs.joined(separator: ","))}"
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}

extension Fact {
  /// A fact as the file kept it; nil for a kind that this VetNet does not know.
  init?(_ stored: FactValue) {
    guard let kind = FactKind(rawValue: stored.kind), let polarity = Polarity(rawValue: stored.polarity),
      let temporality = Temporality(rawValue: stored.temporality),
      let experiencer = Experiencer(rawValue: stored.experiencer)
    else { return nil }
    let attributes =
      stored.attributes == "{}"
      ? [:] : (try? JSONDecoder().decode([String: String].self, from: Data(stored.attributes.utf8))) ?? [:]
    self.init(
      kind: kind, name: stored.name, value: stored.value, unit: stored.unit, range: stored.range,
      assertion: Assertion(polarity: polarity, temporality: temporality, experiencer: experiencer),
      attributes: attributes)
  }
}
