extension ContentHash {
  /// BLAKE2b-256 under a key, as a tag that nobody who lacks the key can tell from chance.
  ///
  /// - Precondition: the key has 16 to 64 bytes.
  public static func tag(of content: [UInt8], key: [UInt8]) -> ContentHash {
    precondition((16...64).contains(key.count), "a key of \(key.count) bytes")
    return ContentHash(of: content, key: key)
  }
}
