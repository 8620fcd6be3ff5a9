import TextAnalysis

/// Whether "no" would answer a question.
extension QuestionParser {
  static let openers: Set = [
    "is", "was", "were", "are", "has", "have", "had", "does", "did", "do", "any", "ever", "can", "could", "would",
    "will", "may", "should", "still", "ok", "okay", "anything", "anybody", "anyone",
  ]
  private static let wordsOfOpenQuestions: Set = [
    "what", "which", "when", "who", "why", "how", "where", "whose", "compare", "list", "last", "latest",
  ]
  private static let subjects: Set = ["there", "he", "she", "it", "they", "we", "you", "anyone", "anybody", "any"]
  private static let valueRoles: Set<QuestionLexicon.Role> = [
    .why, .when, .who, .amount, .count, .trend, .side,
  ]

  /// Words that ask for a reason, unlike the nouns that only name one.
  private static let whyWords: Set = ["why", "what", "how", "which"]
  private static let causeWords: Set = ["cause", "reason", "caused", "because"]

  static func isYesOrNo(_ words: [String], _ asked: Set<QuestionLexicon.Role>) -> Bool {
    var roles = asked
    // "Was a cause ever found?", "has food been ruled out as the cause?": the verb asks whether.
    if words.first.map({ openers.contains($0) && !$0.hasPrefix("any") }) == true,
      words.contains(where: causeWords.contains),
      !words.contains(where: whyWords.contains)
    {
      roles.remove(.why)
    }
    if !roles.isDisjoint(with: valueRoles.union([.extreme])) || words.first.map(wordsOfOpenQuestions.contains) == true {
      return false
    }
    return words.first.map(openers.contains) == true || roles.contains(.ever) || words.contains("whether")
  }

  /// "Our old list says epileptic. Is Moss one?": the last sentence asks.
  static func endsInYesOrNo(_ text: String, _ roles: Set<QuestionLexicon.Role>) -> Bool {
    guard roles.isDisjoint(with: valueRoles) else { return false }
    let sentences = text.lowercased().split { ".?!;".contains($0) }.filter { $0.contains(where: \.isLetter) }
    guard sentences.count > 1, let last = sentences.last else { return false }
    return WordForm.words(of: String(last)).first.map(openers.contains) ?? false
  }

  /// "On the scan, was there anything in his ears?": the clause after the last comma asks.
  static func turnsToYesOrNo(_ text: String, _ roles: Set<QuestionLexicon.Role>) -> Bool {
    guard roles.isDisjoint(with: valueRoles.subtracting([.when])), let comma = text.lastIndex(of: ",") else {
      return false
    }
    let before = WordForm.words(of: String(text[..<comma]))
    let after = WordForm.words(of: String(text[comma...]))
    guard after.count > 1, !wordsOfOpenQuestions.subtracting(["when"]).contains(before.first ?? "") else {
      return false
    }
    let subject = after.dropFirst().first { $0 != WordForm.not }
    return openers.contains(after[0]) && subject.map(subjects.contains) == true
  }

  /// "hyperthyroid at the moment?", "both testicles down?": no verb, and yes or no for an answer.
  static func isTerseYesOrNo(
    _ words: [String], _ roles: Set<QuestionLexicon.Role>, asks: Bool
  ) -> Bool {
    // "Ketotic at diagnosis?" asks for no first of several.
    let roles = words.contains("diagnosis") || words.contains("presentation") ? roles.subtracting([.first]) : roles
    guard (2...(asks ? 9 : 6)).contains(words.count), words.allSatisfy({ !wordsOfOpenQuestions.contains($0) }) else {
      return false
    }
    return roles.isDisjoint(
      with: valueRoles.union([.last, .next, .first, .frequency, .extreme, .comparison, .list, .account]))
  }
}
