import Clinical
import Testing
import Vectorization
import VetNetTestSupport

struct VectorizerTests {
  /// The formula of the type's documentation, term by term and in double precision.
  private func naiveVector(_ terms: [String], _ trained: ProjectionTrainer.Trained) -> [Double] {
    let model = trained.model
    var counts: [UInt32: Double] = [:]
    for term in terms {
      let feature = FeatureHasher(bits: model.bits).feature(of: term)
      counts[feature.bucket, default: 0] += Double(feature.sign)
    }
    var vector = [Double](repeating: 0, count: 512)
    for (bucket, count) in counts.sorted(by: { $0.key < $1.key }) where count != 0 {
      guard let row = trained.projection.rows(for: [bucket])[bucket] else { continue }
      let f = abs(count)
      let length = Double(terms.count) / model.averageLength
      let weight = (count < 0 ? -1 : 1) * f * 2.2 / (f + 1.2 * (0.25 + 0.75 * length)) * Double(row.weight)
      for (index, value) in row.vector.enumerated() { vector[index] += weight * Double(value) }
    }
    let square = vector.reduce(0) { $0 + $1 * $1 }
    guard square > 0 else { return vector }
    // norm^0.75 is the fourth root, cubed.
    let fourthRoot = square.squareRoot().squareRoot().squareRoot()
    return vector.map { $0 / (fourthRoot * fourthRoot * fourthRoot) }
  }

  private func dot(_ left: [Float], _ right: [Float]) -> Float { zip(left, right).reduce(0) { $0 + $1.0 * $1.1 } }

  @Test func `a document vector follows the documented formula`() throws {
    let documents = SampleTexts.documents(60)
    let trained = try SampleTexts.train(documents)
    let vectorizer = Vectorizer(model: trained.model, projection: trained.projection)
    for document in documents.prefix(10) + [["seizur", "unheard"], ["seizur", "seizur", "seizur"]] {
      let vector = try vectorizer.documentVector(of: document)
      #expect(vector.count == 512)
      for (value, expected) in zip(vector, naiveVector(document, trained)) {
        #expect(abs(Double(value) - expected) < 1e-4)
      }
    }
  }

  @Test func `a batch gives what its documents give alone, from memory or from a source`() throws {
    let documents = SampleTexts.documents(5000)
    let trained = try SampleTexts.train(Array(documents.prefix(80)))
    let inMemory = Vectorizer(model: trained.model, projection: trained.projection)
    let asked = Vectorizer(model: trained.model, projection: AskedProjection(projection: trained.projection))
    let batch = try inMemory.documentVectors(of: documents)
    let askedBatch = try asked.documentVectors(of: documents)
    #expect(batch.count == documents.count && askedBatch.count == documents.count)
    for index in [0, 1, 79, 80, 4095, 4096, 4999] {
      let alone = try asked.documentVector(of: documents[index])
      #expect(zip(batch[index], alone).allSatisfy { abs($0 - $1) < 1e-5 })
      #expect(zip(askedBatch[index], alone).allSatisfy { abs($0 - $1) < 1e-5 })
    }
  }

  @Test func `the known share is that of the weights, as a question counts it`() throws {
    let documents = SampleTexts.documents(60)
    let trained = try SampleTexts.train(documents)
    let vectorizer = Vectorizer(model: trained.model, projection: trained.projection)
    let known = try #require(
      documents.joined().first { term in
        let bucket = vectorizer.model.hasher.feature(of: term).bucket
        return !trained.projection.rows(for: [bucket]).isEmpty
      })
    #expect(try vectorizer.knownWeightShare(of: [:]) == nil)
    #expect(try vectorizer.knownWeightShare(of: [known: 3]) == 1)
    #expect(try vectorizer.knownWeightShare(of: ["unheardofword": 2]) == 0)
    let mixed = try #require(try vectorizer.knownWeightShare(of: [known: 1, "unheardofword": 1]))
    let question = try vectorizer.queryVector(of: [QueryTerm(known), QueryTerm("unheardofword")]).knownWeightShare
    #expect(abs(mixed - question) < 1e-9)
  }

  @Test func `a word finds documents about its topic that don't hold it`() throws {
    let documents = SampleTexts.documents(200)
    let vectorizer = try SampleTexts.vectorizer(documents)
    let query = try vectorizer.queryVector(of: [QueryTerm("phenobarbit")]).values
    let vectors = try vectorizer.documentVectors(of: documents)
    let without = documents.indices.filter { !documents[$0].contains("phenobarbit") }
    func mean(topic: Int) -> Float {
      let places = without.filter { $0 % 4 == topic }
      return places.reduce(0) { $0 + dot(vectors[$1], query) } / Float(places.count)
    }
    #expect(mean(topic: 0) > 3 * max(mean(topic: 1), mean(topic: 2), mean(topic: 3)))
  }

  @Test func `a query is a unit vector made of its terms' parts`() throws {
    let vectorizer = try SampleTexts.vectorizer(SampleTexts.documents(100))
    let query = try vectorizer.queryVector(of: ["vomit", "dog", "vomit"].map { QueryTerm($0) })
    #expect(abs(dot(query.values, query.values) - 1) < 1e-5)
    #expect(query.parts.map(\.term.text) == ["vomit", "dog"])
    #expect(query.knownWeightShare == 1)
    for index in 0..<query.parts[0].vector.count {
      #expect(abs(query.parts.reduce(0) { $0 + $1.vector[index] } - query.values[index]) < 1e-5)
    }
  }

  @Test func `an unknown term changes nothing but the known share`() throws {
    let vectorizer = try SampleTexts.vectorizer(SampleTexts.documents(100))
    let known = try vectorizer.queryVector(of: [QueryTerm("lame")])
    let mixed = try vectorizer.queryVector(of: [QueryTerm("lame"), QueryTerm("pyometra")])
    #expect(zip(known.values, mixed.values).allSatisfy { abs($0 - $1) < 1e-6 })
    #expect(mixed.knownWeightShare > 0 && mixed.knownWeightShare < 0.5)
    let unknown = try vectorizer.queryVector(of: [QueryTerm("pyometra")])
    #expect(unknown.knownWeightShare == 0 && unknown.values.allSatisfy { $0 == 0 })
    #expect(try vectorizer.queryVector(of: []).knownWeightShare == 0)
  }

  @Test func `repetition counts with its square root, an added term with its weight`() throws {
    let vectorizer = try SampleTexts.vectorizer(SampleTexts.documents(100))
    func ratio(_ terms: [QueryTerm]) throws -> Float {
      let parts = try vectorizer.queryVector(of: terms).parts
      // The other term's part is the yardstick, for the sum is normalised.
      return dot(parts[0].vector, parts[0].vector) / dot(parts[1].vector, parts[1].vector)
    }
    let once = try ratio([QueryTerm("itch"), QueryTerm("dog")])
    let fourTimes = try ratio([QueryTerm](repeating: QueryTerm("itch"), count: 4) + [QueryTerm("dog")])
    let added = try ratio([QueryTerm("itch", weight: 0.5, expandedFrom: "scratch"), QueryTerm("dog")])
    #expect(abs(fourTimes / once - 4) < 1e-3)
    #expect(abs(added / once - 0.25) < 1e-3)
  }

  @Test func `a document of unknown words, or of none, is the zero vector`() throws {
    let vectorizer = try SampleTexts.vectorizer(SampleTexts.documents(50))
    for document in [[], ["pyometra", "torsion"]] {
      let vector = try vectorizer.documentVector(of: document)
      #expect(vector == [Float](repeating: 0, count: 512))
    }
    #expect(try vectorizer.documentVectors(of: []).isEmpty)
  }

  @Test func `rows that don't fit the model are an error`() throws {
    let trained = try SampleTexts.train(SampleTexts.documents(50))
    var model = trained.model
    model.rank -= 1
    let vectorizer = Vectorizer(model: model, projection: AskedProjection(projection: trained.projection))
    #expect(throws: VectorizationError.self) { try vectorizer.documentVector(of: ["dog"]) }
    #expect(throws: VectorizationError.self) { try vectorizer.queryVector(of: [QueryTerm("dog")]) }
  }
}
