import Clinical
import TextAnalysis

/// A question whose verb is itself a no: "did she turn the scan down?", "has lungworm been excluded?", "was the dental put off?".
///
/// To answer it, the thing itself is asked for ("was the scan done?"), and the answer turned round: that it was not done is a yes.
struct AskedPolarity {
  enum Predicate {
    /// Somebody did not want it, or it was put off or left out.
    case declined
    /// A disease, a bug, a finding was looked for and is not there.
    case excluded
    /// A test, or the animal for a bug.
    case negative
    /// A drug is given no more.
    case ended
  }

  let predicate: Predicate
  /// The question for the thing itself.
  let plain: String

  /// - Parameters:
  ///   - text: the question as typed.
  ///   - classes: of words.
  ///   - isDrug: whether words name a drug.
  init?(_ text: String, classes: QuestionClasses, isDrug: (String) -> Bool) {
    let words = classes.words(in: text)
    guard let first = words.first, let found = Self.predicate(in: words) else { return nil }
    let asks = first.isOne(of: .auxiliaries)
    // "Lungworm ruled out?" has no verb that asks.
    guard asks || (words.count <= Self.longestTerse && text.hasSuffix("?") && !first.isOne(of: .openNouns)) else {
      return nil
    }
    // "Was it not refused" turns twice; "stopped because it upset him?" asks for the reason.
    guard !words.has(.turning) else { return nil }
    let rest = words.indices.filter { index in
      !found.words.contains(index) && !(asks && index == 0) && !words[index].isOne(of: [.ever, .verbframe])
    }
    let thing = rest.compactMap { text.slice(utf8: words[$0].range).map(String.init) }.joined(separator: " ")
    guard !thing.isEmpty else { return nil }
    switch found.predicate {
    case .declined: plain = "Was \(thing) done?"
    case .excluded: plain = "Is there \(thing)?"
    case .negative: plain = "\(asks ? words[0].text : "is") \(thing) positive?"
    case .ended:
      // "Off colour after the vaccine" is off no drug.
      let isOff = words[found.words.max() ?? 0].isOne(of: .off) && found.words.count == 1
      let governed = isOff ? Self.next(behind: found.words, words) : thing
      guard isDrug(governed) else { return nil }
      plain = "Is she on \(thing)?"
    }
    predicate = found.predicate
  }

  /// Whether a question, of whatever form, is about something that is given no more: "why was meloxicam stopped?".
  static func isOfAnEnd(_ text: String, classes: QuestionClasses) -> Bool {
    predicate(in: classes.words(in: text))?.predicate == .ended
  }

  /// The word behind a verb, articles aside.
  private static func next(behind places: Set<Int>, _ words: [ClassedWord]) -> String {
    words.dropFirst((places.max() ?? 0) + 1).first { !$0.isOne(of: [.article, .possessive]) }?.text ?? ""
  }

  // MARK: - The verb

  private static let longestTerse = 6

  private struct Verb {
    let form: QuestionClass
    /// A word that must follow, next to the verb or behind what it governs: "turn the scan *down*".
    var particle: QuestionClass?
    let predicate: Predicate
    /// A word behind it that belongs to it: "say no *to*".
    var link: QuestionClassSet = []
    /// Whether it must follow: "free *of*".
    var needsLink = false
  }

  private static let verbs = [
    Verb(form: .declining, predicate: .declined), Verb(form: .turn, particle: .down, predicate: .declined),
    Verb(form: .say, particle: .no, predicate: .declined, link: [.to]),
    Verb(form: .decide, particle: .against, predicate: .declined),
    Verb(form: .puttingoff, particle: .off, predicate: .declined), Verb(form: .cancelling, predicate: .declined),
    Verb(form: .excluding, predicate: .excluded), Verb(form: .rule, particle: .out, predicate: .excluded),
    Verb(form: .clear, predicate: .excluded, link: [.of, .aim], needsLink: true),
    Verb(form: .stopping, predicate: .ended), Verb(form: .comingoff, particle: .off, predicate: .ended),
    Verb(form: .off, predicate: .ended), Verb(form: .negative, predicate: .negative),
  ]

  /// The first verb of the question that is a no, with the places of its words.
  private static func predicate(in words: [ClassedWord]) -> (predicate: Predicate, words: Set<Int>)? {
    for index in words.indices {
      for verb in verbs where words[index].isOne(of: verb.form) {
        var places: Set = [index]
        if let particle = verb.particle {
          guard let place = words[index...].first(particle) else { continue }
          places.insert(place)
        }
        let end = (places.max() ?? index) + 1
        let isLinked = words.indices.contains(end) && words[end].isOne(of: verb.link)
        if verb.needsLink, !isLinked { continue }
        if isLinked { places.insert(end) }
        return (verb.predicate, places)
      }
    }
    return nil
  }
}

extension AskedPolarity {
  /// The answer to the question as it was asked, from the answer to the plain one.
  ///
  /// - Parameters:
  ///   - answer: to ``plain``.
  ///   - saysNo: whether a sentence that the answer cites tells of a refusal, or that something was left undone.
  ///   - denies: whether one of them denies anything: that a thing is absent follows from nothing else.
  ///   - isOfReaction: whether reactions are asked about, over which nothing says no.
  /// - Returns: the same sentences under the class that they have for the question as asked, with "yes" or "not" at their head.
  func turned(_ answer: Answer, saysNo: Bool, denies: Bool, isOfReaction: Bool) -> Answer {
    var answer = answer
    switch answer.answerClass {
    case .negative where (predicate == .excluded || predicate == .negative) && !denies:
      return Answer(.notRecorded, text: "The record does not say whether it is so.", explanation: answer.explanation)
    case .negative where predicate == .declined && !saysNo:
      return Answer(.notRecorded, text: "The record does not say whether it is so.", explanation: answer.explanation)
    case .negative:
      answer.answerClass = .found
      answer.lead(with: yes)
    case .found where predicate == .declined && saysNo:
      answer.lead(with: yes)
    case .found where !isOfReaction:
      answer.answerClass = .negative
      answer.lead(with: no)
    default: break
    }
    return answer
  }

  private var yes: String { "Yes, by what is on record." }
  private var no: String { "Not by what is on record." }
}
