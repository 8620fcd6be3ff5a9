import FoundationEssentials

/// Bytes as addresses and browsers write them: base 64 without what has a meaning in an address, and without padding.
///
/// - Source: RFC 4648, section 5.
public enum Base64URL {
  public static func text(_ bytes: [UInt8]) -> String {
    String(Data(bytes).base64EncodedString().map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 }.prefix { $0 != "=" })
  }

  /// - Returns: nil for what is written otherwise.
  public static func bytes(_ text: String) -> [UInt8]? {
    guard text.utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "/") }) else { return nil }
    let plain = String(text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
    return Data(base64Encoded: plain + String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)).map {
      [UInt8]($0)
    }
  }
}
