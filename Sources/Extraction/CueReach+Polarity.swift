extension CueReach {
  /// "Toad poisoning? No - sudden ptyalism": the answer to what was asked, and no denial of what follows.
  var answersQuestion: Bool {
    text.words[cue.words.lowerBound - 1].hash == Sign.question
      && text.words[cue.words.lowerBound].classes.isSuperset(of: .answer)
  }

  /// "Pericarditis suspected: brisket oedema": said of what stands before it; behind its colon comes the evidence.
  var isDoubtBehind: Bool {
    rule.polarity == .uncertain && text.words[cue.words.lowerBound].classes.isSuperset(of: .likely)
  }

  /// "Lepto 1:200 equivocal": the colon of a titre or ratio parts nothing.
  func isTitre(_ colon: Int) -> Bool {
    colon > 0 && colon + 1 < text.words.count && text.words[colon - 1].kind == .number
      && text.words[colon + 1].kind == .number && !text.words[colon + 1].isSpaced
  }

  /// "Not eating, fewer droppings", "not eaten for two days, shivering": what is denied of a verb goes on in verbs of its form;
  /// what follows in another is a statement of its own, unless an "or" joins the two.
  func breaksOff(at index: Int, _ next: Segment) -> Bool {
    guard rule.reach.scope == .adjectives, rule.polarity == .absent, !next.coordination.hasOr,
      cue.words.upperBound < index, index + 1 < target.upperBound
    else { return false }
    let head = text.words[cue.words.upperBound]
    // What an animal should do, and a sign: "not eating, vomiting".
    if head.classes.isSuperset(of: .ingest) {
      return !text.words[index + 1].classes.isSuperset(of: .ingest)
    }
    return isGerund(head) && !isGerund(text.words[index + 1])
  }

  /// "Hives after lepto so vaccine omitted": what was left out is named behind the "so", and its reason stands before it; "useless
  /// now so not given" names nothing and speaks of what stands before.
  func isConclusion(_ index: Int) -> Bool {
    rule.direction == .both && rule.polarity == .absent
      && text.words[index].classes.isSuperset(of: .hence)
      && ((index + 1)..<cue.words.lowerBound).contains {
        text.words[$0].kind == .word && text.words[$0].classes.isDisjoint(with: subjects.union(.first))
      }
  }

  /// "Dental advised for tartar. Owner declined.": one sentence only for what was offered.
  func isOwnSentence(behind stop: Int) -> Bool {
    stop + 1 < cue.words.upperBound && text.bytes[Int(text.words[stop].start)] == 0x2E
      && text.isRefusal(at: stop + 1)
  }

  private func isGerund(_ word: Word) -> Bool {
    word.kind == .word && word.byteCount > 5 && text.bytes[word.range].suffix(3).elementsEqual("ing".utf8)
  }
}
