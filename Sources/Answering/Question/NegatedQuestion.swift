import TextAnalysis

/// A question whose topic is itself a no: "what does the policy exclude", "an antibiotic she can't have". A note that says so
/// answers it, and denies nothing.
extension Question {
  var asksForNo: Bool {
    let spoken = classes.words(of: text)
    let isOpen = !isYesOrNo && words.count > 1 && spoken.first?.isOne(of: .whetherOpeners) != true
    return isOpen && has([.leftout, .shunning]) || isTerseYesOrNo && isBarred || Self.asksForAny(spoken)
  }

  /// Whether it asks for a person, a place, a reason or a number: that something was left undone is no answer to "who did his scan?".
  var asksForDetail: Bool {
    !isYesOrNo && !isTerseYesOrNo
      && (!roles.isDisjoint(with: [.who, .why, .count]) || classes.words(of: text).first?.isOne(of: .where) == true)
  }

  /// Whether it asks for what must not or can't be: "any painkiller he can't have?", "eye drops to avoid".
  var isBarred: Bool {
    let spoken = classes.words(of: text)
    return spoken.has(.shunning) || spoken.indices.contains { Self.isBarring(spoken[$0...]) }
  }

  /// "Can't", "must never", "must she not", "keep her off".
  private static func isBarring(_ words: ArraySlice<ClassedWord>) -> Bool {
    guard let first = words.first else { return false }
    let rest = words.dropFirst()
    if first.isOne(of: .barring) {
      return rest.first { !$0.isOne(of: .pronoun) }?.saysNot == true
    }
    return first.isOne(of: .keeping) && rest.prefix(particleReach).contains { $0.isOne(of: .off) }
  }

  /// Words from "keep" to "off": "keep the old boy off".
  private static let particleReach = 4

  /// Whether it asks if there is any of which a no is true: "is there a painkiller she doesn't tolerate?", "anything she must not
  /// have?". Not "did she not have any?", nor "any cough or not?".
  private static func asksForAny(_ words: [ClassedWord]) -> Bool {
    let opens = words.first?.isOne(of: .be) == true && words.dropFirst().first?.isOne(of: .there) == true
    guard opens || words.first?.isOne(of: [.any, .anything, .anyone]) == true else { return false }
    return words.indices.contains { index in
      let word = words[index]
      if word.isOne(of: .shunning) || isBarring(words[index...]) { return true }
      return word.isOne(of: [.be, .have, .do, .modal]) && words.dropFirst(index + 1).first?.saysNot == true
    }
  }
}

extension ClassedWord {
  fileprivate var saysNot: Bool { text == WordForm.not || isOne(of: .never) }
}
