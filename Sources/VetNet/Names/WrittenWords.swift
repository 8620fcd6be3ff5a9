import Clinical
import Store

/// How a practice itself writes words, counted over notes: what it writes in small letters is no name, and what it writes with a capital in
/// the middle of sentences and never otherwise is one.
public struct WrittenWords: Sendable {
  private struct Count {
    var small = 0
    var capital = 0
  }

  /// As many notes as tell enough of a practice's ways and are read in a moment.
  static let mostNotes = 1_000
  /// Fewer notes could be one hasty typist's.
  private static let leastNotes = 3
  /// What fewer words lack tells nothing.
  private static let enoughWords = 300

  private var counts: [String: Count] = [:]

  /// Of no practice.
  public init() {}

  /// - Parameter texts: notes; of sentences without capitals, and of words that begin one, nothing is learned.
  public init(_ texts: some Sequence<String>) {
    for text in texts {
      var (small, capital): (Set<String>, Set<String>) = ([], [])
      for word in NameWords(text).words where !word.isNumber && !word.isCaseless && !word.isFirst {
        if word.isCapitalised { capital.insert(word.bare) } else { small.insert(word.bare) }
      }
      for word in small { counts[word, default: Count()].small += 1 }
      for word in capital { counts[word, default: Count()].capital += 1 }
    }
  }

  /// Whether a word in small letters is an everyday one here.
  func isOrdinary(_ word: String) -> Bool {
    guard let count = counts[word] else { return false }
    return count.small >= Self.leastNotes && count.small >= 3 * count.capital
  }

  /// Whether no note here has a word in small letters, though there are notes enough to tell.
  func lacks(_ word: String) -> Bool { counts.count >= Self.enoughWords && (counts[word]?.small ?? 0) == 0 }

  /// How a word stands here where a capital tells something.
  func use(of word: String) -> String {
    guard let count = counts[word] else { return "none" }
    return count.capital == 0 ? "small" : count.small == 0 ? "capital" : "both"
  }

  /// Whether a word stands with a capital here and never without, though no sentence begins with it.
  func isOnlyCapital(_ word: String) -> Bool {
    guard let count = counts[word] else { return false }
    return count.small == 0 && count.capital >= Self.leastNotes
  }
}

extension Practice.Index {
  /// How the notes that were stored last are written, and by whom they are signed.
  func latestWriting() throws -> (words: WrittenWords, authors: Set<String>) {
    let notes = try reporting { try connection.notes.latestStored(limit: WrittenWords.mostNotes) }
    return (WrittenWords(notes.map(\.text)), Set(notes.compactMap(\.author)))
  }
}
