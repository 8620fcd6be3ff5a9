import Answering
import Clinical
import VetNet

/// Cases of other patients that resemble what an answer rests on.
enum SimilarCases {
  static let limit = 5

  /// - Returns: the most alike first, one a patient; none for an answer that rests on nobody's record or on several.
  static func resembling(_ answer: Answer, _ call: Call) throws -> [SimilarCase] {
    guard let first = answer.citations.first, answer.citations.allSatisfy({ $0.patientID == first.patientID }) else {
      return []
    }
    // Whoever is asked about is left out with all their notes.
    let found = try call.perform(FindSimilar(query: .note(first.noteID), filter: CaseFilter(limit: limit * 4)))
    var seen: Set<String> = []
    return Array(found.filter { seen.insert($0.patient.id).inserted }.prefix(limit))
  }
}
