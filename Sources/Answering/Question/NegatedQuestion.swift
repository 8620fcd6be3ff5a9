import TextAnalysis

/// A question whose topic is itself a no: "what does the policy exclude", "an antibiotic she can't have". A note that says so
/// answers it, and denies nothing.
extension Question {
  var asksForNo: Bool {
    let spoken = classes.words(of: text)
    // What, with "not", must not or can't be.
    let isBarred = zip(spoken, spoken.dropFirst()).contains { $0.isOne(of: .barring) && $1.text == WordForm.not }
    let isOpen = !isYesOrNo && words.count > 1 && spoken.first?.isOne(of: .whetherOpeners) != true
    return isOpen && has(.leftout) || isTerseYesOrNo && isBarred
  }
}
