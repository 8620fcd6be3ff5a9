/// A question for what happened over a time, taken apart: "what happened in 2024", "history since the op", "timeline of the
/// skin problem".
struct TimelineQuestion {
  enum Scope: Hashable {
    /// The time that the question names, or, without one, the latest visits.
    case all
    /// What has been since something happened.
    case since(String)
    /// What is about one thing.
    case about(String)
  }

  let scope: Scope
  let isNewestFirst: Bool

  /// Nil where no such account is asked for.
  ///
  /// - Parameters:
  ///   - text: as typed.
  ///   - namesPeriod: whether it names a time.
  ///   - classes: of words.
  ///   - isTopic: whether words name something to look for, beside the time.
  init?(_ text: String, namesPeriod: Bool, classes: QuestionClasses, isTopic: (String) -> Bool) {
    let words = classes.words(of: text)
    let account = Self.account(words)
    guard let opening = account ?? Self.happening(words) else { return nil }
    let isNarrow = account == nil
    isNewestFirst = Self.newestFirst(words) != nil
    var rest = Array(words[opening...])
    if let reverse = Self.newestFirst(rest) { rest.removeSubrange(reverse) }
    if let since = rest.first([.since, .after, .following]), !namesPeriod {
      let event = rest[(since + 1)...].text
      // "What happened after the jab?" asks for one thing, not for all that followed.
      let isOpen = rest[since].isOne(of: .since) || !isNarrow
      guard isOpen, !event.isEmpty, isTopic(event) else { return nil }
      scope = .since(event)
      return
    }
    let topic = rest.drop { $0.isOne(of: [.the, .possessive, .topicframe]) }.text
    if isTopic(topic) {
      guard !isNarrow else { return nil }
      scope = .about(topic)
    } else {
      // "What happened?" alone says neither of what nor of when.
      guard namesPeriod || !isNarrow else { return nil }
      scope = .all
    }
  }

  // MARK: - Openings

  /// How many words ask for an account: "timeline", "give me a summary of", "all visits", "story so far", "what has been going on".
  private static func account(_ words: [ClassedWord]) -> Int? {
    let start = words.prefix { $0.isOne(of: .giveme) }.count
    let rest = words[start...]
    if start > 0 { return rest.starts(with: [.account, .of]) ? start + 2 : nil }
    if rest.starts(with: [.account]) { return 1 }
    if rest.starts(with: [.allof, .accountnoun]) || rest.starts(with: [.accounthead, .accounttail]) { return 2 }
    if rest.starts(with: [.accountnoun, .of, .events]) { return 3 }
    guard rest.starts(with: [.what]) else { return nil }
    let verb = rest.dropFirst().drop { $0.isOne(of: .have) }
    return verb.starts(with: [.goingon, .goingon, .on]) ? verb.startIndex + 3 : nil
  }

  /// How many words ask for what happened, which may be one event: "what happened", "what did we do", "history".
  private static func happening(_ words: [ClassedWord]) -> Int? {
    if words.starts(with: [.accountnoun]) { return 1 }
    if words.starts(with: [.what, .happened]) { return 2 }
    if words.starts(with: [.what, .have, .happened]) || words.starts(with: [.what, .be, .operating]) { return 3 }
    return words.starts(with: [.what, .do, .speaker, .do]) ? 4 : nil
  }

  /// Where the words stand that turn the order round: "most recent first", "backwards".
  private static func newestFirst(_ words: [ClassedWord]) -> Range<Int>? {
    if let backwards = words.first(.backwards) { return backwards..<(backwards + 1) }
    guard
      let first = words.indices.dropFirst().first(where: {
        words[$0].isOne(of: .first) && words[$0 - 1].isOne(of: .newest)
      })
    else { return nil }
    return (first - words[..<first].reversed().prefix { $0.isOne(of: .newest) }.count)..<(first + 1)
  }
}
