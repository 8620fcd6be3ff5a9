import Glibc

/// A file read whole, up to a limit.
final class WholeFile {
  private let path: String
  private let descriptor: Int32

  init(path: String) throws(InterchangeError) {
    self.path = path
    descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .opening(path, errno) }
  }

  deinit {
    if descriptor > STDIN_FILENO { close(descriptor) }
  }

  /// The first bytes, at most `count`.
  func start(count: Int) throws(InterchangeError) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: count)
    let length = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
    guard length >= 0 else { throw InterchangeError(.readFailed, path: path, systemError: errno) }
    return Array(buffer[..<length])
  }

  /// Everything up to `limit` bytes; nil when there is more.
  func contents(upTo limit: Int) throws(InterchangeError) -> [UInt8]? {
    var contents: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while contents.count <= limit {
      let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if count == 0 { return contents }
      if count > 0 {
        contents += buffer[..<count]
      } else if errno != EINTR {
        throw InterchangeError(.readFailed, path: path, systemError: errno)
      }
    }
    return nil
  }
}
