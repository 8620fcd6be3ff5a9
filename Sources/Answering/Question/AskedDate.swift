import Chart
import Clinical
import TextAnalysis

/// A day in numbers that may be read in two orders: "3/2/26" is 3 February in one practice and March 2 in another.
enum AskedDate {
  /// The question with each such day written out, where of its two readings one alone is a day of the record; else as it was,
  /// which reads the day first.
  ///
  /// - Parameters:
  ///   - text: the question as typed.
  ///   - record: the patient's.
  ///   - zone: in which its notes have their days.
  /// - Returns: the same question, with days such as `2026-03-02`.
  static func settled(_ text: String, by record: PatientRecord, zone: PracticeTimeZone) -> String {
    var bytes = Array(text.utf8)
    for word in WordPhrases.words(in: text, range: nil).reversed() where word.text.split(separator: "/").count == 3 {
      guard let date = WrittenDate(word.text, writtenOn: CalendarDate(daysSince1970: 0), .backwards),
        date.readings.count == 2
      else { continue }
      let days = date.readings.map(\.lowerBound).filter { day in
        record.notes.contains { zone.date(of: $0.recordedAt) == day }
      }
      if days.count == 1 { bytes.replaceSubrange(word.range, with: "\(days[0])".utf8) }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
