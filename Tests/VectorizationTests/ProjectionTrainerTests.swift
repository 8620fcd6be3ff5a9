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
}
