import Clinical

/// Finds the day of a letter among the days that it names.
struct LetterDays {
  let words: LetterWords
  private let reader: DateReader
  private let today: CalendarDate

  /// Lines that are read for days.
  private static let looked = 400

  init(words: LetterWords, order: DateOrder?, today: CalendarDate) {
    self.words = words
    self.today = today
    var reader = DateReader(timeZone: .utc, acceptsLocalForms: true)
    reader.order = order.map(DateReader.Order.known) ?? .unknown
    self.reader = reader
  }

  /// The likeliest day: one that is said to be the letter's, else one that stands for itself near the top.
  func day(of lines: [String]) -> LetterScan.Found<CalendarDate>? {
    var best: (found: LetterScan.Found<CalendarDate>, weight: Int)?
    var filled = 0
    for line in lines.prefix(Self.looked) {
      if line.contains(where: { !$0.isWhitespace }) { filled += 1 }
      for day in days(in: line) where day.date <= today {
        let weight = weight(of: day, line: line, filled: filled)
        guard weight > 0, weight > best?.weight ?? 0 else { continue }
        best = (LetterScan.Found(day.date, line), weight)
      }
    }
    return best?.found
  }

  /// Whether there is a day that two orders read as two, and nobody said which is the practice's.
  func hasAmbiguous(in lines: [String]) -> Bool {
    lines.prefix(Self.looked).contains { line in
      line.split { $0 == " " || $0 == "\t" || $0 == "(" || $0 == ")" }.contains { part in
        let text = part.trimmingCharacters(".,;:–-")
        guard text.count >= 8, text.first?.isNumber == true, numeric(text) == nil else { return false }
        if case .failure(.ambiguous) = reader.read(text) { return true }
        return false
      }
    }
  }

  private struct Day {
    let date: CalendarDate
    let before: [Substring]
    let after: [Substring]
  }

  private func weight(of day: Day, line: String, filled: Int) -> Int {
    let before = day.before.map(LetterWords.folded)
    if before.suffix(4).contains(where: { words.has($0, .birth) })
      || words.has(before.suffix(3).joined(separator: " "), .birth)
      || words.has(before.suffix(2).joined(separator: " "), .birth)
    {
      return 0
    }
    // "Date:", "Dated", "Report date:" right before it.
    for count in 1...3 where before.count >= count && words.has(before.suffix(count).joined(separator: " "), .written) {
      if count == before.count { return 6 }
      if !["vom", "den", "le", "sent", "issued", "printed"].contains(before.last ?? "")
        || day.before.last?.hasSuffix(":") == true
      {
        return 5
      }
    }
    // A line of its own, perhaps with a place before it.
    if day.after.isEmpty, before.count <= 4,
      !before.contains(where: { words.has($0, .otherDay) || words.has($0, .about) })
    {
      return filled <= 15 ? 4 : 2
    }
    return 0
  }

  private func days(in line: String) -> [Day] {
    let parts = line.split { $0 == " " || $0 == "\t" || $0 == "(" || $0 == ")" }
    var days: [Day] = []
    var index = 0
    while index < parts.count {
      guard let (date, count) = day(at: index, parts) else {
        index += 1
        continue
      }
      days.append(Day(date: date, before: Array(parts[..<index]), after: rest(parts[(index + count)...])))
      index += count
    }
    return days
  }

  /// What stands behind a day, a time of day left out.
  private func rest(_ parts: ArraySlice<Substring>) -> [Substring] {
    parts.filter { part in
      let text = part.trimmingCharacters(".,;–-")
      return !text.isEmpty && DateReader.parseTime(text) == nil
        && !["uhr", "am", "pm", "at"].contains(text.lowercased())
    }
  }

  private func day(at index: Int, _ parts: [Substring]) -> (date: CalendarDate, count: Int)? {
    let first = parts[index].trimmingCharacters(".,;:–-")
    if let date = numeric(first) { return (date, 1) }
    guard index + 2 < parts.count else { return nil }
    let (second, third) = (
      parts[index + 1].trimmingCharacters(".,;:–-"), String(parts[index + 2].trimmingCharacters(".,;:–-").prefix(4))
    )
    guard let year = Int(third), third.count == 4, (1980...2100).contains(year) else { return nil }
    if let day = ordinal(first), let month = words.month(second) {
      return CalendarDate(year: year, month: month, day: day).map { ($0, 3) }
    }
    if let month = words.month(first), let day = ordinal(second) {
      return CalendarDate(year: year, month: month, day: day).map { ($0, 3) }
    }
    return nil
  }

  private func numeric(_ text: String) -> CalendarDate? {
    guard text.count >= 8, text.first?.isNumber == true else { return nil }
    let day = text.split(separator: "T").first.map(String.init) ?? text
    switch reader.read(day) {
    case .success(let reading): return reading.local.date
    case .failure:
      // One that only one order can read is no question, whatever the practice's order is.
      guard let order = DateReader.onlyOrder(of: day) else { return nil }
      var other = reader
      other.order = .known(order)
      guard case .success(let reading) = other.read(day) else { return nil }
      return reading.local.date
    }
  }

  /// `3`, `3rd`, `3.`
  private func ordinal(_ text: String) -> Int? {
    var digits = text.lowercased()
    for suffix in ["st", "nd", "rd", "th"] where digits.hasSuffix(suffix) { digits = String(digits.dropLast(2)) }
    return Int(digits).flatMap { (1...31).contains($0) ? $0 : nil }
  }
}
