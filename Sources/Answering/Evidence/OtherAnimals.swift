import Chart
import Clinical
import Extraction
import TextAnalysis

/// The names of other animals that a patient's notes introduce: "cagemate Bonnie".
///
/// A note that says who somebody is says it for those that follow, which use the name alone: "Bonnie bald too, hers came back high".
/// Only a name that the record never writes small is one: "littermate Results" is a heading.
struct OtherAnimals {
  /// In lower case.
  private let names: Set<String>
  /// Of the patient and its owner, in lower case.
  private let own: Set<String>

  /// - Complexity: linear in the length of the notes.
  init(in asked: AskedRecord) {
    let patient = asked.record.patient
    own = Set(WordForm.runs(of: "\(patient.name) \(patient.ownerName ?? "")"))
    let classes = asked.reader.classifier.wordClasses
    var found: Set<String> = []
    for unit in asked.units {
      var isIntroduced = false
      for word in Self.words(of: unit) {
        if isIntroduced, Self.isName(word) { found.insert(word.lowercased()) }
        isIntroduced = word.first?.isLowercase == true && classes.isCompanion(String(word))
      }
    }
    found.subtract(own)
    if !found.isEmpty {
      for unit in asked.units {
        for word in Self.words(of: unit) where word.first?.isLowercase == true { found.remove(String(word)) }
      }
    }
    names = found
  }

  /// Whether a sentence begins with the name of another animal, and names neither the patient nor its owner before `target`.
  func isSubject(of unit: EvidenceUnit, before target: Range<Int>) -> Bool {
    if names.isEmpty { return false }
    let words = WordPhrases.words(in: unit.note.text, range: unit.range)
      .prefix { $0.range.lowerBound < target.lowerBound }.map(\.text)
    return words.prefix(Self.subjectReach).contains(where: names.contains) && !words.contains(where: own.contains)
  }

  /// Words at the head of a sentence among which its subject stands.
  private static let subjectReach = 3

  private static func words(of unit: EvidenceUnit) -> some Sequence<Substring> {
    unit.tokens.lazy.compactMap { unit.note.text.slice(utf8: $0.range) }
  }

  /// A capital, and small letters behind it.
  private static func isName(_ word: Substring) -> Bool {
    word.count > 2 && word.first?.isUppercase == true && word.dropFirst().allSatisfy(\.isLowercase)
  }
}
