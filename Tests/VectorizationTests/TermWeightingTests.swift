import Testing
import Vectorization

struct TermWeightingTests {
  @Test func `the idf follows its formula`() {
    // N = 8, n = 2: ln(1 + 6.5 / 2.5) = ln 3.6; n = 0: ln(1 + 8.5 / 0.5) = ln 18.
    let two = TermWeighting.inverseDocumentFrequency(documentFrequency: 2, documentCount: 8)
    let none = TermWeighting.inverseDocumentFrequency(documentFrequency: 0, documentCount: 8)
    #expect(abs(two - 1.2809338454620642) < 1e-12)
    #expect(abs(none - 2.890371757896165) < 1e-12)
  }

  @Test func `the idf falls with frequency and never below zero`() {
    let idfs = (0...50).map { TermWeighting.inverseDocumentFrequency(documentFrequency: $0, documentCount: 50) }
    #expect(zip(idfs, idfs.dropFirst()).allSatisfy { $0 > $1 })
    #expect(idfs.allSatisfy { $0 > 0 })
  }

  @Test func `a text of average length saturates as f · (k1 + 1) / (f + k1)`() {
    let weighting = TermWeighting(k1: 1.2, b: 0.75, averageLength: 10)
    #expect(abs(weighting.saturation(count: 1, length: 10) - 1) < 1e-12)
    #expect(abs(weighting.saturation(count: 3, length: 10) - 3 * 2.2 / 4.2) < 1e-12)
    // Twice the average length: 1 - 0.75 + 0.75 · 2 = 1.75, so 2.2 / (1 + 1.2 · 1.75) = 2.2 / 3.1.
    #expect(abs(weighting.saturation(count: 1, length: 20) - 2.2 / 3.1) < 1e-12)
    #expect(weighting.saturation(count: 1000, length: 10) < 2.2)
  }

  @Test func `signed counts add up per bucket, and cancelled ones are left out`() {
    let hasher = FeatureHasher(bits: 1)
    var naive: [UInt32: Float] = [:]
    let terms = ["cat", "dog", "cat", "vomit", "seizur", "limp", "cough"]
    for term in terms { naive[hasher.feature(of: term).bucket, default: 0] += hasher.feature(of: term).sign }
    let vector = SparseVector(counting: terms, by: hasher)
    #expect(vector.buckets == naive.filter { $0.value != 0 }.keys.sorted())
    for (bucket, value) in zip(vector.buckets, vector.values) { #expect(naive[bucket] == value) }
    #expect(SparseVector(counting: [], by: hasher).buckets.isEmpty)
  }
}
