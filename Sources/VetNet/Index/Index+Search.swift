public import Clinical
public import Retrieval
import Store

/// What to find cases like.
public enum SimilarQuery: Sendable, Codable {
  case text(String)
  /// A note of the record; its own patient's notes are left out.
  case note(String)
}

/// Which cases may be found.
public struct CaseFilter: Sendable, Codable {
  public var species: Species?
  public var kind: NoteKind?
  public var since: Timestamp?
  /// End exclusive.
  public var until: Timestamp?
  public var limit: Int

  public init(limit: Int = 10) {
    self.limit = limit
  }
}

/// A past case that resembles what was asked.
public struct SimilarCase: Sendable {
  public let noteID: String
  public let patient: Patient
  public let recordedAt: Timestamp
  /// Unicode code points of the note.
  public let codePoints: Range<Int>
  public let quote: String
  /// Comparable within one search only; not a probability.
  public let score: Double
  /// How each leg of the search saw it; their shares add up to the score.
  public let legs: [LegScore]
  /// The score as the sum of what each leg and term contributed.
  public let explanation: Explanation
}

extension Practice.Index {
  /// The passages of the record that resemble a text or a note, best first, one a note.
  package func similar(to query: SimilarQuery, filter: CaseFilter) throws -> [SimilarCase] {
    try reading {
      var retrieval = RetrievalFilter()
      var text: String
      switch query {
      case .text(let words): text = words
      case .note(let id):
        let note = try practice.records.note(id)
        text = note.text
        let own = try practice.records.stored(patient: note.patientID)
        retrieval.excludedNoteIDs = Set(try connection.notes.notes(patient: own.rowID).map(\.value.id))
      }
      if let kind = filter.kind { retrieval.kinds = [kind] }
      if filter.since != nil || filter.until != nil {
        let lower = filter.since ?? Timestamp(seconds: .min / 2)
        retrieval.dates = lower..<max(lower, filter.until ?? Timestamp(seconds: .max / 2))
      }
      if let species = filter.species {
        retrieval.patientIDs = Set(
          try connection.patients.list().map(\.value).filter { $0.species == species }.map(\.id))
      }
      // A note has several passages and is one case: ask for more, keep each note's best.
      let hits = try hits(for: text, filter: retrieval, limit: filter.limit * 4)
      var seen: Set<String> = []
      var cases: [SimilarCase] = []
      for hit in hits where cases.count < filter.limit && seen.insert(hit.noteID).inserted {
        if let item = try similarCase(hit) { cases.append(item) }
      }
      return cases
    }
  }

  /// The passages that bear on a text, from the live index; none before anything is indexed.
  func hits(for text: String, filter: RetrievalFilter, limit: Int) throws -> [Hit] {
    guard let live = try connection.generations.live() else { return [] }
    let model = try IndexModel(stored: live.modelRowID, in: connection)
    return try pipeline.hits(
      for: text, in: SQLiteChunkSource(connection: connection, generation: live), by: model.vectorizer, filter: filter,
      limit: limit)
  }

  private func similarCase(_ hit: Hit) throws -> SimilarCase? {
    let note = try practice.records.note(hit.noteID)
    guard try practice.integrity.isIntact(noteID: note.id) else { return nil }
    guard let citation = Citation(note, range: hit.range) else { return nil }
    return SimilarCase(
      noteID: note.id, patient: try practice.records.patient(note.patientID), recordedAt: note.recordedAt,
      codePoints: citation.codePoints, quote: citation.quote, score: hit.score,
      legs: hit.legs, explanation: hit.explanation)
  }
}
