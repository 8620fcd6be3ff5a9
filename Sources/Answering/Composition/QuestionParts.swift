import Clinical
import TextAnalysis

/// A question that asks two things, taken apart: "when was she spayed, and what is she fed?".
struct QuestionParts {
  /// Each a question of its own, as typed.
  let parts: [String]

  /// Nil where the second clause asks more of the first's topic ("… and when?", "… and what does she weigh now?").
  ///
  /// - Parameters:
  ///   - text: the question as typed.
  ///   - classes: of words.
  ///   - topics: what words name that a record can tell of.
  init?(_ text: String, classes: QuestionClasses, topics: (String) -> Set<String>) {
    let words = classes.words(in: text)
    let turn = words.indices.dropFirst(2).first { index in
      guard Self.begins(words[index]), index + 2 < words.count else { return false }
      // "… and how loud now" has no verb of its own.
      let hasVerb = words[index].isOne(of: .who) || words[index...].contains { WordForm.helpers.contains($0.text) }
      return hasVerb && (words[index - 1].isOne(of: .addition) || Self.endsSentence(text, before: words[index]))
    }
    guard let turn else { return nil }
    let isJoined = words[turn - 1].isOne(of: .addition)
    let end = words[isJoined ? turn - 2 : turn - 1].range.upperBound
    guard let first = text.slice(utf8: 0..<end),
      let second = text.slice(utf8: words[turn].range.lowerBound..<text.utf8.count),
      Self.begins(words[0]) || isJoined
    else { return nil }
    let named = topics(String(first))
    guard !named.isEmpty, !topics(String(second)).isSubset(of: named) else { return nil }
    parts = [String(first) + "?", String(second)]
  }

  private static func endsSentence(_ text: String, before word: ClassedWord) -> Bool {
    let before = text.slice(utf8: 0..<word.range.lowerBound)?.last { !$0.isWhitespace }
    return before == "?"
  }

  private static func begins(_ word: ClassedWord) -> Bool {
    word.isOne(of: .questionWords) || WordForm.helpers.contains(word.text)
  }
}

extension QuestionParts {
  /// One answer of two: what each says, and which the record does not answer.
  ///
  /// Found where either part is; both sides of a disagreement stay one.
  func joined(_ answers: [Answer]) -> Answer {
    let told = answers.filter { $0.answerClass != .notRecorded }
    guard var joined = told.first else { return answers[0] }
    for answer in told.dropFirst() { joined.append(answer) }
    let classes = Set(told.map(\.answerClass))
    joined.answerClass =
      classes.count == 1 ? joined.answerClass : classes.contains(.conflicting) ? .conflicting : .found
    let untold = zip(parts, answers).filter { $0.1.answerClass == .notRecorded }.map(\.0)
    if !untold.isEmpty {
      let named = untold.map { $0.trimmingSuffix { $0 == "?" || $0.isWhitespace } }.joined(separator: "; ")
      joined.lead(with: "The record doesn't say: \(named).")
    }
    return joined
  }
}

extension StringProtocol {
  fileprivate func trimmingSuffix(_ isSuffix: (Character) -> Bool) -> String {
    var text = Substring(self)
    while let last = text.last, isSuffix(last) { text.removeLast() }
    return String(text)
  }
}
