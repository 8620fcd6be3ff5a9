import Clinical
import LinearAlgebra
import Testing
import Vectorization
import VetNetTestSupport

struct ProjectionTrainerTests {
  @Test func `equal seeds and documents give equal projections`() throws {
    let documents = SampleTexts.documents(70)
    let (first, again) = (try SampleTexts.train(documents), try SampleTexts.train(documents))
    #expect(first.model == again.model)
    #expect(first.projection.vectors == again.projection.vectors)
    #expect(first.projection.buckets == again.projection.buckets)
  }

  @Test func `only buckets seen often enough get a row, and their idf is the collection's`() throws {
    let documents = SampleTexts.documents(40) + [["pyometra"]]
    let trained = try SampleTexts.train(documents)
    let hasher = FeatureHasher()
    let rare = hasher.feature(of: "pyometra").bucket
    let common = hasher.feature(of: "dog").bucket
    #expect(trained.projection.row(of: rare) == nil)
    let row = try #require(trained.projection.rows(for: [common])[common])
    let frequency = documents.filter { $0.contains("dog") }.count
    let idf = TermWeighting.inverseDocumentFrequency(documentFrequency: frequency, documentCount: 41)
    #expect(abs(Double(row.weight) - idf) < 1e-6)
  }

  @Test func `the rank is what the collection gives`() throws {
    #expect(try SampleTexts.train(SampleTexts.documents(5)).model.rank <= 5)
    let many = try SampleTexts.train(SampleTexts.documents(200))
    #expect(many.model.rank <= SampleTexts.topics.joined().count + SampleTexts.shared.count)
    #expect(many.model.rank > 20)
    var configuration = ProjectionTrainer.Configuration()
    configuration.rank = 3
    #expect(try SampleTexts.train(SampleTexts.documents(50), configuration: configuration).model.rank == 3)
  }

  @Test(arguments: [[], [["once"]], [["same", "same"], ["same", "same"]], [[], []]])
  func `a collection too small to learn from still gives a model`(documents: [[String]]) throws {
    let trained = try SampleTexts.train(documents)
    let vectorizer = Vectorizer(model: trained.model, projection: trained.projection)
    #expect(trained.model.documentCount == documents.count)
    #expect(try vectorizer.documentVector(of: ["same", "once"]).allSatisfy(\.isFinite))
    #expect(try vectorizer.queryVector(of: [QueryTerm("once")]).values.allSatisfy(\.isFinite))
  }

  @Test func `row and sample limits are kept`() throws {
    var configuration = ProjectionTrainer.Configuration()
    configuration.maximumRows = 10
    configuration.maximumDocuments = 20
    let trained = try SampleTexts.train(SampleTexts.documents(100), configuration: configuration)
    #expect(trained.projection.buckets.count == 10)
    #expect(trained.model.rank <= 10)
    #expect(trained.model.documentCount == 100)
  }

  @Test(arguments: [ProjectionTrainer.Directions.hashed, .random])
  func `directions that owe nothing to the collection keep inner products about as they are`(
    directions: ProjectionTrainer.Directions
  ) throws {
    var configuration = ProjectionTrainer.Configuration()
    configuration.directions = directions
    configuration.exponent = 0
    let documents = SampleTexts.documents(60)
    let trained = try SampleTexts.train(documents, configuration: configuration)
    #expect(trained.model.rank == VectorizerModel.dimension)
    let vectorizer = Vectorizer(model: trained.model, projection: trained.projection)
    let vectors = try vectorizer.documentVectors(of: documents)
    // Two documents' words in common are worth their weights; chance and shared bins add what cancels on average.
    let norms = vectors.map { BLAS.norm($0) }
    let exact = documents.map { terms in
      let features = SparseVector(counting: terms, by: trained.model.hasher)
      let rows = trained.projection.rows(for: features.buckets)
      return zip(features.buckets, features.values).reduce(Float(0)) { sum, feature in
        let saturation = trained.model.weighting.saturation(count: Double(abs(feature.1)), length: terms.count)
        let weight = Float(saturation) * (rows[feature.0]?.weight ?? 0)
        return sum + weight * weight
      }.squareRoot()
    }
    let ratios: [Float] = zip(norms, exact).map { $0 / $1 }
    #expect(ratios.allSatisfy { abs($0 - 1) < 0.35 })
    let mean = ratios.reduce(0, +) / Float(ratios.count)
    #expect(abs(mean - 1) < 0.1)
  }

  @Test func `damping shortens directions and turns none`() throws {
    var configuration = ProjectionTrainer.Configuration()
    let damped = try SampleTexts.train(SampleTexts.documents(80), configuration: configuration)
    configuration.directions = .undamped
    let plain = try SampleTexts.train(SampleTexts.documents(80), configuration: configuration)
    #expect(damped.projection.buckets == plain.projection.buckets)
    for row in 0..<plain.projection.vectors.rows {
      for (short, long) in zip(damped.projection.vectors.row(row), plain.projection.vectors.row(row)) {
        #expect(short * long >= 0 && abs(short) <= abs(long))
      }
    }
  }
}
