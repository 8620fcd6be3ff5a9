import Clinical
import TextAnalysis

/// Goes over the words of a question once, from the first to the last.
struct MomentScan {
  typealias Moment = AskedMoments.Moment

  private let words: [ClassedWord]
  private let reader: MomentWords
  /// Words behind a comma or another mark that ends a clause.
  private let breaks: Set<Int>
  private(set) var moments: [Moment] = []
  /// What stands before the first moment, and what behind it.
  private(set) var before: [ClassedWord] = []
  private(set) var behind: [ClassedWord] = []

  init(_ text: String, _ words: [ClassedWord], periods: PeriodParser) {
    self.words = words
    reader = MomentWords(words: words, periods: periods)
    breaks = Set(
      words.indices.dropFirst().filter { place in
        // Both words of a contraction may have the bytes of the whole.
        let end = words[place - 1].range.upperBound
        let between = end..<max(end, words[place].range.lowerBound)
        return text.slice(utf8: between)?.contains { ",;:?!–—&/".contains($0) } ?? false
      })
  }

  mutating func run() {
    var place = 0
    while place < words.count {
      let found = bounded(at: place) ?? opened(at: place) ?? standing(at: place) ?? joined(at: place)
      guard let found, found.end > place else {
        if moments.isEmpty { before.append(words[place]) } else { behind.append(words[place]) }
        place += 1
        continue
      }
      moments += found.moments
      place = found.end
    }
  }

  private typealias Found = (moments: [Moment], end: Int)

  // MARK: - Both at once

  /// "Between E and F", "from E to F", "before and after E", "at the start and end of E", "each time E".
  private func bounded(at place: Int) -> Found? {
    let word = words[place]
    let end = clauseEnd(after: place)
    guard place + 2 < words.count else { return nil }
    if word.isOne(of: .between), let joint = words[place..<end].last(.and), joint > place + 1, joint + 1 < end {
      return (
        [
          reader.moment((place + 1)..<joint, yearOf: joint..<end),
          reader.moment((joint + 1)..<end, yearOf: place..<joint),
        ], end
      )
    }
    if word.isOne(of: .from), let joint = joint(after: place, before: end) {
      return (
        [
          reader.moment((place + 1)..<joint, yearOf: joint..<end),
          reader.moment((joint + 1)..<end, yearOf: place..<joint),
        ], end
      )
    }
    if word.isOne(of: .before) {
      // "Before & after": a sign is no word.
      let second = words[place + 1].isOne(of: .comparingjoint) ? place + 2 : place + 1
      let behind = clauseEnd(after: second)
      if words[second].isOne(of: [.after, .post]), second + 1 < behind {
        return (both(.before, .after, (second + 1)..<behind), behind)
      }
    }
    if word.isOne(of: .at), let start = words[place..<end].first(.start),
      let finish = words[start..<end].first(.finish), let event = course(start, finish, end)
    {
      return (both(.start, .end, event), end)
    }
    if word.isOne(of: .each), words[place + 1].isOne(of: .time), place + 2 < end {
      return ([reader.moment((place + 2)..<end, edge: .each)], end)
    }
    return nil
  }

  private func both(_ first: Moment.Edge, _ second: Moment.Edge, _ event: Range<Int>) -> [Moment] {
    [reader.event(event, edge: first), reader.event(event, edge: second)]
  }

  /// The "to" of "from E to F": the first behind which a moment stands that is no event, else the first.
  private func joint(after place: Int, before end: Int) -> Int? {
    let joints = (place + 2..<max(place + 2, end - 1)).filter { words[$0].isOne(of: [.to, .until]) }
    return joints.first { reader.standing(at: $0 + 1, before: end) != nil } ?? joints.first
  }

  /// The event of "the start and end of E", "the start of E and at the end"; nil where its name is not told.
  private func course(_ start: Int, _ finish: Int, _ end: Int) -> Range<Int>? {
    if let of = words[start..<finish].first(.of), let joint = words[of..<finish].last(.comparingjoint), of + 1 < joint {
      return (of + 1)..<joint
    }
    return finish + 2 < end && words[finish + 1].isOne(of: .of) ? (finish + 2)..<end : nil
  }

  // MARK: - One

  /// "Before E", "since E", "at E", "when E", "than at E".
  private func opened(at place: Int) -> Found? {
    guard let edge = edge(of: place), place + 1 < words.count else { return nil }
    let end = phraseEnd(after: place)
    guard end > place + 1 else { return nil }
    // "Before E and after it".
    if words[(place + 1)..<end].allSatisfy({ $0.isOne(of: .pronounback) }) {
      guard let last = moments.last else { return nil }
      return ([Moment(time: last.time, edge: edge, ordinal: last.ordinal, range: bytes(place..<end))], end)
    }
    let moment = reader.moment((place + 1)..<end, edge: edge)
    guard case .event = moment.time, edge == .at else { return ([moment], end) }
    let isNone = words[(place + 1)..<end].contains { $0.isOne(of: .noevent) || $0.text.first?.isNumber == true }
    return isNone ? nil : ([moment], end)
  }

  private func edge(of place: Int) -> Moment.Edge? {
    let word = words[place]
    if word.isOne(of: [.before, .pre]) { return .before }
    if word.isOne(of: .since) { return .onwards }
    if word.isOne(of: [.after, .post, .following]) { return .after }
    if place > 0, word.isOne(of: [.at, .when]) || word.isOne(of: .during) { return .at }
    // "On the day he collapsed", but not "put on".
    let isOnDay =
      word.isOne(of: .on) && place > 0 && !words[place - 1].isOne(of: [.moving, .putting])
      && words[(place + 1)...].prefix(2).has([.day, .arrival])
    // "What did she weigh the day he collapsed?"
    let isTheDay =
      word.isOne(of: .the) && place > 0 && place + 2 < words.count && words[place + 1].isOne(of: .day)
      && words[place + 1].text.count > 1
    return isOnDay || isTheDay ? .at : nil
  }

  /// What stands by itself for a moment.
  private func standing(at place: Int) -> Found? {
    reader.standing(at: place, before: clauseEnd(after: place)).map { ([$0.moment], $0.end) }
  }

  /// "… compared with the pneumonia visit", "… and the second": behind a moment and what joins another to it.
  private func joined(at place: Int) -> Found? {
    guard let last = moments.last, !words[place].isOne(of: Self.joints), !words[place].isOne(of: .clauseOpeners) else {
      return nil
    }
    let between = words[..<place].reversed().prefix { $0.range.lowerBound >= last.range.upperBound }
    guard !between.isEmpty, between.allSatisfy({ $0.isOne(of: Self.joints) }) else { return nil }
    var end = clauseEnd(after: place)
    if let next = (place..<end).first(where: { $0 > place && edge(of: $0) != nil }) { end = next }
    let named = words[place..<end]
    // "The first time and the second", of one event.
    if case .event = last.time, named.allSatisfy({ $0.isOne(of: .secondTimes) }), named.has(.second) {
      return ([Moment(time: last.time, edge: .each, range: bytes(place..<end))], end)
    }
    // "Before the steroids and later while on them".
    if words[place].isOne(of: .later), last.edge == .before {
      return ([Moment(time: last.time, edge: .after, ordinal: last.ordinal, range: bytes(place..<end))], end)
    }
    guard between.has([.contrast, .comparison]), end - place <= Self.longestName else { return nil }
    return ([reader.moment(place..<end)], end)
  }

  private static let joints: QuestionClassSet = [.contrast, .comparison, .comparingjoint]
  /// Words of a name for an event; a longer rest is a clause of its own.
  private static let longestName = 6

  // MARK: - Where a moment ends

  private func clauseEnd(after place: Int) -> Int {
    (place + 1..<max(place + 1, words.count)).first { breaks.contains($0) } ?? words.count
  }

  /// Where the words of a moment end: with its clause, or before what joins another moment to it.
  private func phraseEnd(after place: Int) -> Int {
    let end = clauseEnd(after: place)
    return (place + 2..<max(place + 2, end)).first { next in
      let word = words[next]
      if word.isOne(of: [.contrast, .comparison]) { return true }
      guard word.isOne(of: .comparingjoint), next + 1 < end else { return false }
      // "… and then at the booster".
      if words[next + 1].isOne(of: .then) { return true }
      return edge(of: next + 1) != nil || words[next + 1].isOne(of: .interrogatives)
        || words[next + 1].isOne(of: .later)
        || reader.standing(at: next + 1, before: end) != nil
        || words[(next + 1)..<end].allSatisfy { $0.isOne(of: .secondTimes) }
    } ?? end
  }

  private func bytes(_ places: Range<Int>) -> Range<Int> { reader.bytes(places) }
}
