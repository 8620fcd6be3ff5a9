import Clinical
import TextAnalysis

/// The names of other animals that a patient's notes introduce: "housemate Olga", "cagemate Bonnie".
///
/// A note that says who somebody is says it for those that follow, which use the name alone: "Bonnie bald too, hers came back high".
struct OtherAnimals {
  /// In lower case.
  let names: Set<String>

  /// - Parameters:
  ///   - notes: of one patient, in any order.
  ///   - animals: words for an animal beside the patient.
  ///   - patient: names of the patient and its owner, in lower case.
  /// - Complexity: linear in the length of the notes.
  init(in notes: [ClinicalNote], animals: Set<String>, patient: Set<String>) {
    var names: Set<String> = []
    for note in notes {
      let words = WordPhrases.words(in: note.text, range: nil)
      for (index, word) in words.enumerated().dropFirst()
      where animals.contains(words[index - 1].text) && !patient.contains(word.text)
        && Self.isName(word, behind: words[index - 1], in: note)
      {
        names.insert(word.text)
      }
    }
    self.names = names
  }

  /// Whether a sentence, or a part of it before `target`, begins with the name of another animal and has none of the patient's.
  func isSubject(of unit: EvidenceUnit, before target: Range<Int>, patient: Set<String>) -> Bool {
    let words = WordPhrases.words(in: unit.note.text, range: unit.range)
      .prefix { $0.range.lowerBound < target.lowerBound }.map(\.text)
    return words.prefix(Self.subjectReach).contains(where: names.contains) && !words.contains(where: patient.contains)
  }

  /// Words at the head of a sentence among which its subject stands.
  private static let subjectReach = 3

  /// A capital, small letters behind it, and nothing but a space before it.
  private static func isName(_ word: Token, behind last: Token, in note: ClinicalNote) -> Bool {
    guard word.range.count > 2, word.range.lowerBound == last.range.upperBound + 1,
      let written = note.text.slice(utf8: word.range), let first = written.first
    else { return false }
    return first.isUppercase && written.dropFirst().allSatisfy { $0.isLowercase }
  }
}
