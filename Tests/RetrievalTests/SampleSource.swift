import Clinical
import Retrieval
import Vectorization
import VetNetTestSupport

/// A small practice: chunk `n` is about topic `n % 4` and belongs to patient `n % 10`.
struct SampleSource {
  var source = InMemoryChunkSource()
  let vectorizer: Vectorizer
  private(set) var documents: [[String]] = []

  init(_ documents: [[String]]) throws {
    var trainer = ProjectionTrainer()
    for document in documents { trainer.add(document) }
    var generator = SplitMix64(seed: 3)
    let trained = try trainer.train(analyzerVersion: "test-1", using: &generator)
    vectorizer = Vectorizer(model: trained.model, projection: trained.projection)
    for document in documents { try add(document) }
  }

  mutating func add(_ terms: [String], patientID: String? = nil, kind: NoteKind = .consult) throws {
    let number = documents.count
    source.add(
      Self.metadata(number, patientID: patientID ?? "p\(number % 10)", kind: kind), terms: terms,
      vector: try vectorizer.documentVector(of: terms))
    documents.append(terms)
  }

  static func metadata(_ number: Int, patientID: String, kind: NoteKind = .consult) -> ChunkMetadata {
    ChunkMetadata(
      chunkID: Int64(number), noteID: "n\(number)", patientID: patientID, range: 0..<10,
      recordedAt: Timestamp(seconds: Int64(number) * 86_400), kind: kind)
  }

  func retriever(_ configuration: RetrievalConfiguration = .hybrid) -> HybridRetriever<InMemoryChunkSource> {
    HybridRetriever(source: source, vectorizer: vectorizer, configuration: configuration)
  }
}

func query(_ terms: String...) -> [QueryTerm] { terms.map { QueryTerm($0) } }
