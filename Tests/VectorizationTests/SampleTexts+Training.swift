import Clinical
import Vectorization
import VetNetTestSupport

extension SampleTexts {
  static func train(
    _ documents: [[String]], configuration: ProjectionTrainer.Configuration = .init(), seed: UInt64 = 7
  ) throws -> ProjectionTrainer.Trained {
    var trainer = ProjectionTrainer(configuration: configuration)
    for document in documents { trainer.add(document) }
    var generator = SplitMix64(seed: seed)
    return try trainer.train(analyzerVersion: "test-1", using: &generator)
  }

  static func vectorizer(_ documents: [[String]]) throws -> Vectorizer {
    let trained = try train(documents)
    return Vectorizer(model: trained.model, projection: trained.projection)
  }
}

/// A source that must be asked, as a store must: it hides that it is in memory.
struct AskedProjection: ProjectionSource {
  let projection: InMemoryProjection

  func rows(for buckets: [UInt32]) -> [UInt32: ProjectionRow] { projection.rows(for: buckets) }
}
