import Testing
import Vectorization

struct FeatureHasherTests {
  @Test func `a term always goes to the same bucket, within the buckets there are`() {
    let hasher = FeatureHasher(bits: 10)
    for term in ["", "fits", "pu/pd", "0.1mg/kg", "ñandú", String(repeating: "x", count: 1000)] {
      #expect(hasher.feature(of: term) == hasher.feature(of: term))
      #expect(hasher.feature(of: term).bucket < 1024)
      #expect(abs(hasher.feature(of: term).sign) == 1)
    }
  }

  @Test func `the hash is the one that stored projections were made with`() {
    // An independent implementation gives EFD01F60BA992926 and 82A2A958A9BECE5B: the low 18 bits, and a high bit set.
    let hasher = FeatureHasher(bits: 18)
    #expect(hasher.feature(of: "").bucket == 76070)
    #expect(hasher.feature(of: "").sign == -1)
    #expect(hasher.feature(of: "a").bucket == 183899)
    #expect(hasher.feature(of: "a").sign == -1)
  }

  @Test func `terms spread evenly over the buckets`() {
    let hasher = FeatureHasher(bits: 8)
    var counts = [Int](repeating: 0, count: 256)
    let terms = 25_600
    for number in 0..<terms { counts[Int(hasher.feature(of: "term\(number)").bucket)] += 1 }
    // Chi-squared with 255 degrees of freedom: mean 255, standard deviation 22.6; five of them either side.
    let chiSquared = counts.reduce(0.0) { $0 + (Double($1) - 100) * (Double($1) - 100) / 100 }
    #expect(chiSquared > 142 && chiSquared < 368)
  }

  @Test(arguments: ["short", "numbers"])
  func `signs are balanced, also among terms of two letters`(kind: String) {
    let hasher = FeatureHasher()
    let letters = (UInt8(ascii: "a")...UInt8(ascii: "z")).map { String(UnicodeScalar($0)) }
    let terms =
      kind == "short"
      ? letters.flatMap { first in letters.map { first + $0 } } : (0..<10_000).map { "\($0)" }
    let sum = terms.reduce(Float(0)) { $0 + hasher.feature(of: $1).sign }
    // A sum of fair signs has a standard deviation of the root of their number; four of them either side.
    #expect(abs(sum) < 4 * Float(terms.count).squareRoot())
  }

  @Test func `sign and bucket are independent`() {
    let hasher = FeatureHasher(bits: 1)
    var table: [FeatureHasher.Feature: Int] = [:]
    for number in 0..<4000 { table[hasher.feature(of: "t\(number)"), default: 0] += 1 }
    #expect(table.count == 4)
    // Expected 1000 each, standard deviation 27.
    #expect(table.values.allSatisfy { abs($0 - 1000) < 140 })
  }
}
