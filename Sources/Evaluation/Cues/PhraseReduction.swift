import Clinical
import TextAnalysis

/// Takes phrases out of tables whose phrases are looked for word by word: those that say no more than another of their cell, and long
/// ones that no text has used.
struct PhraseReduction {
  /// Which cells of a table are looked through.
  struct Cells {
    let file: String
    let column: String
    /// Whether its phrases are looked for in questions; otherwise in notes.
    let isAsked: Bool
    /// Whether its phrases are compared by their stems, as the table's reader does.
    let isStemmed: Bool
    /// Whether unused ones may go: what keeps a row from speaking stays.
    let dropsUnused: Bool
  }

  static let tables = [
    Cells(file: "briefing/question-synonyms.tsv", column: "forms", isAsked: true, isStemmed: true, dropsUnused: true),
    Cells(
      file: "briefing/question-synonyms.tsv", column: "targets", isAsked: false, isStemmed: true, dropsUnused: true),
    Cells(file: "briefing/attributes.tsv", column: "asked", isAsked: true, isStemmed: false, dropsUnused: true),
    Cells(file: "briefing/attributes.tsv", column: "unless", isAsked: true, isStemmed: false, dropsUnused: false),
    Cells(file: "briefing/attributes.tsv", column: "stated", isAsked: false, isStemmed: false, dropsUnused: true),
    Cells(file: "briefing/attributes.tsv", column: "denied", isAsked: false, isStemmed: false, dropsUnused: false),
    Cells(file: "briefing/attributes.tsv", column: "not", isAsked: false, isStemmed: false, dropsUnused: false),
    Cells(file: "briefing/attributes.tsv", column: "hinted", isAsked: false, isStemmed: false, dropsUnused: false),
    Cells(file: "briefing/question-opposites.tsv", column: "cues", isAsked: true, isStemmed: false, dropsUnused: false),
    Cells(
      file: "briefing/question-opposites.tsv", column: "lasting", isAsked: false, isStemmed: false, dropsUnused: true),
    Cells(
      file: "briefing/question-opposites.tsv", column: "contrary", isAsked: false, isStemmed: false, dropsUnused: false
    ),
    Cells(file: "briefing/alerts.tsv", column: "phrases", isAsked: false, isStemmed: false, dropsUnused: false),
    Cells(file: "briefing/alerts.tsv", column: "except", isAsked: false, isStemmed: false, dropsUnused: false),
    Cells(file: "briefing/answer-cues.tsv", column: "phrases", isAsked: false, isStemmed: false, dropsUnused: false),
  ]

  private let analyzer: Analyzer
  private let asked: PhrasePool
  private let noted: PhrasePool
  private let families: CueFamilies
  private let slots: PhraseSlots

  /// - Parameters:
  ///   - analyzer: makes stems.
  ///   - classes: `word-classes.tsv`.
  ///   - questions: what was asked.
  ///   - notes: what was written.
  init(analyzer: Analyzer, classes: DataTable, questions: [String], notes: [String]) {
    self.analyzer = analyzer
    asked = PhrasePool(questions, analyzer)
    noted = PhrasePool(notes, analyzer)
    families = CueFamilies(classes: classes, named: [])
    slots = WordPhrases.slots(of: classes)
  }

  /// The phrases of a cell that stay, and those that stand for several.
  ///
  /// - Parameters:
  ///   - phrases: of the cell.
  ///   - cells: how they are looked for.
  ///   - longest: an unused phrase of at most so many words stays.
  /// - Returns: at least one, for a row without a phrase would be refused.
  func kept(_ phrases: [String], _ cells: Cells, longest: Int) -> [String] {
    let pool = cells.isAsked ? asked : noted
    // What names a row of another table is that table's to shorten; what stands for several was written by hand.
    let references = phrases.filter(Self.standsForOthers)
    var kept = uncovered(phrases.filter { !Self.standsForOthers($0) }, cells)
    var tried: Set<String> = []
    if !cells.isStemmed { while let fewer = merged(kept, pool, &tried) { kept = fewer } }
    if !cells.dropsUnused { return references + kept }
    let used = kept.filter { phrase in
      let words = stems(phrase)
      return phrase.contains("*") || phrase.contains("<") || words.count <= longest || pool.holds(words)
    }
    return references + (used.isEmpty && references.isEmpty ? Array(kept.prefix(1)) : used)
  }

  private static func standsForOthers(_ phrase: String) -> Bool {
    phrase.hasPrefix("@") || PhraseNotation.stands(in: phrase)
  }

  /// Without the phrases that hold another of the cell.
  private func uncovered(_ phrases: [String], _ cells: Cells) -> [String] {
    let words = phrases.map { cells.isStemmed ? stems($0) : $0.split(separator: " ").map(String.init) }
    var kept: [Int] = []
    for place in phrases.indices.sorted(by: { (words[$0].count, $0) < (words[$1].count, $1) })
    where !kept.contains(where: { Self.holds(words[place], words[$0], atStart: cells.isStemmed) }) {
      kept.append(place)
    }
    return kept.sorted().map { phrases[$0] }
  }

  /// With one family written once; nil where there is none that speaks in the same texts only.
  private func merged(_ phrases: [String], _ pool: PhrasePool, _ tried: inout Set<String>) -> [String]? {
    var before: Set<Int>?
    for candidate in families.candidates(phrases)
    where candidate.members.count > 1 && candidate.cue.contains(" ") && tried.insert(candidate.cue).inserted {
      let spoken = before ?? pool.texts(with: WordPhrases(phrases, slots: slots))
      before = spoken
      guard pool.texts(with: WordPhrases([candidate.cue], slots: slots)).isSubset(of: spoken) else { continue }
      let members = Set(candidate.members.dropFirst())
      return phrases.indices.filter { !members.contains($0) }.map {
        $0 == candidate.members[0] ? candidate.cue : phrases[$0]
      }
    }
    return nil
  }

  private func stems(_ phrase: String) -> [String] {
    analyzer.tokens(in: phrase, keepingStopWords: true).map(\.text)
  }

  /// Whether a phrase is found wherever the longer one is.
  ///
  /// Of synonyms the form that begins first takes its words, whatever row it is of: there only a part that begins with the longer
  /// one is.
  private static func holds(_ words: [String], _ part: [String], atStart: Bool) -> Bool {
    guard !part.isEmpty, part.count <= words.count, !part.contains("*") || part == words else { return false }
    if atStart { return words.starts(with: part) }
    return (0...(words.count - part.count)).contains { Array(words[$0..<($0 + part.count)]) == part }
  }
}

/// Texts in which phrases are looked for.
private struct PhrasePool {
  /// Runs of up to so many words are remembered of a text; longer phrases count as used.
  private static let longestRun = 6

  private var runs: Set<String> = []
  private let texts: [[Token]]

  init(_ texts: [String], _ analyzer: Analyzer) {
    self.texts = texts.map { WordPhrases.words(in: $0, range: nil) }
    for text in texts {
      let words = analyzer.tokens(in: text, keepingStopWords: true).map(\.text)
      for start in words.indices {
        for end in (start + 1)...min(start + Self.longestRun, words.count) {
          runs.insert(words[start..<end].joined(separator: " "))
        }
      }
    }
  }

  func holds(_ stems: [String]) -> Bool {
    stems.count > Self.longestRun || runs.contains(stems.joined(separator: " "))
  }

  /// Which of the texts one of the phrases stands in.
  func texts(with phrases: WordPhrases) -> Set<Int> {
    Set(texts.indices.filter { phrases.first(in: texts[$0]) != nil })
  }
}
