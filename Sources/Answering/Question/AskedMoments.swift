import Clinical
import TextAnalysis

/// The moments at which a question asks for a value, taken apart from what it asks for: "weight before and after the steroids",
/// "how much has she lost since her very first visit", "highest and latest triglycerides", "potassium each time he blocked".
///
/// A moment is opened by a word that says how it lies to what happened ("before", "between", "since"), or stands by itself: the
/// first, the last, the highest, a month, so long after the one before. What is neither a moment nor joins two is the subject.
struct AskedMoments {
  struct Moment {
    enum Time {
      /// The earliest value there is, the latest.
      case first, last
      case extreme(isLeast: Bool)
      /// What its words may mean, the likelier first: "nov 22" is a day and a month.
      case period([Range<Timestamp>])
      /// So long after the moment before.
      case later(days: Int)
      /// The words that name what happened.
      case event(String)

      var isFirst: Bool { if case .first = self { true } else { false } }
      var isLast: Bool { if case .last = self { true } else { false } }
    }
    enum Edge {
      case at, before, after
      /// When it was begun, when it came to its end.
      case start, end
      case each
      /// Then and all that followed.
      case onwards
    }

    let time: Time
    var edge = Edge.at
    /// Which of an event's occasions, from 1; the last is 0, nil where the question doesn't say.
    var ordinal: Int?
    /// Its words, in the question's bytes.
    let range: Range<Int>
  }

  let moments: [Moment]
  /// The time of which the highest or the lowest is asked for, by its readings and where it stands.
  let within: (readings: [Range<Timestamp>], range: Range<Int>)?
  /// The words that name what is asked for; empty where only a verb does ("how much has she lost since").
  let subject: String

  /// Nil where a question names no moment.
  ///
  /// - Parameters:
  ///   - text: the question as typed.
  ///   - words: its words, with their bytes.
  ///   - periods: reads months, years and lengths of time.
  init?(_ text: String, _ words: [ClassedWord], periods: PeriodParser) {
    var scan = MomentScan(text, words, periods: periods)
    scan.run()
    guard !scan.moments.isEmpty else { return nil }
    (moments, within) = Self.asked(scan.moments, words)
    subject = (scan.before.isEmpty ? scan.behind : scan.before).text
  }

  /// "Highest pressure in 2023" is of that time. "Biggest left kidney cyst: first scan and Nov 2023": beside two other moments a
  /// superlative says which thing.
  private static func asked(
    _ moments: [Moment], _ words: [ClassedWord]
  ) -> ([Moment], (readings: [Range<Timestamp>], range: Range<Int>)?) {
    let others = moments.filter { !$0.isExtreme }
    if others.count > 1 { return (others, nil) }
    guard let other = others.first, others.count < moments.count, case .period(let readings) = other.time,
      let place = words.firstIndex(where: { $0.range.lowerBound == other.range.lowerBound }), place > 0,
      !words[place - 1].isOne(of: [.comparingjoint, .contrast, .comparison, .between, .until])
        && !words[place - 1].isOne(of: .dating)
    else { return (moments, nil) }
    return (moments.filter(\.isExtreme), (readings, other.range))
  }
}
