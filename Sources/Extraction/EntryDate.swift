/// A date that begins an entry, as written: "3/14/22", "14.3.22", "2022-03", "3/2022", "14 Mar", "Mar 2022", "Mar:", "2022".
struct EntryDate: Sendable {
  /// How a writer orders day, month and year; one hand wrote the whole text.
  enum Hand: CaseIterable { case dayFirst, monthFirst, monthAndYear }

  private let year: Int?
  private let month: Int?
  private let day: Int?
  /// "3/4", "3/4/22": two numbers of which each may be the month.
  private let pair: (Int, Int)?

  private init(year: Int?, month: Int? = nil, day: Int? = nil, pair: (Int, Int)? = nil) {
    self.year = year.map { $0 < 100 ? $0 + 2000 : $0 }
    self.month = month
    self.day = day
    self.pair = pair
  }

  var isYear: Bool { month == nil && pair == nil }

  // MARK: - Reading

  /// The date that begins at word `index`, and the word behind it.
  static func read(at index: Int, of text: ScannedText, months: WordClassSet) -> (date: EntryDate, end: Int)? {
    if let named = named(at: index, of: text, months: months) { return named }
    let first = text.words[index]
    guard first.kind == .number, first.byteCount <= 5, let (fields, separator, byteEnd) = fields(at: first, of: text),
      let date = numeric(fields, separator)
    else { return nil }
    var end = index + 1
    while end < text.words.count, Int(text.words[end].start) < byteEnd { end += 1 }
    // "1/2 tablet", "3/6 murmur", "2030 hrs".
    if end < text.words.count, text.words[end].isOne(of: .countable) { return nil }
    return (date, end)
  }

  /// Up to three numbers with the same sign between them.
  private static func fields(
    at word: Word, of text: ScannedText
  ) -> (fields: [ArraySlice<UInt8>], separator: UInt8, end: Int)? {
    let bytes = text.bytes
    func isDigit(_ index: Int) -> Bool { index < bytes.count && (0x30...0x39).contains(bytes[index]) }
    var fields: [ArraySlice<UInt8>] = []
    var separator: UInt8 = 0
    var position = Int(word.start)
    while fields.count < 3 {
      let start = position
      while isDigit(position) { position += 1 }
      fields.append(bytes[start..<position])
      guard position < bytes.count, [0x2F, 0x2E, 0x2D].contains(bytes[position]), isDigit(position + 1),
        fields.count < 3, fields.count == 1 || bytes[position] == separator
      else { break }
      separator = bytes[position]
      position += 1
    }
    guard position < bytes.count, !Self.isWordByte(bytes[position]),
      !([0x2F, 0x25].contains(bytes[position])), !(bytes[position] == 0x2E && isDigit(position + 1))
    else { return nil }
    return (fields, separator, position)
  }

  private static func isWordByte(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

  private static func numeric(_ fields: [ArraySlice<UInt8>], _ separator: UInt8) -> EntryDate? {
    let values = fields.map { $0.reduce(0) { $0 * 10 + Int($1) - 0x30 } }
    let lengths = fields.map(\.count)
    func isYear(_ index: Int) -> Bool { lengths[index] == 4 && (1990...2079).contains(values[index]) }
    switch fields.count {
    case 1: return isYear(0) ? EntryDate(year: values[0]) : nil
    case 2:
      if isYear(0), isYear(1) { return EntryDate(year: values[1]) }
      if isYear(0), isMonth(values[1]) { return EntryDate(year: values[0], month: values[1]) }
      if isYear(1), isMonth(values[0]) { return EntryDate(year: values[1], month: values[0]) }
      guard separator == 0x2F, lengths.allSatisfy({ $0 <= 2 }), isPair(values[0], values[1]) else { return nil }
      return EntryDate(year: nil, pair: (values[0], values[1]))
    default:
      if isYear(0), isMonth(values[1]), (1...31).contains(values[2]) {
        return EntryDate(year: values[0], month: values[1], day: values[2])
      }
      guard isYear(2) || lengths[2] == 2, lengths[0] <= 2, lengths[1] <= 2, isPair(values[0], values[1]) else {
        return nil
      }
      return EntryDate(year: values[2], pair: (values[0], values[1]))
    }
  }

  private static func isMonth(_ value: Int) -> Bool { (1...12).contains(value) }

  private static func isPair(_ first: Int, _ second: Int) -> Bool {
    (isMonth(first) && (1...31).contains(second)) || (isMonth(second) && (1...31).contains(first))
  }

  /// "14th Mar 22", "Mar 14, 2022", "March 2022"; a month alone needs a colon or dash behind it ("May vomit").
  private static func named(
    at index: Int, of text: ScannedText, months: WordClassSet
  ) -> (date: EntryDate, end: Int)? {
    let words = text.words
    func number(_ at: Int, _ digits: ClosedRange<Int>) -> Int? {
      guard at < words.count, words[at].kind == .number, digits.contains(words[at].byteCount) else { return nil }
      return Int(String(decoding: text.bytes[words[at].range], as: UTF8.self))
    }
    func isOrdinal(_ at: Int) -> Bool { at < words.count && ordinals.contains(words[at].hash) }
    var position = index
    var day = number(position, 1...2)
    if day != nil { position += isOrdinal(position + 1) ? 2 : 1 }
    guard position < words.count, words[position].kind == .word, words[position].classes.isSuperset(of: months),
      let month = month(words[position], text)
    else { return nil }
    position += 1
    if position < words.count, words[position].kind == .symbol, text.bytes[Int(words[position].start)] == 0x2E {
      position += 1
    }
    if day == nil, let after = number(position, 1...2), (1...31).contains(after) {
      day = after
      position += isOrdinal(position + 1) ? 2 : 1
      if position + 1 < words.count, text.bytes[Int(words[position].start)] == 0x2C, number(position + 1, 4...4) != nil
      {
        position += 1
      }
    }
    let year = number(position, 4...4) ?? (day == nil ? nil : number(position, 2...2))
    if year != nil { position += 1 }
    guard day != nil || year != nil || isAnnounced(position, text) else { return nil }
    return (EntryDate(year: year, month: month, day: day), position)
  }

  private static func isAnnounced(_ index: Int, _ text: ScannedText) -> Bool {
    guard index < text.words.count, text.words[index].kind == .symbol else { return false }
    return text.words[index].hash == Sign.dash || text.words[index].hash == Sign.minus
      || text.bytes[Int(text.words[index].start)] == 0x3A
  }

  private static let monthLetters = Array("janfebmaraprmayjunjulaugsepoctnovdec".utf8)

  private static func month(_ word: Word, _ text: ScannedText) -> Int? {
    let letters = text.bytes[word.range].prefix(3).map { $0 | 0x20 }
    return (0..<12).first { monthLetters[($0 * 3)..<($0 * 3 + 3)].elementsEqual(letters) }.map { $0 + 1 }
  }

  private static let ordinals = Set(["st", "nd", "rd", "th"].map { Spelling.hash($0) })
}

extension EntryDate {
  /// The days of dates in the order of their text, counted from some day; nil where they can't be of that hand.
  ///
  /// A missing year is that of the date before, or of the one behind. Without any year the dates must come in order; over the turn of a
  /// year only from one season to the next.
  static func days(of dates: [EntryDate], in hand: Hand) -> [ClosedRange<Int>]? {
    var years = [Int?](repeating: nil, count: dates.count)
    var result: [ClosedRange<Int>] = []
    let read = dates.map { $0.parts(in: hand) }
    guard read.allSatisfy({ $0 != nil }) else { return nil }
    let firstKnown = read.firstIndex { $0?.year != nil }
    for (index, part) in read.enumerated() {
      guard let part else { return nil }
      if let year = part.year {
        years[index] = year
      } else if index == 0 {
        guard let firstKnown, let known = read[firstKnown], let year = known.year else {
          years[index] = 2000
          result.append(span(2000, part.month, part.day))
          continue
        }
        years[index] = (part.month ?? 12) <= known.month ?? 12 ? year : year - 1
      } else {
        years[index] = years[index - 1]
      }
      var days = span(years[index] ?? 2000, part.month, part.day)
      if part.year == nil, let before = result.last, days.upperBound < before.lowerBound {
        days = days.lowerBound + 365...days.upperBound + 365
        years[index] = years[index].map { $0 + 1 }
        guard days.lowerBound - before.upperBound <= 120 else { return nil }
      }
      result.append(days)
    }
    return result
  }

  private func parts(in hand: Hand) -> (year: Int?, month: Int?, day: Int?)? {
    guard let pair else { return (year, month, day) }
    switch hand {
    case .dayFirst: return pair.1 <= 12 && pair.0 <= 31 ? (year, pair.1, pair.0) : nil
    case .monthFirst: return pair.0 <= 12 && pair.1 <= 31 ? (year, pair.0, pair.1) : nil
    case .monthAndYear:
      return year == nil && pair.0 <= 12 && (10...39).contains(pair.1) ? (2000 + pair.1, pair.0, nil) : nil
    }
  }

  /// Months of 31 days are near enough: what is asked is whether seasons lie between.
  private static func span(_ year: Int, _ month: Int?, _ day: Int?) -> ClosedRange<Int> {
    guard let month else { return year * 365...year * 365 + 364 }
    let start = year * 365 + (month - 1) * 30
    return day.map { start + $0...start + $0 } ?? start...start + 30
  }
}
