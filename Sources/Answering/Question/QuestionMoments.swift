import TextAnalysis

/// A question for a value at certain moments, taken apart: "weight before and after the steroids", "PCV at diagnosis v when
/// she went home", "potassium each time he blocked".
struct QuestionMoments {
  enum Edge {
    case before, after
    /// When it was begun, when it came to its end.
    case start, end
    case at, each
    /// Then and all that followed.
    case from
    /// The earliest value there is, the latest.
    case first, now
  }

  struct Moment {
    let edge: Edge
    /// The words that name what happened; empty for ``Edge/first`` and ``Edge/now``.
    let event: String
  }

  /// The words that name what is asked for.
  let subject: String
  let moments: [Moment]

  /// Nil where a question names no moments in one of the ways that are understood.
  init?(_ text: String) {
    let words = WordForm.words(of: text)
    guard
      let (subject, moments) = Self.besides(words) ?? Self.ends(words) ?? Self.times(words) ?? Self.since(words)
        ?? Self.single(words),
      !subject.isEmpty, !moments.isEmpty
    else { return nil }
    self.subject = subject.joined(separator: " ")
    self.moments = moments
  }

  typealias Parts = (subject: [String], moments: [Moment])

  /// "… before and after E", "… before E and after it", "… before E and one month later".
  private static func besides(_ words: [String]) -> Parts? {
    // "What happened to the ratio after telmisartan?"
    if words.starts(with: ["what", "happened", "to"]), let after = words.lastIndex(of: "after"), after > 3,
      after + 1 < words.count
    {
      let event = joined(words[(after + 1)...])
      return (Array(words[3..<after]), [Moment(edge: .before, event: event), Moment(edge: .after, event: event)])
    }
    guard let before = words.firstIndex(where: { $0 == "before" || $0 == "pre" }), before > 0 else { return nil }
    if before + 3 < words.count, joints.contains(words[before + 1]), ["after", "post"].contains(words[before + 2]) {
      let event = joined(words[(before + 3)...])
      return (Array(words[..<before]), [Moment(edge: .before, event: event), Moment(edge: .after, event: event)])
    }
    if let joint = words.indices.first(where: { $0 > before + 1 && joints.contains(words[$0]) }),
      !words[(joint + 1)...].contains("after"), words[(joint + 1)...].contains(where: presents.contains)
    {
      let event = joined(words[(before + 1)..<joint])
      return (Array(words[..<before]), [Moment(edge: .before, event: event), Moment(edge: .now, event: "")])
    }
    guard
      let joint = words.indices.first(where: { index in
        index > before + 1 && joints.contains(words[index])
          && words[(index + 1)...].contains { ["after", "later", "since", "afterwards", "post"].contains($0) }
      })
    else { return nil }
    let event = joined(words[(before + 1)..<joint])
    let second = words[(joint + 1)...].firstIndex { $0 == "after" || $0 == "since" || $0 == "post" }
      .map { joined(words[($0 + 1)...].filter { !pronouns.contains($0) }) }
    let after = second.flatMap { $0.isEmpty ? nil : $0 } ?? event
    let subject = words[..<before].filter { $0 != "just" }
    return (subject, [Moment(edge: .before, event: event), Moment(edge: .after, event: after)])
  }

  /// "… at the start and end of E", "… at the start of E and at the end".
  private static func ends(_ words: [String]) -> Parts? {
    guard let start = words.firstIndex(where: starts.contains),
      let end = words[start...].firstIndex(where: finishes.contains), end > start,
      let at = words[..<start].lastIndex(of: "at"), at > 0
    else { return nil }
    let between = words[(start + 1)..<end]
    let event: [String]
    if let of = between.firstIndex(of: "of"), let joint = between.lastIndex(where: joints.contains), of + 1 < joint {
      event = Array(words[(of + 1)..<joint])
    } else if end + 2 < words.count, words[end + 1] == "of" {
      event = Array(words[(end + 2)...])
    } else {
      return nil
    }
    let name = joined(event[...])
    return (Array(words[..<at]), [Moment(edge: .start, event: name), Moment(edge: .end, event: name)])
  }

  /// "… each time E"; "… at E v when F"; "… when E and now".
  private static func times(_ words: [String]) -> Parts? {
    if let time = words.indices.dropFirst().first(where: { $0 > 1 && words[$0] == "time" }),
      ["each", "every"].contains(words[time - 1]), time + 1 < words.count
    {
      let subject = words[..<(time - 1)]
      return (Array(subject), [Moment(edge: .each, event: joined(words[(time + 1)...]))])
    }
    guard let at = words.indices.first(where: { $0 > 0 && markers.contains(words[$0]) }) else { return nil }
    for joint in words.indices where joint > at + 1 && joint + 1 < words.count && joints.contains(words[joint]) {
      let isCompared = comparisons.contains(words[joint - 1]) || contrasts.contains(words[joint])
      let (first, rest) = (
        words[(at + 1)..<(comparisons.contains(words[joint - 1]) ? joint - 1 : joint)], words[(joint + 1)...]
      )
      if first.isEmpty { continue }
      let second: Moment
      if rest.contains(where: presents.contains), rest.count <= 4 {
        second = Moment(edge: .now, event: "")
      } else if let marker = rest.firstIndex(where: markers.contains), marker + 1 < rest.endIndex {
        let event = rest[(marker + 1)...]
        // "… and at the one a year later".
        second =
          event.last == "later" || event.last == "afterwards"
          ? Moment(edge: .after, event: joined(first)) : moment(event)
      } else if rest.allSatisfy(seconds.contains), rest.contains("second") {
        // "When he was blocked the first time and the second".
        return (Array(words[..<at]), [Moment(edge: .each, event: joined(first.filter { !seconds.contains($0) }))])
      } else if isCompared, rest.count <= longestEvent {
        // "… when E compared with the F visit".
        second = moment(rest)
      } else {
        continue
      }
      return (Array(words[..<at]), [moment(first), second])
    }
    return nil
  }

  /// "… since E", "… lost after E": then and now.
  private static func since(_ words: [String]) -> Parts? {
    let isChange = words.contains { ["lost", "lose", "gained", "gain", "change", "changed"].contains($0) }
    guard
      let at = words.indices.first(where: { index in
        index > 0 && (words[index] == "since" || (isChange && words[index] == "after"))
      }), at + 1 < words.count, words[(at + 1)...].allSatisfy({ $0.first?.isNumber != true })
    else { return nil }
    let event = joined(words[(at + 1)...].prefix { !["from", "until", "till", "up"].contains($0) })
    // "Lost since her heaviest": the value itself says when.
    if event.isEmpty || words.contains(where: extremes.contains) { return nil }
    let moments =
      isChange
      ? [Moment(edge: .before, event: event), Moment(edge: .now, event: "")] : [Moment(edge: .from, event: event)]
    return (Array(words[..<at]), moments)
  }

  /// "… when E", "… at E".
  private static func single(_ words: [String]) -> Parts? {
    guard let at = words.indices.first(where: { $0 > 0 && markers.contains(words[$0]) }), at + 1 < words.count,
      words[(at + 1)...].allSatisfy({ !noEvents.contains($0) && $0.first?.isNumber != true }),
      !joints.contains(words[at - 1])
    else { return nil }
    return (Array(words[..<at]), [moment(words[(at + 1)...])])
  }

  private static func moment(_ words: ArraySlice<String>) -> Moment {
    let plain = words.filter { !["the", "her", "his", "its", "first", "very"].contains($0) }
    if plain.count == 1, beginnings.contains(plain[0]) { return Moment(edge: .first, event: "") }
    if plain.count == 1, finishes.contains(plain[0]) { return Moment(edge: .now, event: "") }
    return Moment(edge: .at, event: joined(words))
  }

  private static func joined(_ words: ArraySlice<String>) -> String { words.joined(separator: " ") }
  private static func joined(_ words: [String]) -> String { words.joined(separator: " ") }

  private static let joints: Set = ["and", "&", "vs", "v", "versus", "then", "with", "against", "to"]
  private static let markers: Set = ["at", "when"]
  private static let comparisons: Set = ["compared", "against", "versus", "vs", "relative"]
  private static let contrasts: Set = ["vs", "v", "versus", "against"]
  private static let extremes: Set = ["heaviest", "lightest", "highest", "lowest", "peak", "top", "biggest", "maximum"]
  private static let seconds: Set = ["the", "first", "second", "time", "and", "one"]
  /// Words of a name for an event; a longer rest is a clause of its own.
  private static let longestEvent = 6
  private static let starts: Set = ["start", "beginning", "outset"]
  private static let finishes: Set = ["end", "finish", "close"]
  private static let presents: Set = ["now", "today", "currently", "latest", "last"]
  private static let pronouns: Set = ["it", "that", "this", "them"]
  private static let beginnings: Set = ["diagnosis", "presentation", "registration", "start", "baseline", "visit"]
  /// "At present", "at night": no event.
  private static let noEvents: Set = [
    "moment", "present", "home", "night", "all", "rest", "now", "last", "least", "most", "once", "today",
  ]
}
