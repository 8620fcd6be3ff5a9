import Briefing
import Clinical
import VetNet

/// Cases of other patients that resemble what an answer rests on.
enum SimilarCases {
  static let limit = 5

  /// - Returns: the most alike first, one a patient; none for an answer that is about nobody's record, or rests on none.
  static func resembling(_ answer: Answer, about patient: String?, _ call: Call) throws -> [SimilarCase] {
    guard patient != nil, let first = answer.citations.first else { return [] }
    // Whoever is asked about is left out with all their notes.
    let found = try call.perform(FindSimilar(query: .note(first.noteID), filter: CaseFilter(limit: limit * 4)))
    var seen: Set<String> = []
    return Array(found.filter { seen.insert($0.patient.id).inserted }.prefix(limit))
  }
}
