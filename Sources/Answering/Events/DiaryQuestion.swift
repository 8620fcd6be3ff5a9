import TextAnalysis

/// A question that the appointment book answers: "when is he next in", "next appointment", "any visits booked?".
public struct DiaryQuestion: Sendable {
  /// Nil for a question that names anything else: when the next booster is due stands in the notes.
  ///
  /// - Parameters:
  ///   - text: as typed.
  ///   - names: words that name the patient or owner.
  ///   - classes: of words.
  public init?(_ text: String, names: [String], classes: QuestionClasses) {
    let words = classes.words(of: text)
    let own = Set(names.flatMap { WordForm.words(of: $0) })
    guard zip(words, words.dropFirst()).contains(where: Self.asksForVisit),
      words.allSatisfy({ $0.isOne(of: .diaryWords) || own.contains($0.text) })
    else { return nil }
  }

  /// "Next appointment", "booked in", "any visits", "see next".
  private static func asksForVisit(_ first: ClassedWord, _ second: ClassedWord) -> Bool {
    first.isOne(of: .next) && second.isOne(of: [.visiting, .nextvisit, .appointment])
      || first.isOne(of: .nextvisit) && second.isOne(of: .next)
      || first.isOne(of: .comingin) && second.isOne(of: .nextvisit)
      || first.isOne(of: [.any, .ahead]) && second.isOne(of: .appointment)
      || first.isOne(of: .appointment) && second.isOne(of: .comingin)
  }
}
