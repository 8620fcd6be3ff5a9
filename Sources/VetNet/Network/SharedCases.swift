import Clinical
import Retrieval
import Store
import Vectorization

/// A question to several practices: what similar cases they have.
public struct SharedCaseQuery: Codable, Sendable {
  public var text: String
  /// Only animals of this species; nil for all.
  public var species: String?
  /// At most so many.
  public var limit: Int

  public init(text: String, species: String? = nil, limit: Int = 10) {
    self.text = text
    self.species = species
    self.limit = limit
  }
}

/// A passage of another practice's record, without names of people, places and animals.
public struct SharedCase: Codable, Hashable, Sendable {
  /// What the practice is called in this job.
  public let practice: String
  /// The note in that practice, to ask there.
  public let noteID: String
  public let species: String
  public let year: Int
  /// Inner product with the question; the same in every practice that uses the same model.
  public let score: Double
  /// Code points of the note as it was written there.
  public let start: Int
  public let end: Int
  public let quote: String
  /// Marks in the quote, and where their names stood in the note.
  public let removed: [RemovedName]

  private enum CodingKeys: String, CodingKey {
    case practice, species, year, score, start, end, quote, removed
    case noteID = "note_id"
  }
}

/// The best cases of some practices, best first.
public struct SharedCases: Codable, Equatable, Sendable {
  /// Names the projection with which all of them were searched.
  public let model: String
  public let limit: Int
  public let cases: [SharedCase]

  init(model: String, limit: Int, cases: [SharedCase]) {
    self.model = model
    self.limit = limit
    self.cases = cases
  }

  /// Best first; of equal scores in the order of the practices, then as each gave them.
  ///
  /// - Throws: ``PracticeError`` where the two were searched with other projections: their scores can't be compared.
  public func adding(_ other: SharedCases) throws -> SharedCases {
    guard model == other.model else {
      throw PracticeError(
        .failed,
        "practices are indexed with the models \(model.prefix(12)) and \(other.model.prefix(12)): their scores can't be compared",
        hint: "Bring all to one model: vetnet reindex --shared-model FILE --signer KEY.")
    }
    let all = (cases + other.cases).enumerated().sorted {
      ($1.element.score, $0.offset) < ($0.element.score, $1.offset)
    }
    return SharedCases(model: model, limit: limit, cases: all.prefix(limit).map(\.element))
  }
}

extension Practice.Sharing {
  /// The passages that resemble a text most by their vectors, one a note, without names.
  ///
  /// By vectors alone: their inner products are the same whatever else a practice holds, which the search by words is not.
  func sharedCases(_ query: SharedCaseQuery, called label: String) throws -> SharedCases {
    try reading {
      guard let live = try connection.generations.live() else {
        throw PracticeError(.failed, "nothing is indexed here", hint: "Maybe run: vetnet reindex")
      }
      let model = try IndexModel(stored: live.modelRowID, in: connection)
      let terms = SearchTerms.terms(
        of: query.text, analyzer: try models.analyzer(), thesaurus: try models.thesaurus(),
        signs: try models.caseSigns())
      let direction = try model.vectorizer.queryVector(of: terms).values
      var filter = RetrievalFilter()
      if let word = query.species {
        guard let species = Species(field: word) else {
          throw PracticeError(.invalidArgument, "the species '\(word.prefix(40))' is not known")
        }
        filter.patientIDs = Set(
          try connection.patients.list().map(\.value).filter { $0.species == species }.map(\.id))
      }
      let rules = try models.nameRules()
      let writing = try practice.index.latestWriting()
      let remover = NameRemover(
        rules: rules, directory: try practice.index.nameDirectory(rules, authors: writing.authors),
        written: writing.words)
      let source = SQLiteChunkSource(connection: connection, generation: live)
      let cases = try bestNotes(direction, in: source, filter: filter, limit: query.limit).compactMap {
        try sharedCase($0, by: remover, called: label)
      }
      return SharedCases(model: model.checksum.hexadecimal, limit: query.limit, cases: cases)
    }
  }

  /// The best passage of each of the best notes: asks for more until there are enough notes.
  private func bestNotes(
    _ direction: [Float], in source: SQLiteChunkSource, filter: RetrievalFilter, limit: Int
  ) throws -> [(chunk: ChunkMetadata, score: Double)] {
    var depth = limit * 4
    while true {
      let scored = try source.nearest(to: direction, count: depth, filter: filter).filter { $0.score > 0 }
      let places = try source.metadata(of: scored.map(\.chunkID))
      var seen: Set<String> = []
      var best: [(chunk: ChunkMetadata, score: Double)] = []
      for item in scored {
        guard let chunk = places[item.chunkID], seen.insert(chunk.noteID).inserted else { continue }
        best.append((chunk, item.score))
      }
      if best.count >= limit || scored.count < depth { return Array(best.prefix(limit)) }
      depth *= 4
    }
  }

  private func sharedCase(
    _ item: (chunk: ChunkMetadata, score: Double), by remover: NameRemover, called label: String
  ) throws -> SharedCase? {
    let note = try practice.records.note(item.chunk.noteID)
    guard try practice.integrity.isIntact(noteID: note.id), let range = note.text.codePoints(utf8: item.chunk.range),
      let passage = note.text.slice(utf8: item.chunk.range)
    else { return nil }
    let patient = try practice.records.patient(note.patientID)
    let redacted = remover.redact(String(passage), about: [patient.name] + [patient.ownerName].compactMap(\.self))
    return SharedCase(
      practice: label, noteID: note.id, species: patient.species.rawValue,
      year: timeZone.date(of: note.recordedAt).year, score: item.score, start: range.lowerBound,
      end: range.upperBound, quote: redacted.text,
      removed: redacted.removed.map {
        RemovedName(
          kind: $0.kind,
          original: ($0.original.lowerBound + range.lowerBound)..<($0.original.upperBound + range.lowerBound),
          given: $0.given)
      })
  }
}
