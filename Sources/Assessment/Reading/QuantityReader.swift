public import Clinical

/// A number in a text and what it counts.
struct SpokenQuantity: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    /// Hours something has lasted: "for two days".
    case duration
    /// Hours during which something began or recurred: "since last night".
    case since
    /// Hours since something happened: "an hour ago".
    case ago
    /// Times or things: "three fits", "x2".
    case count
    /// Hours of age: "8 week old".
    case age
  }

  let kind: Kind
  let value: Double
  /// Indices of ``IntakeWord``.
  let words: Range<Int>
  /// The least that the words may mean: "a few days" are two at least, and of "last week" only hours have gone by for certain.
  let least: Double

  init(kind: Kind, value: Double, words: Range<Int>, least: Double? = nil) {
    self.kind = kind
    self.value = value
    self.words = words
    self.least = least ?? value
  }
}

/// Reads spans of time and counts in lay words; the words are in `times.tsv`.
public struct QuantityReader: Sendable {
  private var units: [String: Double] = [:]
  private var numbers: [String: Double] = [:]
  /// The least that a vague number may mean.
  private var leastNumbers: [String: Double] = [:]
  private var phrases: [(words: [String], hours: Double, least: Double, isAgo: Bool)] = []
  private var measures: Set<String> = []
  private var containers: [String: Container] = [:]
  private var vagueCounts: [String: Double] = [:]

  /// What a lay word of quantity holds at most.
  enum Container: Hashable {
    /// Grams: a lick, a handful, a bar.
    case amount(Double)
    /// A pack as it is sold, and its grams where the thing in it has no size of its own.
    case pack(Double)
    /// Tablets: a strip.
    case strip(Double)
  }

  /// - Parameter times: columns `kind` (`unit`, `number`, `duration`, `ago`, `amount`, `pack`, `strip`, `few`, `measure`), `forms`,
  ///   `value` (hours of a unit or phrase, the number a word means, grams or pieces at most; empty for a measure), `at_least`
  ///   (the least of a phrase or number; empty where it is the value).
  /// - Throws: ``DataTableError`` for an unknown kind or a value that is no number.
  public init(times: DataTable) throws(DataTableError) {
    for row in times.rows {
      for form in row.list("forms") {
        switch row["kind"] {
        case "unit": units[form] = try row.number("value")
        case "number":
          numbers[form] = try row.number("value")
          if !row["at_least"].isEmpty { leastNumbers[form] = try row.number("at_least") }
        case "amount": containers[form] = .amount(try row.number("value"))
        case "pack": containers[form] = .pack(try row.number("value"))
        case "strip": containers[form] = .strip(try row.number("value"))
        case "few": vagueCounts[form] = try row.number("value")
        case "measure": measures.insert(form)
        case "duration", "ago":
          let words = IntakeScanner.words(in: form).map(\.text)
          let hours = try row.number("value")
          let least = row["at_least"].isEmpty ? hours : try row.number("at_least")
          phrases.append((words, hours, least, row["kind"] == "ago"))
        default: throw row.error("kind", "is no kind of time word")
        }
      }
    }
    phrases.sort {
      ($0.words.count, $1.words.joined(separator: " ")) > ($1.words.count, $0.words.joined(separator: " "))
    }
  }

  /// The value of a number in figures or words; nil for other words.
  func number(_ word: IntakeWord) -> Double? { word.number ?? numbers[word.text] }

  /// What a lay word of quantity such as `handful`, or two such as `blister pack`, holds at most; nil for other words.
  func container(_ words: String) -> Container? { containers[words] }

  /// How many pieces "a few" are at most; nil for other words.
  func vagueCount(_ word: String) -> Double? { vagueCounts[word] }

  /// The hours of a unit such as `days`; nil for other words.
  func unitHours(_ word: String) -> Double? { units[word] }

  /// Indices of words that are numbers without a unit of time or amount behind them.
  func bareNumbers(in words: [IntakeWord]) -> [Int] {
    words.indices.filter { index in
      guard words[index].number != nil else { return false }
      guard index + 1 < words.count else { return true }
      let next = words[index + 1].text
      return units[next] == nil && !measures.contains(next)
    }
  }

  func quantities(in words: [IntakeWord]) -> [SpokenQuantity] {
    var result: [SpokenQuantity] = []
    var index = 0
    while index < words.count {
      if let phrase = phrase(at: index, words) {
        let range = index..<(index + phrase.words.count)
        result.append(
          SpokenQuantity(kind: phrase.isAgo ? .ago : .since, value: phrase.hours, words: range, least: phrase.least))
        index = range.upperBound
      } else if let quantity = measured(at: index, words) {
        result.append(quantity)
        index = quantity.words.upperBound
      } else {
        index += 1
      }
    }
    return result
  }

  private func phrase(
    at index: Int, _ words: [IntakeWord]
  ) -> (words: [String], hours: Double, least: Double, isAgo: Bool)? {
    phrases.first { phrase in
      index + phrase.words.count <= words.count
        && phrase.words.indices.allSatisfy { words[index + $0].text == phrase.words[$0] }
    }
  }

  /// "At 7 this morning", "since 2am".
  private func isClockTime(at index: Int, _ words: [IntakeWord]) -> Bool {
    let previous = index > 0 ? words[index - 1].text : ""
    let next = index + 1 < words.count ? words[index + 1].text : ""
    return ["at", "around", "by", "since", "till", "until", "from", "after", "before"].contains(previous)
      || ["am", "pm", "oclock", "ish", "this"].contains(next)
  }

  private func measured(at start: Int, _ words: [IntakeWord]) -> SpokenQuantity? {
    guard var value = number(words[start]) else { return nil }
    var least = leastNumbers[words[start].text] ?? value
    var index = start + 1
    // "half an hour", "a couple of days", "two or three hours": the greater of two numbers.
    while index < words.count, index < start + 4 {
      if ["of", "a", "an", "or", "to", "and"].contains(words[index].text), index + 1 < words.count {
        index += 1
      } else if let next = number(words[index]), words[index].sentence == words[start].sentence {
        let nextLeast = leastNumbers[words[index].text] ?? next
        // The article of "a few days" is no number beside another.
        least = value < 1 ? least * nextLeast : index == start + 1 && value == 1 ? nextLeast : min(least, nextLeast)
        value = value < 1 ? value * next : max(value, next)
        index += 1
      } else {
        break
      }
    }
    if index < words.count, let hours = units[words[index].text] {
      let end = index + 1
      let next = end < words.count ? words[end].text : ""
      let previous = start > 0 ? words[start - 1].text : ""
      if next == "old" || next == "of" && end + 1 < words.count && words[end + 1].text == "age" {
        return SpokenQuantity(kind: .age, value: value * hours, words: start..<(end + 1))
      }
      if next == "ago" {
        return SpokenQuantity(kind: .ago, value: value * hours, words: start..<(end + 1), least: least * hours)
      }
      if previous == "every" || previous == "in" { return SpokenQuantity(kind: .count, value: 3, words: start..<end) }
      return SpokenQuantity(kind: .duration, value: value * hours, words: start..<end, least: least * hours)
    }
    if index < words.count, measures.contains(words[index].text) { return nil }
    // "a" and "an" count nothing without a unit.
    guard words[start].number != nil || value >= 2 || words[start].text == "one" else { return nil }
    guard value <= 50, value.rounded() == value, !isClockTime(at: start, words) else { return nil }
    return SpokenQuantity(kind: .count, value: value, words: start..<(start + 1))
  }
}
