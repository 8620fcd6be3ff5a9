package import Clinical
import Extraction
package import TextAnalysis

/// When a note says that a patient is to be seen or tested again: "Recheck 2 weeks", "rpt bloods 3/12", "review 14 Nov".
package struct StatedReturn {
  package let note: ClinicalNote
  /// The sentence that says so.
  package let sentence: Range<Int>
  package let day: CalendarDate

  /// Words after the cue among which the time stands.
  private static let reach = 7
  private static let visits: Set<NoteKind> = [.consult, .nurse, .surgery]
  private static let planning: Set<NoteKind> = [.consult, .nurse, .surgery, .lab, .referral]

  /// That of the latest note which has one, of notes in time order; nil for none.
  ///
  /// - Complexity: reads notes from the latest on until one says when.
  package static func last(
    in notes: [ClinicalNote], cues: PlanCues, zone: PracticeTimeZone, outline: (ClinicalNote) -> NoteOutline
  ) -> StatedReturn? {
    for note in notes.reversed() where planning.contains(note.kind) {
      let day = zone.date(of: note.recordedAt)
      for sentence in outline(note).sentences.reversed() {
        guard let cue = cues.task(in: sentence.range, of: note) else { continue }
        let words = WordPhrases.words(
          in: note.text, range: cue.upperBound..<max(cue.upperBound, sentence.range.upperBound))
        if let due = time(in: Array(words.prefix(reach)), of: note, writtenOn: day) {
          return StatedReturn(note: note, sentence: sentence.range, day: due)
        }
      }
    }
    return nil
  }

  /// Whether a visit lies past half of the time, which will have been it.
  package func isMet(by notes: [ClinicalNote], zone: PracticeTimeZone) -> Bool {
    let written = zone.date(of: note.recordedAt)
    let half = written.adding(days: max(1, (day.daysSince1970 - written.daysSince1970) / 2))
    return notes.contains { later in
      Self.visits.contains(later.kind) && later.recordedAt > note.recordedAt && zone.date(of: later.recordedAt) >= half
    }
  }

  private static func time(in words: [Token], of note: ClinicalNote, writtenOn day: CalendarDate) -> CalendarDate? {
    for start in words.indices {
      for length in stride(from: min(3, words.count - start), through: 1, by: -1) {
        let range = words[start].range.lowerBound..<words[start + length - 1].range.upperBound
        guard let slice = note.text.slice(utf8: range) else { continue }
        let text = slice.lowercased().split(separator: " ").map(figures).joined(separator: " ")
        guard text.first?.isNumber == true else {
          // "Nov 14": a date, but no "may" alone.
          if length > 1, text.contains(where: \.isNumber), let date = WrittenDate(text, writtenOn: day, .onwards) {
            return date.likeliest
          }
          continue
        }
        if let days = WrittenDuration.days(text), days > 0 { return day.adding(days: days) }
        if length > 1 || text.contains("/"), let date = WrittenDate(text, writtenOn: day, .onwards),
          date.likeliest > day, date.likeliest < day.adding(days: 3 * 366)
        {
          return date.likeliest
        }
      }
    }
    return nil
  }

  /// "Two", "a" as figures, for "in a fortnight", "in two weeks".
  private static func figures(_ word: Substring) -> String {
    word == "a" || word == "an" ? "1" : NumberWord.value(String(word)).map(String.init) ?? String(word)
  }
}
