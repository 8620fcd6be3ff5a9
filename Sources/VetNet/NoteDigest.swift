import Clinical
import Extraction
import Store
import TextAnalysis

/// What the pure stages make of one note, before any model or file is involved.
struct NoteDigest: Sendable {
  let chunks: [Chunk]
  /// Analysed terms of each chunk, repeated as often as they occur.
  let terms: [[String]]
  /// As the file keeps them.
  let facts: [FactValue]
}

/// The stages from a note to its digest, together so that a batch can run on all cores.
struct NoteReader: Sendable {
  let chunker: Chunker
  let analyzer: Analyzer
  let facts: FactExtractor

  func digest(_ note: ClinicalNote) -> NoteDigest {
    let chunks = chunker.chunks(of: note.text)
    return NoteDigest(
      chunks: chunks, terms: chunks.map { analyzer.terms(in: note.text, range: $0.range) },
      facts: facts.facts(in: note.text, kind: note.kind).map(FactValue.init))
  }
}
