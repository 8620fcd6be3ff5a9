import TextAnalysis

/// A question whose topic is itself a no: "what does the policy exclude", "an antibiotic she can't have". A note that says so
/// answers it, and denies nothing.
extension Question {
  var asksForNo: Bool {
    let first = classes.words(of: text).first
    let isOpen = !isYesOrNo && words.count > 1 && first?.isOne(of: .whetherOpeners) != true
    return isOpen && has(.leftout) || isTerseYesOrNo && isBarred
  }

  /// Whether it asks for what must not or can't be: "any painkiller he can't have?".
  var isBarred: Bool {
    let spoken = classes.words(of: text)
    return zip(spoken, spoken.dropFirst()).contains { $0.isOne(of: .barring) && $1.text == WordForm.not }
  }
}
