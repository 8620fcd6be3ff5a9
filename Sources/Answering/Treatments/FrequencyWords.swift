public import Clinical
import Extraction
import TextAnalysis

/// How often something is given, in the words of notes: "bid", "every other day", "every 31 days".
///
/// From the frequency rows of `Models/extraction/fact-context.tsv`.
public struct FrequencyWords: Sendable {
  /// By first word; the longest first.
  private var phrases: [String: [(words: [String], perDay: Double)]] = [:]

  /// - Parameter table: `fact-context.tsv`.
  public init(table: DataTable) {
    for row in table.rows where row["axis"] == "frequency" {
      guard let perDay = Frequency(rawValue: row["value"])?.timesPerDay else { continue }
      for form in row.list("forms") {
        let words = WordPhrases.words(of: form)
        if let first = words.first { phrases[first, default: []].append((words, perDay)) }
      }
    }
    phrases = phrases.mapValues { $0.sorted { $0.words.count > $1.words.count } }
  }

  /// The first frequency that words name, as times a day; nil where they name none.
  func timesPerDay(in words: [ClassedWord]) -> Double? {
    words.indices.lazy.compactMap { timesPerDay(startingAt: $0, in: words) }.first
  }

  /// The frequency that the words from one on begin with.
  func timesPerDay(startingAt index: Int, in words: [ClassedWord]) -> Double? {
    guard words.indices.contains(index) else { return nil }
    if let counted = Self.counted(words[index...]) { return counted }
    return phrases[words[index].text]?.first { phrase in
      words[index...].starts(with: phrase.words, by: { $0.text == $1 })
    }?.perDay
  }

  /// "Every 31 days", "q28d": what no row spells out.
  private static func counted(_ words: ArraySlice<ClassedWord>) -> Double? {
    guard let first = words.first else { return nil }
    if first.isOne(of: .each), let count = words.dropFirst().first.flatMap({ Double($0.text) }), count > 1,
      let unit = words.dropFirst(2).first, let days = days(of: unit)
    {
      return 1 / (count * days)
    }
    guard first.text.hasPrefix("q"), first.text.hasSuffix("d"),
      let days = Double(first.text.dropFirst().dropLast()), days > 1
    else { return nil }
    return 1 / days
  }

  private static func days(of unit: ClassedWord) -> Double? {
    if unit.isOne(of: .day) { return 1 }
    if unit.isOne(of: [.week, .weekletter]) { return 7 }
    return unit.isOne(of: .hour) ? 1.0 / 24 : nil
  }
}

extension FrequencyWords: Packable {
  package func pack(into packer: inout Packer) {
    packer.add(list: phrases.sorted { $0.key < $1.key }) { packer, entry in
      packer.add(entry.key)
      packer.add(list: entry.value) { packer, phrase in
        packer.add(texts: phrase.words)
        packer.add(phrase.perDay)
      }
    }
  }

  package init(from unpacker: inout Unpacker) throws(PackingError) {
    let entries = try unpacker.list { unpacker throws(PackingError) in
      let first = try unpacker.text()
      let phrases = try unpacker.list { unpacker throws(PackingError) in
        (words: try unpacker.texts(), perDay: try unpacker.value(Double.self))
      }
      return (first, phrases)
    }
    phrases = Dictionary(entries) { first, _ in first }
  }
}
