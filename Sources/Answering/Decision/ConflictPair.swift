import Clinical
import Extraction
import Glibc
import TextAnalysis

/// Two sentences of different notes that may be the two sides of a disagreement.
package struct ConflictPair {
  /// The earlier one.
  package let first: Reading
  package let second: Reading
  package let features: Measures<ConflictFeature>
}

/// Finds the sentences about what is asked that differ in something that can't be both: a side, a yes and a no, a number.
package struct ConflictPairs {
  /// Sentences that name less of the question than this share of what the best one names are about something else.
  private static let namingShare = 0.75
  /// Where a side or a count is asked for, that itself tells much of what a sentence is about: "drain out, left thigh clean".
  private static let sidedShare = 0.35
  private static let readingLimit = 14
  /// Two notes further apart are about another episode, unless what they tell of lasts.
  private static let episodeDays = 60

  /// A report so long after what it contradicts tells of a change.
  private static let reportDays = 200.0

  let question: Question
  let finder: EvidenceFinder
  let limits: AnswerLimits

  package init(question: Question, finder: EvidenceFinder, limits: AnswerLimits) {
    self.question = question
    self.finder = finder
    self.limits = limits
  }

  /// - Parameter readings: best first.
  /// - Returns: the pairs that differ in something, measured, the earlier sentence first.
  /// - Complexity: O(the square of the sentences that are looked at), which are few.
  package func pairs(among readings: [Reading]) -> [ConflictPair] {
    let admissible = readings.filter { ($0.isAboutPatient || question.asks(for: .others)) && !$0.isHypothetical }
    let ruled = ConflictFinder(question: question, limits: limits).conflict(among: admissible)
    let most = admissible.map { $0.features[.own] }.max() ?? 0
    let best = admissible.map(\.share).max() ?? 0
    let asksForSide = question.asksWhichSide
    var near = admissible.filter { reading in
      let isTelling = asksForSide ? sides(of: reading).count == 1 : question.asks(for: .count)
      if isTelling, question.namesPart(reading.match.unit) { return true }
      return most > 0 && reading.features[.own] >= most * (isTelling ? Self.sidedShare : Self.namingShare)
    }.prefix(Self.readingLimit)
    for reading in ruled ?? [] where !near.contains(where: { Self.isSame($0, reading) }) { near.append(reading) }
    let inTime = near.sorted(by: Reading.isEarlier)
    var pairs: [ConflictPair] = []
    for (index, first) in inTime.enumerated() {
      for second in inTime[(index + 1)...] where first.match.unit.note.id != second.match.unit.note.id {
        let isRuled = ruled.map { Self.isSame($0[0], first) && Self.isSame($0[1], second) } ?? false
        if let features = features(first, second, isRuled: isRuled, best: best, most: most) {
          pairs.append(ConflictPair(first: first, second: second, features: features))
        }
      }
    }
    return pairs
  }

  /// Whether a sentence passes on what somebody else said.
  private static func isReport(_ reading: Reading) -> Bool {
    reading.signs.contains(.hearsay) || [.phone, .intake].contains(reading.match.unit.note.kind)
  }

  private static func isSame(_ one: Reading, _ other: Reading) -> Bool {
    one.match.unit.position == other.match.unit.position
  }

  /// Nil where the two differ in nothing. `best` is the probability of the likeliest sentence, `most` the share of the question
  /// that any sentence names.
  private func features(
    _ first: Reading, _ second: Reading, isRuled: Bool, best: Double, most: Double
  ) -> Measures<ConflictFeature>? {
    var features = differences(first, second)
    guard isRuled || features.values.contains(where: { $0 != 0 }) else { return nil }
    features[.bias] = 1
    features[.ruled] = isRuled ? 1 : 0
    addSources(first, second, &features)
    addTimes(first, second, &features)
    addTopic(first, second, &features)
    let (share, own) = (min(first.share, second.share), min(first.features[.own], second.features[.own]))
    features[.weaker] = log(max(1e-6, share / max(best, 1e-12))) / 10
    if own < most * Self.sidedShare { features[.partOnly] = 1 }
    features[.coverage] = own
    return features
  }

  /// Days from one sentence's note to the other's.
  private static func days(_ first: Reading, _ second: Reading) -> Double {
    Double(second.match.unit.note.recordedAt.seconds - first.match.unit.note.recordedAt.seconds) / 86_400
  }

  /// What can't be both: a side, a yes and a no, a number, an identifier, words that exclude each other.
  private func differences(_ first: Reading, _ second: Reading) -> Measures<ConflictFeature> {
    var features = Measures<ConflictFeature>()
    let sides = (sides(of: first), sides(of: second))
    if sides.0.count == 1, sides.1.count == 1, sides.0 != sides.1 {
      features[question.asksWhichSide || !question.sides.isEmpty ? .sideAsked : .side] = 1
    }
    let isNo = (Self.saysNo(first), Self.saysNo(second))
    if isNo.0 != isNo.1, let one = first.match.parts.first, let other = second.match.parts.first,
      one.group == other.group
    {
      features[question.isYesOrNo ? .polarityAsked : .polarity] = 1
      if question.words.count == 1 || question.isTerseYesOrNo { features[.polarityTerse] = 1 }
      // What was, and is no more, is a change; what was not, and was all along, is none.
      if isNo.1 { features[.denialLater] = 1 }
      if isNo.1, question.classes.words(in: second.match.unit).has(.never) { features[.never] = 1 }
    }
    if !question.isYesOrNo, let numbers = Self.numbers(first, second), numbers.0 != numbers.1 {
      features[.number] = 1
      if question.asks(for: .count) { features[.count] = 1 }
      if Self.days(first, second) < 1.5 { features[.numberSameDay] = 1 }
    }
    if !question.isYesOrNo, let one = Self.identifier(in: first), let other = Self.identifier(in: second),
      one.count == other.count, one != other
    {
      features[.identifier] = 1
    }
    if first.signs.excludes(second.signs) { features[.exclusive] = 1 }
    return features
  }

  /// Whether one of the two passes on what somebody said, and what it differs in.
  private func addSources(_ first: Reading, _ second: Reading, _ features: inout Measures<ConflictFeature>) {
    if first.signs.contains(.hearsay) != second.signs.contains(.hearsay) {
      features[.hearsay] = 1
      features[.hearsaySide] = max(features[.sideAsked], features[.side])
      features[.hearsayPolarity] = max(features[.polarityAsked], features[.polarity])
      features[.hearsayNumber] = features[.number]
      features[.hearsayExclusive] = features[.exclusive]
    }
    if Self.days(first, second) <= Self.reportDays, Self.isReport(second), !Self.isReport(first) {
      features[.reported] = 1
      features[.reportedPolarity] = max(features[.polarityAsked], features[.polarity])
      features[.reportedValue] = max(features[.number], features[.exclusive], features[.sideAsked])
    }
  }

  /// How far apart the two were written, and whether something changed between.
  private func addTimes(_ first: Reading, _ second: Reading, _ features: inout Measures<ConflictFeature>) {
    let days = Self.days(first, second)
    if days < 1.5 { features[.sameDay] = 1 }
    if days <= Double(Self.episodeDays) { features[.sameEpisode] = 1 }
    features[.apart] = log1p(max(0, days)) / 7
    if second.assertion.temporality == .historical { features[.toldLater] = 1 }
    if !second.signs.isDisjoint(with: [.change, .ending, .comparison]) { features[.changed] = 1 }
    if question.isAboutPast || question.period != nil { features[.past] = 1 }
    if question.asks(for: .current) || question.asks(for: .last) || question.asks(for: .trend)
      || question.asks(for: .comparison) || question.asks(for: .change)
    {
      features[.overTime] = 1
    }
    if let period = question.period, period.contains(first.match.unit.note.recordedAt),
      period.contains(second.match.unit.note.recordedAt)
    {
      features[.inPeriod] = 1
    }
  }

  /// What kind of thing is asked about.
  private func addTopic(_ first: Reading, _ second: Reading, _ features: inout Measures<ConflictFeature>) {
    let facts = (first.match.unit.facts + second.match.unit.facts).map(\.kind)
    if question.kinds.contains(.procedure) || facts.contains(.procedure) { features[.procedure] = 1 }
    let topics: [(FactKind, ConflictFeature)] = [
      (.allergy, .allergy), (.vaccination, .vaccination), (.weight, .weight), (.drug, .drug),
    ]
    for (kind, feature) in topics where question.kinds.contains(kind) { features[feature] = 1 }
    if question.has(.or) { features[.eitherOr] = 1 }
  }

  /// The side a sentence names; where it names none, the one its neighbours name.
  private func sides(of reading: Reading) -> Set<Side> {
    var own = Side.named(in: reading.match.unit, question.classes)
    if own.count > 1, let target = reading.match.target,
      let nearest = Side.named(in: reading.match.unit, nearest: target, question.classes)
    {
      own = [nearest]
    }
    guard own.isEmpty, question.asksWhichSide else { return own }
    let place = reading.match.unit.position
    let near = (place - 2...place + 1).filter { finder.units.indices.contains($0) }.map { finder.units[$0] }
    return near.filter { $0.note.id == reading.match.unit.note.id }.reduce(into: []) {
      $0.formUnion(Side.named(in: $1, question.classes))
    }
  }

  private static func saysNo(_ reading: Reading) -> Bool {
    reading.isDenial || reading.deniesPart || !reading.nearSigns.isDisjoint(with: [.refusal])
  }

  /// The numbers of both sentences that stand nearest to what is asked about, with the same unit.
  private static func numbers(_ first: Reading, _ second: Reading) -> (Double, Double)? {
    guard let one = number(first), let other = number(second), one.unit == other.unit else { return nil }
    return (one.value, other.value)
  }

  private static func number(_ reading: Reading) -> (value: Double, unit: String)? {
    guard let target = reading.match.target else { return nil }
    let words = WordPhrases.words(in: reading.match.unit.note.text, range: reading.match.unit.range)
    guard let place = words.firstIndex(where: { $0.range.overlaps(target) }) else { return nil }
    let order = words.indices.filter { abs($0 - place) <= 4 }.sorted { abs($0 - place) < abs($1 - place) }
    for index in order {
      let digits = words[index].text.prefix { $0.isNumber || $0 == "." }
      if let value = Double(digits), value < 1900 || value > 2100 {
        let rest = words[index].text.dropFirst(digits.count)
        let next = index + 1 < words.count ? words[index + 1].text : ""
        return (value, rest.isEmpty ? next : String(rest))
      }
      if let number = NumberWord.value(words[index].text) {
        return (Double(number), index + 1 < words.count ? words[index + 1].text : "")
      }
    }
    return nil
  }

  /// The longest run of digits that is no measurement: a chip, a ring, a tattoo. Years are none, nor are telephone numbers,
  /// which change.
  private static func identifier(in reading: Reading) -> Substring? {
    let runs = reading.match.unit.text.split { !$0.isNumber }
    guard let longest = runs.max(by: { $0.count < $1.count }), longest.count >= shortestIdentifier,
      !longest.hasPrefix("0")
    else { return nil }
    if longest.count == 4, let year = Int(longest), (1900...2100).contains(year) { return nil }
    return longest
  }

  private static let shortestIdentifier = 4
}
