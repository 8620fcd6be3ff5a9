import Formulary
import TextAnalysis

/// A question with the drugs that it mistypes: "can he have rimadly" means Rimadyl, and must not meet silence over a reaction
/// to it.
///
/// A word is read as the drug's name that it is one slip from (``EditDistance``), where nothing else is known of it: no framing
/// or everyday word, no term of a table, no name of whom is asked about, and none that the record has as it stands. Two slips
/// lead from one drug to another: from flubendazole to fenbendazole, from tobramycin to Terramycin.
struct DrugSpelling {
  /// The question with each such word put right.
  private(set) var text: String
  /// What was read as what, in the order of the question.
  private(set) var slips: [(typed: String, meant: String)] = []

  /// - Parameters:
  ///   - question: as typed.
  ///   - formulary: whose names are known.
  ///   - isKnown: whether something else is known of a word in small letters.
  ///   - isWritten: whether the record has the word as it stands; asked of few.
  /// - Complexity: O(words that nothing is known of × names).
  init(_ question: String, formulary: Formulary, isKnown: (String) -> Bool, isWritten: (String) -> Bool) {
    text = ""
    var rest = question[...]
    while let start = rest.firstIndex(where: \.isLetter) {
      let end = rest[start...].firstIndex { !$0.isLetter } ?? rest.endIndex
      let word = rest[start..<end].lowercased()
      text += rest[..<start]
      if EditDistance.isCorrectable(word), !isKnown(word), let meant = Self.nearest(to: word, in: formulary),
        !isWritten(word)
      {
        text += meant
        slips.append((word, meant))
      } else {
        text += rest[start..<end]
      }
      rest = rest[end...]
    }
    text += rest
  }

  /// Said before the answer; nil where the question was read as it stands.
  var note: String? {
    slips.isEmpty ? nil : slips.map { "Read “\($0.typed)” as \($0.meant)." }.joined(separator: " ")
  }

  /// The generic name or brand that is one slip away, if no other is; nil for a drug's own name. Short forms and owners' words
  /// are too near to everyday ones: "method" is no methadone.
  private static func nearest(to word: String, in formulary: Formulary) -> String? {
    var near: Set<String> = []
    for drug in formulary.drugs {
      let proper = [drug.generic] + drug.otherNames.brandsUK + drug.otherNames.brandsUS
      let others = drug.otherNames.spellings + drug.otherNames.lay
      for (name, isProper) in proper.map({ ($0.lowercased(), true) }) + others.map({ ($0.lowercased(), false) }) {
        if name == word { return nil }
        guard isProper, name.utf8.first == word.utf8.first, name.utf8.count >= leastLetters,
          EditDistance.between(word, name, limit: 1) != nil
        else { continue }
        near.insert(name)
      }
    }
    return near.count == 1 ? near.first : nil
  }

  /// Names of fewer letters are a slip away from many words.
  private static let leastLetters = 6
}
