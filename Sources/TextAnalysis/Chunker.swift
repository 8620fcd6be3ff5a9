public import Clinical

/// Cuts a note into the passages that are embedded, indexed and cited.
///
/// A passage holds whole sentences, and tables undivided. Sections that are too long are cut into passages of even length
/// that share a sentence with the one before; sections too short to stand alone join their neighbours.
public struct Chunker: Sendable {
  /// Sizes, in words as white space divides them.
  ///
  /// The defaults leave most notes and abstracts whole. Passages of 150 words found less (nDCG@10 of the words alone, whole
  /// texts and passages of 150: Cranfield .361 and .355, CISI .410 and .403, histories and similar cases of the sample
  /// practice .681 and .673): what a text is about is often named once, at its beginning.
  public struct Configuration: Hashable, Sendable {
    /// The length to aim at.
    public var targetWords: Int
    /// Longer only for a single sentence or table that is itself longer.
    public var maximumWords: Int
    /// Shorter passages join a neighbour where both fit.
    public var minimumWords: Int
    /// Sentences repeated at the start of the next passage of the same section.
    public var overlapSentences: Int

    public init(
      targetWords: Int = 230, maximumWords: Int = 280, minimumWords: Int = 40, overlapSentences: Int = 1
    ) {
      precondition(
        minimumWords <= targetWords && targetWords <= maximumWords && minimumWords >= 0 && targetWords > 0,
        "sizes \(minimumWords), \(targetWords), \(maximumWords) are not in order")
      precondition(overlapSentences >= 0, "overlapSentences \(overlapSentences) is negative")
      self.targetWords = targetWords
      self.maximumWords = maximumWords
      self.minimumWords = minimumWords
      self.overlapSentences = overlapSentences
    }
  }

  /// A sentence and its length.
  private struct Unit {
    let range: Range<Int>
    let words: Int
  }

  /// A passage in the making.
  private struct Passage {
    var range: Range<Int>
    var words: Int
    /// Words per section kind, in the order of first appearance.
    var kinds: [(kind: String, words: Int)]
    /// Part of a section that was cut: stays alone.
    let isCut: Bool
  }

  public let configuration: Configuration
  private let sections: SectionSplitter
  private let sentences: SentenceSplitter

  public init(sections: SectionSplitter, sentences: SentenceSplitter, configuration: Configuration = .init()) {
    self.sections = sections
    self.sentences = sentences
    self.configuration = configuration
  }

  /// The passages of a note, in order. Every sentence is in at least one; a blank note has none.
  ///
  /// - Complexity: O(length).
  public func chunks(of text: String) -> [Chunk] {
    text.withUTF8Bytes { bytes in
      var passages: [Passage] = []
      var hasHeadings = false
      for section in sections.sections(of: bytes) {
        if !section.heading.isEmpty { hasHeadings = true }
        let units = sentences.sentences(in: bytes, range: section.range).map {
          Unit(range: $0, words: Self.words(in: $0, bytes))
        }
        for passage in cut(units, kind: section.kind) { append(passage, to: &passages) }
      }
      return passages.enumerated().map { ordinal, passage in
        Chunk(ordinal: ordinal, range: passage.range, section: hasHeadings ? Self.mainKind(passage) : nil)
      }
    }
  }

  /// One section as one passage, or as several of about equal length.
  private func cut(_ units: [Unit], kind: String) -> [Passage] {
    guard let first = units.first, let last = units.last else { return [] }
    let total = units.reduce(0) { $0 + $1.words }
    if total <= configuration.maximumWords || units.count == 1 {
      return [
        Passage(
          range: first.range.lowerBound..<last.range.upperBound, words: total, kinds: [(kind, total)], isCut: false)
      ]
    }
    let pieces = (total + configuration.targetWords - 1) / configuration.targetWords
    let goal = (total + pieces - 1) / pieces
    var passages: [Passage] = []
    var start = 0
    while start < units.count {
      var end = start
      var words = 0
      // Sentences repeated from the passage before; they count towards the maximum, not towards the goal.
      let overlap = overlap(before: start, units)
      let repeated = units[overlap..<start].reduce(0) { $0 + $1.words }
      while end < units.count {
        let more = units[end].words
        if end > start, words >= goal || repeated + words + more > configuration.maximumWords { break }
        words += more
        end += 1
      }
      let range = units[overlap].range.lowerBound..<units[end - 1].range.upperBound
      passages.append(Passage(range: range, words: repeated + words, kinds: [(kind, words)], isCut: true))
      start = end
    }
    return passages
  }

  /// Where the passage that begins at `start` begins with its repeated sentences; long ones are not repeated.
  private func overlap(before start: Int, _ units: [Unit]) -> Int {
    var from = start
    while from > 0, start - from < configuration.overlapSentences,
      units[from - 1].words <= configuration.targetWords / 4
    {
      from -= 1
    }
    return from
  }

  /// Joins a passage to the one before when one of them is tiny and both fit.
  private func append(_ passage: Passage, to passages: inout [Passage]) {
    guard var last = passages.last, !last.isCut, !passage.isCut,
      min(last.words, passage.words) < configuration.minimumWords,
      last.words + passage.words <= configuration.maximumWords
    else {
      passages.append(passage)
      return
    }
    last.range = last.range.lowerBound..<passage.range.upperBound
    last.words += passage.words
    for (kind, words) in passage.kinds {
      if let index = last.kinds.firstIndex(where: { $0.kind == kind }) {
        last.kinds[index].words += words
      } else {
        last.kinds.append((kind, words))
      }
    }
    passages[passages.count - 1] = last
  }

  /// The kind with the most words, the first of equals.
  private static func mainKind(_ passage: Passage) -> String? {
    var best: (kind: String, words: Int)?
    for entry in passage.kinds where entry.words > (best?.words ?? -1) { best = entry }
    return best?.kind
  }

  /// Words as white space divides them, and no fewer than one in 16 bytes: text without spaces has a length too.
  private static func words(in range: Range<Int>, _ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    var words = 0
    var inWord = false
    for index in range {
      let isSpace = bytes.isSpace(index)
      if !isSpace, !inWord { words += 1 }
      inWord = !isSpace
    }
    return max(words, range.count / 16)
  }
}
