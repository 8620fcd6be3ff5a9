import TextAnalysis

/// Whether "no" would answer a question.
extension QuestionParser {
  private static let valueRoles: Set<QuestionLexicon.Role> = [
    .why, .when, .who, .amount, .count, .trend, .side,
  ]

  static func isYesOrNo(_ words: [ClassedWord], _ asked: Set<QuestionLexicon.Role>) -> Bool {
    var roles = asked
    // "Was a cause ever found?", "has food been ruled out as the cause?": the verb asks whether.
    let asksWhether = words.first?.isOne(of: .whetherOpeners) == true && !isRequest(words)
    if asksWhether, words.first?.isOne(of: [.any, .anyone, .anything]) != true, words.has(.cause),
      // Words that ask for a reason, unlike the nouns that only name one.
      !words.has([.why, .what, .how, .which])
    {
      roles.remove(.why)
    }
    if !roles.isDisjoint(with: valueRoles.union([.extreme])) || words.first?.isOne(of: .openQuestions) == true {
      return false
    }
    return asksWhether || roles.contains(.ever) || words.has(.whether)
  }

  /// "Can you tell me what she weighed": no asks whether somebody can. "Can you tell me if she was spayed" asks whether she was.
  static func isRequest(_ words: [ClassedWord]) -> Bool {
    words.count > 3 && words.starts(with: [.modal, .you]) && words[2].isOne(of: [.asker, .giveme])
      && !words.dropFirst(2).has([.whether, .condition])
  }

  /// "Our old list says epileptic. Is Moss one?": the last sentence asks.
  func endsInYesOrNo(_ text: String, _ roles: Set<QuestionLexicon.Role>) -> Bool {
    guard roles.isDisjoint(with: Self.valueRoles) else { return false }
    let sentences = text.lowercased().split { ".?!;".contains($0) }.filter { $0.contains(where: \.isLetter) }
    guard sentences.count > 1, let last = sentences.last else { return false }
    return lexicon.classes.words(of: String(last)).first?.isOne(of: .whetherOpeners) ?? false
  }

  /// "On the scan, was there anything in his ears?": the clause after the last comma asks.
  func turnsToYesOrNo(_ text: String, _ roles: Set<QuestionLexicon.Role>) -> Bool {
    guard roles.isDisjoint(with: Self.valueRoles.subtracting([.when])), let comma = text.lastIndex(of: ",") else {
      return false
    }
    let before = lexicon.classes.words(of: String(text[..<comma]))
    let after = lexicon.classes.words(of: String(text[comma...]))
    guard after.count > 1, before.first.map({ $0.isOne(of: .openQuestions) && !$0.isOne(of: .when) }) != true else {
      return false
    }
    let subject = after.dropFirst().first { $0.text != WordForm.not }
    return after[0].isOne(of: .whetherOpeners) && subject?.isOne(of: [.pronoun, .there, .any, .anyone]) == true
  }

  /// "hyperthyroid at the moment?", "both testicles down?": no verb, and yes or no for an answer.
  static func isTerseYesOrNo(
    _ words: [ClassedWord], _ roles: Set<QuestionLexicon.Role>, asks: Bool
  ) -> Bool {
    // "Ketotic at diagnosis?" asks for no first of several.
    let roles = words.has(.diagnosis) ? roles.subtracting([.first]) : roles
    guard (2...(asks ? 9 : 6)).contains(words.count), !words.has(.openQuestions) else {
      return false
    }
    return roles.isDisjoint(
      with: valueRoles.union([.last, .next, .first, .frequency, .extreme, .comparison, .list, .account]))
  }
}
