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
  /// Seconds that a core spent on the facts.
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

  func digest(_ note: ClinicalNote) -> NoteDigest {
    let length = note.text.utf8.count
    guard length <= Self.longestText else {
      return NoteDigest(failure: "its text has \(length) bytes, more than \(Self.longestText)")
    }
    var digest = NoteDigest()
    digest.chunks = chunker.chunks(of: note.text)
    digest.terms = digest.chunks.map { analyzer.terms(in: note.text, range: $0.range) }
    digest.frequencies = digest.terms.map { $0.reduce(into: [:]) { $0[$1, default: 0] += 1 } }
    if let embedding {
      do {
        digest.vectors = try Vectorizer(model: embedding.model, projection: embedding.projection)
          .documentVectors(of: digest.terms)
      } catch {
        return NoteDigest(failure: "its passages can't be turned into vectors: \(error)")
      }
    }
    let started = ThreadTime.now
    digest.facts = facts.facts(in: note.text, kind: note.kind).map(FactValue.init)
    digest.factSeconds = ThreadTime.now - started
    return digest
  }
}
