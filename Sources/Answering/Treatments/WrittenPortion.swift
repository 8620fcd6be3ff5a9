import TextAnalysis

/// How many tablets or capsules a label tells to give, and how often: "one tablet twice daily", "half a tab SID", "one BID".
struct WrittenPortion {
  /// More of them are those in the bottle.
  private static let most = 4.0
  /// How often stands within so many words behind how many.
  private static let reach = 4

  /// Of tablets or capsules each time.
  let count: Double
  let timesPerDay: Double?

  /// Nil where no words tell how many, and of what or how often.
  init?(in words: [ClassedWord], _ frequencies: FrequencyWords) {
    for (index, word) in words.enumerated() {
      guard let count = Self.count(word.text), count <= Self.most else { continue }
      let behind = words[(index + 1)...].drop { $0.isOne(of: .article) }
      guard let next = behind.first else { continue }
      let isOfTablets = next.isOne(of: .tablet)
      let often = Array((isOfTablets ? behind.dropFirst() : behind).drop { $0.isOne(of: .article) }.prefix(Self.reach))
      let timesPerDay = Self.timesPerDay(count, words[(index + 1)...], often, frequencies)
      guard isOfTablets || timesPerDay != nil else { continue }
      self.count = count
      self.timesPerDay = timesPerDay
      return
    }
    return nil
  }

  /// "One a day" is once; of "two a day" nobody knows whether they are given together.
  private static func timesPerDay(
    _ count: Double, _ behind: ArraySlice<ClassedWord>, _ often: [ClassedWord], _ frequencies: FrequencyWords
  ) -> Double? {
    if let first = often.first, first.isOne(of: .day) { return count == 1 ? 1 : nil }
    // Right behind: "two weeks, then daily" tells of no tablets.
    return (0...1).lazy.compactMap { frequencies.timesPerDay(startingAt: $0, in: often) }.first
  }

  private enum Share: String {
    case half, quarter

    var value: Double { self == .half ? 0.5 : 0.25 }
  }

  private static func count(_ word: String) -> Double? {
    switch word {
    case "½": Share.half.value
    case "¼": Share.quarter.value
    default: Share(rawValue: word)?.value ?? NumberWord.value(word).map(Double.init) ?? Double(word)
    }
  }
}
