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

  let maximumLength: Int
  /// In bytes of the file.
  var totalBytes: Int64 { file.size }
  private(set) var bytesRead: Int64 = 0
  private let file: InputFile
  /// Nil for UTF-8, whose bytes are taken as they are.
  private let decoder: TextDecoder?
  private var isFinished = false
  private var portion: [UInt8]
  private var buffer: [UInt8] = []
  private var start = 0
  private var end = 0
  private var number = 0

  /// - Parameters:
  ///   - file: read from its beginning, whoever else reads it.
  ///   - encoding: what its bytes mean; lines come in UTF-8.
  ///   - maximumLength: of a line, in bytes of UTF-8 without its end.
  ///   - bufferSize: how much is read at a time, in bytes.
  init(
    _ file: InputFile, encoding: TextEncoding = .utf8, maximumLength: Int,
    bufferSize: Int = LineReader.defaultBufferSize
  ) {
    self.file = file
    self.maximumLength = maximumLength
    decoder = encoding == .utf8 ? nil : TextDecoder(encoding)
    portion = [UInt8](repeating: 0, count: max(1, bufferSize))
  }

  /// - Throws: ``InterchangeError`` when the file can't be opened.
  convenience init(
    path: String, maximumLength: Int, bufferSize: Int = LineReader.defaultBufferSize
  ) throws(InterchangeError) {
    self.init(try InputFile(path), maximumLength: maximumLength, bufferSize: bufferSize)
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
    while !isFinished {
      let count = try file.read(at: bytesRead, into: &portion)
      bytesRead += Int64(count)
      isFinished = count == 0
      start = 0
      guard let decoder else {
        swap(&buffer, &portion)
        if portion.isEmpty { portion = [UInt8](repeating: 0, count: buffer.count) }
        end = count
        return count > 0
      }
      buffer.removeAll(keepingCapacity: true)
      do throws(TextDecoder.Failure) {
        try count == 0 ? decoder.finish() : decoder.decode(portion[..<count], into: &buffer)
      } catch {
        // The whole file was decodable a moment ago: somebody is writing to it.
        throw InterchangeError(.readFailed, path: file.path, hint: "the file changed while it was read")
      }
      end = buffer.count
      if end > 0 { return true }
    }
    return false
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
