/// The entries of a text that tells a history by dates: "5/21 parvo, in for 4 d. 2/23 cruciate. 9/24 lame behind".
///
/// What stands under a date months before the latest one is past, whatever else its sentence says. Dates count only where they begin
/// a line, a sentence or a list: "lame since 3/4" begins nothing.
///
/// - Complexity: O(words + entries²) once for a text; a text without dates costs one look at each beginning.
struct DatedEntries: Sendable {
  private struct Entry: Sendable {
    let date: Range<Int>
    let body: Range<Int>
    var isEarlier = false
  }

  /// So many days before the latest entry is another episode. Shorter stretches are one illness's days: nothing in them is taken for
  /// over.
  private static var episodeDays: Int { 60 }

  private var entries: [Entry] = []
  /// The date of the visit itself: what is dated by it is of today.
  private var visitDate: Range<Int>?

  init(text: ScannedText, months: WordClassSet) {
    let found = Self.dates(in: text, months: months)
    guard found.count > 1 else { return }
    let bodies = Self.bodies(of: found, in: text)
    entries = zip(found, bodies).map { Entry(date: $0.words, body: $1.words) }
    let orders = EntryDate.Hand.allCases.compactMap { EntryDate.days(of: found.map(\.date), in: $0) }
    guard let first = orders.first else { return }
    for index in entries.indices {
      entries[index].isEarlier = orders.allSatisfy { days in
        let latest = days.map(\.lowerBound).max() ?? 0
        return latest - days[index].upperBound >= Self.episodeDays
      }
    }
    let latest = first.indices.max { first[$0].lowerBound < first[$1].lowerBound } ?? 0
    // A year alone, and what stands before "Today: …", are no date of a visit.
    if (!found[latest].date.isYear || bodies[latest].isOfToday) && !bodies[latest].isFollowedByToday {
      visitDate = found[latest].words
    }
  }

  /// The words of the date under which a word stands, where that is of an episode before.
  func earlierDate(over word: Int) -> Range<Int>? {
    entries.last { $0.isEarlier && $0.body.contains(word) }?.date
  }

  /// Whether words are part of the date of this visit.
  func isVisitDate(_ words: Range<Int>) -> Bool { visitDate?.overlaps(words) ?? false }

  // MARK: - Finding

  private static func dates(in text: ScannedText, months: WordClassSet) -> [(words: Range<Int>, date: EntryDate)] {
    var result: [(words: Range<Int>, date: EntryDate)] = []
    var hasClock = false
    for index in text.words.indices {
      let isDate = text.words[index].kind == .number || text.words[index].classes.isSuperset(of: months)
      guard isDate, begins(at: index, in: text) else { continue }
      guard let found = EntryDate.read(at: index, of: text, months: months) else {
        // "2145 postictal": a log by the clock; its 2030 is no year.
        let word = text.words[index]
        hasClock = hasClock || word.kind == .number && word.byteCount == 4 && !word.flags.contains(.year)
        continue
      }
      result.append((index..<found.end, found.date))
    }
    return hasClock ? result.filter { !$0.date.isYear } : result
  }

  private static func begins(at index: Int, in text: ScannedText) -> Bool {
    let word = text.words[index]
    if index == 0 || word.flags.contains(.lineStart) || text.sentence(ofWord: index).lowerBound == index { return true }
    guard word.isSpaced else { return false }
    switch text.bytes[Int(text.words[index - 1].start)] {
    // "Records: 2/22 …; 5/23 …", "TPLO L. 5/24 lame".
    case 0x2E, 0x3A, 0x3B: return text.words[index - 1].kind == .symbol
    default: return false
    }
  }

  private struct Body {
    var words: Range<Int>
    var isOfToday = false
    var isFollowedByToday = false
  }

  /// From each date to the next, to an empty line or to a sentence that begins with today.
  private static func bodies(of found: [(words: Range<Int>, date: EntryDate)], in text: ScannedText) -> [Body] {
    found.indices.map { position in
      let start = found[position].words.upperBound
      let limit = position + 1 < found.count ? found[position + 1].words.lowerBound : text.words.count
      var body = Body(words: start..<limit)
      for index in start..<limit {
        let word = text.words[index]
        if word.kind == .lineBreak, index + 1 < limit, text.words[index + 1].kind == .lineBreak {
          body.words = start..<index
          break
        }
        guard word.kind == .word else { continue }
        if text.sentence(ofWord: index).lowerBound == index, word.isOne(of: .presenting) {
          body.words = start..<index
          body.isFollowedByToday = true
          break
        }
        // "2023 today: extraction", and not "none before today".
        body.isOfToday = body.isOfToday || index - start < 3 && word.hash == Self.today
      }
      return body
    }
  }

  private static let today = Spelling.hash("today")
}
