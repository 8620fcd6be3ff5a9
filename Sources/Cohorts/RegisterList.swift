import Chart
import Clinical
import Extraction

/// The patients that fit a question, in the order in which they are listed: who fits for certain first, then the newest word first.
public struct RegisterList: Sendable {
  /// Of a longer list the rest is counted only: each citation takes a look at its note.
  static let citedLimit = 500

  let matches: [RegisterMatch]

  init(_ matches: [RegisterMatch]) {
    self.matches = matches.sorted { first, second in
      if first.standing != second.standing { return first.standing < second.standing }
      let (one, other) = (first.newest?.seconds ?? .min, second.newest?.seconds ?? .min)
      return (other, first.patient.name, first.patient.id) < (one, second.patient.name, second.patient.id)
    }
  }

  /// Whether a match needs its words: all that are cited do, and of allergies every one, for some of what is extracted is none.
  func isRead(_ place: Int) -> Bool {
    place < Self.citedLimit || matches[place].items.contains { $0.kind == .allergy }
  }

  /// The notes that the list rests on, by the ids of the records its matches were made from.
  public var noteIDs: Set<String> {
    Set(matches.indices.filter(isRead).flatMap { matches[$0].noteIDs })
  }
}
