internal import CStemmer
import Synchronization

/// Snowball's English stemmer (Porter 2), for use from any thread.
///
/// Only plain English letters are stemmed: numbers, codes and words with signs stay as they are, so that `T4`, `50mg`
/// or `PU/PD` never lose a letter. Nor does a word of which fewer than three letters would be left, unless it is a plural:
/// `AED` is no `a`, and `upped` no `up`, but `GAs` are `ga`.
///
/// - Source: M. F. Porter, "The English (Porter2) stemming algorithm", 2002; through libstemmer.
public struct Stemmer: Sendable {
  private let handle: StemmerHandle

  public init() {
    handle = StemmerHandle()
  }

  /// The stem of a folded word.
  public func stem(_ word: String) -> String {
    guard Self.isStemmable(word) else { return word }
    return handle.stem(word)
  }

  static func isStemmable(_ word: String) -> Bool {
    var word = word
    return word.withUTF8 { bytes in
      bytes.count > 2 && bytes.allSatisfy { ($0 >= 0x61 && $0 <= 0x7A) || $0 == UInt8(ascii: "'") }
    }
  }
}

/// The one owner of a libstemmer handle. The handle keeps the word it works on, so it serves one caller at a time.
final class StemmerHandle: Sendable {
  private let stemmer: Mutex<SnowballStemmer>

  init() {
    stemmer = Mutex(SnowballStemmer())
  }

  func stem(_ word: String) -> String {
    stemmer.withLock { $0.stem(word) }
  }
}

/// A libstemmer handle, not to be shared between threads.
final class SnowballStemmer {
  private let handle: OpaquePointer?

  init() {
    handle = sb_stemmer_new("english", "UTF_8")
    precondition(handle != nil, "libstemmer has no English stemmer")
  }

  deinit {
    sb_stemmer_delete(handle)
  }

  func stem(_ word: String) -> String {
    var word = word
    return word.withUTF8 { bytes in
      guard let stem = sb_stemmer_stem(handle, bytes.baseAddress, Int32(bytes.count)) else { return nil }
      let letters = UnsafeBufferPointer(start: stem, count: Int(sb_stemmer_length(handle)))
      if letters.count < 3, bytes.count - letters.count > 1 { return nil }
      return String(decoding: letters, as: UTF8.self)
    } ?? word
  }
}
