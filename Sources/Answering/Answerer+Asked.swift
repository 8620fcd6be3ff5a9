import Clinical
import Extraction

/// What a question asks before it is looked for: two things or one, and whether its verb is a no.
extension Answerer {
  /// - Parameters:
  ///   - text: the question as typed.
  ///   - parse: understands it.
  ///   - ask: answers a question for one thing, whose verb is no no.
  /// - Returns: the answer to all of it, as it was asked.
  func answerAsAsked(_ text: String, parse: (String) -> Question, ask: (String) -> Answer) -> Answer {
    guard let parts = QuestionParts(text, classes: parser.classes, topics: { topics(of: $0, parse($0)) }) else {
      return answerTurned(text, parse: parse, ask: ask)
    }
    let first = answerTurned(parts.parts[0], parse: parse, ask: ask)
    // "Were the bloods repeated, and what was the potassium?" asks nothing of any other bloods.
    if first.answerClass == .notRecorded, parse(parts.parts[0]).isYesOrNo { return ask(text) }
    return parts.joined([first, answerTurned(parts.parts[1], parse: parse, ask: ask)])
  }

  /// "Did she turn the scan down?": whether the scan was done, and the answer to that turned round.
  private func answerTurned(_ text: String, parse: (String) -> Question, ask: (String) -> Answer) -> Answer {
    let classes = parser.classes
    guard let polarity = AskedPolarity(text, classes: classes, isDrug: { parse($0).groups.contains(where: \.isDrug) })
    else { return ask(text) }
    var plain = ask(polarity.plain)
    // The refusal may be told where the thing itself is not.
    if plain.answerClass == .notRecorded, polarity.predicate == .declined {
      let asked = ask(text)
      if cites(.undone, in: asked) { plain = asked }
    }
    return polarity.turned(
      plain, saysNo: cites(.undone, in: plain), denies: cites([.refusal, .health], in: plain) || citesDenial(plain),
      isOfReaction: !parse(text).kinds.isDisjoint(with: [.allergy, .reaction]))
  }

  private func cites(_ sign: SentenceSigns, in answer: Answer) -> Bool {
    answer.citations.contains { !signs.signs(in: $0.quote).isDisjoint(with: sign) }
  }

  private func citesDenial(_ answer: Answer) -> Bool {
    answer.citations.contains { signs.closed.words(of: $0.quote).has(.denial) }
  }

  /// What a record can tell of that a clause names: more than that something was shown, given or when.
  private func topics(of clause: String, _ question: Question) -> Set<String> {
    let ofLife = tables.attributes.rows(askedIn: clause).map { "attribute \($0.row.id)" }
    return Set(question.groups.filter { !$0.isFrame }.map { $0.text.lowercased() } + ofLife)
  }
}
