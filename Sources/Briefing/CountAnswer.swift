import Clinical
import Extraction
import TextAnalysis

/// Answers how often something happened with the sentence in which the record counts it: "third burr", "nine seizures in
/// total", "dental no 3". Nothing is counted here.
struct CountAnswer {
  let question: Question
  let finder: OccasionFinder

  /// The latest sentence that numbers what is asked about; nil where the record counts nothing, or amounts are asked for.
  func unit() -> EvidenceUnit? {
    let words = Set(WordForm.words(of: question.text))
    guard question.asks(for: .count), words.isDisjoint(with: Self.amounts), question.period == nil else { return nil }
    return finder.tellings(of: question).last(where: isNumbered)?.match.unit
  }

  /// "Second block", "no 3", "third ever"; a total with a number.
  private func isNumbered(_ reading: Reading) -> Bool {
    let words = WordPhrases.words(in: reading.match.unit.note.text, range: reading.match.unit.range)
    guard
      let place = words.lastIndex(where: { word in
        reading.match.parts.contains { $0.range.overlaps(word.range) }
      })
    else { return false }
    let near = words[max(0, place - 4)..<min(words.count, place + 4)].map(\.text)
    return near.indices.contains { index in
      if Self.ordinals.contains(near[index]) { return true }
      guard ["no", "number", "total"].contains(near[index]) else { return false }
      return [index - 1, index + 1].contains { near.indices.contains($0) && Self.isNumber(near[$0]) }
    }
  }

  private static func isNumber(_ word: String) -> Bool {
    NumberWord.value(word) != nil || (!word.isEmpty && word.allSatisfy(\.isNumber) && word.count < 3)
  }

  private static let ordinals: Set<String> = [
    "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "2nd", "3rd", "4th", "5th",
    "6th", "7th", "8th", "9th", "10th", "twice", "thrice",
  ]
  /// What is had by number, not what happens.
  static let amounts: Set<String> = [
    "teeth", "tooth", "tablets", "tabs", "ml", "mg", "units", "days", "weeks", "months", "years", "kg", "copies",
    "pups", "kittens", "puppies", "pills", "injections", "doses", "hours", "minutes",
  ]
}
