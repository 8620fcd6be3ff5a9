import CSodium
import Glibc

/// Bytes that only the hub and one device can read or have written, for folders and sticks that anybody may hold.
///
/// XChaCha20-Poly1305 under the key that the two share, with a random nonce; what the message is for, and of which device, is
/// authenticated with it.
public enum SealedMessage {
  private static let mark = Array("vetnet-sync-1\n".utf8)

  public static func seal(_ bytes: [UInt8], key: [UInt8], purpose: String) -> [UInt8] {
    precondition(key.count == Int(crypto_aead_xchacha20poly1305_ietf_KEYBYTES), "a key of \(key.count) bytes")
    var nonce = [UInt8](repeating: 0, count: Int(crypto_aead_xchacha20poly1305_ietf_NPUBBYTES))
    randombytes_buf(&nonce, nonce.count)
    var sealed = [UInt8](repeating: 0, count: bytes.count + Int(crypto_aead_xchacha20poly1305_ietf_ABYTES))
    var length: UInt64 = 0
    let about = Array(purpose.utf8)
    _ = crypto_aead_xchacha20poly1305_ietf_encrypt(
      &sealed, &length, bytes, UInt64(bytes.count), about, UInt64(about.count), nil, nonce, key)
    return mark + nonce + sealed
  }

  /// Nil for what was not sealed under the key for the purpose, or was changed since.
  public static func open(_ message: [UInt8], key: [UInt8], purpose: String) -> [UInt8]? {
    let nonceCount = Int(crypto_aead_xchacha20poly1305_ietf_NPUBBYTES)
    let tagCount = Int(crypto_aead_xchacha20poly1305_ietf_ABYTES)
    guard message.count >= mark.count + nonceCount + tagCount, message.starts(with: mark), key.count == 32 else {
      return nil
    }
    let nonce = Array(message[mark.count..<mark.count + nonceCount])
    let sealed = Array(message[(mark.count + nonceCount)...])
    var bytes = [UInt8](repeating: 0, count: sealed.count - tagCount)
    var length: UInt64 = 0
    let about = Array(purpose.utf8)
    let result = crypto_aead_xchacha20poly1305_ietf_decrypt(
      &bytes, &length, nil, sealed, UInt64(sealed.count), about, UInt64(about.count), nonce, key)
    return result == 0 ? bytes : nil
  }

  /// Reads a file of at most so many bytes; nil where there is none.
  ///
  /// - Throws: ``StoreError`` for a longer one, for what is no plain file, and where the system fails to read.
  public static func read(_ path: String, mostBytes: Int) throws(StoreError) -> [UInt8]? {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw .file("reading '\(path)'")
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= mostBytes else {
      throw StoreError(.cannotOpen, context: "'\(path)' is no file of at most \(mostBytes >> 20) MB")
    }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var done = 0
    while done < bytes.count {
      let count = bytes[done...].withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .file("reading '\(path)'") }
      done += count
    }
    return bytes
  }

  /// Puts bytes into a file in one step: whoever reads finds what was there, or all of it.
  public static func write(_ bytes: [UInt8], to path: String) throws(StoreError) {
    let file = try PrivateFile(in: FilePath.folder(of: path))
    try file.append(bytes)
    try file.synchronize()
    try file.put(at: path)
  }
}
