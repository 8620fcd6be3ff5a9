import FoundationEssentials
import Store

/// By what a server is recognised whoever vouches for it, or nobody: the digest of its public key.
///
/// - Source: RFC 7469, section 2.4: SHA-256 of the certificate's SubjectPublicKeyInfo.
public enum CertificatePin {
  /// The pin of the first certificate of a chain, as base 64 of 32 bytes.
  ///
  /// - Parameter pem: as a server is given it: text with `-----BEGIN CERTIFICATE-----`.
  /// - Returns: nil where no certificate is in it that can be read.
  public static func pin(pem: String) -> String? {
    let lines = pem.split(whereSeparator: \.isNewline)
    guard let start = lines.firstIndex(of: "-----BEGIN CERTIFICATE-----"),
      let end = lines[start...].firstIndex(of: "-----END CERTIFICATE-----"),
      let data = Data(base64Encoded: lines[(start + 1)..<end].joined())
    else { return nil }
    return publicKeyInfo(of: [UInt8](data)).map { Data(SHA256.hash(of: $0)).base64EncodedString() }
  }

  /// SubjectPublicKeyInfo of a certificate in DER, as it stands there.
  ///
  /// - Source: RFC 5280, section 4.1: the version in brackets is left out by the first; then serial number, signature, issuer, validity
  ///   and subject come before the key.
  static func publicKeyInfo(of certificate: [UInt8]) -> [UInt8]? {
    guard let outer = Element(certificate[...]), outer.tag == 0x30, let signed = Element(outer.content),
      signed.tag == 0x30
    else { return nil }
    var rest = signed.content
    if let version = Element(rest), version.tag == 0xA0 { rest = version.rest }
    for _ in 0..<5 {
      guard let passed = Element(rest) else { return nil }
      rest = passed.rest
    }
    guard let key = Element(rest), key.tag == 0x30 else { return nil }
    return Array(key.whole)
  }

  /// One element of DER: a tag, a length, as many bytes.
  private struct Element {
    let tag: UInt8
    let content: ArraySlice<UInt8>
    let whole: ArraySlice<UInt8>
    /// What stands behind it.
    let rest: ArraySlice<UInt8>

    /// - Returns: nil where it doesn't end within the bytes, or is longer than 16 MB.
    init?(_ bytes: ArraySlice<UInt8>) {
      guard bytes.count >= 2 else { return nil }
      var place = bytes.startIndex + 2
      var length = Int(bytes[bytes.startIndex + 1])
      if length >= 0x80 {
        let digits = length & 0x7F
        guard (1...3).contains(digits), bytes.endIndex - place >= digits else { return nil }
        length = bytes[place..<(place + digits)].reduce(0) { $0 << 8 | Int($1) }
        place += digits
      }
      guard bytes.endIndex - place >= length else { return nil }
      tag = bytes[bytes.startIndex]
      content = bytes[place..<(place + length)]
      whole = bytes[bytes.startIndex..<(place + length)]
      rest = bytes[(place + length)...]
    }
  }
}
