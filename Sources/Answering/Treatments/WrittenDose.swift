/// Amounts of a drug as notes write them: "30 mg", "2u", "1 tablet".
enum WrittenDose {
  /// Whether a number with one of the units stands among the words, joined to it or not.
  static func stands(
    in words: some RandomAccessCollection<ClassedWord>, of units: QuestionClassSet, _ classes: QuestionClasses
  ) -> Bool {
    zip(words, words.dropFirst().map(Optional.some) + [nil]).contains { word, next in
      guard word.text.first?.isNumber == true else { return false }
      let rest = word.text.drop { $0.isNumber || $0 == "." || $0 == "/" }
      return rest.isEmpty ? next?.isOne(of: units) == true : classes.isOne(String(rest), of: units)
    }
  }
}
