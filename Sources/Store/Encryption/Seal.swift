import CSodium

/// Authenticated encryption of one piece of a file: XChaCha20-Poly1305, with a random nonce for each sealing.
///
/// A nonce of 24 bytes may be drawn at random for as long as a file is in use: no counter that a copy of the file, or one that was put
/// back, could repeat. AES-GCM with its 12 bytes would need one.
///
/// A sealed piece is the nonce (24 bytes), the tag (16) and as many bytes as the plain one has.
///
/// - Source: draft-irtf-cfrg-xchacha-03; computed by libsodium.
enum Seal {
  static let nonceSize = 24
  static let overhead = 40

  /// Seals `plain` into `sealed`, which has room for ``overhead`` bytes more. What is in `context` has to be the same to open it.
  static func seal(
    _ plain: UnsafeRawBufferPointer, into sealed: UnsafeMutableRawPointer, context: UnsafeRawBufferPointer,
    key: LockedBytes
  ) {
    let nonce = sealed.assumingMemoryBound(to: UInt8.self)
    randombytes_buf(sealed, nonceSize)
    let result = crypto_aead_xchacha20poly1305_ietf_encrypt_detached(
      nonce + overhead, nonce + nonceSize, nil, plain.baseAddress?.assumingMemoryBound(to: UInt8.self),
      UInt64(plain.count), context.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt64(context.count), nil, nonce,
      key.pointer)
    precondition(result == 0, "sealing \(plain.count) bytes")
  }

  /// Opens `sealed` into `plain`.
  ///
  /// - Returns: false when it was not sealed with this key for this context, or a bit of it has changed; `plain` is zeros then.
  static func open(
    _ sealed: UnsafeRawPointer, into plain: UnsafeMutableRawBufferPointer, context: UnsafeRawBufferPointer,
    key: LockedBytes
  ) -> Bool {
    let nonce = sealed.assumingMemoryBound(to: UInt8.self)
    let result = crypto_aead_xchacha20poly1305_ietf_decrypt_detached(
      plain.baseAddress?.assumingMemoryBound(to: UInt8.self), nil, nonce + overhead, UInt64(plain.count),
      nonce + nonceSize, context.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt64(context.count), nonce,
      key.pointer)
    if result == 0 { return true }
    plain.initializeMemory(as: UInt8.self, repeating: 0)
    return false
  }
}
