import Testing

@testable import Vectorization

struct SpectrumDampingTests {
  /// Singular values that fall like text's do.
  private let spectrum = (1...512).map { 100 / Float($0).squareRoot() }

  @Test func `stronger directions are damped less`() {
    let factors = SpectrumDamping.factors(for: spectrum, documentCount: 1400)
    #expect(factors.count == 512)
    #expect(zip(factors, factors.dropFirst()).allSatisfy { $0 > $1 })
    #expect(factors.allSatisfy { $0 > 0 && $0 < 1 })
  }

  @Test func `the direction of reference keeps two thirds`() {
    // 1400 documents: r = 100, and σ² / (σ² + ½σ²) = 2 / 3.
    let factors = SpectrumDamping.factors(for: spectrum, documentCount: 1400)
    #expect(abs(factors[100] - 2.0 / 3) < 1e-5)
  }

  @Test func `the larger the collection, the less is damped, down to nothing`() {
    let last = [100, 1000, 5000, 20_000, 1_000_000].map {
      SpectrumDamping.factors(for: spectrum, documentCount: $0)[511]
    }
    #expect(zip(last, last.dropFirst()).allSatisfy { $0 < $1 })
    #expect((last.last ?? 0) > 0.99)
  }

  @Test func `few or vanishing singular values are no trouble`() {
    #expect(SpectrumDamping.factors(for: [], documentCount: 0).isEmpty)
    #expect(SpectrumDamping.factors(for: [0], documentCount: 1) == [0])
    #expect(SpectrumDamping.factors(for: [2, 1], documentCount: 2).allSatisfy { $0 > 0 && $0 < 1 })
  }
}
