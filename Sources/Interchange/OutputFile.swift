import Glibc

/// A file being written, readable by its owner only, since it may hold what notes hold.
public final class OutputFile {
  private let path: String
  private let descriptor: Int32
  private var buffer: [UInt8] = []

  /// Creates the file, or empties the one that is there. A link is not followed.
  public init(path: String) throws(InterchangeError) {
    self.path = path
    descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw InterchangeError(.writeFailed, path: path, systemError: errno) }
    // An older file keeps its mode when it is emptied.
    guard fchmod(descriptor, 0o600) == 0 else {
      throw InterchangeError(.writeFailed, path: path, systemError: errno)
    }
  }

  deinit {
    try? flush()
    close(descriptor)
  }

  public func write(line: [UInt8]) throws(InterchangeError) {
    buffer += line
    buffer.append(0x0A)
    if buffer.count >= 1 << 16 { try flush() }
  }

  public func flush() throws(InterchangeError) {
    var written = 0
    while written < buffer.count {
      let count = buffer.withUnsafeBytes { bytes in
        Glibc.write(descriptor, bytes.baseAddress.map { $0 + written }, bytes.count - written)
      }
      if count > 0 {
        written += count
      } else if errno != EINTR {
        throw InterchangeError(.writeFailed, path: path, systemError: errno)
      }
    }
    buffer = []
  }
}

extension OutputFile {
  /// Puts a file that was written in the place of another, in one step; false when the system fails to.
  static func replace(_ path: String, by partial: String) -> Bool { rename(partial, path) == 0 }

  /// Deletes files; false when the system fails to.
  static func remove(_ paths: [String]) -> Bool { paths.allSatisfy { unlink($0) == 0 } }
}
