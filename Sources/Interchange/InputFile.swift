import Glibc

/// A file that can be read from its beginning as often as need be: once for what it is, once for what it says.
///
/// Standard input and pipes give their bytes only once; these are kept in a nameless temporary file that nobody else can
/// open and that is gone with the value.
public final class InputFile {
  public let path: String
  /// In bytes.
  let size: Int64
  private let descriptor: Int32
  private let closesDescriptor: Bool

  /// - Parameter path: `-` for standard input.
  /// - Throws: ``InterchangeError`` when the file can't be opened or a pipe can't be read to its end.
  public init(_ path: String) throws(InterchangeError) {
    self.path = path
    let isStandardInput = path == "-"
    let opened = isStandardInput ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard opened >= 0 else {
      (descriptor, closesDescriptor, size) = (-1, false, 0)
      throw InterchangeError.opening(path, errno)
    }
    var status = stat()
    let isRegular = fstat(opened, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    if isRegular, !isStandardInput || lseek(opened, 0, SEEK_CUR) == 0 {
      (descriptor, closesDescriptor, size) = (opened, !isStandardInput, Int64(status.st_size))
      return
    }
    var kept: (descriptor: Int32, size: Int64) = (-1, 0)
    defer { if !isStandardInput { close(opened) } }
    do throws(InterchangeError) {
      kept = try Self.keep(opened, path: path)
    } catch {
      (descriptor, closesDescriptor, size) = (-1, false, 0)
      throw error
    }
    (descriptor, closesDescriptor, size) = (kept.descriptor, true, kept.size)
  }

  deinit {
    if closesDescriptor { close(descriptor) }
  }

  /// Fills `buffer` with the bytes from `offset` on.
  ///
  /// - Returns: how many there were; 0 at the end.
  func read(at offset: Int64, into buffer: inout [UInt8]) throws(InterchangeError) -> Int {
    while true {
      let count = buffer.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, off_t(offset)) }
      if count >= 0 { return count }
      guard errno == EINTR else { throw InterchangeError(.readFailed, path: path, systemError: errno) }
    }
  }

  /// The first bytes, at most `count`.
  public func start(count: Int) throws(InterchangeError) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: count)
    let length = try read(at: 0, into: &buffer)
    return Array(buffer[..<length])
  }

  private static func keep(
    _ source: Int32, path: String
  ) throws(InterchangeError) -> (descriptor: Int32, size: Int64) {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var name = Array("\(folder)/vetnet-input-XXXXXX".utf8CString)
    let target = mkstemp(&name)
    guard target >= 0 else { throw InterchangeError(.writeFailed, path: folder, systemError: errno) }
    unlink(name)
    _ = fcntl(target, F_SETFD, FD_CLOEXEC)
    var size: Int64 = 0
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = buffer.withUnsafeMutableBytes { Glibc.read(source, $0.baseAddress, $0.count) }
      if count == 0 { return (target, size) }
      if count < 0 {
        if errno == EINTR { continue }
        let number = errno
        close(target)
        throw InterchangeError(.readFailed, path: path, systemError: number)
      }
      var written = 0
      while written < count {
        let portion = buffer.withUnsafeBytes { write(target, $0.baseAddress.map { $0 + written }, count - written) }
        if portion < 0, errno == EINTR { continue }
        guard portion > 0 else {
          let number = errno
          close(target)
          throw InterchangeError(.writeFailed, path: folder, systemError: number)
        }
        written += portion
      }
      size += Int64(count)
    }
  }
}
