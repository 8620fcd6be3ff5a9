import Clinical
import Extraction
import TextAnalysis

/// Finds notes that disagree about a thing that can't be both, where neither corrects the other.
struct ConflictFinder {
  /// Two notes further apart are about another episode, unless what they tell of lasts.
  private static let episodeDays = 60
  private static let followingDays = 21
  /// A sentence names what is asked when it names so much of what the best one does.
  private static let namingShare = 0.75

  let question: Question
  let limits: AnswerLimits

  /// The disagreeing sentences, both sides, in time order; nil when there is no conflict.
  ///
  /// Three kinds are told: a side (a question about which one, answered left and right), a lasting fact (an allergy) asserted by
  /// one note and denied by another, and a count that two notes of one episode give differently.
  func conflict(among readings: [Reading]) -> [Reading]? {
    let near = readings.filter { $0.share >= (readings.first?.share ?? 0) * limits.shares.conflict }
    let allergies = readings.filter { $0.match.unit.facts.contains { $0.kind == .allergy } }
    return sides(readings) ?? lasting(near + allergies) ?? counts(readings)
  }

  /// Two numbers of one count, or two years of what is done but once: these need no weighing.
  func plain(among readings: [Reading]) -> [Reading]? { counts(readings) ?? years(readings) }

  // MARK: - Sides

  private func sides(_ readings: [Reading]) -> [Reading]? {
    // Another leg this autumn is another lameness.
    guard question.asksWhichSide, !question.asks(for: .current), !question.asks(for: .last) else { return nil }
    let most = readings.map { $0.features[.note] }.max() ?? 0
    let best = readings.map { $0.features[.own] }.max() ?? 0
    var named: [(side: Side, reading: Reading)] = []
    let bestNote = readings.first?.match.unit.note
    for reading in readings.sorted(by: Reading.isEarlier) {
      // The part that was operated is healing in the next note, which need not say again what was done.
      let isNext =
        question.namesPart(reading.match.unit)
        && bestNote.map { reading.match.unit.note.recordedAt <= $0.recordedAt.adding(days: Self.followingDays) } == true
      guard reading.features[.note] >= most * Self.namingShare || isNext else { continue }
      if let period = question.period, reading.match.unit.note.recordedAt < period.lowerBound { continue }
      guard reading.features[.own] >= best * Self.namingShare || question.namesPart(reading.match.unit) else {
        continue
      }
      let sides = Side.named(in: reading.match.unit, question.classes)
      if sides.count == 1, let side = sides.first { named.append((side, reading)) }
    }
    guard let first = named.first,
      let other = named.first(where: {
        $0.side != first.side && $0.reading.match.unit.note.id != first.reading.match.unit.note.id
          && (lasts(first.reading) || isSameEpisode(first.reading, $0.reading))
      })
    else { return nil }
    return [first.reading, other.reading]
  }

  /// An operation was on one side for ever, and a lump stays where it is.
  private func lasts(_ reading: Reading) -> Bool {
    question.kinds.contains(.procedure) || reading.match.parts.contains { $0.fact?.kind == .procedure }
      || question.has(.lump)
  }

  private func isSameEpisode(_ first: Reading, _ second: Reading) -> Bool {
    let (one, other) = (first.match.unit.note.recordedAt, second.match.unit.note.recordedAt)
    return max(one, other) <= min(one, other).adding(days: Self.episodeDays)
  }

  // MARK: - Lasting facts

  private func lasting(_ readings: [Reading]) -> [Reading]? {
    guard question.kinds.contains(.allergy) else { return nil }
    let inTime = readings.filter { !$0.isHypothetical }.sorted(by: Reading.isEarlier)
    guard
      let asserted = inTime.first(where: { !$0.isDenial && $0.assertion.polarity == .present && !$0.deniesAllergies })
    else { return nil }
    if let denied = inTime.last(where: { $0.isDenial || $0.deniesAllergies }), Reading.isEarlier(asserted, denied) {
      return [asserted, denied]
    }
    // "Swelled up after it in 2021", said later of a time of which an earlier note says that all was well.
    if let denied = inTime.first(where: { $0.isDenial || $0.deniesAllergies }),
      let told = inTime.first(where: {
        $0.assertion.temporality == .historical && $0.assertion.polarity == .present && !$0.deniesAllergies
          && Reading.isEarlier(denied, $0) && $0.match.unit.note.id != denied.match.unit.note.id
      })
    {
      return [denied, told]
    }
    return nil
  }

  // MARK: - Counts

  private func counts(_ readings: [Reading]) -> [Reading]? {
    guard question.has(.many), question.has(.how), question.period == nil || !question.isSince
    else { return nil }
    let most = readings.map { $0.features[.note] }.max() ?? 0
    var first: (number: Int, reading: Reading)?
    for reading in readings.sorted(by: Reading.isEarlier)
    where reading.features[.note] >= most * Self.namingShare && reading.features[.own] > 0 {
      guard let number = Self.count(before: reading) else { continue }
      if let first, first.number != number, first.reading.match.unit.note.id != reading.match.unit.note.id,
        isSameEpisode(first.reading, reading)
      {
        return [first.reading, reading]
      }
      if first == nil { first = (number, reading) }
    }
    return nil
  }

  // MARK: - Years

  private func years(_ readings: [Reading]) -> [Reading]? {
    // Done but once in a life, so that two years of it can't both be right.
    guard question.has(.once), question.asks(for: .when) || question.has(.year), question.period == nil
    else {
      return nil
    }
    var first: (year: Int, reading: Reading)?
    for reading in readings.sorted(by: Reading.isEarlier) where reading.isAboutPatient && !reading.isHypothetical {
      guard let year = year(of: reading) else { continue }
      if let first, first.year != year, first.reading.match.unit.note.id != reading.match.unit.note.id {
        return [first.reading, reading]
      }
      if first == nil { first = (year, reading) }
    }
    return nil
  }

  /// The year beside the word for it: "spayed here Nov 2020".
  private func year(of reading: Reading) -> Int? {
    let tokens = question.classes.words(in: reading.match.unit)
    for (place, token) in tokens.enumerated() where token.isOne(of: .once) {
      let near = tokens[place..<min(tokens.count, place + Self.yearReach)].compactMap { Int($0.text) }
      if let year = near.first(where: { (1980...2100).contains($0) }) { return year }
    }
    return nil
  }

  /// How many words behind it the year stands at the most.
  private static let yearReach = 10

  /// "4 teeth", "three extractions": the number that stands before what is counted.
  private static func count(before reading: Reading) -> Int? {
    let tokens = WordPhrases.words(in: reading.match.unit.note.text, range: reading.match.unit.range)
    for part in reading.match.parts {
      guard let place = tokens.firstIndex(where: { $0.range.overlaps(part.range) }), place > 0 else { continue }
      if let number = number(tokens[place - 1].text) { return number }
    }
    return nil
  }

  private static func number(_ word: String) -> Int? {
    NumberWord.value(word) ?? Int(word).flatMap { (1...60).contains($0) ? $0 : nil }
  }
}

extension Reading {
  /// "No known drug allergies": the denial is part of the fact itself.
  fileprivate var deniesAllergies: Bool {
    match.unit.facts.contains { $0.kind == .allergy && $0.assertion.polarity == .absent }
  }
}
