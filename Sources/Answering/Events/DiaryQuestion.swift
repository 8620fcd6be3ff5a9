import TextAnalysis

/// A question that the appointment book answers: "when is he next in", "next appointment", "any visits booked?".
public struct DiaryQuestion: Sendable {
  /// Nil for a question that names anything else: when the next booster is due stands in the notes.
  ///
  /// - Parameters:
  ///   - text: as typed.
  ///   - names: words that name the patient or owner.
  public init?(_ text: String, names: [String]) {
    let words = WordForm.words(of: text)
    let own = Set(names.flatMap { WordForm.words(of: $0) })
    guard Self.cues.contains(where: { cue in words.indices.contains { words[$0...].starts(with: cue) } }),
      words.allSatisfy({ Self.plain.contains($0) || own.contains($0) || Self.words.contains($0) })
    else { return nil }
  }

  private static let cues = [
    "next in", "next appointment", "next appt", "next visit", "next booked", "next consult", "booked in", "coming in",
    "in next", "next seen", "see next", "next see", "seeing next", "next seeing", "next coming", "appointments booked",
    "appointment booked",
    "any appointments", "any appointment", "upcoming appointments", "upcoming appointment", "upcoming visits",
    "future appointments", "visits booked", "next slot",
  ].map { $0.split(separator: " ").map(String.init) }

  private static let words = Set(cues.flatMap { $0 })

  private static let plain: Set<String> = [
    "when", "is", "are", "was", "he", "she", "it", "they", "him", "them", "has", "have", "had", "does", "do", "did",
    "we", "us",
    "what", "which", "day", "date", "time", "who", "with", "for", "the", "a", "an", "his", "her", "its", "their", "any",
    "there", "at", "on", "again", "to", "be", "due", "back", "got", "vet", "this", "to", "of", "please", "been",
    "scheduled", "book", "already",
  ]
}
