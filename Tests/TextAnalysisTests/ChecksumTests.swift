import Testing

@testable import TextAnalysis

@Suite struct ChecksumTests {
  /// - Source: the test vectors of the FNV reference pages for FNV-1a with 64 bits.
  @Test(arguments: [
    ("", "cbf29ce484222325"), ("a", "af63dc4c8601ec8c"), ("foobar", "85944171f73967e8"),
  ]) func `FNV-1a gives its published values`(text: String, digits: String) {
    var checksum = Checksum()
    checksum.add(text.utf8)
    #expect(checksum.hexadecimal == digits)
  }
}
