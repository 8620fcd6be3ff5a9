import Clinical
import Extraction

/// Reads how long ago something was eaten, for what can only be said once the signs would have come.
struct ExposureTime {
  let reading: IntakeReading
  /// The words that name what was eaten.
  let place: Range<Int>

  /// Hours that have gone by for certain since the eating; nil where the text doesn't date it.
  ///
  /// The date must stand in the eating's own clause, since dates of boosters and walks stand beside: right behind it, at the
  /// beginning of its sentence, or in a next one such as "that was a week ago". Where several times are named near it the
  /// latest counts, and what goes on or was repeated has no date.
  var leastHours: Double? {
    let sentence = words[place.lowerBound].sentence
    guard !words.contains(where: { $0.sentence == sentence && $0.isOne(of: .repeated) }) else { return nil }
    let dates = reading.quantities.filter { quantity in
      if quantity.kind == .ago { return true }
      // "It's been a week since he ate it".
      return quantity.kind == .duration && text(quantity.words.upperBound) == "since"
        && place.lowerBound > quantity.words.upperBound
    }
    guard dates.contains(where: isOwnDate) else { return nil }
    return dates.filter { abs(words[$0.words.lowerBound].sentence - sentence) <= 1 }
      .map { $0.least * (isBarely($0) ? Self.barely : 1) }.min()
  }

  /// Hours after which an eating is history that nobody asks about.
  private static let longAgo = 60.0 * 24

  /// What to make of words that read as past.
  ///
  /// Only the own clause's word for it counts: "fine since" says nothing of a poison whose signs may be still to come. What was
  /// eaten some weeks ago is present too: how far that lowers it is the poison's matter.
  ///
  /// - Parameter range: words of the clause, or of the eating elsewhere.
  /// - Returns: present, unless the clause says that it is long over.
  func pastStanding(of range: Range<Int>) -> Standing {
    if let least = leastHours { return least < Self.longAgo ? .present : .past }
    let isOwn = clause.contains(range.lowerBound)
    let sentence = words[range.lowerBound].sentence
    let read = isOwn ? clause + datingPhrase : words.indices.filter { words[$0].sentence == sentence }
    let others = reading.quantities.filter { $0.kind == .ago && $0.value < Self.longAgo }.map(\.words)
    return reading.standing(
      ofWords: range, isExposure: range == place,
      within: read.filter { index in !others.contains { $0.contains(index) } })
  }

  /// The words from the beginning of the sentence to the end of what is said of the thing.
  var clause: [Int] {
    let first = words[place.lowerBound]
    let end =
      words.indices.first {
        $0 >= place.upperBound && (words[$0].phrase != first.phrase || words[$0].isOne(of: .conjunction))
      } ?? words.count
    return words.indices.filter { words[$0].sentence == first.sentence && $0 < end }
  }

  /// The phrase or sentence behind the clause, where it says when that was: "that was last winter".
  private var datingPhrase: [Int] {
    guard
      let next = words.indices.first(where: {
        $0 >= place.upperBound && words[$0].phrase != words[place.lowerBound].phrase
      }),
      ["that", "thats", "this", "it", "last", "years", "when", "in"].contains(words[next].text),
      next + 1 < words.count, !["has", "is", "hasnt", "himself", "herself"].contains(words[next + 1].text)
    else { return [] }
    return words.indices.filter { words[$0].phrase == words[next].phrase }
  }

  private var words: [IntakeWord] { reading.words }
  private func text(_ index: Int) -> String { words.indices.contains(index) ? words[index].text : "" }

  private func has(_ closed: ClosedClass, at index: Int) -> Bool {
    words.indices.contains(index) && words[index].isOne(of: closed)
  }

  /// What is left for certain of "nearly three days".
  private static let barely = 0.75

  private func isBarely(_ date: SpokenQuantity) -> Bool {
    (1...2).contains {
      has(.short, at: date.words.lowerBound - $0) && text(date.words.lowerBound - 2) != "more"
    }
  }

  private func isOwnDate(_ date: SpokenQuantity) -> Bool {
    let first = words[date.words.lowerBound]
    let sentence = words[place.lowerBound].sentence
    if first.sentence == sentence + 1 { return isAlone(date.words, within: { $0.sentence == first.sentence }) }
    guard first.sentence == sentence else { return false }
    if date.words.upperBound <= place.lowerBound {
      // "Three weeks ago he got in and ate": only at the beginning.
      let start = words.firstIndex { $0.sentence == sentence } ?? 0
      return (start..<date.words.lowerBound).allSatisfy { words[$0].isOne(of: .dateword) }
    }
    if first.phrase == words[place.lowerBound].phrase {
      return !(place.upperBound..<date.words.lowerBound).contains { words[$0].isOne(of: .conjunction) }
    }
    return isAlone(date.words, within: { $0.phrase == first.phrase })
  }

  /// Whether a phrase or sentence says nothing but a date: "that was about three weeks ago".
  private func isAlone(_ date: Range<Int>, within: (IntakeWord) -> Bool) -> Bool {
    words.indices.allSatisfy { !within(words[$0]) || date.contains($0) || words[$0].isOne(of: .dateword) }
  }
}
