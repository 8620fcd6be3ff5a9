import Clinical

/// Shorthand that means more than one thing ("DM", "PU"), told apart by the words around it: `ambiguous.tsv`.
struct AmbiguousForms: Sendable {
  enum Verdict: Equatable {
    /// The form isn't ambiguous, or what it was taken for is what it means.
    case asRead
    /// It means this concept.
    case concept(String)
    /// It means something that is no finding.
    case noFinding
    /// Nothing decides; all it may mean.
    case open([String])
  }

  private struct Meaning: Sendable {
    let name: String
    let concept: String
    let context: Set<UInt64>
  }

  /// By the hash of the form, with the spelling that must be met byte for byte.
  private var meanings: [UInt64: (form: [UInt8], all: [Meaning])] = [:]

  /// - Throws: ``DataTableError`` for a form that is not one word.
  init(table: DataTable) throws(DataTableError) {
    for row in table.rows {
      let form = row["form"]
      let words = WordScanner.words(in: Array(form.utf8))
      guard let word = words.first, words.count == 1 else { throw row.error("form", "is not one word") }
      let meaning = Meaning(
        name: row["meaning"], concept: row["concept"],
        context: Set(row.list("context").flatMap { WordScanner.words(in: Array($0.utf8)).map(\.hash) }))
      meanings[word.hash, default: (Array(form.utf8), [])].all.append(meaning)
    }
  }

  /// Whether the words on both sides are long and in capitals too.
  private func isShouted(around index: Int, in text: ScannedText) -> Bool {
    [index - 1, index + 1].allSatisfy { place in
      guard text.words.indices.contains(place), text.words[place].kind == .word else { return false }
      return text.words[place].flags.contains(.upperCase) && text.words[place].byteCount >= 4
    }
  }

  /// What the word at `index` means.
  ///
  /// - Complexity: O(1) for a word that isn't ambiguous, else O(words).
  func verdict(at index: Int, in text: ScannedText, readAs concept: String) -> Verdict {
    guard let entry = meanings[text.words[index].hash],
      text.bytes[text.words[index].range].elementsEqual(entry.form)
    else { return .asRead }
    let sentence = text.sentence(ofWord: index)
    var scores = [Int](repeating: 0, count: entry.all.count)
    for (position, word) in text.words.enumerated() where position != index {
      for (place, meaning) in entry.all.enumerated() where meaning.context.contains(word.hash) {
        scores[place] += sentence.contains(position) ? 2 : 1
      }
    }
    let best = scores.max() ?? 0
    let winners = entry.all.indices.filter { scores[$0] == best }
    guard best > 0, winners.count == 1, let winner = winners.first else {
      // "AS BEFORE": a whole line in capitals holds no shorthand.
      if isShouted(around: index, in: text) { return .noFinding }
      return entry.all.count > 1 ? .open(entry.all.map(\.name)) : .asRead
    }
    let meaning = entry.all[winner]
    if meaning.concept.isEmpty { return .noFinding }
    return meaning.concept == concept ? .asRead : .concept(meaning.concept)
  }
}
