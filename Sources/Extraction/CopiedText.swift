/// Finds what a note has word for word from an earlier note of the same patient.
///
///     CopiedText.ranges(in: today, from: [lastYear])   // the examination that was carried forward
///
/// Words are compared folded, as everywhere in extraction; numbers must be the same. Copied findings deserve less trust than
/// written ones, but a short phrase ("HR 120, mm pink") is common property: only runs of `minimumWords` count.
public enum CopiedText {
  /// Words in a row that no two notes share by chance.
  public static let minimumWords = 10

  /// The copied stretches of `text`, UTF-8 bytes, in order and apart.
  ///
  /// - Parameters:
  ///   - text: a note.
  ///   - earlier: the notes before it.
  ///   - minimumWords: the shortest run that counts, at least 1.
  /// - Returns: ranges on code point borders, from the first word of a run to its last.
  /// - Complexity: O(bytes of all notes).
  public static func ranges(
    in text: String, from earlier: [String], minimumWords: Int = CopiedText.minimumWords
  ) -> [Range<Int>] {
    var memory = Memory(minimumWords: minimumWords)
    for note in earlier { memory.remember(words(of: note)) }
    return memory.copied(words(of: text)).map(\.range)
  }

  /// What the notes read so far hold; for a whole record, note by note.
  ///
  ///     var memory = CopiedText.Memory()
  ///     for note in notes { copied[note.id] = memory.read(note.text) }
  public struct Memory: Sendable {
    private let minimumWords: Int
    /// By run, the place of the first note that has it.
    private var known: [UInt64: Int] = [:]
    private var count = 0

    /// - Parameter minimumWords: the shortest run that counts, at least 1.
    public init(minimumWords: Int = CopiedText.minimumWords) {
      precondition(minimumWords > 0, "a run has at least one word, not \(minimumWords)")
      self.minimumWords = minimumWords
    }

    /// The stretches of a note that an earlier one has too, each with the place of that note among those read; the note is
    /// remembered for the next.
    ///
    /// - Complexity: O(bytes of the note).
    public mutating func read(_ text: String) -> [(range: Range<Int>, source: Int)] {
      let words = CopiedText.words(of: text)
      let result = copied(words)
      remember(words)
      return result
    }

    fileprivate mutating func remember(_ words: [Word]) {
      for run in CopiedText.runs(of: words, length: minimumWords) {
        if known[run.hash] == nil { known[run.hash] = count }
      }
      count += 1
    }

    fileprivate func copied(_ words: [Word]) -> [(range: Range<Int>, source: Int)] {
      if known.isEmpty { return [] }
      var result: [(range: Range<Int>, source: Int)] = []
      for run in CopiedText.runs(of: words, length: minimumWords) {
        guard let source = known[run.hash] else { continue }
        let range = Int(words[run.start].start)..<Int(words[run.start + minimumWords - 1].end)
        if let last = result.last, range.lowerBound <= last.range.upperBound {
          result[result.count - 1].range = last.range.lowerBound..<range.upperBound
        } else {
          result.append((range, source))
        }
      }
      return result
    }
  }

  static func words(of text: String) -> [Word] {
    WordScanner.words(in: Array(text.utf8)).filter { $0.kind == .word || $0.kind == .number }
  }

  /// The hash of every run of `length` words. Each is made anew: runs are short, and a rolling hash would collide.
  fileprivate static func runs(of words: [Word], length: Int) -> [(start: Int, hash: UInt64)] {
    guard words.count >= length else { return [] }
    return (0...(words.count - length)).map { start in
      var hash: UInt64 = 0xCBF2_9CE4_8422_2325
      for word in words[start..<(start + length)] {
        hash = (hash ^ word.hash) &* 0x9E37_79B9_7F4A_7C15
        hash ^= hash >> 29
      }
      return (start, hash)
    }
  }
}
