import Clinical
import Extraction
import LinearAlgebra
import Store
import TextAnalysis
import Vectorization

/// What the pure stages make of one note, before any file is involved.
struct NoteDigest: Sendable {
  var chunks: [Chunk] = []
  /// Analysed terms of each chunk, repeated as often as they occur.
  var terms: [[String]] = []
  /// How often each occurs, chunk by chunk.
  var frequencies: [[String: Int]] = []
  /// A vector for each chunk where the reader knows the whole projection, else none.
  var vectors: [[Float]] = []
  /// As the file keeps them.
  var facts: [FactValue] = []
  /// Seconds that a core spent on the facts; for the first of some notes, of all of them.
  var factSeconds = 0.0
  /// Why the note can't be indexed, without words of it; nil for one that can.
  var failure: String?
}

/// The stages from a note to its digest, together so that a batch can run on all cores.
struct NoteReader: Sendable {
  /// A projection that is in memory as a whole, with its settings.
  struct Embedding: Sendable {
    let model: VectorizerModel
    let projection: InMemoryProjection
  }

  let chunker: Chunker
  let analyzer: Analyzer
  let facts: FactExtractor
  /// Nil where vectors are made later, for a batch at once.
  var embedding: Embedding?

  /// Bytes of a note's text. What is longer is a file that somebody pasted; a batch of them would not fit into memory.
  static let longestText = 4_000_000

  /// The digests of notes, worked out on all cores.
  func digests(of notes: [ClinicalNote]) -> [NoteDigest] {
    let portions = stride(from: 0, to: notes.count, by: Self.portion).map {
      notes[$0..<min($0 + Self.portion, notes.count)]
    }
    return Concurrent.map(portions, portion: 1) { notes in
      var digests = notes.map(passages(of:))
      // The clock is asked once for all of them: asking it takes as long as reading a short line.
      let started = ThreadTime.now
      for (place, note) in notes.enumerated() where digests[place].failure == nil {
        digests[place].facts = facts.facts(in: note.text, kind: note.kind).map(FactValue.init)
      }
      digests[0].factSeconds = ThreadTime.now - started
      return digests
    }.flatMap { $0 }
  }

  /// Notes that one core takes at a time.
  private static let portion = 8

  /// A note's passages, without its facts.
  private func passages(of note: ClinicalNote) -> NoteDigest {
    let length = note.text.utf8.count
    guard length <= Self.longestText else {
      return NoteDigest(failure: "its text has \(length) bytes, more than \(Self.longestText)")
    }
    var digest = NoteDigest()
    digest.chunks = chunker.chunks(of: note.text)
    digest.terms = digest.chunks.map { analyzer.terms(in: note.text, range: $0.range) }
    digest.frequencies = digest.terms.map { terms in
      var counts = [String: Int](minimumCapacity: terms.count)
      for term in terms { counts[term, default: 0] += 1 }
      return counts
    }
    if let embedding {
      do {
        digest.vectors = try Vectorizer(model: embedding.model, projection: embedding.projection)
          .documentVectors(of: digest.terms)
      } catch {
        return NoteDigest(failure: "its passages can't be turned into vectors: \(error)")
      }
    }
    return digest
  }
}
