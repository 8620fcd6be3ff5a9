import Glibc

/// Turns a file's bytes into UTF-8, portion by portion.
final class TextDecoder {
  /// A byte that has no meaning in the encoding, or a character that the file's end cuts off.
  struct Failure: Error, Equatable {
    /// From the beginning of the file.
    let offset: Int64
  }

  private let handle: iconv_t
  /// The beginning of a character whose end is in the next portion.
  private var rest: [UInt8] = []
  private var consumed: Int64 = 0

  init(_ encoding: TextEncoding) {
    handle = iconv_open(TextEncoding.utf8.systemName, encoding.systemName)
    // The encodings are part of glibc's own package; without them nothing of the C library's texts would work.
    precondition(handle != iconv_t(bitPattern: -1), "the C library doesn't know \(encoding.systemName)")
  }

  deinit { iconv_close(handle) }

  /// Appends what `bytes` mean; of a character that isn't complete yet the bytes are kept for the next call.
  ///
  /// - Throws: ``Failure`` at the first byte that means nothing. What stood before it is in `output`.
  func decode(_ bytes: some Collection<UInt8>, into output: inout [UInt8]) throws(Failure) {
    var input = rest + bytes
    rest = []
    var position = 0
    // No encoding here takes more than three bytes of UTF-8 for one of its own.
    var decoded = [UInt8](repeating: 0, count: input.count * 3 + 16)
    var written = 0
    let problem: Int32 = input.withUnsafeMutableBytes { source in
      decoded.withUnsafeMutableBytes { target in
        var from = source.baseAddress?.assumingMemoryBound(to: CChar.self)
        var left = source.count
        var to = target.baseAddress?.assumingMemoryBound(to: CChar.self)
        var room = target.count
        let result = iconv(handle, &from, &left, &to, &room)
        let number = result == Int(bitPattern: UInt.max) || result == -1 ? errno : 0
        position = source.count - left
        written = target.count - room
        return number
      }
    }
    output += decoded[..<written]
    consumed += Int64(position)
    switch problem {
    case 0: break
    case EINVAL: rest = Array(input[position...])
    default: throw Failure(offset: consumed)
    }
  }

  /// - Throws: ``Failure`` when the last character is not complete.
  func finish() throws(Failure) {
    if !rest.isEmpty { throw Failure(offset: consumed) }
  }
}
