import Clinical
import LinearAlgebra
import Testing
import Vectorization
import VetNetTestSupport

struct ModelFileTests {
  /// Stands in for a digest: 32 bytes that depend on every byte and its place.
  static func digest(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var state = SplitMix64(seed: UInt64(bytes.count))
    for byte in bytes { state = SplitMix64(seed: state.next() ^ UInt64(byte)) }
    return (0..<32).map { _ in UInt8(truncatingIfNeeded: state.next()) }
  }

  private func file(sizeLimit: Int = ModelFile.defaultSizeLimit) throws -> (ProjectionTrainer.Trained, [UInt8]) {
    let trained = try SampleTexts.train(SampleTexts.documents(100))
    let bytes = try ModelFile.bytes(
      of: trained, provenance: "sample texts", sizeLimit: sizeLimit, digest: Self.digest)
    return (trained, bytes)
  }

  @Test func `a model survives its file`() throws {
    let (trained, bytes) = try file()
    let file = try ModelFile(bytes: bytes)
    try file.verify(digest: Self.digest)
    #expect(file.model == trained.model)
    #expect(file.provenance == "sample texts")
    let projection = try file.projection()
    #expect(projection.buckets == trained.projection.buckets)
    #expect(projection.weights == trained.projection.weights)
    // Half precision keeps 11 bits.
    for (read, written) in zip(projection.vectors.values, trained.projection.vectors.values) {
      #expect(abs(read - written) <= abs(written) * 0x1p-11 + 1e-7)
    }
  }

  @Test func `single rows are the whole projection's`() throws {
    let (trained, bytes) = try file()
    let file = try ModelFile(bytes: bytes)
    let asked = trained.projection.buckets + [0, 1, 262_143]
    #expect(file.rows(for: asked) == (try file.projection()).rows(for: asked))
  }

  @Test func `vectors from the file lie close to those it was written from`() throws {
    let (trained, bytes) = try file()
    let file = try ModelFile(bytes: bytes)
    let terms = SampleTexts.documents(1, seed: 9)[0]
    let before = try Vectorizer(model: trained.model, projection: trained.projection).documentVector(of: terms)
    let after = try Vectorizer(model: file.model, projection: file).documentVector(of: terms)
    #expect(zip(before, after).allSatisfy { abs($0 - $1) < 0.005 })
  }

  @Test func `a size limit leaves out the least important rows`() throws {
    let (trained, whole) = try file()
    let limit = whole.count - 500
    let (_, trimmed) = try file(sizeLimit: limit)
    #expect(trimmed.count <= limit)
    let kept = try ModelFile(bytes: trimmed).projection()
    #expect(kept.buckets.count < trained.projection.buckets.count)
    #expect(Set(kept.buckets).isSubset(of: trained.projection.buckets))
    #expect(throws: VectorizationError.self) { try file(sizeLimit: 100) }
  }

  @Test func `any flipped byte is found by opening or by verifying`() throws {
    let (_, bytes) = try file()
    for place in stride(from: 0, to: bytes.count, by: 61) {
      var damaged = bytes
      damaged[place] ^= 0x10
      #expect(throws: VectorizationError.self, "byte \(place)") {
        try ModelFile(bytes: damaged).verify(digest: Self.digest)
      }
    }
  }

  @Test func `any cut is found by opening`() throws {
    let (_, bytes) = try file()
    for length in [0, 7, 8, 15, 47, 48, 60, 200, bytes.count - 1] {
      #expect(throws: VectorizationError.self, "\(length) bytes") { try ModelFile(bytes: Array(bytes.prefix(length))) }
    }
    #expect(throws: VectorizationError.self) { try ModelFile(bytes: bytes + [0]) }
  }

  @Test func `errors say what is wrong`() throws {
    let (_, bytes) = try file()
    func code(_ change: (inout [UInt8]) -> Void) -> VectorizationError.Code? {
      var damaged = bytes
      change(&damaged)
      do {
        try ModelFile(bytes: damaged).verify(digest: Self.digest)
        return nil
      } catch {
        return error.code
      }
    }
    #expect(code { $0[0] = 0 } == .notAModelFile)
    #expect(code { $0[8] = 2 } == .unsupportedVersion)
    #expect(code { $0[48] = UInt8(ascii: "!") } == .malformedHeader)
    #expect(code { $0.removeLast() } == .wrongLength)
    #expect(code { $0[$0.count - 1] ^= 1 } == .checksumMismatch)
    #expect(code { $0[20] ^= 1 } == .checksumMismatch)
  }

  @Test func `settings survive JSON under stable keys`() throws {
    let (trained, bytes) = try file()
    let header = String(decoding: bytes.dropFirst(48).prefix(400), as: UTF8.self)
    for key in ["average_length", "document_count", "analyzer_version", "exponent", "rank", "bits", "row_count"] {
      #expect(header.contains("\"\(key)\""))
    }
    #expect(trained.model.analyzerVersion == "test-1")
  }
}
