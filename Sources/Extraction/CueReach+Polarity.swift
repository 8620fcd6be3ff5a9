extension CueReach {
  /// "Toad poisoning? No - sudden ptyalism": the answer to what was asked, and no denial of what follows.
  var answersQuestion: Bool {
    text.words[cue.words.lowerBound - 1].hash == Sign.question
      && text.words[cue.words.lowerBound].classes.isSuperset(of: context.classes.answer)
  }

  /// "Pericarditis suspected: brisket oedema": said of what stands before it; behind its colon comes the evidence.
  var isDoubtBehind: Bool {
    rule.polarity == .uncertain && text.words[cue.words.lowerBound].classes.isSuperset(of: context.classes.likely)
  }

  /// "Lepto 1:200 equivocal": the colon of a titre or ratio parts nothing.
  func isTitre(_ colon: Int) -> Bool {
    colon > 0 && colon + 1 < text.words.count && text.words[colon - 1].kind == .number
      && text.words[colon + 1].kind == .number && !text.words[colon + 1].isSpaced
  }

  /// "Not eating, fewer droppings", "not eaten for two days, shivering": what is denied of a verb goes on in verbs of its form;
  /// what follows in another is a statement of its own, unless an "or" joins the two.
  func breaksOff(at index: Int, _ next: Segment) -> Bool {
    guard rule.scope == .adjectives, rule.polarity == .absent, !next.isOr, !next.orFollows,
      cue.words.upperBound < index, index + 1 < target.upperBound
    else { return false }
    let head = text.words[cue.words.upperBound]
    if isGerund(head) { return !isGerund(text.words[index + 1]) }
    return head.classes.isSuperset(of: context.classes.ingest)
      && !text.words[index + 1].classes.isSuperset(of: context.classes.ingest)
  }

  private func isGerund(_ word: Word) -> Bool {
    word.kind == .word && word.byteCount > 5 && text.bytes[word.range].suffix(3).elementsEqual("ing".utf8)
  }
}
