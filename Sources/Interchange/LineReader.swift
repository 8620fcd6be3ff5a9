import Glibc

/// The lines of a file, one at a time and in flat memory: a line longer than allowed is walked over, not held.
///
/// A byte order mark before the first line is dropped; lines end in LF or CRLF, the last one perhaps in nothing.
final class LineReader {
  enum Ending: Equatable {
    case lf, crlf
    /// The file ends in the line.
    case none

    var bytes: [UInt8] {
      switch self {
      case .lf: [0x0A]
      case .crlf: [0x0D, 0x0A]
      case .none: []
      }
    }
  }

  struct Line: Equatable {
    /// Without the line's end.
    var bytes: [UInt8]
    /// From 1.
    let number: Int
    let ending: Ending
  }

  enum Item: Equatable {
    case line(Line)
    /// A line of `length` bytes, more than allowed.
    case tooLong(number: Int, length: Int)
  }

  static let defaultBufferSize = 1 << 18

  let path: String
  let maximumLength: Int
  /// Nil for anything but a regular file.
  let totalBytes: Int64?
  private(set) var bytesRead: Int64 = 0
  private let descriptor: Int32
  private let closesDescriptor: Bool
  private var buffer: [UInt8]
  private var start = 0
  private var end = 0
  private var number = 0

  /// - Parameters:
  ///   - path: `-` for standard input.
  ///   - maximumLength: of a line, in bytes without its end.
  ///   - bufferSize: how much is read at a time, in bytes.
  /// - Throws: ``InterchangeError`` when the file can't be opened.
  init(
    path: String, maximumLength: Int, bufferSize: Int = LineReader.defaultBufferSize
  ) throws(InterchangeError) {
    self.path = path
    self.maximumLength = maximumLength
    closesDescriptor = path != "-"
    descriptor = closesDescriptor ? open(path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO
    buffer = [UInt8](repeating: 0, count: max(1, bufferSize))
    guard descriptor >= 0 else {
      totalBytes = nil
      throw InterchangeError.opening(path, errno)
    }
    var status = stat()
    let isRegular = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    totalBytes = isRegular ? Int64(status.st_size) : nil
  }

  deinit {
    if closesDescriptor, descriptor >= 0 { close(descriptor) }
  }

  /// The next line, nil at the end of the file.
  func next() throws(InterchangeError) -> Item? {
    var bytes: [UInt8] = []
    var length = 0
    while true {
      if start == end, try !fill() {
        guard length > 0 else { return nil }
        return item(bytes, length: length, isTerminated: false)
      }
      let newline = indexOfNewline()
      let upper = newline ?? end
      length += upper - start
      // The byte order mark and a CR are not the line's own: room for them keeps the limit exact.
      if length <= maximumLength + 4 {
        bytes.append(contentsOf: buffer[start..<upper])
      } else {
        bytes = []
      }
      start = upper
      if newline != nil {
        start += 1
        return item(bytes, length: length, isTerminated: true)
      }
    }
  }

  private func item(_ bytes: [UInt8], length: Int, isTerminated: Bool) -> Item {
    number += 1
    guard length <= maximumLength + 4 else { return .tooLong(number: number, length: length) }
    var bytes = bytes
    let hasReturn = bytes.last == 0x0D
    if hasReturn { bytes.removeLast() }
    if number == 1, bytes.starts(with: byteOrderMark) { bytes.removeFirst(byteOrderMark.count) }
    guard bytes.count <= maximumLength else { return .tooLong(number: number, length: bytes.count) }
    return .line(Line(bytes: bytes, number: number, ending: !isTerminated ? .none : hasReturn ? .crlf : .lf))
  }

  private func indexOfNewline() -> Int? {
    buffer.withUnsafeBytes { bytes -> Int? in
      guard let base = bytes.baseAddress, let found = memchr(base + start, 0x0A, end - start) else { return nil }
      return UnsafeRawPointer(found) - base
    }
  }

  /// Reads the next stretch of the file; false at its end.
  private func fill() throws(InterchangeError) -> Bool {
    while true {
      let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        start = 0
        end = count
        bytesRead += Int64(count)
        return count > 0
      }
      guard errno == EINTR else { throw InterchangeError(.readFailed, path: path, systemError: errno) }
    }
  }
}

/// U+FEFF in UTF-8, which some programs put before a file.
let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

extension InterchangeError {
  /// The error for a path that the system would not open.
  static func opening(_ path: String, _ number: Int32) -> InterchangeError {
    switch number {
    case ENOENT, ENOTDIR: InterchangeError(.notFound, path: path, systemError: number)
    case EACCES, EPERM: InterchangeError(.notReadable, path: path, systemError: number)
    default: InterchangeError(.readFailed, path: path, systemError: number)
    }
  }
}
