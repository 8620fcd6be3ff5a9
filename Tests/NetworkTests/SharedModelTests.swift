import Clinical
import Foundation
import LinearAlgebra
import Testing
import Vectorization
import VetNetTestSupport

/// One projection from several collections equals the one from all of their documents together.
struct SharedModelTests {
  private func documents(_ count: Int, seed: UInt64) -> [[String]] {
    var chance = SplitMix64(seed: seed)
    // Words as frequent as in texts: the n-th in proportion to 1/n, with topics of their own.
    return (0..<count).map { _ in
      let topic = Int.random(in: 0..<12, using: &chance)
      return (0..<Int.random(in: 8...40, using: &chance)).map { _ in
        let place = Int(pow(400, Double.random(in: 0..<1, using: &chance)))
        return Bool.random(using: &chance) ? "t\(topic)w\(place % 40)" : "w\(place)"
      }
    }
  }

  private struct Learned {
    let trained: ProjectionTrainer.Trained
    let directions: Matrix
  }

  /// Sketch by sketch, as a network does it.
  private func learned(
    _ collections: [[[String]]], _ configuration: ProjectionTrainer.Configuration, passes: Int
  ) throws -> Learned {
    let hasher = FeatureHasher(bits: configuration.bits)
    var counts = BucketCounts(bits: configuration.bits)
    for collection in collections {
      var own = BucketCounts(bits: configuration.bits)
      for terms in collection { own.add(SparseVector(counting: terms, by: hasher), length: terms.count) }
      counts.add(own)
    }
    let vocabulary = ProjectionVocabulary(counts, configuration)
    let model = configuration.model(of: counts, analyzerVersion: "a")
    let rows = vocabulary.buckets.count
    let width = min(configuration.rank + 16, rows, counts.documentCount)
    var generator = SplitMix64(seed: 1)
    var directions = Matrix.randomSigns(rows: rows, columns: width, using: &generator)
    var product = directions
    for pass in 0..<passes {
      if pass > 0 { directions = try product.qr().basis }
      let sketches = collections.map { collection in
        var sketcher = ProjectionSketcher(model: model, vocabulary: vocabulary, directions: directions)
        for start in stride(from: 0, to: collection.count, by: 37) {
          sketcher.add(Array(collection[start..<min(start + 37, collection.count)]))
        }
        return sketcher.sketch()
      }
      product = sketches.dropFirst().reduce(sketches[0]) { $0.adding($1) }.full(rowCount: rows)
    }
    let found = try GramDecomposition(product: product, basis: directions, rank: configuration.rank)
    return Learned(
      trained: configuration.trained(model, vocabulary, singularValues: found.values, directions: found.right),
      directions: found.right)
  }

  /// The sine of the largest angle between the spaces that the first columns span.
  private func angle(_ left: Matrix, _ right: Matrix, columns: Int) throws -> Float {
    let common = left.prefix(columns: columns).multiply(right.prefix(columns: columns), transposingSelf: true)
    let smallest = min(1, try common.svd().values.last ?? 0)
    return (1 - smallest * smallest).squareRoot()
  }

  @Test(arguments: [(2, 1), (3, 2), (4, 3)])
  func `as many passes as one machine's iterations and one give its projection`(passes: Int, iterations: Int) throws {
    var configuration = ProjectionTrainer.Configuration()
    configuration.rank = 40
    configuration.iterations = iterations
    configuration.directions = .undamped
    let collections = [
      documents(300, seed: 1), documents(120, seed: 2), documents(41, seed: 3), documents(500, seed: 4),
    ]
    var trainer = ProjectionTrainer(configuration: configuration)
    for terms in collections.joined() { trainer.add(terms) }
    var generator = SplitMix64(seed: 1)
    let alone = try trainer.train(analyzerVersion: "a", using: &generator)
    let together = try learned(collections, configuration, passes: passes)
    #expect(together.trained.model == alone.model)
    #expect(together.trained.projection.buckets == alone.projection.buckets)
    #expect(together.trained.projection.weights == alone.projection.weights)
    let values = zip(together.trained.singularValues, alone.singularValues)
    #expect(together.trained.singularValues.count == 40)
    #expect(values.allSatisfy { abs($0 - $1) <= 2e-4 * $1 })
    #expect(try angle(together.directions, alone.projection.vectors, columns: 40) < 0.01)
  }

  @Test func `the same collections give the same bits whoever sketches them`() throws {
    var configuration = ProjectionTrainer.Configuration()
    configuration.rank = 20
    let collections = (0..<5).map { documents(60 + 10 * $0, seed: UInt64($0)) }
    let first = try learned(collections, configuration, passes: 2)
    let second = try learned(collections, configuration, passes: 2)
    #expect(first.trained.projection.vectors == second.trained.projection.vectors)
  }
}
