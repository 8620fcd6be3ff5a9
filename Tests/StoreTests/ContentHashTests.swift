@testable import Store
import Testing

@Suite struct ContentHashTests {
  /// From the reference implementation's `b2sum -l 256`.
  @Test(arguments: [
    ("", "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8"),
    ("abc", "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319"),
  ])
  func `the hash is BLAKE2b-256`(text: String, hash: String) {
    #expect(ContentHash(of: Array(text.utf8)).hexadecimal == hash)
  }

  @Test func `different values never give the same bytes`() {
    var seen: Set<[UInt8]> = []
    let rows: [[any Bindable]] = [
      [], [""], [String?.none], ["", ""], ["ab", "c"], ["a", "bc"], ["abc"], [[UInt8]("abc".utf8)], [1], [1.0], ["1"],
      [0], [0.0], [-0.0], [Int64.max], [Int?.none, Int?.none],
    ]
    for row in rows {
      var canonical = CanonicalBytes()
      for value in row { value.append(to: &canonical) }
      #expect(seen.insert(canonical.bytes).inserted, "\(row)")
    }
  }
}
