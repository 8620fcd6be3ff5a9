import TextAnalysis

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
    guard let opening = Self.openings.first(where: { Self.begins(words[...], with: $0) }) else { return nil }
    let reverse = Self.reverses.first { phrase in words.indices.contains { Self.begins(words[$0...], with: phrase) } }
    isNewestFirst = reverse != nil
    var rest = Array(words[opening.count...])
    if let reverse, let start = rest.indices.first(where: { Self.begins(rest[$0...], with: reverse) }) {
      rest.removeSubrange(start..<(start + reverse.count))
    }
    if let since = rest.first([.since, .after, .following]), !namesPeriod {
      let event = rest[(since + 1)...].text
      // "What happened after the jab?" asks for one thing, not for all that followed.
      let isOpen = rest[since].isOne(of: .since) || !Self.narrow.contains(opening)
      guard isOpen, !event.isEmpty, isTopic(event) else { return nil }
      scope = .since(event)
      return
    }
    let topic = rest.drop { $0.isOne(of: [.the, .possessive, .topicframe]) }.text
    if isTopic(topic) {
      guard !Self.narrow.contains(opening) else { return nil }
      scope = .about(topic)
    } else {
      // "What happened?" alone says neither of what nor of when.
      guard namesPeriod || !Self.narrow.contains(opening) else { return nil }
      scope = .all
    }
  }

  private static func begins(_ words: ArraySlice<ClassedWord>, with phrase: [String]) -> Bool {
    words.starts(with: phrase) { $0.text == $1 }
  }

  private static func split(_ texts: [String]) -> [[String]] {
    texts.map(WordForm.words(of:)).sorted { $0.count > $1.count }
  }

  /// Openings that may also ask for one event.
  private static let narrow = Set(
    split(["what happened", "what has happened", "what did we do", "what was done", "history"]))
  private static let openings =
    split([
      "timeline", "timeline of", "a timeline of", "time line of", "give me a timeline of", "give me the timeline of",
      "chronology of", "summarise", "summarize", "summary", "summary of", "a summary of", "give me a summary of",
      "sum up", "run through", "recap", "recap of", "overview of", "full history", "history of events", "history since",
      "everything since", "everything", "all visits", "all visits in", "visits", "visits in", "list visits",
      "what has been going on", "what's been going on", "story so far",
    ]).map { $0.last == "since" ? Array($0.dropLast()) : $0 } + Array(narrow).sorted { $0.count > $1.count }
  private static let reverses = split(["newest first", "latest first", "most recent first", "last first", "backwards"])
}
