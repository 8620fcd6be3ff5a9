import Synchronization

/// From text to the terms that are indexed and asked for: tokens, shorthand expanded, folded, without stop words, stemmed.
///
/// The same as the filters one after the other, but each distinct word is worked out once:
///
///     analyzer.terms(in: "PU/PD for 3 weeks")  // ["pu/pd", "polyuria", "polydipsia", "pu", "pd", "3", "week"]
///
/// Safe to share: threads that analyse at the same time take turns over a few caches, not over one.
public struct Analyzer: Sendable {
  /// Rises with every change of the code that changes terms.
  private static let codeVersion = 2

  public let lexicon: AnalysisLexicon
  /// Names code and word lists; terms of different versions must not meet in one index.
  public let version: String
  private let tokenizer = Tokenizer()
  private let caches: [TermCache]

  public init(lexicon: AnalysisLexicon) {
    self.lexicon = lexicon
    version = "text-\(Self.codeVersion)-\(lexicon.checksum)"
    caches = (0..<8).map { _ in TermCache(lexicon: lexicon) }
  }

  /// The tokens of `text`, or of the bytes of `range` in it, with ranges into `text`.
  ///
  /// With `keepingStopWords`, for matching phrases, stop words stay, folded and not stemmed.
  ///
  /// - Precondition: `range` lies in the text.
  /// - Complexity: O(length of the range).
  public func tokens(in text: String, range: Range<Int>? = nil, keepingStopWords: Bool = false) -> [Token] {
    let tokens = tokenizer.tokens(in: text, range: range)
    for cache in caches {
      if let result = cache.analyzeIfFree(tokens, keepingStopWords: keepingStopWords) { return result }
    }
    return caches[0].analyze(tokens, keepingStopWords: keepingStopWords)
  }

  /// The terms alone, in order, repeated as often as they occur.
  public func terms(in text: String, range: Range<Int>? = nil) -> [String] {
    tokens(in: text, range: range).map(\.text)
  }

  /// The first term of a text that begins with `word`, where `word` consists of ASCII letters alone and ends with the text or
  /// before white space: such a word is a token of its own.
  func firstTerm(ofPlainWord word: String) -> String {
    for cache in caches {
      if let term = cache.termIfFree(word) { return term }
    }
    return caches[0].term(word)
  }

  /// The filters whose chain this analyzer equals.
  public var filters: [any TokenFilter] {
    [
      ShorthandFilter(lexicon: lexicon.shorthand), CaseFoldFilter(), StopWordFilter(words: lexicon.stopWords),
      SpellingFilter(rules: lexicon.spelling), StemFilter(),
    ]
  }
}

/// A stemmer and the words it has seen, for one thread at a time.
final class TermCache: Sendable {
  private struct Entry {
    /// Folded, respelled, stemmed; empty when nothing is left of the word.
    let term: String
    let isStopWord: Bool
    let candidates: [ShorthandLexicon.Candidate]
  }

  private struct State {
    lazy var stemmer = SnowballStemmer()
    var entries: [Entry] = []
    var places: [String: Int] = [:]
  }

  /// A practice's whole vocabulary fits; beyond it, numbers and codes would only fill memory.
  private static let capacity = 1 << 16

  private let lexicon: AnalysisLexicon
  private let state: Mutex<State>

  init(lexicon: AnalysisLexicon) {
    self.lexicon = lexicon
    state = Mutex(State())
  }

  func analyze(_ tokens: [Token], keepingStopWords: Bool) -> [Token] {
    state.withLock { analyze(tokens, keepingStopWords, &$0) }
  }

  /// Nil when another thread is at work.
  func analyzeIfFree(_ tokens: [Token], keepingStopWords: Bool) -> [Token]? {
    state.withLockIfAvailable { analyze(tokens, keepingStopWords, &$0) }
  }

  func term(_ word: String) -> String { state.withLock { term(word, &$0) } }

  /// Nil when another thread is at work.
  func termIfFree(_ word: String) -> String? { state.withLockIfAvailable { term(word, &$0) } }

  private func term(_ word: String, _ state: inout State) -> String {
    let folded = Normalizer.fold(word)
    let spelled = lexicon.spelling.fold(folded)
    // Or `does` would be a rabbit.
    if lexicon.stopWords.contains(folded) { return spelled }
    return Stemmer.isStemmable(spelled) ? state.stemmer.stem(spelled) : spelled
  }

  private func analyze(_ tokens: [Token], _ keepingStopWords: Bool, _ state: inout State) -> [Token] {
    var result: [Token] = []
    result.reserveCapacity(tokens.count + tokens.count / 8)
    func append(_ entry: Entry, _ token: Token) {
      if entry.term.isEmpty || (entry.isStopWord && !keepingStopWords) { return }
      result.append(Token(text: entry.term, range: token.range, position: token.position))
    }
    var expandedUpTo = 0
    for (index, token) in tokens.enumerated() {
      let known = entry(for: token.text, &state)
      append(known, token)
      guard !known.candidates.isEmpty, token.range.lowerBound >= expandedUpTo,
        let meaning = lexicon.shorthand.resolve(known.candidates, at: index, in: tokens)
      else { continue }
      expandedUpTo = token.range.upperBound
      for word in meaning.expansion { append(entry(for: word, &state), token) }
    }
    return result
  }

  private func entry(for written: String, _ state: inout State) -> Entry {
    if let place = state.places[written] { return state.entries[place] }
    let entry = Entry(
      term: term(written, &state), isStopWord: lexicon.stopWords.contains(Normalizer.fold(written)),
      candidates: lexicon.shorthand.candidates(for: written))
    if state.entries.count < Self.capacity {
      state.places[written] = state.entries.count
      state.entries.append(entry)
    }
    return entry
  }
}
