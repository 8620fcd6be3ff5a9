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
  ///
  /// - Parameters:
  ///   - text: the question as typed.
  ///   - classes: of words.
  init?(_ text: String, classes: QuestionClasses) {
    let words = classes.words(of: text)
    guard
      let (subject, moments) = Self.besides(words) ?? Self.ends(words) ?? Self.times(words) ?? Self.since(words)
        ?? Self.single(words),
      !subject.isEmpty, !moments.isEmpty
    else { return nil }
    self.subject = subject.text
    self.moments = moments
  }

  typealias Parts = (subject: [ClassedWord], moments: [Moment])

  /// "… before and after E", "… before E and after it", "… before E and one month later".
  private static func besides(_ words: [ClassedWord]) -> Parts? {
    // "What happened to the ratio after telmisartan?"
    if words.count > 3, words[0].isOne(of: .what), words[1].isOne(of: .happened), words[2].isOne(of: .to),
      let after = words.last(.after), after > 3, after + 1 < words.count
    {
      let event = words[(after + 1)...].text
      return (Array(words[3..<after]), [Moment(edge: .before, event: event), Moment(edge: .after, event: event)])
    }
    guard let before = words.first([.before, .pre]), before > 0 else { return nil }
    let isJoint = { (index: Int) in index > before + 1 && words[index].isOne(of: .comparingjoint) }
    if before + 3 < words.count, words[before + 1].isOne(of: .comparingjoint),
      words[before + 2].isOne(of: [.after, .post])
    {
      let event = words[(before + 3)...].text
      return (Array(words[..<before]), [Moment(edge: .before, event: event), Moment(edge: .after, event: event)])
    }
    if let joint = words.indices.first(where: isJoint), !words[(joint + 1)...].has(.after),
      words[(joint + 1)...].has(.latestOnes)
    {
      let event = words[(before + 1)..<joint].text
      return (Array(words[..<before]), [Moment(edge: .before, event: event), Moment(edge: .now, event: "")])
    }
    guard
      let joint = words.indices.first(where: {
        isJoint($0) && words[($0 + 1)...].has([.after, .since, .post, .later])
      })
    else { return nil }
    let event = words[(before + 1)..<joint].text
    let second = words[(joint + 1)...].first([.after, .since, .post])
      .map { words[($0 + 1)...].filter { !$0.isOne(of: .pronounback) }.text }
    let after = second.flatMap { $0.isEmpty ? nil : $0 } ?? event
    let subject = words[..<before].filter { !$0.isOne(of: .just) }
    return (subject, [Moment(edge: .before, event: event), Moment(edge: .after, event: after)])
  }

  /// "… at the start and end of E", "… at the start of E and at the end".
  private static func ends(_ words: [ClassedWord]) -> Parts? {
    guard let start = words.first(.start), let end = words[start...].first(.finish), end > start,
      let at = words[..<start].last(.at), at > 0
    else { return nil }
    let between = words[(start + 1)..<end]
    let event: ArraySlice<ClassedWord>
    if let of = between.first(.of), let joint = between.last(.comparingjoint), of + 1 < joint {
      event = words[(of + 1)..<joint]
    } else if end + 2 < words.count, words[end + 1].isOne(of: .of) {
      event = words[(end + 2)...]
    } else {
      return nil
    }
    return (Array(words[..<at]), [Moment(edge: .start, event: event.text), Moment(edge: .end, event: event.text)])
  }

  /// "… each time E"; "… at E v when F"; "… when E and now".
  private static func times(_ words: [ClassedWord]) -> Parts? {
    if let time = words.indices.dropFirst().first(where: { $0 > 1 && words[$0].isOne(of: .time) }),
      words[time - 1].isOne(of: .each), time + 1 < words.count
    {
      return (Array(words[..<(time - 1)]), [Moment(edge: .each, event: words[(time + 1)...].text)])
    }
    guard let at = words.dropFirst().first([.at, .when]) else { return nil }
    for joint in words.indices
    where joint > at + 1 && joint + 1 < words.count && words[joint].isOne(of: .comparingjoint) {
      let isCompared = words[joint - 1].isOne(of: .comparison) || words[joint].isOne(of: .contrast)
      let first = words[(at + 1)..<(words[joint - 1].isOne(of: .comparison) ? joint - 1 : joint)]
      let rest = words[(joint + 1)...]
      if first.isEmpty { continue }
      let second: Moment
      if rest.has(.latestOnes), rest.count <= 4 {
        second = Moment(edge: .now, event: "")
      } else if let marker = rest.first([.at, .when]), marker + 1 < rest.endIndex {
        let event = rest[(marker + 1)...]
        // "… and at the one a year later".
        second =
          event.last?.isOne(of: .later) == true
          ? Moment(edge: .after, event: first.text) : moment(event)
      } else if rest.allSatisfy({ $0.isOne(of: .secondTimes) }), rest.has(.second) {
        // "When he was blocked the first time and the second".
        return (
          Array(words[..<at]), [Moment(edge: .each, event: first.filter { !$0.isOne(of: .secondTimes) }.text)]
        )
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
  private static func since(_ words: [ClassedWord]) -> Parts? {
    let isChange = words.has([.gaining, .losing, .changing])
    guard let at = words.dropFirst().first(isChange ? [.since, .after] : [.since]), at + 1 < words.count,
      words[(at + 1)...].allSatisfy({ $0.text.first?.isNumber != true })
    else { return nil }
    let event = words[(at + 1)...].prefix { !$0.isOne(of: [.from, .until, .up]) }.text
    // "Lost since her heaviest": the value itself says when.
    if event.isEmpty || words.has(.peak) { return nil }
    let moments =
      isChange
      ? [Moment(edge: .before, event: event), Moment(edge: .now, event: "")] : [Moment(edge: .from, event: event)]
    return (Array(words[..<at]), moments)
  }

  /// "… when E", "… at E".
  private static func single(_ words: [ClassedWord]) -> Parts? {
    guard let at = words.dropFirst().first([.at, .when]), at + 1 < words.count,
      words[(at + 1)...].allSatisfy({ !$0.isOne(of: .noevent) && $0.text.first?.isNumber != true }),
      !words[at - 1].isOne(of: .comparingjoint)
    else { return nil }
    return (Array(words[..<at]), [moment(words[(at + 1)...])])
  }

  private static func moment(_ words: ArraySlice<ClassedWord>) -> Moment {
    let plain = words.filter { !$0.isOne(of: .momentframe) }
    if plain.count == 1, plain[0].isOne(of: [.start, .diagnosis, .baseline]) { return Moment(edge: .first, event: "") }
    if plain.count == 1, plain[0].isOne(of: .finish) { return Moment(edge: .now, event: "") }
    return Moment(edge: .at, event: words.text)
  }

  /// Words of a name for an event; a longer rest is a clause of its own.
  private static let longestEvent = 6
}
